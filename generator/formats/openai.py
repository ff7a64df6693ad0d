"""OpenAI's formats (seeds/003): tools, records, lines of its fine-tuning, its older calls and its Responses.

`openai` and `openai-finetune` are written as well; `openai-functions` and `openai-responses` are read.

An id is written as `call_` and the nine characters; reading strips the prefix where nine remain, and gives a
new id to every other, in calls and tool messages alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from generator.formats.conversation import (
    Said,
    all_calls,
    digest_of,
    fresh_ids,
    function_of,
    messages_of,
    messages_of_turns,
    rewrite_calls,
    rewrite_ids,
    rewrite_messages,
    with_object_arguments,
    with_statuses_of,
    with_text_arguments,
)
from generator.formats.deepfabric import load_record as fill_gaps
from generator.formats.definitions import read_foreign, read_plain, unknown_fields
from generator.formats.format import TEXT_ARGUMENTS, Format, RawTool, ToolDump
from generator.formats.literals import as_text, parse_json
from generator.formats.losses import METADATA, extension_losses, result_loss
from generator.ids import is_call_id
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.keywords import Note
from generator.tools import Tool

_FUNCTION = frozenset({"name", "description", "parameters", "strict"})
_FLAT = _FUNCTION | {"type"}
_NESTED = frozenset({"type", "function"})
_CALL_MARKS = ("id", "call_id", "index")


def matches(element: JsonValue) -> bool:
    """Say whether this is a tool definition of OpenAI's; a tool call, which looks alike, is not."""
    if not isinstance(element, dict) or element.get("type", "function") != "function":
        return False
    function = element.get("function")
    if isinstance(function, dict):
        return not _is_call(element, function)
    return "type" in element and "name" in element and not _is_call(element, element)


def _is_call(element: JsonObject, function: JsonObject) -> bool:
    """Say whether this is a call, or the first piece of one: it has an id or a place, and describes nothing."""
    marked = any(mark in element for mark in _CALL_MARKS)
    return "arguments" in function or (marked and "parameters" not in function and "description" not in function)


def load(element: JsonObject) -> Iterator[RawTool]:
    """Read one definition."""
    if isinstance(element.get("function"), dict):
        notes = tuple(unknown_fields(element, _NESTED)) + _beside(element)
        yield read_plain(element["function"], _FUNCTION, at="/function", notes=notes)
    else:
        yield read_plain(element, _FLAT)


def _beside(element: JsonObject) -> tuple[Note, ...]:
    if "type" in element:
        return ()
    return (Note("", "deviation", 'has no `type`: taken for "function"', 'add "type": "function"', "OPENAI-4-type"),)


def dump(tools: Sequence[Tool]) -> ToolDump:
    """Write the tools as a request's `tools`; a result schema and extensions have no place there."""
    losses = {tool.name: (*result_loss(tool), *extension_losses(tool)) for tool in tools}
    return ToolDump([tool.whole for tool in tools], {name: lost for name, lost in losses.items() if lost})


_PREFIX = "call_"


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a record with arguments as text, `call_` ids or a request's parameter."""
    if not isinstance(document, dict) or not messages_of(document):
        return False
    return "parallel_tool_calls" in document or any(_is_openai(call) for call in all_calls(document))


def _is_openai(call: JsonObject) -> bool:
    return isinstance(function_of(call).get("arguments"), str) or str(call.get("id", "")).startswith(_PREFIX)


def load_record(document: JsonObject) -> JsonObject:
    """Bring an OpenAI record to the canonical document.

    Arguments that are no JSON object in text stay as they are, for the rules to find. A request's
    `parallel_tool_calls` is dropped unless it contradicts a strict tool (seeds/003, 7).
    """
    loaded = rewrite_messages(document, lambda message: rewrite_calls(message, with_object_arguments))
    loaded = rewrite_ids(loaded, _canonical_ids(document))
    if isinstance(document.get("parallel_tool_calls"), bool) and not _contradicts_strict(document):
        loaded = {key: value for key, value in loaded.items() if key != "parallel_tool_calls"}
    return fill_gaps(loaded)


