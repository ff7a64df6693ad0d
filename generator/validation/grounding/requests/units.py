"""Units: numbers of calls that the user says in another unit than the one that the parameter takes.

Who says "5 pounds" and gets `weight_kg: 5` is given the number that was said and less than half of the weight. A number
that was converted is another number, and one that is said without a unit as well, or in the right one, is in order.
Which unit a parameter takes is known by its name, its description and its companions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.arguments.argument import Path, schemas_at
from generator.validation.grounding.reading.clocks import clocks_in
from generator.validation.grounding.reading.days import phrases_of
from generator.validation.grounding.reading.languages import languages_of
from generator.validation.grounding.reading.number_words import number_words
from generator.validation.grounding.reading.quantities import (
    COUNTING,
    Unit,
    figures_of,
    has_signs_in_figures,
    unit_after,
    unit_named,
    unit_of_word,
    words_of_others,
)
from generator.validation.grounding.reading.words import LONGEST_TEXT, fold, tokens_of, tokens_of_value
from generator.validation.grounding.results.numbers import unit_of_key
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import brief
from generator.validation.view import CallView, RecordView

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
    description = schema.get("description")
    described = _described(fold(description[:_LONGEST_DESCRIPTION])) if isinstance(description, str) else []
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


def in_other_units(record: RecordView) -> Iterator[Finding]:
    """Yield the numbers of calls that the user says in another unit."""
    for call in record.calls:
        if call.tool is None or call.arguments is None:
            continue
        for path, value, unit in _measured(call, call.arguments):
            said = _said_otherwise(value, unit, call, record)
            if said:
                taken = f"the user says {brief(said)}, and this is given in {unit.name}"
                yield Finding(call.arguments_pointer + pointer(path), taken, "warning")


def _measured(call: CallView, arguments: JsonObject) -> Iterator[tuple[Path, float, Unit]]:
    """Yield the numbers that a call is given in a known unit."""
    for taken in taken_units(call.tool) if call.tool is not None else ():
        holder = _holder(arguments, taken.path)
        value = holder.get(taken.path[-1]) if isinstance(holder, dict) else None
        if type(value) in (int, float) and value and value != taken.default:
            unit = taken.unit or _given(taken, holder)
            if unit is not None:
                yield taken.path, float(value), unit
    for name, value in arguments.items():
        if type(value) is str and value[:1].isdigit() and len(value) < _LONGEST_MEASURE:
            match = _MEASURE.fullmatch(value)
            unit = unit_of_word(fold(match[2])) if match is not None else None
            if match is not None and unit is not None:
                yield (name,), float(match[1]), unit


def _holder(arguments: JsonObject, path: Path) -> JsonValue:
    holder: JsonValue = arguments
    for step in path[:-1]:
        holder = holder.get(step) if isinstance(holder, dict) else None
    return holder


_LONGEST_MEASURE = 24
_MEASURE = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)\s?([^\W\d_]{1,12})")
"""A text that is a number with its unit: "45 minutes"."""


def _given(taken: TakenUnit, holder: JsonValue) -> Unit | None:
    word = holder.get(taken.given_by) if isinstance(holder, dict) else None
    return unit_of_word(fold(word)) if isinstance(word, str) and len(word) < _LONGEST_MEASURE else None


class _Mention(NamedTuple):
    """A place where a text says a number."""

    unit: Unit | None
    words: str


def _said_otherwise(value: float, unit: Unit, call: CallView, record: RecordView) -> str:
    """Return how the user says a number in another unit of the same kind; "" where it is said otherwise as well."""
    others = words_of_others(unit)
    said = [each.content for each in record.messages[: call.turn] if each.role == "user"]
    texts = [fold(text[:LONGEST_TEXT]) for text in said if isinstance(text, str)]
    wrong = ""
    for text in texts if any(map(others.search, texts)) else ():
        for mention in _mentions(value, text):
            if mention.unit is None or mention.unit.is_as_much_as(unit):
                return ""
            if mention.unit.family == unit.family:
                wrong = mention.words
    return wrong


_NUMBER = re.compile(r"(?<![\d.,:/])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d:])|(?<![\d.:/])\d{1,15}(?:\.\d{1,9})?(?![\d:/])")
_CURRENCIES = frozenset("$€£¥₹")
_NEAR = 12


def _mentions(value: float, folded: str) -> Iterator[_Mention]:
    """Yield where a text says a number, but for times of day, days of months and sums of money."""
    languages = languages_of(folded)
    figures = figures_of(folded, languages) if has_signs_in_figures(folded) else folded
    for match in _NUMBER.finditer(figures):
        if (
            float(match[0].replace(",", "")) == value
            and figures[max(0, match.start() - 1) : match.start()] not in _CURRENCIES
        ):
            unit = _unit_after(figures, match.end(), languages)
            if unit is not None or not _is_of_moment(match.start(), folded, languages):
                yield _Mention(unit, figures[match.start() : match.end() + _NEAR].strip())
    for language in languages if value != 1 else ():  # "an hour" may be any hour
        for each in number_words(language).read(figures):
            if each.value == value and not each.ordinal and not figures[each.start].isdigit():
                unit = _unit_after(figures, each.end, languages)
                yield _Mention(unit, figures[each.start : each.end + _NEAR].strip())


def _is_of_moment(at: int, folded: str, languages: tuple[str, ...]) -> bool:
    """Say whether what stands at a place belongs to a date or a time of day."""
    days = [(each.start, each.end) for each in phrases_of(folded, languages)]
    clocks = [(each.start, each.end) for each in clocks_in(folded, languages).phrases]
    return any(start <= at < end for start, end in (*days, *clocks))


def _unit_after(text: str, at: int, languages: tuple[str, ...]) -> Unit | None:
    return next((unit for language in languages if (unit := unit_after(text, at, language)) is not None), None)
