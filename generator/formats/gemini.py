"""The `gemini` format: `contents` of parts, calls as `functionCall` and results as `functionResponse`.

A result must be an object there. One that is compact JSON is written as `{"result": value}`, any other text as
`{"output": text}`, and an error as it is, so that reading gives the same text again. Parameters are JSON Schema, in
`parametersJsonSchema`, and ids are kept: nothing is lost but `strict`.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.formats.conversation import Turn, call_turn, calls_of, digest_of, fresh_ids, turns_of
from generator.formats.definitions import read_foreign, wrapped
from generator.formats.format import Format
from generator.formats.literals import as_json, is_compact, parse_json
from generator.formats.losses import ORDER_OF_RESULTS, STRICT
from generator.ids import is_call_id
from generator.jsontext import JsonObject, JsonValue

_OWN = ("systemInstruction", "system_instruction", "contents", "tools")
_FIELDS = {
    "function_call": "functionCall",
    "function_response": "functionResponse",
    "function_declarations": "functionDeclarations",
    "parameters_json_schema": "parametersJsonSchema",
}
"""The fields in snake case, as Python programs write them."""


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has `contents` with parts."""
    contents = document.get("contents") if isinstance(document, dict) else None
    return isinstance(contents, list) and any(isinstance(content, dict) and "parts" in content for content in contents)


def dump_record(document: JsonObject) -> JsonObject:
    """Write a canonical record."""
    turns = turns_of(document)
    written: JsonObject = {}
    if turns and turns[0].message["role"] == "system":
        written["systemInstruction"] = {"parts": [{"text": turns.pop(0).message["content"]}]}
    written["contents"] = [content for turn in turns for content in _dump_turn(turn)]
    if "tools" in document:
        declarations = [_dump_tool(tool["function"]) for tool in document["tools"]]
        written["tools"] = [{"functionDeclarations": declarations}] if declarations else []
    return written | {key: value for key, value in document.items() if key not in ("messages", "tools")}


def _dump_turn(turn: Turn) -> Iterator[JsonObject]:
    message = turn.message
    calls = [_dump_call(call) for call in calls_of(message)]
    text = [{"text": message["content"]}] if message["content"] or not calls else []
    yield {"role": "user" if message["role"] == "user" else "model", "parts": [*text, *calls]}
    if turn.results:
        yield {"role": "user", "parts": [_dump_result(result, turn) for result in turn.results]}


def _dump_call(call: JsonObject) -> JsonObject:
    function = call["function"]
    return {"functionCall": {"id": call["id"], "name": function["name"], "args": function["arguments"]}}


def _dump_result(result: JsonObject, turn: Turn) -> JsonObject:
    called = next(call["function"] for call in calls_of(turn.message) if call["id"] == result["tool_call_id"])
    response = _dump_response(result["content"])
    return {"functionResponse": {"id": result["tool_call_id"], "name": called["name"], "response": response}}


def _dump_response(content: str) -> JsonObject:
    value = parse_json(content)
    if not is_compact(content, value):
        return {"output": content}
    return value if isinstance(value, dict) and value.keys() == {"error"} else {"result": value}


def _dump_tool(function: JsonObject) -> JsonObject:
    named = {key: value for key, value in function.items() if key not in ("parameters", "strict")}
    return {**named, "parametersJsonSchema": function.get("parameters", {"type": "object", "properties": {}})}


def load_record(document: JsonObject) -> JsonObject:
    """Bring a record to the canonical document; parts that are no text, call or response stay for the rules to find."""
    contents = document.get("contents")
    if not isinstance(contents, list):
        return document
    messages: list[JsonValue] = []
    instruction = document.get("systemInstruction") or document.get("system_instruction")
    if instruction:
        messages.append({"role": "system", "content": _text_of(instruction)})
    links = _Links(document)
    for content in contents:
        messages.extend(_load_content(content, links))
    rest = {key: value for key, value in document.items() if key not in _OWN}
    return {"messages": messages, "tools": _load_tools(document.get("tools", [])), **rest}