def _canonical_ids(document: JsonObject) -> dict[str, str]:
    """Return the canonical id of every id in the document; distinct ids stay distinct."""
    canonical: dict[str, str | None] = {}
    taken: set[str] = set()
    for identity in _ids(document):
        bare = identity.removeprefix(_PREFIX)
        usable = is_call_id(bare) and (identity in canonical or bare not in taken)
        canonical.setdefault(identity, bare if usable else None)
        taken.add(bare)
    strangers = [identity for identity, bare in canonical.items() if bare is None]
    if strangers:
        fresh = fresh_ids(len(strangers), taken, "openai", digest_of(messages_of(document)))
        canonical.update(zip(strangers, fresh, strict=True))
    return {identity: bare for identity, bare in canonical.items() if bare is not None}


def _ids(document: JsonObject) -> list[str]:
    """Return every id in the document: those of calls first, then those that tool messages name."""
    calls = [call.get("id") for call in all_calls(document)]
    links = [message.get("tool_call_id") for message in messages_of(document)]
    return [identity for identity in [*calls, *links] if isinstance(identity, str)]


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record in this format.

    Where a strict tool is shown, `parallel_tool_calls` is false, as strict tools demand (seeds/003, 7).
    """
    dumped = with_statuses_of(rewrite_messages(document, _dump_message), _prefixed)
    return {**dumped, "parallel_tool_calls": False} if _shows_strict(document) else dumped


def _prefixed(identity: str) -> str:
    return _PREFIX + identity


def _dump_message(message: JsonObject) -> JsonObject:
    if "tool_calls" in message:
        return rewrite_calls(message, _dump_call)
    if isinstance(message.get("tool_call_id"), str):
        return {**message, "tool_call_id": _prefixed(message["tool_call_id"])}
    return message


def _dump_call(call: JsonObject) -> JsonObject:
    written = with_text_arguments(call)
    return {**written, "id": _prefixed(call["id"])} if isinstance(call.get("id"), str) else written


def _contradicts_strict(document: JsonObject) -> bool:
    return document["parallel_tool_calls"] is True and _shows_strict(document)


def _shows_strict(document: JsonObject) -> bool:
    tools = document.get("tools")
    shown = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    return any(function_of(tool).get("strict") is True for tool in shown)


FORMAT = Format(
    name="openai",
    summary="OpenAI: nested and flat function tools; records with arguments as text, ids `call_` and the nine",
    matches_tools=matches,
    load_tools=load,
    dump_tools=dump,
    matches_record=matches_record,
    keys=("messages",),
    signs=TEXT_ARGUMENTS,
    reads_as="openai",
    load_record=load_record,
    dump_record=dump_record,
    recognised_by="`messages`, and arguments as text, ids that start with `call_`, or `parallel_tool_calls`",
)


def matches_finetune(document: JsonValue) -> bool:
    """Say whether a parsed document is a line for fine-tuning: it says whether calls may be parallel, and no more."""
    if not isinstance(document, dict) or "parallel_tool_calls" not in document or not messages_of(document):
        return False
    return document.keys() <= {"messages", "tools", "parallel_tool_calls"}


def load_finetune(document: JsonObject) -> JsonObject:
    """Bring a line to the canonical document; one without tools shows none."""
    loaded = load_record(document)
    return loaded if "tools" in loaded else {**loaded, "tools": []}


def dump_finetune(document: JsonObject) -> JsonObject:
    """Write a canonical record; `parallel_tool_calls` is false where a strict tool is shown (seeds/003, 7)."""
    written = dump_record(document)
    line: JsonObject = {"messages": rewrite_messages(written, _without_name)["messages"]}
    if written.get("tools"):
        line |= {"tools": written["tools"], "parallel_tool_calls": written.get("parallel_tool_calls", True)}
    return line


def _without_name(message: JsonObject) -> JsonObject:
    if message.get("role") != "tool":
        return message
    return {key: value for key, value in message.items() if key != "name"}


FINETUNE = Format(
    name="openai-finetune",
    summary="OpenAI and Azure fine-tuning: as `openai`, with `parallel_tool_calls`",
    matches_record=matches_finetune,
    keys=("messages",),
    signs=TEXT_ARGUMENTS,
    reads_as="openai",
    load_record=load_finetune,
    dump_record=dump_finetune,
    recognised_by="as `openai`, with `parallel_tool_calls` and no keys but `messages` and `tools`",
    losses=(METADATA,),
)


_CALL = "function_call"
_ANSWERS = ("function", "tool")


def matches_functions(document: JsonValue) -> bool:
    """Say whether a parsed document has messages with a `function_call`, or results of the role function."""
    if not isinstance(document, dict):
        return False
    return any(
        isinstance(message.get(_CALL), dict) or message.get("role") == "function" for message in messages_of(document)
    )


def load_functions(document: JsonObject) -> JsonObject:
    """Bring a record to the canonical document; what else it holds is kept."""
    messages = document.get("messages")
    if not isinstance(messages, list):
        return document
    turns = [_said(message) for message in messages]
    tools = document.get("tools", document.get("functions", []))
    rest = {key: value for key, value in document.items() if key == "metadata"}
    return {
        "messages": messages_of_turns(document, turns, "openai-functions"),
        "tools": read_foreign(parse_json(tools)),
        **rest,
    }


def _said(message: JsonValue) -> Said:
    if not isinstance(message, dict):
        return Said("", message)
    call = message.get(_CALL)
    role, content = message.get("role"), message.get("content")
    if isinstance(call, dict) and isinstance(call.get("name"), str):
        made = {"name": call["name"], "arguments": parse_json(call.get("arguments", {}))}
        return Said("assistant", content or "", (made,))
    if role in _ANSWERS:
        return Said("result", as_text(content))
    return Said(role if isinstance(role, str) else "", content)


FUNCTIONS = Format(
    name="openai-functions",
    summary="OpenAI's older form: function_call in messages, results of the role function, functions",
    matches_record=matches_functions,
    keys=("messages",),
    signs=frozenset({"function role"}),
    standing="certain",
    load_record=load_functions,
    columns=frozenset({"messages", "functions", "tools", "metadata"}),
    recognised_by="`messages` with `function_call` or the role function",
)


_CALL_ITEM, _OUTPUT = "function_call", "function_call_output"
_TEXTS = ("input_text", "output_text", "text")
_PARAMETERS = "responses_create_params"


def matches_responses(document: JsonValue) -> bool:
    """Say whether a parsed document has an input of messages, calls and outputs."""
    items = _items(document) if isinstance(document, dict) else []
    return any(isinstance(each, dict) and ("role" in each or each.get("type") == _CALL_ITEM) for each in items)


def _request(document: JsonObject) -> JsonObject:
    """Return the request, which some rows keep under the name of the method's parameters."""
    request = document.get(_PARAMETERS)
    return request if isinstance(request, dict) else document


