"""The `anthropic` format: tools with an `input_schema`, records with `tool_use` and `tool_result` blocks.

A call is a `tool_use` block of the assistant, the results of a turn are the `tool_result` blocks of one user message.
Ids are written as `toolu_` and the nine characters; `is_error` says what the content says as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

import orjson

from generator.formats.conversation import Turn, call_turn, calls_of, digest_of, fresh_ids, messages_of, turns_of
from generator.formats.definitions import read_plain, wrapped
from generator.formats.format import Format, RawTool
from generator.formats.literals import as_json
from generator.formats.losses import ORDER_OF_RESULTS
from generator.ids import is_call_id
from generator.jsontext import JsonObject, JsonValue

_PREFIX = "toolu_"


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has blocks of calls or results, a `system` beside messages, or such tools."""
    if not isinstance(document, dict) or not messages_of(document):
        return False
    if any(block.get("type") in ("tool_use", "tool_result") for block in _all_blocks(document)):
        return True
    tools = document.get("tools")
    of_anthropic = isinstance(tools, list) and any(isinstance(tool, dict) and "input_schema" in tool for tool in tools)
    return of_anthropic or "system" in document


def _all_blocks(document: JsonObject) -> Iterator[JsonObject]:
    for message in messages_of(document):
        content = message.get("content")
        if isinstance(content, list):
            yield from (block for block in content if isinstance(block, dict))


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record."""
    turns = turns_of(document)
    rest = {key: value for key, value in document.items() if key not in ("messages", "tools")}
    written: JsonObject = {}
    if turns and turns[0].message["role"] == "system":
        written["system"] = turns.pop(0).message["content"]
    written["messages"] = [message for turn in turns for message in _dump_turn(turn)]
    written["tools"] = [_dump_tool(tool["function"]) for tool in document.get("tools", [])]
    return written | rest


def _dump_turn(turn: Turn) -> Iterator[JsonObject]:
    message = turn.message
    if not calls_of(message):
        yield {"role": message["role"], "content": message["content"]}
        return
    text = [{"type": "text", "text": message["content"]}] if message["content"] else []
    yield {"role": "assistant", "content": [*text, *map(_dump_call, calls_of(message))]}
    if turn.results:
        yield {"role": "user", "content": [_dump_result(result) for result in turn.results]}


def _dump_call(call: JsonObject) -> JsonObject:
    function = call["function"]
    return {
        "type": "tool_use",
        "id": _PREFIX + call["id"],
        "name": function["name"],
        "input": function["arguments"],
    }


def _dump_result(result: JsonObject) -> JsonObject:
    block = {"type": "tool_result", "tool_use_id": _PREFIX + result["tool_call_id"], "content": result["content"]}
    return {**block, "is_error": True} if _is_error(result["content"]) else block


def _is_error(content: str) -> bool:
    """Say whether a result is an error as canonical records tell one."""
    if not content.startswith('{"error":{'):
        return False
    try:
        said = orjson.loads(content)
    except orjson.JSONDecodeError:
        return False
    return isinstance(said, dict) and said.keys() == {"error"}


def _dump_tool(function: JsonObject) -> JsonObject:
    named = {key: value for key, value in function.items() if key != "parameters"}
    return {**named, "input_schema": function.get("parameters", {"type": "object", "properties": {}})}


def load_record(document: JsonObject) -> JsonObject:
    """Bring a record to the canonical document; blocks that are no text, call or result stay for the rules to find."""
    if not isinstance(document.get("messages"), list):
        return document
    ids = _canonical_ids(document)
    names: dict[str, JsonValue] = {}
    messages: list[JsonValue] = []
    system = _text_of(document.get("system"))
    if system is not None:
        messages.append({"role": "system", "content": system})
    for message in document["messages"]:
        messages.extend(_load_message(message, ids, names))
    rest = {key: value for key, value in document.items() if key not in ("system", "messages", "tools")}
    return {"messages": messages, "tools": _load_tools(document.get("tools", [])), **rest}


def _canonical_ids(document: JsonObject) -> dict[str, str]:
    """Return the canonical id of every id: the nine characters behind the prefix, else a new one."""
    given = [block.get("id") or block.get("tool_use_id") for block in _all_blocks(document)]
    known = {identity: identity.removeprefix(_PREFIX) for identity in given if isinstance(identity, str)}
    if len(set(known.values())) == len(known) and all(map(is_call_id, known.values())):
        return known
    fresh = fresh_ids(len(known), (), "anthropic", digest_of(document["messages"]))
    return dict(zip(known, fresh, strict=True))


def _load_message(message: JsonValue, ids: dict[str, str], names: dict[str, JsonValue]) -> Iterator[JsonValue]:
    content = message.get("content") if isinstance(message, dict) else None
    if not _are_blocks(content):
        yield message
        return
    role = message.get("role")
    kinds = {str(block.get("type")) for block in content}
    if role == "assistant" and {"tool_use"} <= kinds <= {"tool_use", "text"}:
        yield _load_calls(content, ids, names)
    elif role == "user" and {"tool_result"} <= kinds <= {"tool_result", "text"}:
        yield from _load_results(content, ids, names)
    else:
        text = _text_of(content)
        yield message if text is None else {**message, "content": text}


def _load_calls(content: list[JsonObject], ids: dict[str, str], names: dict[str, JsonValue]) -> JsonObject:
    """Return the turn of some calls, and add their names to those that results will look for."""
    calls = [_load_call(block, ids) for block in content if block.get("type") == "tool_use"]
    names.update((call["id"], call["function"]["name"]) for call in calls if isinstance(call["id"], str))
    return call_turn(_joined(content), calls)


def _are_blocks(content: JsonValue) -> TypeGuard[list[JsonObject]]:
    return isinstance(content, list) and all(isinstance(block, dict) for block in content)


def _load_results(content: list[JsonObject], ids: dict[str, str], names: dict[str, JsonValue]) -> Iterator[JsonObject]:
    yield from (_load_result(block, ids, names) for block in content if block.get("type") == "tool_result")
    if _joined(content):
        yield {"role": "user", "content": _joined(content)}


def _load_call(block: JsonObject, ids: dict[str, str]) -> JsonObject:
    function = {"name": block.get("name"), "arguments": block.get("input")}
    return {"id": _renamed(block.get("id"), ids), "type": "function", "function": function}


def _load_result(block: JsonObject, ids: dict[str, str], names: dict[str, JsonValue]) -> JsonObject:
    identity = _renamed(block.get("tool_use_id"), ids)
    content = block.get("content", "")
    text = _text_of(content)
    named = {"name": names[identity]} if isinstance(identity, str) and identity in names else {}
    said = text if text is not None else as_json(content) if isinstance(content, dict) else content
    return {"role": "tool", "tool_call_id": identity, **named, "content": said}


def _renamed(identity: JsonValue, ids: dict[str, str]) -> JsonValue:
    return ids.get(identity, identity) if isinstance(identity, str) else identity


def _text_of(content: JsonValue) -> str | None:
    """Return the text that a content is, or that its blocks are; None where there is more in it."""
    if isinstance(content, str):
        return content
    if not _are_blocks(content):
        return None
    return _joined(content) if content and all(block.get("type") == "text" for block in content) else None


def _joined(blocks: list[JsonObject]) -> str:
    return "\n".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")


def _load_tools(tools: JsonValue) -> JsonValue:
    shown = wrapped(tools)
    return [_load_tool(tool) for tool in shown] if isinstance(shown, list) else shown


def _load_tool(tool: JsonValue) -> JsonValue:
    function = tool.get("function") if isinstance(tool, dict) else None
    if not isinstance(function, dict) or "input_schema" not in function:
        return tool
    named = {key: value for key, value in function.items() if key != "input_schema"}
    return {"type": "function", "function": {**named, "parameters": function["input_schema"]}}


_DESCRIPTIVE = frozenset({"cache_control", "defer_loading", "allowed_callers", "input_examples"})
_KNOWN = frozenset({"name", "description", "input_schema", "type", "strict"}) | _DESCRIPTIVE


def matches(element: JsonValue) -> bool:
    """Say whether this is a tool with an `input_schema`."""
    return isinstance(element, dict) and "input_schema" in element


def load(element: JsonObject) -> Iterator[RawTool]:
    """Read one tool."""
    yield read_plain(element, _KNOWN, parameters="input_schema", kept=_DESCRIPTIVE)


FORMAT = Format(
    name="anthropic",
    summary="Anthropic: tools with input_schema; records with tool_use and tool_result blocks",
    matches_tools=matches,
    load_tools=load,
    matches_record=matches_record,
    keys=("messages",),
    signs=frozenset({"system beside", "input schema", "parts"}),
    load_record=load_record,
    dump_record=dump_record,
    columns=frozenset({"messages", "tools", "metadata", "system"}),
    recognised_by="`messages` with `tool_use` or `tool_result` blocks, `input_schema` in tools, or a `system` beside",
    losses=(ORDER_OF_RESULTS,),
)
