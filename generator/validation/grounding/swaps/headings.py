"""Headings: values that stand beside the name of another parameter of their call, or have the form that it wants.

"A base of 10 and a height of 5" says which is which by the parameters' own names, in whatever language they are. Where
the values of two parameters are headed by each other's names, they are exchanged; where one of them is headed by the
other's name and the other one by none, they probably are. Of forms only those are known that no other text has:
addresses of mail and of pages, numbers of phones, what has digits and what has letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from generator.jsontext import JsonObject
from generator.validation.call_view import CallView
from generator.validation.grounding.arguments.schemas import Path, schemas_at
from generator.validation.grounding.reading.role_words import RoleWords, role_words_of, sort_of, words_in
from generator.validation.grounding.reading.spans import Span
from generator.validation.grounding.reading.words import STOPWORDS, stem, tokens_of_value
from generator.validation.grounding.swaps.mentions import Request, literal_mentions
from generator.validation.grounding.swaps.pairs import value_at
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity

_SHORTEST = 3
_REACH = 60
_DESCRIBED = 160
_NEITHER = (None, None)
_MOST_WORDS = 7
_BREAK = re.compile(r"[.!?;,\n。！？；，、]")
_CLOSING = "'\"`)]*"
_LINKING = frozenset(":=*\"'`([#$€£¥")


class HeadedWrongly(NamedTuple):
    """Two places of a call whose values stand beside each other's names."""

    first: Path
    second: Path
    at_most: Severity


class NamedPlace(NamedTuple):
    """A place of a call with the words of its name and of its description, without their endings."""

    path: Path
    name: frozenset[str]
    words: frozenset[str]
    """Those of its name and of its description."""


def names_of(tool: ToolView | None, paths: tuple[Path, ...], known: dict[str, str]) -> tuple[NamedPlace, ...]:
    """Return the names of the places of a call; `known` are what masked names stand for."""
    found = []
    for path in paths:
        words = tokens_of_value(known.get(str(path[-1]), str(path[-1])))
        schemas = schemas_at(tool, path) if tool is not None else ()
        texts = [text[:_DESCRIBED] for _, schema in schemas if isinstance(text := schema.get("description"), str)]
        described = [word for text in texts for word in tokens_of_value(text)]
        found.append(NamedPlace(path, _stems(words), _stems([*words, *described])))
    return tuple(found)


def _stems(words: list[str]) -> frozenset[str]:
    return frozenset(
        stem(word) for word in words if len(word) >= _SHORTEST and word.isalpha() and word not in STOPWORDS
    )


def headed_wrongly(call: CallView, named: tuple[NamedPlace, ...], said: Request) -> Iterator[HeadedWrongly]:
    """Yield the places of a call whose values are exchanged by the names beside them."""
    texts, numbers = _named_in(said.folded, named, call.arguments or {})
    if len(texts) < 2 and len(numbers) < 2:
        return
    places: dict[Path, list[Span]] = {}
    for one, other in (*combinations(texts, 2), *combinations(numbers, 2)):
        values = value_at(call.arguments or {}, one.path), value_at(call.arguments or {}, other.path)
        if values[0] != values[1]:
            for each, value in zip((one, other), values, strict=True):
                if each.path not in places:
                    places[each.path] = literal_mentions(value, said)
            first, second = places[one.path], places[other.path]
            if len(first) == len(second) == 1:
                held = _judged(said, one, other, first[0], second[0], isinstance(values[0], str))
                if held is not None:
                    yield HeadedWrongly(one.path, other.path, held)


def _named_in(
    text: str, named: tuple[NamedPlace, ...], arguments: JsonObject
) -> tuple[list[NamedPlace], list[NamedPlace]]:
    """Return the texts whose names a text may use, and the numbers where it may use any, or words that describe it."""
    texts: list[NamedPlace] = []
    numbers: list[NamedPlace] = []
    for each in named:
        (texts if type(value_at(arguments, each.path)) is str else numbers).append(each)
    said = _occurring(text, [(each.words, each) for each in numbers]) if len(numbers) > 1 else []
    return _occurring(text, [(each.name, each) for each in texts]) if len(texts) > 1 else [], numbers if said else []


def _occurring(text: str, named: list[tuple[frozenset[str], NamedPlace]]) -> list[NamedPlace]:
    found: list[NamedPlace] = []
    for words, each in named:
        for word in words:
            if word in text:
                found.append(each)
                break
    return found