class _Links:
    """Gives calls their ids, and finds the call that a response answers: by id, else the oldest of its name."""

    def __init__(self, document: JsonObject) -> None:
        given = [call.get("id") for call in _all_calls(document)]
        if not all(map(is_call_id, given)) or len(set(given)) < len(given):
            given = list(fresh_ids(len(given), (), "gemini", digest_of(document.get("contents"))))
        self._ids = iter(given)
        self._waiting: list[tuple[JsonValue, JsonObject]] = []

    def call(self, said: JsonObject) -> JsonObject:
        """Return the canonical call."""
        function = {"name": said.get("name"), "arguments": said.get("args", {})}
        call = {"id": next(self._ids), "type": "function", "function": function}
        self._waiting.append((said.get("id"), call))
        return call

    def answered(self, response: JsonObject) -> JsonObject | None:
        """Return the call that a response answers, once."""
        identity, name = response.get("id"), response.get("name")
        for place, (given, call) in enumerate(self._waiting):
            if given == identity if identity is not None else call["function"]["name"] == name:
                return self._waiting.pop(place)[1]
        return None


def _all_calls(document: JsonObject) -> Iterator[JsonObject]:
    for content in document["contents"]:
        yield from _objects(_parts(content), "functionCall")


def _parts(content: JsonValue) -> list[JsonObject]:
    """Return the parts of a content that are objects, with their fields in camel case."""
    parts = content.get("parts") if isinstance(content, dict) else None
    if not isinstance(parts, list):
        return []
    return [_camel(part) for part in parts if isinstance(part, dict)]


def _objects(parts: list[JsonObject], field: str) -> list[JsonObject]:
    """Return what a field of some parts holds, where that is an object."""
    return [part[field] for part in parts if isinstance(part.get(field), dict)]


def _camel(fields: JsonObject) -> JsonObject:
    if not fields.keys() & _FIELDS.keys():
        return fields
    return {_FIELDS.get(name, name): value for name, value in fields.items()}


def _text_of(content: JsonValue) -> str:
    return content if isinstance(content, str) else "\n".join(str(part.get("text", "")) for part in _parts(content))


def _load_content(content: JsonValue, links: _Links) -> Iterator[JsonValue]:
    parts = _parts(content)
    calls = [links.call(call) for call in _objects(parts, "functionCall")]
    responses = _objects(parts, "functionResponse")
    texts = [str(part["text"]) for part in parts if "text" in part]
    if not parts or len(calls) + len(responses) + len(texts) != len(parts):
        yield content
        return
    for response in responses:
        yield _load_result(response, links)
    if calls:
        yield call_turn("\n".join(texts), calls)
    elif texts:
        role = content.get("role", "user")
        yield {"role": "assistant" if role == "model" else role, "content": "\n".join(texts)}


def _load_result(response: JsonObject, links: _Links) -> JsonObject:
    call = links.answered(response)
    linked = {} if call is None else {"tool_call_id": call["id"]}
    return {"role": "tool", **linked, "name": response.get("name"), "content": _load_response(response.get("response"))}


def _load_response(said: JsonValue) -> JsonValue:
    if isinstance(said, dict) and said.keys() == {"output"} and isinstance(said["output"], str):
        return said["output"]
    return as_json(said["result"] if isinstance(said, dict) and said.keys() == {"result"} else said)


def _load_tools(tools: JsonValue) -> JsonValue:
    tools = wrapped(tools)
    if not isinstance(tools, list):
        return tools
    loaded: list[JsonValue] = []
    for tool in tools:
        declarations = _camel(tool).get("functionDeclarations") if isinstance(tool, dict) else None
        loaded.extend(map(_load_tool, declarations) if isinstance(declarations, list) else [tool])
    return loaded


def _load_tool(declaration: JsonValue) -> JsonValue:
    """Return a declaration as a shown tool; one whose parameters are Gemini's own Schema is brought to JSON Schema."""
    if not isinstance(declaration, dict):
        return declaration
    function = _camel(declaration)
    if "parametersJsonSchema" not in function:
        foreign = read_foreign([declaration])
        return foreign[0] if isinstance(foreign, list) else declaration
    named = {key: value for key, value in function.items() if key != "parametersJsonSchema"}
    return {"type": "function", "function": {**named, "parameters": function["parametersJsonSchema"]}}


FORMAT = Format(
    name="gemini",
    summary="Gemini: contents of parts, functionCall and functionResponse",
    matches_record=matches_record,
    keys=("contents",),
    load_record=load_record,
    dump_record=dump_record,
    columns=frozenset({"contents", "tools", "metadata", "systemInstruction", "system_instruction"}),
    recognised_by="`contents` with `parts`",
    losses=(STRICT, ORDER_OF_RESULTS),
)
