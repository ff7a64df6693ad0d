"""The `adm` format: ALTAR's data model. Tools are function declarations, records have calls and results apart.

A turn of calls names the places of its calls in `calls`, a tool message the place of its result in `results`. The id
of a call is the extension `x_call_id`, and a result that is no compact JSON is text under the extension `x_text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import orjson

from generator.formats.conversation import Ids, Turn, call_turn, calls_of, function_of, turns_of
from generator.formats.definitions import RESULT_EXTENSION, extensions_of, read_foreign, result_of
from generator.formats.format import Format, RawTool, ToolDump
from generator.formats.literals import as_json, is_compact, parse_json
from generator.formats.losses import ORDER_OF_RESULTS, STRICT, Loss, strict_loss
from generator.ids import is_call_id
from generator.jsontext import JsonObject, JsonValue, digest, pointer
from generator.schemas.adm import (
    ADM_TYPES,
    DECLARATION_RULES,
    DECLARATIONS,
    JSON_SCHEMA_PARAMETERS,
    RESULTS,
    TOOL_RULES,
    VERSION_RULES,
    declaration_is_object,
    schema_notes,
    to_adm,
)
from generator.schemas.dialects import normalize_parameters
from generator.schemas.keywords import Note, under
from generator.schemas.validators import schema_problems
from generator.tools import Change, Tool

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
        match message:
            case {"result": place}:
                messages.append(_load_result(_at(document["results"], place), waiting))
            case {"calls": list(places)}:
                waiting = [call for place in places if (call := _at(calls, place)) is not None]
                messages.append(call_turn(message.get("content", ""), list(waiting)))
            case _:
                messages.append(message)
    rest = {key: value for key, value in document.items() if key not in _OWN}
    return {"messages": messages, "tools": _load_tools(document.get("tools", [])), **rest}


def _at(entries: list[JsonValue], place: JsonValue) -> JsonObject | None:
    known = isinstance(place, int) and not isinstance(place, bool) and 0 <= place < len(entries)
    return entries[place] if known and isinstance(entries[place], dict) else None


def _load_calls(document: JsonObject) -> list[JsonObject | None]:
    said = [call for call in document["calls"] if isinstance(call, dict)]
    given = [call.get(_ID) for call in said]
    ids = Ids(document, len(said), "adm")
    loaded = [ids.call(call.get("name"), call.get("args")) for call in said]
    if len(set(map(str, given))) == len(given) and all(map(is_call_id, given)):
        for call, identity in zip(loaded, given, strict=True):
            call["id"] = identity
    following = iter(loaded)
    return [next(following) if isinstance(call, dict) else None for call in document["calls"]]


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


SCHEMA_KEYWORDS = Loss(
    "schema keywords",
    "what ADM's Schema cannot say of parameters",
    _through_adm,
    ("every keyword of their schemas",),
)
LOSSES = (SCHEMA_KEYWORDS, STRICT, ORDER_OF_RESULTS)


TOOL_EXTENSIONS = "_adm_tool"
"""Where a tool keeps the extensions of the ADM Tool that declared it; a name that ADM reserves."""


def matches(element: JsonValue) -> bool:
    """Say whether this is an ADM Tool, or a declaration whose types are ADM's."""
    if not isinstance(element, dict):
        return False
    if any(name in element for name in DECLARATIONS):
        return True
    parameters = element.get("parameters")
    in_capitals = isinstance(parameters, dict) and parameters.get("type") in ADM_TYPES
    return "name" in element and "type" not in element and (in_capitals or _has_json_schema(element))


def _has_json_schema(element: JsonObject) -> bool:
    return any(name in element for name in JSON_SCHEMA_PARAMETERS)


