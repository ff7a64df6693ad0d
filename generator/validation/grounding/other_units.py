"""Other units: numbers of a call that the user says in another unit than the one that the parameter takes.

Who says "5 pounds" and gets `weight_kg: 5` is given the number that was said and less than half of the weight. A number
that was converted is another number, and one that is said without a unit as well, or in the right one, is in order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.clock_phrases import clocks_in
from generator.validation.grounding.day_phrases import phrases_of
from generator.validation.grounding.number_words import number_words
from generator.validation.grounding.numerals import figures_of, has_signs_in_figures
from generator.validation.grounding.places import Path
from generator.validation.grounding.taken_units import TakenUnit, taken_units
from generator.validation.grounding.unit_names import Unit, unit_after, unit_of_word, words_of_others
from generator.validation.grounding.vocabulary import languages_of
from generator.validation.grounding.words import LONGEST_TEXT, fold
from generator.validation.rule import Finding
from generator.validation.verdict import brief
from generator.validation.view import CallView, RecordView


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
