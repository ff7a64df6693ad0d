"""Omissions: parameters that a request speaks of, or a search needs, and a call leaves out.

A choice that a parameter offers, a day for a parameter that takes days, "6 nights" for `nights`, the most or the least
of something: who says it wants it given. What a result tells as well may have been found by it, and is noted at the
most; so is a choice whose word may mean something else. A search is given something to look for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.arguments.argument import schemas_at
from generator.validation.grounding.arguments.sources import Source
from generator.validation.grounding.reading.denials import DenialReading
from generator.validation.grounding.reading.languages import LANGUAGES, english, entries, languages_of, table, words_for
from generator.validation.grounding.reading.literals import Literal, literals_of
from generator.validation.grounding.reading.quantities import Unit, unit_after, unit_named, units_in_name
from generator.validation.grounding.reading.words import (
    LONGEST_TEXT,
    find_literal,
    find_number,
    fold,
    stem,
    tokens_of,
    tokens_of_value,
)
from generator.validation.grounding.requests.units import taken_units
from generator.validation.grounding.requests.wishes import Mention, Uptake, Wish
from generator.validation.grounding.results.numbers import currencies
from generator.validation.rule import Finding
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity, brief
from generator.validation.view import CallView, RecordView, ResultView

_MOST_OPTIONS = 60
_SHORTEST_CHOICE = 4
_BESIDE = 24


class _Said(NamedTuple):
    """A value that a request states for a parameter."""

    text: str
    start: int
    end: int
    is_sure: bool = True
    """Whether the parameter is spoken of as well."""
    number: float | None = None
    is_day: bool = False
    stands_out: bool = False
    """Whether its form shows that it is meant: a name, a compound, a word after "in"."""


def omitted(
    wish: Wish, index: int, own: list[Mention], results: dict[str, ResultView], brought_back: Uptake, texts: str
) -> Iterator[Finding]:
    """Yield the calls that leave out what a message states for one of their parameters.

    Args:
        wish: what the user said, and the calls.
        index: the message that is looked at.
        own: where it says the values of the calls.
        results: the results by the pointers of their calls.
        brought_back: all that came back.
        texts: the arguments of the calls, folded.
    """
    reading = wish.readings[index]
    reported: set[int] = set()
    for call in wish.calls:
        near = _stretch(call, own, wish, reading)
        for name in _left_out(call):
            for said in _stated(call, name, reading, near):
                if said.start in reported or _is_used(said, own, texts) or reading.disposes_of(said.start):
                    continue
                reported.add(said.start)
                noted = not said.stands_out and brought_back.holds(Literal("choice", said.text, said.start, said.end))
                sure = _is_echoed(name, said, results.get(call.pointer)) or (said.is_sure and not noted)
                at_most: Severity = "warning" if sure else "note"
                yield Finding(
                    call.arguments_pointer, f"leaves out {name}, of which the user says {brief(said.text)}", at_most
                )
                break


def _is_echoed(name: str, said: _Said, result: ResultView | None) -> bool:
    """Say whether the result of a call repeats what it was not given, under the parameter's own name."""
    value = result.value.get(name) if result is not None and isinstance(result.value, dict) else None
    if isinstance(value, bool) or value is None:
        return False
    return value == said.number if isinstance(value, int | float) else value == said.text or said.is_day


def _left_out(call: CallView) -> Iterator[str]:
    """Yield the parameters of a call's tool that it is not given."""
    properties = (
        call.tool.parameters.get("properties") if call.tool and isinstance(call.tool.parameters, dict) else None
    )
    if isinstance(properties, dict) and call.arguments is not None:
        yield from (name for name in properties if name not in call.arguments)


def _stretch(call: CallView, own: list[Mention], wish: Wish, reading: DenialReading) -> tuple[int, int]:
    """Return the part of a message that speaks of a call: all of it for a single one, else its sentences."""
    if len(wish.calls) == 1:
        return 0, len(reading.text)
    places = [each for each in own if each.grounded.call is call]
    if not places:
        return 0, 0
    return reading.sentence(min(each.start for each in places))[0], reading.sentence(
        max(each.start for each in places)
    )[1]


