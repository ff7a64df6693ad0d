"""The `alpaca` format, for reading: an instruction, an input and an output whose calls are text.

The tools stand in a column, or in the instruction between the marks that xLAM's and Hammer's prompts have.
"""

from __future__ import annotations

from generator.formats.call_notations import Spoken, read_marked, read_plain
from generator.formats.embedded_json import as_text, parse_json, read_several
from generator.formats.format import Format
from generator.formats.said_calls import Said, messages_of_turns
from generator.formats.shown_tools import read_foreign
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
    tools = next((document[name] for name in _TOOLS_COLUMNS if document.get(name)), None)
    listed = _section(whole, "tools")
    asked = _section(whole, "query") or (whole if listed is None else "")
    system = document.get("system") or (_section(whole, "system") if listed is not None else "")
    turns = [Said("system", system)] if system else []
    turns += [turn for pair in _history(document) for turn in pair]
    turns += [Said("user", asked), _answer(document.get("output"))]
    if tools is None and listed is not None:
        read = parse_json(listed)
        tools = read if isinstance(read, list) else read_several(listed)
    return {"messages": messages_of_turns(document, turns, "alpaca"), "tools": read_foreign(tools or [])}


def _section(text: str, name: str) -> str | None:
    opening, closing = _SECTIONS[name]
    start = text.find(opening)
    end = text.find(closing, start)
    return text[start + len(opening) : end].strip() if 0 <= start < end else None


def _history(document: JsonObject) -> list[tuple[Said, Said]]:
    pairs = document.get("history")
    found = [pair for pair in pairs if isinstance(pair, list) and len(pair) == 2] if isinstance(pairs, list) else []
    return [(Said("user", asked), _answer(answered)) for asked, answered in found]


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
