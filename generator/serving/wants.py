"""Wants: the several things that one request asks for, each in words of its own, as far as its words say so plainly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from generator.job_choices import DEFAULT_REFERENCE_DATE
from generator.serving.said import Said
from generator.validation.grounding.reading.languages import LANGUAGES, english, entries, table

MOST_WANTS = 8
"""Things of one request that are seen."""
_MOST_CLAUSES = 32
_MOST_ITEMS = 64


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