def _stated(call: CallView, name: str, reading: DenialReading, near: tuple[int, int]) -> Iterator[_Said]:
    """Yield what a stretch of a message states for a parameter."""
    start, end = near
    if start >= end or call.tool is None:
        return
    for _, schema in schemas_at(call.tool, (name,)):
        yield from _chosen(name, schema, reading, start, end)
        kind = schema.get("type")
        if _takes_days(name, schema):
            yield from _days(reading, start, end)
        elif kind in ("integer", "number"):
            yield from _counted(name, reading, start, end)
        elif schema.get("format") == "email" or "email" in tokens_of_value(name):
            for each in literals_of(reading.raw):
                if each.sort == "address" and "@" in each.text and start <= each.start < end:
                    yield _Said(each.text, each.start, each.end)


def _chosen(name: str, schema: JsonObject, reading: DenialReading, start: int, end: int) -> Iterator[_Said]:
    options: JsonValue = schema.get("enum")
    for option in options[:_MOST_OPTIONS] if isinstance(options, list) else ():
        if isinstance(option, str) and len(option) >= _SHORTEST_CHOICE and option != schema.get("default"):
            words = fold(option.replace("_", " "))
            at = find_literal(reading.masked[start:end], words)
            if at >= 0:
                beside = reading.masked[max(start, start + at - _BESIDE) : start + at + len(words) + _BESIDE]
                named = set(map(stem, tokens_of(beside))) & set(map(stem, tokens_of_value(name)))
                stands_out = _stands_out(reading, start + at, start + at + len(words))
                said = _Said(option, start + at, start + at + len(words), bool(named) or stands_out)
                yield said._replace(stands_out=stands_out)


def _stands_out(reading: DenialReading, start: int, end: int) -> bool:
    """Say whether a choice can hardly mean anything else: "low-carb", "a Japanese place", "in celsius"."""
    text = reading.text[start:end]
    if "-" in text or " " in text:
        return True
    before = tokens_of(reading.masked[max(0, start - _BESIDE) : start])
    is_name = reading.raw[start : start + 1].isupper() and reading.language != "de" and bool(before)
    following = reading.raw[end : end + 2].strip()
    if is_name and not following[:1].isupper() and not reading.masked[:start].rstrip().endswith((".", "!", "?", ":")):
        return True
    return before[-1:] == ["in"] and not following[:1].isalpha()


def _takes_days(name: str, schema: JsonObject) -> bool:
    return schema.get("format") in ("date", "date-time") or (
        schema.get("type") == "string" and "date" in tokens_of_value(name)
    )


def _days(reading: DenialReading, start: int, end: int) -> Iterator[_Said]:
    source = Source(0, reading.masked[start:end])
    for text in dict.fromkeys(each.text for each in source.days if not each.text.isdigit()):  # that may be any number
        at = source.folded.find(text)
        if at >= 0:
            yield _Said(text, start + at, start + at + len(text), is_day=True)


def _counted(name: str, reading: DenialReading, start: int, end: int) -> Iterator[_Said]:
    """Yield the numbers whose unit the parameter is named by: "6 nights" for `nights`."""
    own = set(map(stem, units_in_name(tokens_of_value(name))))
    source = Source(0, reading.masked[start:end])
    if own.isdisjoint(_unit_stems()) and not any(root in source.folded for root in own):
        return  # a stem is how its word begins, so that no unit that the text has is one of these
    for each in source.quantities:
        if each.unit and stem(each.unit) in own:
            at = source.folded.find(each.text)
            if at >= 0:
                yield _Said(f"{each.value:g} {each.unit}", start + at, start + at + len(each.text), True, each.value)


@lru_cache(maxsize=1)
def _unit_stems() -> frozenset[str]:
    """Return the stems of the units that words of any language are read as."""
    return frozenset(stem(unit) for language in LANGUAGES for unit in table(language, "numbers").get("units", {}))


def _is_used(said: _Said, own: list[Mention], texts: str) -> bool:
    """Say whether a call is given what is said, for this parameter or another."""
    if any(each.start < said.end and said.start < each.end for each in own):
        return True
    if said.number is not None and f" {said.number:g} " in texts:
        return True
    words = " ".join(tokens_of(fold(said.text.replace("_", " "))))
    return f" {words} " in texts


_SEARCHING = frozenset({"search", "find"})


class _Limit(NamedTuple):
    """A parameter that takes the most or the least of something."""

    name: str
    is_upper: bool
    matter: frozenset[str]
    """The stems of the rest of its name."""
    unit: Unit | None
    is_money: bool


