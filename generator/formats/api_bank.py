"""The `api-bank` format, for reading: an instruction that ends in API descriptions, a dialogue, the request expected.

A request is `API-Request: [Name(key='value')]`; one that was answered goes on with `->` and the result.
"""

from __future__ import annotations

from generator.formats.embedded_json import read_json_at, skip_space
from generator.formats.format import Format
from generator.formats.literals import read_bracketed_calls
from generator.formats.role_lines import read_dialogue
from generator.formats.said_calls import Said, messages_of_turns
from generator.formats.shown_tools import read_foreign
from generator.jsontext import JsonObject, JsonValue

_DESCRIPTIONS = "API descriptions:"
_ASKS = ("Generate API Request:", "Generate AI Response:", "API Request:")
_REQUEST = "API-Request:"
_ANSWER = "AI:"
_RESULT = "->"
_EXPECTED = ("expected_output", "output")


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has an instruction with API descriptions, and a dialogue."""
    if not isinstance(document, dict) or "input" not in document:
        return False
    instruction = document.get("instruction")
    return isinstance(instruction, str) and _DESCRIPTIONS in instruction


def load_record(document: JsonObject) -> JsonObject:
    """Bring a line to the canonical document; a request that cannot be read stays text, for the rules to find."""
    instruction, dialogue = document.get("instruction"), document.get("input")
    if not isinstance(instruction, str) or not isinstance(dialogue, str):
        return document
    expected = next((document[name] for name in _EXPECTED if name in document), "")
    for ask in _ASKS:
        dialogue = dialogue.strip().removesuffix(ask)
    ended = expected.strip() if isinstance(expected, str) else ""
    turns = _turns(f"{dialogue.strip()}\n{_labelled(ended)}" if ended else dialogue.strip())
    return {"messages": messages_of_turns(document, turns, "api-bank"), "tools": _tools(instruction)}


def _labelled(expected: str) -> str:
    """Return what is expected with its speaker, which some copies leave out."""
    if expected.startswith((_REQUEST, _ANSWER)):
        return expected
    return f"{_REQUEST if expected.startswith('[') else _ANSWER} {expected}"


def _turns(dialogue: str) -> list[Said]:
    turns: list[Said] = []
    for saying in read_dialogue(dialogue):
        if saying.role != "call":
            turns.append(Said(saying.role, saying.text))
            continue
        request, answered, result = _split(saying.text)
        calls = read_bracketed_calls(request)
        if calls is None:
            turns.append(Said("assistant", f"{_REQUEST} {saying.text}"))
            continue
        turns.append(Said("assistant", "", tuple(calls)))
        if answered:
            turns.append(Said("result", result))
    return turns


def _split(text: str) -> tuple[str, bool, str]:
    """Return the request, whether it was answered, and with what."""
    request, arrow, result = text.partition("]" + _RESULT)
    return (request + "]", True, result.strip()) if arrow else (text.strip(), False, "")


def _tools(instruction: str) -> JsonValue:
    """Return the descriptions, one object after the other; `apiCode` and `name` both name an API."""
    text = instruction.partition(_DESCRIPTIONS)[2]
    found: list[JsonValue] = []
    position = skip_space(text, 0, ",")
    while (read := read_json_at(text, position)) is not None:
        found += read[0] if isinstance(read[0], list) else [read[0]]
        position = skip_space(text, read[1], ",")
    return read_foreign([_definition(api) for api in found])


def _definition(api: JsonValue) -> JsonValue:
    if not isinstance(api, dict):
        return api
    name = api.get("name", api.get("apiCode"))
    return {"name": name, "description": api.get("description", ""), "parameters": _parameters(api)}


def _parameters(api: JsonObject) -> JsonValue:
    return api.get("input_parameters", api.get("parameters", {}))


FORMAT = Format(
    name="api-bank",
    summary="API-Bank: an instruction with API descriptions, a dialogue, and the request expected",
    matches_record=matches_record,
    keys=("instruction",),
    standing="certain",
    load_record=load_record,
    columns=frozenset({"instruction", "input", *_EXPECTED}),
    recognised_by="`instruction` with `API descriptions:`, and `input`",
)
