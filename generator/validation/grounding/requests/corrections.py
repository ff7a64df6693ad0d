"""Corrections: what the user corrects ("2 tickets, no, make it 3") and no call takes up.

A correction is passed over where it holds a value of the same sort as one that was said before it and is called with,
and no call is given what it holds. Numbers are of one sort where they count the same, choices where one parameter
allows both, days and times of day each among themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from operator import itemgetter

from generator.jsontext import JsonValue
from generator.validation.call_view import CallView
from generator.validation.grounding.arguments.grounded import grounded_arguments
from generator.validation.grounding.arguments.leaves import Grounded
from generator.validation.grounding.arguments.moments import ground_moment
from generator.validation.grounding.arguments.schemas import schemas_at
from generator.validation.grounding.arguments.sources import SCHEMA, Said, Source
from generator.validation.grounding.reading import days
from generator.validation.grounding.reading.denial_words import cues_of
from generator.validation.grounding.reading.denials import Correction, Denials
from generator.validation.grounding.reading.quantities import Quantity
from generator.validation.grounding.reading.words import STOPWORDS, find_literal, fold, stem, tokens_of
from generator.validation.rule import Finding
from generator.validation.say import brief
from generator.validation.verdict import Severity
from generator.validation.view import RecordView

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_SHORT = 10
"""Words up to which a correction holds little else."""
_CLOCK = re.compile(r"\d\d?:\d\d(?::\d\d)?")


def uncorrected(record: RecordView, readings: Mapping[int, Denials], calls: list[CallView]) -> Iterator[Finding]:
    """Yield the values of calls that the user has corrected, where no call is given what was said instead."""
    for index, reading in readings.items():
        for place, correction in enumerate(reading.corrections):
            if _is_corrected_in_turn(reading, place):
                continue
            given = [each for each in grounded_arguments(record) if each.call in calls and not each.leaf.is_key]
            passage = Source(index, reading.text[correction.own : correction.end])
            earlier = [Source(at, other.text) for at, other in readings.items() if at < index]
            earlier.append(Source(index, reading.text[: correction.start]))
            yield from _passed_over(record, given, passage, earlier, correction, reading)


_BARE = re.compile(r"\D{0,12}\b\d{1,4}\b\D{0,40}")


def _is_corrected_in_turn(reading: Denials, place: int) -> bool:
    """Say whether the next correction replaces this one's number: "make it 8, nah, 7"."""
    both = reading.corrections[place : place + 2]
    return len(both) == len(_PAIR) and all(_BARE.fullmatch(reading.text[each.own : each.end]) for each in both)


_PAIR = range(2)


def _passed_over(
    record: RecordView,
    given: list[Grounded],
    passage: Source,
    earlier: list[Source],
    correction: Correction,
    reading: Denials,
) -> Iterator[Finding]:
    day = record.metadata.get("reference_date")
    system = [
        Source(0, each.content, "system")
        for each in record.messages[:1]
        if isinstance(each.content, str) and each.role == "system"
    ]
    before, after = Said((*reversed(earlier), *system), day), Said((passage, *system), day)
    cues = cues_of(reading.language)
    is_long = len(tokens_of(passage.folded)) > _SHORT
    at_most: Severity = "warning" if correction.cue in cues.weak or is_long else "error"
    for said in (_number, _choice, _moment):
        for each, instead in said(given, before, after):
            message = f"gives {brief(each.leaf.value)}, which the user corrects: {brief(instead)}"
            yield Finding(each.pointer, message, at_most)
    yield from _name(given, passage, before, reading, correction, at_most)


def _number(given: list[Grounded], before: Said, after: Said) -> Iterator[tuple[Grounded, str]]:
    """Yield the numbers that another number of the same sort replaces."""
    passage = after.sources[0]
    numbers = [each for each in given if type(each.leaf.value) in (int, float)]
    if not numbers or not passage.quantities:
        return
    values = {float(each.leaf.value) for each in numbers}
    if any(_holds(passage, value) for value in values):
        return
    written = " ".join(str(each.leaf.value) for each in given)
    fresh = [each for each in passage.quantities if _counts(each, passage) and not _is_in(each, written)]
    for _, quantity, each in sorted(_said(numbers, before), key=itemgetter(0), reverse=True):
        match = next((other for other in fresh if _same_sort(quantity, other)), None)
        if match is not None and not (_unit(match.unit) == "" and _is_of_a_moment(match.value, given, before)):
            yield each, f"{match.value:g}"
            return


def _is_of_a_moment(value: float, given: list[Grounded], before: Said) -> bool:
    """Say whether a bare number is the hour or the day of what is given, where one was said: "at 7, make it 8"."""
    said = next((source for source in before.sources if source.role == "user"), None)
    if said is None or not (said.clocks or said.hours or said.days or said.relative_day):
        return False
    texts = (each.leaf.value for each in given if isinstance(each.leaf.value, str))
    numbers = (
        int(number) for text in texts for match in _HOUR_OR_DAY.finditer(text[:40]) for number in match.groups("0")
    )
    return any(number and value in (number, number - _HALF_DAY) for number in numbers)


_HOUR_OR_DAY = re.compile(r"\d{4}-\d\d-(\d\d)|(?<!\d)(\d{1,2}):\d\d")
_HALF_DAY = 12


def _holds(source: Source, value: float) -> bool:
    return value in source.numbers or any(
        abs(each.value - value) < 1e-6 for found in source.conversions.values() for each, _ in found
    )


