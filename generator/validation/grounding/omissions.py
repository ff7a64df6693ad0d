"""Omissions: optional parameters that a request speaks of and a call leaves out.

A choice that a parameter offers, a day for a parameter that takes days, "6 nights" for `nights`: who says it wants it
given. What a result tells as well may have been found by it, and is noted at the most; so is a choice whose word may
mean something else.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.denials import Mention, Wish
from generator.validation.grounding.glances import units_of
from generator.validation.grounding.languages import LANGUAGES, table
from generator.validation.grounding.literals import Literal, Taken, literals_of
from generator.validation.grounding.places import schemas_at
from generator.validation.grounding.reading import Reading
from generator.validation.grounding.sources import Source
from generator.validation.grounding.words import find_literal, fold, stem, tokens_of, tokens_of_value
from generator.validation.rule import Finding
from generator.validation.verdict import Severity, brief
from generator.validation.view import CallView, ResultView

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
    wish: Wish, index: int, own: list[Mention], results: dict[str, ResultView], told_back: Taken, texts: str
) -> Iterator[Finding]:
    """Yield the calls that leave out what a message states for one of their parameters.

    Args:
        wish: what the user said, and the calls.
        index: the message that is looked at.
        own: where it says the values of the calls.
        results: the results by the pointers of their calls.
        told_back: all that came back.
        texts: the arguments of the calls, folded.
    """
    reading = wish.readings[index]
    told: set[int] = set()
    for call in wish.calls:
        near = _stretch(call, own, wish, reading)
        for name in _left_out(call):
            for said in _stated(call, name, reading, near):
                if said.start in told or _is_used(said, own, texts) or _is_denied(said.start, reading):
                    continue
                told.add(said.start)
                noted = not said.stands_out and told_back.holds(Literal("choice", said.text, said.start, said.end))
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


def _stretch(call: CallView, own: list[Mention], wish: Wish, reading: Reading) -> tuple[int, int]:
    """Return the part of a message that speaks of a call: all of it for a single one, else its sentences."""
    if len(wish.calls) == 1:
        return 0, len(reading.text)
    places = [each for each in own if each.grounded.call is call]
    if not places:
        return 0, 0
    return reading.sentence(min(each.start for each in places))[0], reading.sentence(
        max(each.start for each in places)
    )[1]


def _stated(call: CallView, name: str, reading: Reading, near: tuple[int, int]) -> Iterator[_Said]:
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


def _chosen(name: str, schema: JsonObject, reading: Reading, start: int, end: int) -> Iterator[_Said]:
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


def _stands_out(reading: Reading, start: int, end: int) -> bool:
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


def _days(reading: Reading, start: int, end: int) -> Iterator[_Said]:
    source = Source(0, reading.masked[start:end])
    for text in dict.fromkeys(each.text for each in source.days if not each.text.isdigit()):  # that may be any number
        at = source.folded.find(text)
        if at >= 0:
            yield _Said(text, start + at, start + at + len(text), is_day=True)


def _counted(name: str, reading: Reading, start: int, end: int) -> Iterator[_Said]:
    """Yield the numbers whose unit the parameter is named by: "6 nights" for `nights`."""
    own = set(map(stem, units_of(tokens_of_value(name))))
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


def _is_denied(at: int, reading: Reading) -> bool:
    return (
        any(denied.start <= at < denied.end for denied in reading.denied)
        or any(at < each.start for each in reading.corrections)
        or any(each.taken_from <= at < each.start for each in reading.withdrawals)
    )
