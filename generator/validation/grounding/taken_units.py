"""Taken units: in which unit the numbers of a tool's parameters are, by their names, descriptions and companions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.facts import unit_of_key
from generator.validation.grounding.places import Path, schemas_at
from generator.validation.grounding.unit_names import COUNTING, Unit, unit_named, unit_of_word
from generator.validation.grounding.words import fold, tokens_of, tokens_of_value
from generator.validation.tool_view import ToolView

_MOST_PLACES = 200
_LONGEST_DESCRIPTION = 400


class TakenUnit(NamedTuple):
    """A place of a tool's arguments with the unit of the numbers that it takes."""

    path: Path
    """Names alone: what stands in lists is not looked at."""
    unit: Unit | None
    """None where another parameter of the same object gives it."""
    given_by: str = ""
    """That parameter."""
    default: JsonValue = None


@lru_cache(maxsize=4096)
def taken_units(tool: ToolView) -> tuple[TakenUnit, ...]:
    """Return the places of a tool's arguments that take numbers in a known unit."""
    return tuple(_in_object(tool, (), tool.parameters))


def _in_object(tool: ToolView, path: Path, schema: JsonValue, left: int = 3) -> Iterator[TakenUnit]:
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        return
    givers = [name for name in properties if not _UNIT_WORDS.isdisjoint(tokens_of_value(name))]
    for name in list(properties)[:_MOST_PLACES]:
        for _, inner in schemas_at(tool, (*path, name)):
            if inner.get("type") in ("integer", "number") or _is_number_or_nothing(inner.get("type")):
                unit, giver = _unit(name, inner), _giver(name, givers)
                if giver or unit is not None:
                    yield TakenUnit((*path, name), None if giver else unit, giver, inner.get("default"))
                break
            if left and "properties" in inner:
                yield from _in_object(tool, (*path, name), inner, left - 1)
                break


_UNIT_WORDS = frozenset({"unit", "units", "uom"})


def _is_number_or_nothing(kind: JsonValue) -> bool:
    return isinstance(kind, list) and set(map(str, kind)) <= {"integer", "number", "null"}


def _giver(name: str, givers: list[str]) -> str:
    """Return the parameter that gives the unit of another: `weight_unit` of `weight`, `unit` of whatever has none."""
    own = frozenset(tokens_of_value(name))
    for giver in givers:
        about = frozenset(tokens_of_value(giver)) - _UNIT_WORDS
        if giver != name and about <= own | _FROM:
            return giver
    return ""


_FROM = frozenset({"from", "source", "input"})


def _unit(name: str, schema: JsonObject) -> Unit | None:
    told = schema.get("description")
    described = _described(fold(told[:_LONGEST_DESCRIPTION])) if isinstance(told, str) else []
    named = _named(name)
    if named is None:
        return described[0] if len(described) == 1 else None
    agrees = not described or any(each.is_as_much_as(named) for each in described)
    return named if agrees else None


def _named(name: str) -> Unit | None:
    """Return the unit that a parameter's name ends with, or begins with where it counts: `weight_kg`, `days_ahead`."""
    tokens = tokens_of_value(name)
    if "per" in tokens or not tokens:
        return None
    ends = [*tokens[-1:], *(tokens[:1] if len(tokens) > 1 else ())]
    for at, token in enumerate(ends):
        unit = unit_named(unit_of_key(token)) if unit_of_key(token) else None
        unit = unit or (unit_of_word(token) if token in _AMPLE else None)
        is_amount = at == 0 or tokens[-1] in COUNTING or token.endswith("s")
        if unit is not None and is_amount and (unit.family != "time" or token.endswith("s") or token in _SHORT):
            return unit
    return None


_SHORT = frozenset("hr min sec ms".split())
_AMPLE = frozenset("seconds ms kb mb gb tb millimeters centimeters milliseconds ounces".split())
"""Words that are units wherever a name ends with them."""

_DESCRIBED = re.compile(
    r"(?:\bin|\(|\bnumber of|\bmany|\bunit:?|\bunits:?|^|\bof)\s{0,2}"
    r"(?:\(|(?:the|whole|full|total|upcoming|next|future|past) )?"
    r"([a-z%°]{1,12}(?:/[a-z]{1,2})?(?: (?:celsius|fahrenheit))?)(?![a-z])"
)
_CHOOSING = re.compile(r"\bor\b|\beither\b|\bdepending\b|\bunits?\b(?! of)|/")


def _described(text: str) -> list[Unit]:
    """Return the units in which a description says that a number is; none where it leaves them open."""
    found: list[Unit] = []
    for match in _DESCRIBED.finditer(text):
        word = match[1].removeprefix("degrees ")
        unit = unit_of_word(word) or unit_of_word(word.split()[-1])
        is_word = len(word) > 2 or word in _SURE
        is_amount = unit is not None and (unit.family != "time" or word.endswith("s") or word in _SHORT)
        if unit is not None and is_word and is_amount and unit not in found:
            found.append(unit)
    families = [unit.family for unit in found]
    known = [unit_of_word(token) for token in tokens_of(text) if len(token) > 2]
    others = [each for each in known if each is not None and each.family in families and each not in found]
    return [] if others and _CHOOSING.search(text) else found


_SURE = frozenset("kg km cm mm mi lb lbs oz ml mg ft mb gb kb tb ms %".split())
