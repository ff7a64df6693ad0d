"""Strict mode: what the parameters of a `strict: true` tool must be (OpenAI data model, 5, rule 4)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.schemas.keywords import Path, walk
from generator.schemas.node import Note

MAX_PROPERTIES = 100
"""The most properties a strict tool has, counted at all levels."""
MAX_LEVELS = 5
"""The most levels of properties inside each other; the root's are level 1."""


def strict_notes(parameters: JsonObject) -> Iterator[Note]:
    """Yield every way in which parameters in the working form are not fit for strict mode."""
    count = 0
    for node, path in walk(parameters):
        if not _is_object(node):
            continue
        properties = node.get("properties") or {}
        count += len(properties)
        yield from _all_required(node, properties, path)
        yield from _is_closed(node, path)
    if count > MAX_PROPERTIES:
        yield _note("STRICT-PROPERTIES", (), f"a strict tool has at most {MAX_PROPERTIES} properties, this has {count}")
    if (levels := _levels(parameters)) > MAX_LEVELS:
        yield _note("STRICT-LEVELS", (), f"a strict tool nests at most {MAX_LEVELS} levels, this nests {levels}")


def _is_object(node: JsonObject) -> bool:
    return node.get("type") == "object" or "properties" in node


def _all_required(node: JsonObject, properties: JsonObject, path: Path) -> Iterator[Note]:
    required = node.get("required")
    missing = [name for name in properties if not isinstance(required, list) or name not in required]
    if missing:
        message = f"a strict tool requires every property, this leaves out {', '.join(missing[:5])}"
        yield _note("STRICT-REQUIRED", (*path, "required"), message)


def _is_closed(node: JsonObject, path: Path) -> Iterator[Note]:
    if node.get("additionalProperties") is not False:
        message = "a strict tool says `additionalProperties: false` at every object"
        yield _note("STRICT-CLOSED", (*path, "additionalProperties"), message)


def _levels(node: JsonValue) -> int:
    """Count the levels of properties inside each other."""
    return max((_level_of(path) for _, path in walk(node)), default=0)


def _level_of(path: Path) -> int:
    """Count the properties on the way to a part; names of properties are no keywords."""
    count, name_follows = 0, False
    for part in path:
        if name_follows:
            name_follows = False
        elif part in ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas"):
            count += part == "properties"
            name_follows = True
    return count


def _note(code: str, path: Path, message: str) -> Note:
    return Note(pointer(path), "deviation", message, "make the schema strict, or leave `strict` out", code)
