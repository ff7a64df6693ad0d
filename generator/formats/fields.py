"""Fields of a definition: the known ones, extensions that are preserved, and others that are reported."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import is_extension
from generator.schemas.node import Note

RESULT_EXTENSION = "x_result_schema"
"""The extension that holds the schema of a tool's results."""
FRAMES_EXTENSION = "x_frames"
"""The extension that held sentences for a tool before there were domain files: kept, and not read."""


def extensions_of(definition: JsonObject, *, also: frozenset[str] = frozenset()) -> JsonObject:
    """Return the fields that are preserved: ADM's extension and reserved names, and those the format names."""
    return {
        name: value
        for name, value in definition.items()
        if (is_extension(name) or name in also) and name != RESULT_EXTENSION and value is not None
    }


def unknown_fields(definition: JsonObject, known: frozenset[str], at: str = "", code: str = "") -> Iterator[Note]:
    """Note the fields that are neither known nor extensions (ADM, 5.2.3): ignored, an error under strict loading."""
    for name in definition:
        if name not in known and not is_extension(name):
            remedy = f"leave it out, or call it x_{name.lstrip('_')} to have it kept"
            yield Note(at + pointer((name,)), "deviation", f"the field `{name}` is not known: ignored", remedy, code)


def result_of(definition: JsonObject, *names: str) -> tuple[JsonValue, str, tuple[Note, ...]]:
    """Return the first result schema among these fields, where it stands, and notes on contradicting ones."""
    given = [name for name in (RESULT_EXTENSION, *names) if definition.get(name) is not None]
    if not given:
        return None, "", ()
    others = [name for name in given[1:] if definition[name] != definition[given[0]]]
    notes = [
        Note(pointer((name,)), "deviation", f"contradicts `{given[0]}`: ignored", "keep one of them") for name in others
    ]
    return definition[given[0]], pointer((given[0],)), tuple(notes)
