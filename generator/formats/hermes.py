"""The `hermes` format: ShareGPT conversations with the tools, calls and results as tagged text.

The system text lists the tools between `<tools>` tags and says how to call them; a call is a `<tool_call>` block, the
results of a turn are `<tool_response>` blocks of `{"name", "content"}` in one entry of the speaker tool. A content
that is no text stands there as the value it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.call_notations import CALL_OPENS, dump_calls, dump_responses, response_texts, split_calls
from generator.formats.conversation import Ids, Turn, call_turn, calls_of, function_of, results_by_position, turns_of
from generator.formats.definitions import read_foreign, wrapped
from generator.formats.format import Format
from generator.formats.literals import (
    as_json,
    between,
    is_compact,
    parse_json,
    python_json,
    read_literal,
    read_several,
    spaced_json,
)
from generator.formats.losses import IDS_BESIDE_METADATA, ORDER_OF_RESULTS
from generator.formats.speakers import (
    CONVERSATIONS,
    as_message,
    entries_after_system,
    entries_of,
    said,
    system_messages,
    system_of,
    without_own,
)
from generator.jsontext import JsonObject, JsonValue

_OPENING = "You can call functions. Their signatures stand within <tools></tools> XML tags:\n<tools>\n"
_CLOSING = (
    "\n</tools>\nFor each call, return a JSON object with the function's name and arguments within "
    '<tool_call></tool_call> XML tags:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n'
    "</tool_call>"
)
_HEADING = "# Tools"


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a conversation with `<tools>` in its system text or `<tool_call>` blocks."""
    entries = entries_of(document)
    return bool(entries) and ("<tools>" in system_of(document) or any(_holds_calls(entry) for entry in entries))


def takes_plain(document: JsonObject, key: str) -> bool:
    """Say whether what stands under a key is a conversation without tools and calls."""
    return key in CONVERSATIONS and any(said(entry)[0] for entry in entries_of(document))


def _holds_calls(entry: JsonValue) -> bool:
    speaker, value = said(entry)
    return speaker == "assistant" and isinstance(value, str) and CALL_OPENS in value


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record."""
    turns = turns_of(document)
    system = turns.pop(0).message["content"] if turns and turns[0].message["role"] == "system" else ""
    whole = _dump_system(system, document.get("tools", []))
    entries = [{"from": "system", "value": whole}] if whole else []
    entries += [entry for turn in turns for entry in _dump_turn(turn)]
    return {"conversations": entries} | {
        key: value for key, value in document.items() if key not in ("messages", "tools")
    }


def _dump_system(system: str, tools: list[JsonObject]) -> str:
    if not tools:
        return system
    section = f"{_OPENING}[{', '.join(map(spaced_json, tools))}]{_CLOSING}"
    return f"{system}\n\n{section}" if system else section


def _dump_turn(turn: Turn) -> Iterator[JsonObject]:
    message = turn.message
    if message["role"] != "assistant":
        yield {"from": "human" if message["role"] == "user" else "system", "value": message["content"]}
        return
    yield {"from": "gpt", "value": dump_calls(message["content"], [call["function"] for call in calls_of(message)])}
    if turn.results:
        yield {"from": "tool", "value": dump_responses([_dump_result(result) for result in turn.results])}


def _dump_result(result: JsonObject) -> str:
    content = result["content"]
    value = parse_json(content)
    is_value = not isinstance(value, str) and is_compact(content, value)
    response = {"name": result.get("name"), "content": value if is_value else content}
    return python_json(response)


def load_record(document: JsonObject) -> JsonObject:
    """Bring a conversation to the canonical document; blocks that cannot be read stay text, for the rules to find."""
    system, tools = _load_system(system_of(document))
    if tools is None:
        tools = read_foreign(document.get("tools", []))
    entries = [(entry, *said(entry)) for entry in entries_after_system(document)]
    opened = sum(value.count(CALL_OPENS) for _, speaker, value in entries if _may_call(speaker, value))
    ids = Ids(document, opened, "hermes")
    messages = system_messages(system)
    waiting: list[JsonObject] = []
    for entry, speaker, value in entries:
        read = _split_calls(speaker, value)
        if read is not None:
            waiting = [ids.call(function["name"], function["arguments"]) for function in read[1]]
            messages.append(call_turn(read[0], waiting))
        elif speaker == "results" and isinstance(value, str):
            messages.extend(_load_results(value, waiting))
            waiting = []
        else:
            messages.append(as_message(entry, speaker, value))
    return {"messages": messages, "tools": tools, **without_own(document)}


def _may_call(speaker: str, value: JsonValue) -> bool:
    return speaker in ("assistant", "calls") and isinstance(value, str)


def _split_calls(speaker: str, value: JsonValue) -> tuple[str, list[JsonObject]] | None:
    return split_calls(value, literals=True) if _may_call(speaker, value) else None


def _load_system(text: str) -> tuple[str, JsonValue | None]:
    """Return the system text proper, and the tools where it lists some.

    Whatever a text says of how to call the tools is left out, since templates say it again.
    """
    before, opening, rest = text.rpartition(_OPENING)
    if opening and rest.endswith(_CLOSING):
        return before.removesuffix("\n\n"), wrapped(rest.removesuffix(_CLOSING))
    tools = _listed(text)
    if tools is None:
        return text, None
    start = text.rfind("\n\n", 0, text.index("<tools>"))
    own = text[: max(start, 0)]
    return own.partition(_HEADING)[0].strip() if _HEADING in own else own.strip(), read_foreign(tools)


def _listed(text: str) -> list[JsonValue] | None:
    """Return the definitions between the first tags that hold some, as JSON or as Python writes them."""
    for inner in map(str.strip, between(text, "<tools>", "</tools>")):
        if inner.startswith(("[", "{")):
            read = read_several(inner) or _read_literal(inner)
            if read is not None:
                return read
    return None


def _read_literal(text: str) -> list[JsonValue] | None:
    read = read_literal(text)
    if read is None or text[read[1] :].strip():
        return None
    return read[0] if isinstance(read[0], list) else [read[0]]


def _load_results(text: str, calls: list[JsonObject]) -> Iterator[JsonObject]:
    blocks = response_texts(text) or [text]
    contents = [_load_result(block, calls[place : place + 1]) for place, block in enumerate(blocks)]
    return results_by_position(calls, contents)


def _load_result(block: str, calls: list[JsonObject]) -> str:
    """Return the content of a block: what it says beside the name of its call, else the block itself."""
    response = parse_json(block)
    if not isinstance(response, dict) or response.keys() != {"name", "content"}:
        return block
    if calls and response["name"] != function_of(calls[0]).get("name"):
        return block
    content = response["content"]
    return content if isinstance(content, str) else str(as_json(content))


FORMAT = Format(
    name="hermes",
    summary="Hermes: ShareGPT conversations with tools, calls and results as tagged text",
    matches_record=matches_record,
    keys=("messages", *CONVERSATIONS),
    in_text=CONVERSATIONS,
    signs=frozenset({"tags", "listed tools"}),
    takes_plain=takes_plain,
    load_record=load_record,
    dump_record=dump_record,
    columns=frozenset({"conversations", "conversation", "messages", "tools", "metadata", "system"}),
    recognised_by="`conversations` with `<tools>` in the system text or `<tool_call>` blocks",
    losses=(IDS_BESIDE_METADATA, ORDER_OF_RESULTS),
    tools_column="",
)