def _items(document: JsonObject) -> list[JsonValue]:
    request = _request(document)
    given, came = request.get("input"), document.get("output")
    first: list[JsonValue] = [{"role": "user", "content": given}] if isinstance(given, str) and came else []
    return [*first, *(given if isinstance(given, list) else []), *(came if isinstance(came, list) else [])]


def load_responses(document: JsonObject) -> JsonObject:
    """Bring a request and its output to the canonical document; items of other types stay, for the rules to find."""
    request = _request(document)
    messages: list[JsonValue] = []
    if isinstance(request.get("instructions"), str):
        messages.append({"role": "system", "content": request["instructions"]})
    for each in _items(document):
        _add(messages, each)
    return load_record({"messages": messages, "tools": read_foreign(request.get("tools", []))})


def _add(messages: list[JsonValue], each: JsonValue) -> None:
    kind = each.get("type", "message") if isinstance(each, dict) else ""
    if kind == _CALL_ITEM:
        call = {"id": each.get("call_id", each.get("id")), "type": "function", "function": _function(each)}
        last = messages[-1] if messages else None
        if isinstance(last, dict) and "tool_calls" in last:
            last["tool_calls"].append(call)
        else:
            messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
    elif kind == _OUTPUT:
        messages.append({"role": "tool", "tool_call_id": each.get("call_id"), "content": as_text(each.get("output"))})
    elif kind == "message":
        role = "system" if each.get("role") == "developer" else each.get("role")
        messages.append({"role": role, "content": _text(each.get("content"))})
    else:
        messages.append(each)


def _function(call: JsonObject) -> JsonObject:
    return {"name": call.get("name"), "arguments": call.get("arguments", "{}")}


def _text(content: JsonValue) -> JsonValue:
    """Return the text of parts that are all text; other content as it is."""
    if not isinstance(content, list) or not all(
        isinstance(part, dict) and part.get("type") in _TEXTS for part in content
    ):
        return content
    return "".join(str(part.get("text", "")) for part in content)


RESPONSES = Format(
    name="openai-responses",
    summary="OpenAI's Responses: input and output of messages, function_call and function_call_output",
    matches_record=matches_responses,
    keys=("input", _PARAMETERS),
    load_record=load_responses,
    columns=frozenset({"input", "output", "tools", "instructions", _PARAMETERS}),
    recognised_by="`input` with messages or `function_call`, or `responses_create_params`",
)