def _counts(quantity: Quantity, source: Source) -> bool:
    """Say whether a quantity counts something, and is no part of a day, a time of day or a code."""
    number = quantity.text.split()[0] if quantity.text[:1].isdigit() else quantity.text
    at = find_literal(source.folded, number)
    if at < 0 or _NTH.match(quantity.text):
        return False
    before, after = source.folded[max(0, at - 12) : at].split(), source.folded[at + len(number) :]
    following = tokens_of(after[:12])
    beside = [*before[-1:], *following[:1]]
    is_of_day = after.startswith(":") or not _HALVES.isdisjoint(following[:1])
    return not (is_of_day or any(word[:3] in days.MONTH_LETTERS for word in beside))


def _is_in(quantity: Quantity, written: str) -> bool:
    return f"{quantity.value:g}" in re.findall(r"\d+(?:\.\d+)?", written)


def _said(numbers: list[Grounded], before: Said) -> Iterator[tuple[tuple[int, int], Quantity, Grounded]]:
    """Yield what counts the numbers in what was said before, with where."""
    for source in before.sources:
        if source.role == "user":
            for quantity in source.quantities:
                for each in numbers:
                    if quantity.value == float(each.leaf.value) and _counts(quantity, source):
                        yield (source.index, source.folded.rfind(quantity.text)), quantity, each


def _same_sort(one: Quantity, other: Quantity) -> bool:
    """Say whether two quantities count the same, as far as their units tell."""
    units = [_unit(each.unit) for each in (one, other)]
    return units[0].startswith(units[1]) or units[1].startswith(units[0])


def _unit(unit: str) -> str:
    return "" if unit in STOPWORDS or not unit[:1].isalpha() else stem(unit)


def _choice(given: list[Grounded], before: Said, after: Said) -> Iterator[tuple[Grounded, str]]:
    """Yield the choices that another choice of the same parameter replaces."""
    passage = after.sources[0]
    used = {fold(str(each.leaf.value)) for each in given}
    for each in given:
        if isinstance(each.leaf.value, str) and each.grounding is not None and each.grounding.level != SCHEMA:
            if _says(passage, each.leaf.value) or not any(
                _says(source, each.leaf.value) for source in before.sources if source.role == "user"
            ):
                continue
            for other in _choices(each):
                if fold(other) not in used and _says(passage, other):
                    yield each, other
                    break


def _choices(each: Grounded) -> Iterator[str]:
    if each.call.tool is not None:
        for _, schema in schemas_at(each.call.tool, each.leaf.path):
            options: JsonValue = schema.get("enum")
            if isinstance(options, list):
                yield from (option for option in options if isinstance(option, str) and option)


def _says(source: Source, choice: str) -> bool:
    words = _words_of_choice(choice)
    return bool(words) and f" {words} " in source.words.spaced


@lru_cache(maxsize=4096)
def _words_of_choice(choice: str) -> str:
    return " ".join(tokens_of(fold(choice.replace("_", " "))))


def _moment(given: list[Grounded], before: Said, after: Said) -> Iterator[tuple[Grounded, str]]:
    """Yield the days and the times of day that another one replaces."""
    passage = after.sources[0]
    for pattern, says in ((_DAY, _says_day), (_CLOCK, _says_clock)):
        own = [each for each in given if isinstance(each.leaf.value, str) and pattern.fullmatch(each.leaf.value)]
        instead = says(passage) if own else ""
        if not instead or any(ground_moment(fold(each.leaf.value), after) for each in own):
            continue
        said_before = [each for each in own if ground_moment(fold(each.leaf.value), before)]
        if said_before:
            yield said_before[-1], instead


def _says_day(source: Source) -> str:
    """Return the words for a day in a passage; "" where there are none."""
    said = next((each.text for each in source.days), "")
    return said or source.relative_day or _in_digits(source)


_HALVES = frozenset({"am", "pm", "a", "p", "oclock", "o"})
_NTH = re.compile(r"(?<!\w)\d{1,2}(?:st|nd|rd|th)(?!\w)")


def _in_digits(source: Source) -> str:
    match = _NTH.search(source.folded)
    return match[0] if match else ""


def _says_clock(source: Source) -> str:
    return next(iter(source.clocks.values()), "")


_NAME = re.compile(r"[A-Z\u00c0-\u00de][^\W_]+(?:[ '-][A-Z\u00c0-\u00de][^\W_]+){0,4}|\d+(?:\s[A-Z][a-z]+){1,4}")


def _name(
    given: list[Grounded], passage: Source, before: Said, reading: Denials, correction: Correction, at_most: Severity
) -> Iterator[Finding]:
    """Yield the last name given that was said before a correction which holds another name and nothing else."""
    own = reading.raw[correction.own : correction.end]
    cues = cues_of(reading.language)
    names = [match[0] for match in _NAME.finditer(own)]
    if not names:
        return
    idle = cues.between | cues.fillers | cues.leads
    names = [name for name in names if fold(name) not in idle]
    if reading.language == "de":  # whose nouns have capitals
        names = [name for name in names if " " in name]
    if not names or any(token not in idle for token in tokens_of(fold(_without(own, names)))):
        return
    written = " ".join(tokens_of(fold(" ".join(each.call.text for each in given))))
    if any(token in written for name in names for token in tokens_of(fold(name))[:1]):
        return
    said_before = [
        each
        for each in given
        if _is_name(each.leaf.value) and any(_holds_name(source, each) for source in before.sources)
    ]
    if said_before:
        message = f"gives {brief(said_before[-1].leaf.value)}, which the user corrects: {brief(names[0])}"
        yield Finding(said_before[-1].pointer, message, at_most)


def _without(text: str, names: list[str]) -> str:
    for name in names:
        text = text.replace(name, " ")
    return text


def _is_name(value: JsonValue) -> bool:
    return isinstance(value, str) and _NAME.search(value) is not None


def _holds_name(source: Source, each: Grounded) -> bool:
    tokens = tokens_of(fold(str(each.leaf.value)))
    return source.role == "user" and tokens[0] in source.words.tokens_set
