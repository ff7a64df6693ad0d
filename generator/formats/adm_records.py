"""Records with calls and results as ADM writes them (seeds/004, 4.4 and 4.5), beside messages that point to them.

A turn of calls names the places of its calls in `calls`, a tool message the place of its result in `results`. The id
of a call is the extension `x_call_id`, and a result that is no compact JSON is text under the extension `x_text`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import orjson

from generator.formats.conversation import calls_of, function_of
from generator.formats.embedded_json import as_json, is_compact, parse_json
from generator.formats.record_losses import ORDER_OF_RESULTS, STRICT, Loss
from generator.formats.shown_tools import read_foreign
from generator.formats.turns import Ids, Turn, call_turn, turns_of
from generator.ids import is_call_id
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.adm.dump import to_adm
from generator.schemas.dialects import normalize_parameters
from generator.schemas.validators import schema_problems

_ID, _TEXT = "x_call_id", "x_text"
_OWN = ("messages", "tools", "calls", "results")


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has messages with `calls` and `results` beside them."""
    if not isinstance(document, dict) or not isinstance(document.get("messages"), list):
        return False
    return isinstance(document.get("calls"), list) and isinstance(document.get("results"), list)


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record; its tools become one ADM Tool, which holds what ADM's Schema can say.

    Raises:
        ValueError: the parameters of a tool are no schema.
    """
    calls: list[JsonObject] = []
    results: list[JsonObject] = []
    messages: list[JsonObject] = []
    for turn in turns_of(document):
        messages.append(_dump_message(turn.message, calls))
        for result in turn.results:
            messages.append({"role": "tool", "result": len(results)})
            results.append(_dump_result(result, turn))
    declarations = [_dump_tool(tool["function"]) for tool in document.get("tools", [])]
    tools = [{"function_declarations": declarations}] if declarations else []
    rest = {key: value for key, value in document.items() if key not in ("messages", "tools")}
    return {"messages": messages, "tools": tools, "calls": calls, "results": results, **rest}


def _dump_message(message: JsonObject, calls: list[JsonObject]) -> JsonObject:
    said = {"role": message["role"], "content": message["content"]}
    made = calls_of(message)
    if not made:
        return said
    first = len(calls)
    for call in made:
        function = call["function"]
        calls.append({"name": function["name"], "args": function["arguments"], _ID: call["id"]})
    return {**said, "calls": list(range(first, len(calls)))}


def _dump_result(result: JsonObject, turn: Turn) -> JsonObject:
    called = next(call["function"] for call in calls_of(turn.message) if call["id"] == result["tool_call_id"])
    name, content = called["name"], result["content"]
    value = parse_json(content)
    if not is_compact(content, value):
        return {"name": name, "status": "SUCCESS", "content": content, _ID: result["tool_call_id"], _TEXT: True}
    said = {"status": "ERROR", "error": value["error"]} if _is_error(value) else {"status": "SUCCESS", "content": value}
    return {"name": name, **said, _ID: result["tool_call_id"]}


def _is_error(value: JsonValue) -> bool:
    error = value.get("error") if isinstance(value, dict) and value.keys() == {"error"} else None
    return isinstance(error, dict) and isinstance(error.get("message"), str)


def _dump_tool(function: JsonObject) -> JsonObject:
    schema = function.get("parameters", {"type": "object", "properties": {}})
    written = orjson.loads(_in_adm(orjson.dumps(schema)))
    return {"name": function["name"], "description": function.get("description", ""), "parameters": written}


@lru_cache(maxsize=4096)
def _in_adm(schema: bytes) -> bytes:
    normalized = normalize_parameters(orjson.loads(schema))
    if not normalized.is_usable or schema_problems(normalized.schema):
        raise ValueError("the parameters of a tool are no schema that ADM could say")
    return orjson.dumps(to_adm(normalized.schema)[0])


def load_record(document: JsonObject) -> JsonObject:
    """Bring a record to the canonical document; what points nowhere stays as it is, for the rules to find."""
    if not matches_record(document):
        return document
    calls = _load_calls(document)
    waiting: list[JsonObject] = []
    messages: list[JsonValue] = []
    for message in document["messages"]:
        if isinstance(message, dict) and "result" in message:
            messages.append(_load_result(_at(document["results"], message["result"]), waiting))
            continue
        made = message.get("calls") if isinstance(message, dict) else None
        if isinstance(made, list):
            waiting = [call for call in (_at(calls, place) for place in made) if call is not None]
            messages.append(call_turn(message.get("content", ""), list(waiting)))
        else:
            messages.append(message)
    rest = {key: value for key, value in document.items() if key not in _OWN}
    return {"messages": messages, "tools": _load_tools(document.get("tools", [])), **rest}


def _at(entries: list[JsonValue], place: JsonValue) -> JsonObject | None:
    known = isinstance(place, int) and not isinstance(place, bool) and 0 <= place < len(entries)
    return entries[place] if known and isinstance(entries[place], dict) else None


def _load_calls(document: JsonObject) -> list[JsonObject | None]:
    said = [call if isinstance(call, dict) else None for call in document["calls"]]
    given = [call.get(_ID) for call in said if call is not None]
    ids = Ids(document, len(given), "adm")
    loaded = [None if call is None else ids.call(call.get("name"), call.get("args")) for call in said]
    if len(set(map(str, given))) == len(given) and all(map(is_call_id, given)):
        for call, identity in zip((call for call in loaded if call is not None), given, strict=True):
            call["id"] = identity
    return loaded


def _load_result(result: JsonObject | None, waiting: list[JsonObject]) -> JsonObject:
    """Return the tool message, linked by the id that the result names, else to the next call of its turn."""
    if result is None:
        return {"role": "tool", "content": None}
    named = next((call for call in waiting if call["id"] == result.get(_ID)), None)
    call = named or (waiting[0] if waiting else None)
    if call is not None:
        waiting.remove(call)
    linked = {} if call is None else {"tool_call_id": call["id"], "name": function_of(call).get("name")}
    return {"role": "tool", **linked, "content": _load_content(result)}


def _load_content(result: JsonObject) -> JsonValue:
    if result.get(_TEXT) is True and isinstance(result.get("content"), str):
        return result["content"]
    return as_json({"error": result["error"]} if "error" in result else result.get("content"))


def _load_tools(tools: JsonValue) -> JsonValue:
    tools = parse_json(tools)
    return [tool for part in tools for tool in _declared(part)] if isinstance(tools, list) else tools


def _declared(tool: JsonValue) -> Iterator[JsonValue]:
    declarations = tool.get("function_declarations") if isinstance(tool, dict) else None
    shown = read_foreign(declarations) if isinstance(declarations, list) else None
    yield from shown if isinstance(shown, list) else [tool]


def _through_adm(document: JsonObject) -> JsonObject:
    tools = document.get("tools", [])
    read = read_foreign([_dump_tool(tool["function"]) for tool in tools])
    for tool, written in zip(tools, read, strict=True):
        written["function"] |= {key: tool["function"][key] for key in ("strict",) if key in tool["function"]}
    return {**document, "tools": read}


SCHEMA_KEYWORDS = Loss("schema keywords", "what ADM's Schema cannot say of parameters", _through_adm)
LOSSES = (SCHEMA_KEYWORDS, STRICT, ORDER_OF_RESULTS)
