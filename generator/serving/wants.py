"""Wants: the several things that one request asks for, each in words of its own, as far as its words say so plainly.

What a request says are the values in its words that an argument may take, by the argument's schema.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from functools import cache, cached_property
from typing import NamedTuple

from generator.job_choices import DEFAULT_REFERENCE_DATE
from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.reading.days import days_of, phrases_of, relative_days
from generator.validation.grounding.reading.languages import LANGUAGES, english, entries, table
from generator.validation.grounding.reading.quantities import quantities_of
from generator.validation.grounding.reading.words import fold, literals_of

_LONGEST = 4000
"""Characters of a request that are read."""
_NAME = re.compile(r"(?<![\w'])[A-Z][\w'-]+(?:\s+(?:(?:de|of|the|van|la)\s+)?[A-Z0-9][\w'-]*)*")
_ENDS = re.compile(r"(?:^|[.!?:]\s+|\n\s*)$")
_ADDRESSES = ("email", "mail", "recipient", "to", "url", "uri", "link", "website")
_DAYS = ("date", "day", "start", "end", "check_in", "check_out", "checkin", "checkout", "departure", "arrival")
MOST_WANTS = 8
"""Things of one request that are seen."""
_MOST_CLAUSES = 32
_MOST_ITEMS = 64


class Said:
    """The words of one request, read when they are first asked for."""

    def __init__(self, text: str, today: date) -> None:
        self.text = text[:_LONGEST]
        self._today = today

    def stands(self, value: JsonValue) -> bool:
        """Say whether a value stands in the request as it is; of a list, whether each does."""
        if isinstance(value, list):
            return bool(value) and all(map(self.stands, value))
        if not isinstance(value, str | int | float) or isinstance(value, bool):
            return False
        wanted = re.escape(str(value).casefold()).replace("_", "[ _-]").replace(r"\ ", r"\s+")
        return bool(wanted) and re.search(rf"(?<!\w){wanted}(?!\w)", self.text.casefold()) is not None

    @cached_property
    def days(self) -> list[str]:
        """The days, as dates."""
        folded = fold(self.text)
        phrases = phrases_of(folded, ("en",))
        written = [day for each in days_of(folded, phrases) for day in list(each.near(self._today))[:1]]
        told = [*written, *(day for day, _ in relative_days(phrases, self._today))]
        return list(dict.fromkeys(day.isoformat() for day in told))

    @cached_property
    def numbers(self) -> list[float]:
        """The numbers, in figures and in words."""
        return list(dict.fromkeys(each.value for each in quantities_of(fold(self.text))))

    @cached_property
    def quotes(self) -> list[str]:
        """What stands between quotation marks."""
        return [each.text for each in literals_of(self.text) if each.sort == "quote"]

    @cached_property
    def addresses(self) -> list[str]:
        """Addresses of mail and of pages."""
        return [each.text for each in literals_of(self.text) if "@" in each.text or "://" in each.text]

    @cached_property
    def codes(self) -> list[str]:
        """What names one thing: codes and paths."""
        literals = (each for each in literals_of(self.text) if each.sort != "quote")
        return [each.text for each in literals if re.search(r"\d", each.text) and re.search(r"[A-Za-z]", each.text)]

    @cached_property
    def names(self) -> list[str]:
        """Names, as far as capitals tell: the first word of a sentence is none."""
        found = (
            match[0].partition(" ")[2] if _ENDS.search(self.text[: match.start()]) else match[0]
            for match in _NAME.finditer(self.text)
        )
        return [name.removesuffix("'s") for name in found if name[:1].isupper()]

    def candidates(self, name: str, schema: JsonValue) -> Iterator[JsonValue]:
        """Yield the values of the request that an argument may take, the likeliest first."""
        if not isinstance(schema, dict):
            return
        kind = schema.get("type")
        kinds = kind if isinstance(kind, list) else [kind]
        if isinstance(schema.get("enum"), list):
            yield from sorted(filter(self.stands, schema["enum"]), key=lambda value: -len(str(value)))
        elif kind == "array":
            yield from ([value] for value in self.candidates(name, schema.get("items")))
        elif "string" in kinds:
            yield from self._texts(name.casefold(), schema)
        elif "integer" in kinds:
            yield from map(int, filter(float.is_integer, self.numbers))
        elif "number" in kinds:
            yield from map(_plain, self.numbers)

    def _texts(self, name: str, schema: JsonObject) -> Iterator[str]:
        form = schema.get("format")
        parts = set(re.split(r"[^a-z]+", name)) | {name}
        if form == "date" or (form is None and parts & set(_DAYS)):
            yield from self.days
        elif form in ("email", "uri", "url") or (form is None and parts & set(_ADDRESSES)):
            yield from self.addresses
        if form is not None:
            return
        if parts & {"id", "code", "key", "number"}:
            yield from self.codes
            return
        yield from self.quotes
        if not parts & set(_DAYS):
            yield from self.names


def _plain(number: float) -> float:
    return int(number) if number.is_integer() else number


@cache
def _words(*keys: str) -> str:
    """Return a pattern of the words that the languages have for sides, and for what joins them."""
    found = {word for code in LANGUAGES for key in keys for word in table(code, "roles").get(key, ())}
    return "|".join(re.escape(word) for word in sorted(found, key=len, reverse=True) if word[0].isalpha())


@cache
def _joined() -> re.Pattern[str]:
    """What stands between two of a list."""
    joint, little = _words("and"), _words("articles", "links", "second")
    return re.compile(rf"(?i)\s*(?:,|,?\s*\b(?:{joint})\b|&)(?:\s+(?:{little}))?\s*")


@cache
def _last_joined() -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{_words('and')})\b|&")


@cache
def _clause_ends() -> re.Pattern[str]:
    """What ends a clause: signs, a joint, or a word that something comes besides."""
    besides = (entry for code in LANGUAGES for entry in entries(code, "claims", "besides"))
    joints = "|".join([_words("and"), *map(re.escape, besides), *map(re.escape, english("claims", "and"))])
    return re.compile(rf"(?i)[.!?]+\s+|[;\n]+|,\s+|\s+(?:{joints})\s+")


@cache
def _one_of_two() -> re.Pattern[str]:
    """What stands before two things that one call takes together."""
    return re.compile(rf"(?i)\b(?:{_words('between', 'first')})\s+$")


class Want(NamedTuple):
    """One thing that is asked for: the tool that does it, and the words that ask."""

    tool: str
    text: str


def wants_of(text: str, tool_of: Callable[[str], str | None]) -> list[Want]:
    """Cut a request where another tool is asked for, or the same one with another name; empty where nothing is plain.

    `tool_of` names the tool that a clause asks for in so many words, None where it asks for none.
    """
    wants: list[Want] = []
    waiting = ""
    for clause in _clauses(text):
        tool = tool_of(clause)
        if tool is None and not wants:
            waiting += clause
        elif tool is None or (wants and _goes_on(wants[-1], tool, clause)):
            wants[-1] = wants[-1]._replace(text=wants[-1].text + clause)
        else:
            wants.append(Want(tool, waiting + clause))
            waiting = ""
    return [want if _states(want.text) else want._replace(text=text) for want in wants[:MOST_WANTS]]


def _clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a text, each with what ends it: together they are the text."""
    begun = 0
    for number, cut in enumerate(_clause_ends().finditer(text), start=1):
        if number == _MOST_CLAUSES:
            break
        yield text[begun : cut.end()]
        begun = cut.end()
    yield text[begun:]


