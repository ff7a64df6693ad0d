"""Records in the Qwen3 format (seeds/002): calls and results as tagged text inside the messages.

Calls stand as `<tool_call>` blocks in the assistant's content, the results of one turn as `<tool_response>`
blocks in one user message, matched by position. The format holds no ids: reading assigns them in order, from
the statuses of the metadata where those fit, else new ones.

The `qwen3-text` format: records rendered as Qwen3's own template renders them, in one text.

The variant thinking (Qwen3) opens the last of the assistant's turns with empty thoughts, the variant instruct
(Qwen3-Instruct-2507) does not. Reading takes both.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.call_notations import (
    CALL_OPENS,
    dump_calls,
    dump_responses,
    holds_responses,
    response_texts,
    split_calls,
)
from generator.formats.conversation import (
    Ids,
    Turn,
    all_calls,
    call_turn,
    calls_of,
    messages_of,
    results_by_position,
    turns_of,
)
from generator.formats.definitions import wrapped
from generator.formats.format import Format
from generator.formats.literals import spaced_json
from generator.formats.losses import IDS_BESIDE_METADATA, ORDER_OF_RESULTS
from generator.jsontext import JsonObject, JsonValue


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document is a record with tagged calls or results in its messages."""
    if not isinstance(document, dict):
        return False
    return any(_is_tagged(message) for message in messages_of(document)) and not any(all_calls(document))


def _is_tagged(message: JsonObject) -> bool:
    content = message.get("content")
    if message.get("role") == "assistant":
        return isinstance(content, str) and CALL_OPENS in content
    return _is_of_results(message)


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record in this format; its ids are lost from the messages, the metadata is kept."""
    messages = [message for turn in turns_of(document) for message in _dump_turn(turn)]
    return {**document, "messages": messages}


def _dump_turn(turn: Turn) -> Iterator[JsonObject]:
    message = turn.message
    calls = calls_of(message)
    if calls:
        content = dump_calls(message["content"], [call["function"] for call in calls])
        yield {"role": message["role"], "content": content}
    else:
        yield message
    if turn.results:
        yield {"role": "user", "content": dump_responses([result["content"] for result in turn.results])}


def load_record(document: JsonObject) -> JsonObject:
    """Bring a Qwen3 record to the canonical document.

    A turn whose calls cannot be read stays text, and a result that no call answers to gets no id: the rules
    find both.
    """
    if not isinstance(document.get("messages"), list):
        return document
    messages: list[JsonValue] = []
    unanswered: list[JsonObject] = []
    texts = [message["content"] for message in messages_of(document) if isinstance(message.get("content"), str)]
    ids = Ids(document, sum(text.count(CALL_OPENS) for text in texts), "qwen3")
    for message in document["messages"]:
        if _is_of_results(message):
            messages.extend(results_by_position(unanswered, response_texts(message["content"])))
            unanswered = []
            continue
        turn = _load_turn(message, ids)
        unanswered = calls_of(turn) if isinstance(turn, dict) else []
        messages.append(turn)
    tools = {"tools": wrapped(document["tools"])} if isinstance(document.get("tools"), str) else {}
    return {**document, "messages": messages, **tools}


def _is_of_results(message: JsonValue) -> bool:
    return isinstance(message, dict) and message.get("role") == "user" and holds_responses(message.get("content"))


def _load_turn(message: JsonValue, ids: Ids) -> JsonValue:
    content = message.get("content") if isinstance(message, dict) and message.get("role") == "assistant" else None
    read = split_calls(content) if isinstance(content, str) and CALL_OPENS in content else None
    if read is None:
        return message
    text, functions = read
    return call_turn(text, [ids.call(function["name"], function["arguments"]) for function in functions])


FORMAT = Format(
    name="qwen3",
    summary="Qwen3 messages: calls and results as tagged text, matched by position",
    matches_record=matches_record,
    keys=("messages",),
    signs=frozenset({"tags"}),
    load_record=load_record,
    dump_record=dump_record,
    recognised_by="`messages` with `<tool_call>` or `<tool_response>` blocks as text",
    losses=(IDS_BESIDE_METADATA, ORDER_OF_RESULTS),
)


_START, _END = "<|im_start|>", "<|im_end|>"
_THOUGHTS = "<think>\n\n</think>\n\n"
_TOOLS_OPEN = (
    "# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
    "You are provided with function signatures within <tools></tools> XML tags:\n<tools>"
)
_TOOLS_CLOSE = (
    "\n</tools>\n\nFor each function call, return a json object with function name and arguments within "
    '<tool_call></tool_call> XML tags:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n'
    "</tool_call>"
)
_ROLES = ("system", "user", "assistant")


def matches_text(document: JsonValue) -> bool:
    """Say whether a parsed document has a `text` of Qwen3's turns."""
    text = document.get("text") if isinstance(document, dict) else None
    return isinstance(text, str) and text.startswith(_START)


