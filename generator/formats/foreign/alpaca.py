"""Instructions with an input, for reading: `alpaca`, its output with calls as text, and `api-bank`, with dialogues.

Alpaca's tools stand in a column, or in the instruction between the marks that xLAM's and Hammer's prompts have.
API-Bank's instruction ends in API descriptions; a request is `API-Request: [Name(key='value')]`, and one
that was answered goes on with `->` and the result.
"""

from __future__ import annotations

from generator.formats.call_notations import Spoken, read_marked, read_plain
from generator.formats.conversation import Said, messages_of_turns
from generator.formats.definitions import read_foreign
from generator.formats.format import Format
from generator.formats.literals import as_text, parse_json, read_bracketed_calls, read_json_at, read_several, skip_space
from generator.formats.speakers import read_dialogue
from generator.jsontext import JsonObject, JsonValue

_SECTIONS = {
    "system": ("[BEGIN OF TASK INSTRUCTION]", "[END OF TASK INSTRUCTION]"),
    "tools": ("[BEGIN OF AVAILABLE TOOLS]", "[END OF AVAILABLE TOOLS]"),
    "query": ("[BEGIN OF QUERY]", "[END OF QUERY]"),
}
_TOOLS_COLUMNS = ("tools", "functions", "available_tools", "apis")


def matches_record(document: JsonValue) -> bool:
    """Say whether a parsed document has an instruction and an output that are texts."""
    if not isinstance(document, dict) or not {"instruction", "output"} <= document.keys():
        return False
    return isinstance(document["instruction"], str)


def load_record(document: JsonObject) -> JsonObject:
    """Bring a row to the canonical document; an output that is no call stays text."""
    instruction, given = document.get("instruction"), document.get("input")
    if not isinstance(instruction, str):
        return document
    whole = f"{instruction}\n{given}" if isinstance(given, str) and given else instruction
    listed = _section(whole, "tools")
    asked = _section(whole, "query") or (whole if listed is None else "")
    system = document.get("system") or (_section(whole, "system") if listed is not None else "")
    turns = [Said("system", system)] if system else []
    turns += _history(document)
    turns += [Said("user", asked), _answer(document.get("output"))]
    tools = _tools_of(document, listed)
    return {"messages": messages_of_turns(document, turns, "alpaca"), "tools": read_foreign(tools or [])}


def _tools_of(document: JsonObject, listed: str | None) -> JsonValue:
    """Return the tools of a column of their own, else those that the instruction lists."""
    columns = (document[name] for name in _TOOLS_COLUMNS if document.get(name))
    if (own := next(columns, None)) is not None or listed is None:
        return own
    read = parse_json(listed)
    return read if isinstance(read, list) else read_several(listed)


def _section(text: str, name: str) -> str | None:
    opening, closing = _SECTIONS[name]
    start = text.find(opening)
    end = text.find(closing, start)
    return text[start + len(opening) : end].strip() if 0 <= start < end else None


def _history(document: JsonObject) -> list[Said]:
    pairs = document.get("history")
    found = [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2] if isinstance(pairs, list) else []
    return [turn for asked, answered in found for turn in (Said("user", asked), _answer(answered))]


def _answer(output: JsonValue) -> Said:
    text = as_text(output)
    if not isinstance(text, str):
        return Said("assistant", output)
    plain = read_plain(text)
    spoken = Spoken("", plain) if plain is not None else read_marked(text)
    return Said("assistant", text) if spoken is None else Said("assistant", spoken.text, tuple(spoken.calls))


FORMAT = Format(
    name="alpaca",
    summary="Alpaca: instruction, input and output with calls as text; xLAM's and Hammer's prompts",
    matches_record=matches_record,
    keys=("instruction",),
    load_record=load_record,
    columns=frozenset({"instruction", "input", "output", "system", "history", *_TOOLS_COLUMNS}),
    recognised_by="`instruction` and `output`",
)


_DESCRIPTIONS = "API descriptions:"
_ASKS = ("Generate API Request:", "Generate AI Response:", "API Request:")
_REQUEST = "API-Request:"
_ANSWER = "AI:"
_RESULT = "->"
_EXPECTED = ("expected_output", "output")


def matches_api_bank(document: JsonValue) -> bool:
    """Say whether a parsed document has an instruction with API descriptions, and a dialogue."""
    if not isinstance(document, dict) or "input" not in document:
        return False
    instruction = document.get("instruction")
    return isinstance(instruction, str) and _DESCRIPTIONS in instruction


def load_api_bank(document: JsonObject) -> JsonObject:
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


API_BANK = Format(
    name="api-bank",
    summary="API-Bank: an instruction with API descriptions, a dialogue, and the request expected",
    matches_record=matches_api_bank,
    keys=("instruction",),
    standing="certain",
    load_record=load_api_bank,
    columns=frozenset({"instruction", "input", *_EXPECTED}),
    recognised_by="`instruction` with `API descriptions:`, and `input`",
)