def _goes_on(want: Want, tool: str, clause: str) -> bool:
    """Say whether a clause says more of the same thing: the same tool, and not a name in each."""
    return want.tool == tool and not (_said(want.text).names and _said(clause).names)


def _states(text: str) -> bool:
    said = _said(text)
    return bool(said.names or said.numbers or said.quotes or said.addresses or said.codes)


def _said(text: str) -> Said:
    return Said(text, DEFAULT_REFERENCE_DATE)


def is_joined(text: str) -> bool:
    """Say whether a text may name several things side by side."""
    return _last_joined().search(text) is not None


def one_by_one(text: str, named: Iterable[str]) -> list[str]:
    """Return a text once for each thing of its first list, as "Oslo and Porto", with that one alone in its place.

    `named` are things that the text may list beside names, codes, quotations and addresses. A text without a list is
    returned as it is.
    """
    said = _said(text)
    items = dict.fromkeys((*named, *said.quotes, *said.addresses, *said.codes, *said.names))
    for places in _lists(text, _places(text, list(items)[:_MOST_ITEMS])):
        begin, end = places[0][0], places[-1][1]
        joints = text[begin:end]
        if len(places) > 1 and _last_joined().search(joints) and not _one_of_two().search(text[:begin]):
            return [f"{text[:begin]}{text[start:stop]}{text[end:]}" for start, stop in places[:MOST_WANTS]]
    return [text]


def _places(text: str, items: list[str]) -> list[tuple[int, int]]:
    """Return where items stand, in order, the longer ones before what they hold."""
    taken: list[tuple[int, int]] = []
    for item in sorted(items, key=len, reverse=True):
        for found in re.finditer(
            rf"(?<!\w)[\"'\u201c\u201e\u00ab]?{re.escape(item)}[\"'\u201d\u201c\u00bb]?(?!\w)", text, re.I
        ):
            if all(found.end() <= start or found.start() >= end for start, end in taken):
                taken.append(found.span())
                break
    return sorted(taken)


def _lists(text: str, places: list[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    """Yield the places that follow each other with nothing but a joint in between."""
    run: list[tuple[int, int]] = []
    for place in places:
        if run and not _joined().fullmatch(text, run[-1][1], place[0]):
            yield run
            run = []
        run.append(place)
    if run:
        yield run