def load(element: JsonObject) -> Iterator[RawTool]:
    """Read the declarations; what is wrong with the Tool around them comes first, as a definition without a name."""
    name = next((name for name in DECLARATIONS if name in element), None)
    if name is None:
        yield _declaration(element, "", {})
        return
    notes = tuple(note for rule in (*TOOL_RULES, *VERSION_RULES) for note in rule.notes(element, ()))
    if notes:
        yield RawTool(pointer="", name=None, description=None, parameters=None, notes=notes, is_definition=False)
    declarations = element[name]
    for index, declaration in enumerate(declarations if isinstance(declarations, list) else []):
        yield _declaration(declaration, pointer((name, index)), extensions_of(element))


def _declaration(declaration: JsonValue, at: str, of_tool: JsonObject) -> RawTool:
    notes = tuple(declaration_is_object(declaration))
    if notes:
        return RawTool(pointer=at, name=None, description=None, parameters=None, notes=notes)
    parameters_name = next((name for name in JSON_SCHEMA_PARAMETERS if declaration.get(name)), "parameters")
    result, result_at, conflicts = result_of(declaration, *RESULTS)
    extensions = extensions_of(declaration)
    if of_tool:
        extensions[TOOL_EXTENSIONS] = of_tool
    return RawTool(
        pointer=at,
        name=declaration.get("name"),
        description=declaration.get("description"),
        parameters=declaration.get(parameters_name),
        parameters_at=f"/{parameters_name}",
        result_schema=result,
        result_at=result_at,
        extensions=extensions,
        notes=(*_notes(declaration), *conflicts),
    )


def _notes(declaration: JsonObject) -> Iterator[Note]:
    for rule in (*DECLARATION_RULES, *VERSION_RULES):
        yield from rule.notes(declaration, ())
    if declaration.get("parameters") is not None:
        yield from under("/parameters", schema_notes(declaration["parameters"]))


def dump(tools: Sequence[Tool]) -> ToolDump:
    """Write the tools as one ADM Tool, or as a list of them where they came with different extensions.

    Each keyword that ADM's Schema cannot hold is a loss; result schemas are kept as extensions.
    """
    groups: dict[str, JsonObject] = {}
    losses: dict[str, tuple[Change, ...]] = {}
    for tool in tools:
        of_tool = _of_tool(tool)
        group = groups.setdefault(digest(of_tool), {"function_declarations": [], **of_tool})
        declaration, lost = _write(tool)
        group["function_declarations"].append(declaration)
        if lost:
            losses[tool.name] = lost
    documents = list(groups.values())
    return ToolDump(documents[0] if len(documents) == 1 else documents, losses)


def _of_tool(tool: Tool) -> JsonObject:
    kept = tool.extensions.get(TOOL_EXTENSIONS)
    return kept if isinstance(kept, dict) else {}


def _write(tool: Tool) -> tuple[JsonObject, tuple[Change, ...]]:
    parameters, notes = to_adm(tool.parameters)
    written: JsonObject = {"name": tool.name, "description": tool.description, "parameters": parameters}
    if tool.result_origin != "domain":
        written[RESULT_EXTENSION] = tool.result_schema
    of_adm = {name: value for name, value in extensions_of(tool.extensions).items() if name != TOOL_EXTENSIONS}
    lost = [Change(pointer=f"/parameters{note.pointer}", kind="lost", message=note.message) for note in notes]
    lost += [
        Change(pointer=pointer((name,)), kind="lost", message="ADM has no field for it")
        for name in tool.extensions
        if name not in of_adm and name != TOOL_EXTENSIONS
    ]
    return {**written, **of_adm}, (*lost, *strict_loss(tool))


FORMAT = Format(
    name="adm",
    summary="ADM: function_declarations; records with calls and results beside messages",
    matches_tools=matches,
    load_tools=load,
    dump_tools=dump,
    matches_record=matches_record,
    keys=("messages",),
    signs=frozenset({"calls beside"}),
    load_record=load_record,
    dump_record=dump_record,
    columns=frozenset({"messages", "tools", "metadata", "calls", "results"}),
    recognised_by="`messages` with `calls` and `results` beside them",
    losses=LOSSES,
)