def left_open(record: RecordView) -> Iterator[Finding]:
    """Yield the calls that leave out what they are to look for, or a limit that the user states."""
    for call in record.calls:
        if call.tool is None or call.arguments is None:
            continue
        if not call.arguments and _looks_for_text(call.tool) and not _asks_for_everything(call, record):
            yield Finding(call.arguments_pointer, "a search is given nothing to look for", "warning")
        limits = [each for each in _limits_of(call.tool) if each.name not in call.arguments]
        for limit in limits:
            said = _limit_said(limit, call, record)
            if said:
                why = f"leaves out {limit.name}, of which the user says {brief(said)}"
                yield Finding(call.arguments_pointer, why, "warning")


@lru_cache(maxsize=4096)
def _looks_for_text(tool: ToolView) -> bool:
    """Say whether a tool searches, by its name, and takes a text to look for."""
    names = frozenset(token for name in tool.property_names for token in tokens_of_value(name))
    is_search = not _SEARCHING.isdisjoint(tokens_of_value(tool.name)[:3])
    return is_search and not words_for("bounds", "query_names").isdisjoint(names)


def _asks_for_everything(call: CallView, record: RecordView) -> bool:
    text = _latest_request(call, record)
    return not text or not words_for("bounds", "everything").isdisjoint(tokens_of(fold(text[:LONGEST_TEXT])))


@lru_cache(maxsize=4096)
def _limits_of(tool: ToolView) -> tuple[_Limit, ...]:
    units = {each.path: each.unit for each in taken_units(tool)}
    found = []
    for name in tool.property_names:
        tokens = frozenset(tokens_of_value(name))
        upper, lower = tokens & words_for("bounds", "upper_names"), tokens & words_for("bounds", "lower_names")
        is_number = any(schema.get("type") in ("number", "integer") for _, schema in schemas_at(tool, (name,)))
        if is_number and bool(upper) is not bool(lower):
            is_money = not english("results", "money").isdisjoint(tokens)
            matter = frozenset(map(stem, tokens - upper - lower))
            found.append(_Limit(name, bool(upper), matter, units.get((name,)), is_money))
    return tuple(found)


def _latest_request(call: CallView, record: RecordView) -> str:
    said = [each.content for each in record.messages[: call.turn] if each.role == "user"]
    return said[-1] if said and isinstance(said[-1], str) else ""


def _limit_said(limit: _Limit, call: CallView, record: RecordView) -> str:
    """Return the limit that the user's last message states and no call is given; "" for none."""
    text = _latest_request(call, record)
    folded = fold(text[:LONGEST_TEXT])
    for match in _bound(limit.is_upper).finditer(folded):
        if _is_of(limit, match, folded) and not _is_given(match["number"], record):
            return match[0]
    return ""


def _is_of(limit: _Limit, match: re.Match[str], folded: str) -> bool:
    """Say whether a bound is one of what a limit is of: money, a measure, or what its name says."""
    languages = languages_of(folded)
    units = [unit for each in languages if (unit := unit_after(folded, match.end(), each)) is not None]
    following = tokens_of(folded[match.end() : match.end() + _NEAR])[:1]
    is_money = bool(match["sign"]) or any(each in currencies() or each in _coins() for each in following)
    if limit.is_money:
        return is_money
    if limit.unit is not None:
        return any(unit.is_as_much_as(limit.unit) for unit in units)
    near = frozenset(map(stem, tokens_of(folded[max(0, match.start() - _NEAR) : match.end() + _NEAR])))
    return not is_money and not units and bool(limit.matter & near)


_NEAR = 20


@cache
def _coins() -> frozenset[str]:
    """Return the words for currencies in every language: those beside units that are no units of measure."""
    forms = [entry.rpartition(" ") for language in LANGUAGES for entry in entries(language, "measures", "units")]
    return frozenset(word for word, _, name in forms if unit_named(name) is None and name != "%")


def _is_given(number: str, record: RecordView) -> bool:
    plain = number.replace(",", "")
    return any(find_number(call.text, plain) >= 0 for call in record.calls)


@cache
def _bound(is_upper: bool) -> re.Pattern[str]:
    """Return what finds a number that is said as the most or the least."""
    tables = ("at_most", "under") if is_upper else ("at_least", "over")
    words = sorted((word for name in tables for word in words_for("bounds", name)), key=lambda word: (-len(word), word))
    forms = "|".join(map(re.escape, words))
    number = r"(?P<number>\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,3})?)"
    return re.compile(rf"(?<!\w)(?:{forms})\s(?P<sign>[$€£¥₹]?){number}")