def _judged(
    said: Request, one: NamedPlace, other: NamedPlace, first: Span, second: Span, are_texts: bool
) -> Severity | None:
    text = said.folded
    for start, end in (first, second):  # the words of a value head nothing
        text = f"{text[:start]}{'.' * (end - start)}{text[end:]}"
    if not any(root in text for named in (one, other) for root in named.words):  # a word begins with its stem
        return None
    marks = role_words_of(said.language, "way")
    by_name = _Reading(text, marks, one.name - other.name, other.name - one.name, one.name & other.name, are_texts)
    if by_name.mine and by_name.theirs:
        held, known = _verdict(by_name, first, second)
        if known:
            return held
    if are_texts:  # which are made of such words themselves: the Hilton Hotel in Rome
        return None
    mine, theirs = one.words, other.words
    described = _Reading(text, marks, mine - theirs, theirs - mine, mine & theirs, are_texts)
    held, _ = _verdict(described, first, second)
    return "warning" if held == "error" else None


class _Reading(NamedTuple):
    text: str
    """What is said, the two values themselves blotted out."""
    marks: RoleWords
    mine: frozenset[str]
    """What only the first name has."""
    theirs: frozenset[str]
    shared: frozenset[str]
    are_texts: bool


def _verdict(reading: _Reading, first: Span, second: Span) -> tuple[Severity | None, bool]:
    """Say how surely two values are exchanged, and whether the names beside them say anything at all."""
    before = _heading_before(reading, first), _heading_before(reading, second)
    after = _heading_after(reading, first), _heading_after(reading, second)
    known = (before, after) != (_NEITHER, _NEITHER)
    if (0, 1) in (before, after):
        return None, known
    if (1, 0) in (before, after):
        return "error", known
    one = before in ((1, None), (None, 0)) and after == _NEITHER
    both_named = all(any(each in reading.text for each in names) for names in (reading.mine, reading.theirs))
    if one and both_named:
        return "warning", known
    at_once = _heading_after(reading, first, 1), _heading_after(reading, second, 1)
    counted = not reading.are_texts and at_once in ((1, None), (None, 0)) and before == _NEITHER
    return ("warning" if counted else None), known


def _heading_before(reading: _Reading, span: Span) -> int | None:
    """Return whose name heads a value: 0 for the first, 1 for the second, None for neither."""
    words = words_in(_BREAK.split(reading.text[max(0, span[0] - _REACH) : span[0]])[-1])[-_MOST_WORDS:]
    for at in range(len(words) - 1, -1, -1):
        word = words[at]
        whose = _whose(reading, word)
        if whose is not None:
            return None if any(_whose(reading, each) == 1 - whose for each in words[:at]) else whose
        leads_on = word in reading.marks.links or word in reading.marks.articles or word in _LINKING
        if not leads_on and stem(word) not in reading.shared:
            return None
    return None


def _heading_after(reading: _Reading, span: Span, most: int = 2) -> int | None:
    """Return whose name follows a value, at once or after its unit."""
    words = words_in(_BREAK.split(reading.text[span[1] : span[1] + _REACH].lstrip(_CLOSING))[0])[:most]
    for word in words:
        whose = _whose(reading, word)
        if whose is not None:
            return whose
        if not word.isalpha() or word in reading.marks.stops or word in reading.marks.articles:
            return None
    return None


def _whose(reading: _Reading, word: str) -> int | None:
    root = stem(word)
    return 0 if root in reading.mine else 1 if root in reading.theirs else None


_LONGEST = 300
_FORMS = {
    "mail": re.compile(r"[^\s@]{1,100}@[^\s@]{1,100}\.[^\s@]{1,40}"),
    "phone": re.compile(r"\+?[\d\s().\-/]{5,30}"),
    "link": re.compile(r"(?:\w{2,10}://|www\.)\S{1,280}"),
    "digits": re.compile(r"(?=[^\d]{0,40}\d)[\w\s-]{2,40}"),
    "words": re.compile(r"(?=[^a-zA-Z\u00c0-\uffff]{0,40}[a-zA-Z\u00c0-\uffff])[^@]{1,300}"),
}


def exchanged_by_form(first: str, second: str, mine: str, theirs: str) -> Severity | None:
    """Say how surely two texts stand in each other's place by their forms; None where they may stand as they do.

    Args:
        first: the name of the one parameter.
        second: the name of the other.
        mine: the value of the first.
        theirs: the value of the second.
    """
    wanted, other = sort_of(first), sort_of(second)
    if wanted == other or len(mine) > _LONGEST or len(theirs) > _LONGEST:
        return None
    wrong = _is_wrong(wanted, mine, theirs), _is_wrong(other, theirs, mine)
    if all(wrong):
        return "error"
    sole = wanted if wrong[0] and not other else other if wrong[1] and not wanted else ""
    return "warning" if sole in ("mail", "link") else None


def _is_wrong(wanted: str, own: str, other: str) -> bool:
    """Say whether a value has not the form that is wanted, and the other has it."""
    form = _FORMS.get(wanted)
    return form is not None and form.fullmatch(own) is None and form.fullmatch(other) is not None
