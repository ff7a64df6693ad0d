"""The ladder: literal, normalised, token overlap, schema; the first rung that holds a value grounds it."""

from __future__ import annotations

from generator.jsontext import JsonValue
from generator.validation.grounding.bounds import ground_bound, ground_compass, ground_multiple
from generator.validation.grounding.flags import ground_flag
from generator.validation.grounding.formulas import ground_aloud, ground_code, ground_formula, ground_zone
from generator.validation.grounding.moments import ground_excluding
from generator.validation.grounding.numbers import ground_literal_number, ground_number
from generator.validation.grounding.parts_of_time import is_of_another_role
from generator.validation.grounding.places import Path, ground_in_schema, words_at
from generator.validation.grounding.sources import SCHEMA, Grounding, Said
from generator.validation.grounding.texts import ENOUGH, ground_by_overlap, ground_literal_text, ground_text
from generator.validation.tool_view import ToolView


def ground(
    value: JsonValue,
    tool: ToolView | None,
    path: Path,
    tool_index: int,
    said: Said,
    *,
    enough: float = ENOUGH,
    literally: bool = True,
) -> Grounding | None:
    """Say where one leaf of a call's arguments comes from; None where nothing explains it.

    Args:
        value: a string, a number, a boolean or null.
        tool: the tool called, None where it is not shown.
        path: the value's path in the arguments.
        tool_index: the tool's place among those shown.
        said: what was said before the call.
        enough: the share of a string's words that must be stated.
        literally: whether a string is looked for as it is written; False where that was done.
    """
    if isinstance(value, str):
        found = (
            (ground_literal_text(value, said) if literally else None)
            or ground_text(value, said)
            or ground_by_overlap(value, said, enough)
        )
    elif isinstance(value, bool) or value is None:
        return _unspoken(value, tool, path, tool_index, said)
    else:
        about = _about(tool, path)
        found = ground_literal_number(value, said) or ground_number(value, said, about)
        if found is not None and tool is not None and is_of_another_role(value, about, said):
            found = None
    if found is None and tool is not None:
        found = ground_in_schema(value, tool, path, tool_index)
    return found or _seldom(value, str(path[-1]) if path else "", said)


def _seldom(value: str | int | float, name: str, said: Said) -> Grounding | None:
    """Look for what few values are: formulas, signs read aloud, numbers and days beside a bound."""
    if isinstance(value, str):
        told = ground_formula(value, said) or ground_aloud(value, said) or ground_zone(value, said)
        return told or ground_code(value, said) or ground_excluding(value, name, said)
    return ground_bound(value, said) or ground_compass(value, said) or ground_multiple(value, said)


def _about(tool: ToolView | None, path: Path) -> frozenset[str]:
    return frozenset() if tool is None else words_at(tool, path)


def _unspoken(value: bool | None, tool: ToolView | None, path: Path, tool_index: int, said: Said) -> Grounding | None:
    if value is None or tool is None:
        return Grounding(SCHEMA, f"/tools/{tool_index}/function/parameters", "null" if value is None else "")
    return ground_flag(value, tool, path, tool_index, said)