def dump_thinking(document: JsonObject) -> JsonObject:
    """Write a canonical record as Qwen3 renders it."""
    return _dump(document, _THOUGHTS)


def dump_instruct(document: JsonObject) -> JsonObject:
    """Write a canonical record as Qwen3-Instruct-2507 renders it."""
    return _dump(document, "")


def _dump(document: JsonObject, thoughts: str) -> JsonObject:
    messages = dump_record(document)["messages"]
    system = messages.pop(0)["content"] if messages[0]["role"] == "system" else None
    whole = _dump_system(system, document.get("tools", []))
    turns = [] if whole is None else [_rendered("system", whole)]
    turns += [_rendered(message["role"], message["content"]) for message in messages]
    asked = any(message["role"] == "user" for message in document["messages"])
    if thoughts and asked and messages[-1]["role"] == "assistant":
        turns[-1] = _rendered("assistant", thoughts + messages[-1]["content"].lstrip("\n"))
    rest = {key: value for key, value in document.items() if key not in ("messages", "tools")}
    return {"text": "".join(turns), **rest}


def _rendered(role: str, content: str) -> str:
    return f"{_START}{role}\n{content}{_END}\n"


def _dump_system(system: str | None, tools: list[JsonObject]) -> str | None:
    if not tools:
        return system
    lines = "".join(f"\n{spaced_json(tool)}" for tool in tools)
    return f"{'' if system is None else system + chr(10) * 2}{_TOOLS_OPEN}{lines}{_TOOLS_CLOSE}"


def load_text(document: JsonObject) -> JsonObject:
    """Bring a rendered record to the canonical document; text outside turns is left to the rules to find."""
    turns = _turns(document.get("text"))
    if turns is None:
        return document
    messages: list[JsonObject] = []
    tools: JsonValue = []
    for role, content in turns:
        if role == "system" and not messages:
            system, tools = _load_system(content)
            messages += [] if system is None else [{"role": "system", "content": system}]
        else:
            messages.append({"role": role, "content": content.removeprefix(_THOUGHTS)})
    rest = {key: value for key, value in document.items() if key != "text"}
    return load_record({"messages": messages, "tools": tools, **rest})


def _turns(text: JsonValue) -> list[tuple[str, str]] | None:
    """Return who says what; None where the text is not made of turns alone."""
    if not isinstance(text, str) or not text.startswith(_START):
        return None
    turns: list[tuple[str, str]] = []
    for part in text.split(_START)[1:]:
        said, end, after = part.partition(_END)
        role, newline, content = said.partition("\n")
        if role not in _ROLES or not newline or not end or after.strip():
            return None
        turns.append((role, content))
    return turns


def _load_system(content: str) -> tuple[str | None, JsonValue]:
    system, opening, rest = content.rpartition(_TOOLS_OPEN)
    if not opening or not rest.endswith(_TOOLS_CLOSE):
        return content, []
    own = system.removesuffix("\n\n") if system else None
    lines = rest.removesuffix(_TOOLS_CLOSE).split("\n")
    return own, wrapped([line for line in lines if line])


TEXT = Format(
    name="qwen3-text",
    summary="Qwen3 as rendered text; variants thinking and instruct",
    matches_record=matches_text,
    keys=("text",),
    load_record=load_text,
    dump_record=dump_thinking,
    variants={"thinking": dump_thinking, "instruct": dump_instruct},
    columns=frozenset({"text", "metadata"}),
    recognised_by="`text` that begins with `<|im_start|>`",
    losses=(IDS_BESIDE_METADATA, ORDER_OF_RESULTS),
    tools_column="",
)
