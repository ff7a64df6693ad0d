"""Attribution: whether each number that is told beside the name of one thing is that thing's own.

The answer is read by its lines, sentences and clauses. A part that names one thing alone speaks of it: a number there
that this thing does not have, while another of its group has it in a field of which this thing's own value is left
out, is told of the wrong one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.answers.stated_numbers import StatedNumber
from generator.validation.grounding.reading.languages import entries, other_names, phrases
from generator.validation.grounding.reading.words import STOPWORDS, find_literal, fold, tokens_of
from generator.validation.view import as_list

_PART = re.compile(r"[.!?](?=\s)|[。！？；;\n]")
_FINER = re.compile(r"[.!?](?=\s)|[。！？；;\n]|,(?=\s)|[，、]|[()]")
_MOST_THINGS = 40
_SMALL = range(10)


class _Part(NamedTuple):
    """A part of the answer: from where to where it reaches."""

    start: int
    end: int

    def has(self, at: int) -> bool:
        """Say whether a place of the answer lies in it."""
        return self.start <= at < self.end


class Misattribution(NamedTuple):
    """A number that is told of the wrong thing."""

    words: str
    is_small: bool
    """Whether it may well count something else."""


def misattributed_numbers(answer: Answer) -> Iterator[Misattribution]:
    """Yield the numbers that are told beside the name of another thing than theirs."""
    groups = [group for group in answer.things if len(group) <= _MOST_THINGS]
    if not groups or not answer.stated_numbers:
        return
    for group in groups:
        if not is_plainly_attributed(group, answer.folded, answer.stated_numbers):
            yield from _of_group(group, answer)


def _of_group(group: list[JsonObject], answer: Answer) -> Iterator[Misattribution]:
    """Yield the numbers that are told beside the name of another thing of a group than theirs."""
    doubtful = _doubtful(group, answer)
    telling = _telling_fields(group) if doubtful else frozenset()
    if doubtful and _may_be_misattributed(group, doubtful, telling, answer.folded):
        texts = [_Texts(each) for each in group]
        things = [_Thing(at, each, group, texts, telling) for at, each in enumerate(group)]
        yield from _of_things(answer, dict(doubtful), things, _named_in(answer.folded, things))


_Doubtful = list[tuple[int, frozenset[int]]]
"""Where numbers begin, and which things of a group have them."""


def _doubtful(group: list[JsonObject], answer: Answer) -> _Doubtful:
    """Return where numbers begin that some of the group have and some have not, and that the user did not tell."""
    sizes = sorted([
        (size, at)
        for at, each in enumerate(group)
        for value in _flat(each)
        if type(value) in _NUMBERS and abs(value) < _LARGEST
        for size in (abs(value), 100 * abs(value))
    ])  # fmt: skip
    found = []
    for each in answer.stated_numbers:
        if not each.is_part:
            holders = frozenset(holders_of(sizes, each))
            if 0 < len(holders) < len(group) and not _is_asked(each, answer):
                found.append((each.start, holders))
    return found


def _may_be_misattributed(group: list[JsonObject], doubtful: _Doubtful, telling: frozenset[str], text: str) -> bool:
    """Say whether any sentence has the whole name of a thing and a number that this thing has not."""
    named = [(at, name) for at, each in enumerate(group) for name in _names(each, group, telling) if name in text]
    sentences = _split(text, _PART, 0, len(text)) if named else []
    return any(_may_tell_of_another(sentence, doubtful, named, text) for sentence in sentences)


def _may_tell_of_another(sentence: _Part, doubtful: _Doubtful, named: list[tuple[int, str]], text: str) -> bool:
    """Say whether a sentence has the whole name of a thing and a number that this thing has not."""
    told = [holders for start, holders in doubtful if sentence.has(start)]
    if not told:
        return False
    said = text[sentence.start : sentence.end]
    every = frozenset.intersection(*told)
    return any(at not in every and name in said for at, name in named)


def _named_in(text: str, things: list[_Thing]) -> list[_Thing]:
    return [thing for thing in things if thing.is_named_in(text)]


def _of_things(
    answer: Answer, doubtful: dict[int, frozenset[int]], things: list[_Thing], named: list[_Thing]
) -> Iterator[Misattribution]:
    text = answer.folded
    for sentence in _split(text, _PART, 0, len(text)):
        if not any(map(sentence.has, doubtful)):
            continue
        said = text[sentence.start : sentence.end]
        inside = _named_in(said, named)
        if not inside or phrases("en", "clauses", "others").found_in(said):
            continue
        readings = [[sentence]] if len(inside) == 1 else _readings(text, sentence, inside, answer.language)
        if readings and all(any(_of_parts(parts, inside, things, doubtful, answer)) for parts in readings):
            yield from _of_parts(readings[0], inside, things, doubtful, answer)


def _of_parts(
    parts: list[_Part], inside: list[_Thing], things: list[_Thing], doubtful: dict[int, frozenset[int]], answer: Answer
) -> Iterator[Misattribution]:
    """Yield the numbers of parts that name one thing and tell what is another's."""
    text = answer.folded
    for part in parts:
        told = [each for each in answer.stated_numbers if part.has(each.start)]
        is_doubtful = any(each.start in doubtful for each in told)
        own = _only_one_of(inside, text[part.start : part.end]) if is_doubtful else None
        if own is None:
            continue
        for each in told:
            if own.at not in doubtful.get(each.start, _EVERY) and _is_foreign(each, told, own, things, answer):
                yield Misattribution(text[each.start : each.end].strip(), each.value in _SMALL)


_EVERY = frozenset(range(_MOST_THINGS))
"""Which things may have a number that is in no doubt: any."""


def _only_one_of(inside: list[_Thing], said: str) -> _Thing | None:
    """Return the thing that is named alone, and named whole; None for none."""
    here = _named_in(said, inside)
    return here[0] if len(here) == 1 and here[0].is_fully_named_in(said) else None


def _readings(text: str, sentence: _Part, inside: list[_Thing], language: str) -> list[list[_Part]]:
    """Return how a sentence that names several things may be cut into parts for each.

    A piece without a name belongs to the name before it, or to the one after it: what is wrong is so in both readings.
    """
    pieces = _split(text, _finer(language), sentence.start, sentence.end)
    counts = [sum(thing.is_named_in(text[piece.start : piece.end]) for thing in inside) for piece in pieces]
    if max(counts, default=2) > 1:
        return []
    return [_joined(pieces, counts), _joined(pieces[::-1], counts[::-1])]


@cache
def _finer(language: str) -> re.Pattern[str]:
    joints = "|".join(map(re.escape, entries(language, "clauses", "pairing")))
    return re.compile(rf"{_FINER.pattern}|\s(?:{joints})\s") if joints else _FINER


def _joined(pieces: list[_Part], counts: list[int]) -> list[_Part]:
    """Join each piece without a name to the piece before it in this order."""
    found: list[_Part] = []
    for piece, count in zip(pieces, counts, strict=True):
        if count or not found:
            found.append(piece)
        else:
            found[-1] = _Part(min(found[-1].start, piece.start), max(found[-1].end, piece.end))
    return found


def _split(text: str, pattern: re.Pattern[str], start: int, end: int) -> list[_Part]:
    places = [match.span() for match in pattern.finditer(text, start, end)]
    starts = [start, *(after for _, after in places)]
    ends = [*(before for before, _ in places), end]
    return [_Part(*each) for each in zip(starts, ends, strict=True) if text[each[0] : each[1]].strip()]


class _Thing:
    """One of a group, with the texts by which it is known alone."""

    def __init__(
        self, at: int, values: JsonObject, group: list[JsonObject], texts: list[_Texts], telling: frozenset[str]
    ) -> None:
        self.at = at
        """Its place in the group."""
        self.values = values
        self._names = frozenset(_names(values, group, telling))
        others = [each for other, each in enumerate(texts) if other != at]
        tokens = frozenset([token for name in self._names for token in tokens_of(name) if _tells_apart(token)])
        self._tokens = frozenset([token for token in tokens if not any(each.have(token) for each in others)])
        self._foreign: list[str] | None = None

    def is_fully_named_in(self, text: str) -> bool:
        """Say whether a text has a whole name of it."""
        return any(find_literal(text, name) >= 0 for name in self._names)

    def is_named_in(self, text: str) -> bool:
        """Say whether a text names it, by a word of its name that no other of its group has at least."""
        if any(token in text for token in self._tokens) and not self._tokens.isdisjoint(_tokens_of_part(text)):
            return True
        return self.is_fully_named_in(text) or (not text.isascii() and any(name in text for name in self._in_scripts()))

    def _in_scripts(self) -> list[str]:
        """Return its names in other scripts: those of countries and the like."""
        if self._foreign is None:
            others = (name.folded for value in self._names for name in other_names(value))
            self._foreign = [name for name in others if not name.isascii()]
        return self._foreign

    def has(self, told: StatedNumber) -> bool:
        """Say whether any of its numbers is the told one."""
        return any(_is_told(value, told) for value in _flat(self.values))

    def fields_of(self, told: StatedNumber) -> frozenset[str]:
        """Return the fields that hold the told number."""
        return frozenset(key for key, value in self.values.items() if _is_told(value, told))


@lru_cache(maxsize=16)
def _tokens_of_part(text: str) -> frozenset[str]:
    """Return the words of a part, which each thing of a group is looked for in."""
    return frozenset(tokens_of(text))


def _telling_fields(group: list[JsonObject]) -> frozenset[str]:
    """Return the fields that differ in all of a group."""
    keys = {key for each in group for key, value in each.items() if isinstance(value, str)}
    return frozenset(key for key in keys if len({str(each.get(key)) for each in group}) == len(group))


def _names(values: JsonObject, group: list[JsonObject], telling: frozenset[str]) -> Iterator[str]:
    """Yield the texts by which a thing is known: those in fields that differ in all of its group."""
    for key, value in values.items():
        if key in telling and _may_be_name(value):
            yield fold(value)
        elif isinstance(value, list) and all(isinstance(inner, str) for inner in value):
            yield from _own_entries(key, values, group)


def _may_be_name(value: JsonValue) -> bool:
    return isinstance(value, str) and _SHORTEST <= len(value) <= 80 and not value[:1].isdigit()


def _own_entries(key: str, values: JsonObject, group: list[JsonObject]) -> Iterator[str]:
    """Yield the texts of a list, but the shortest, that the same field of no other thing of the group has."""
    others = {str(inner) for each in group if each is not values for inner in as_list(each.get(key))}
    yield from (fold(inner) for inner in values[key] if len(inner) > _SHORTEST and inner not in others)


def _tells_apart(token: str) -> bool:
    return len(token) > _SHORTEST and token.isalpha() and token not in STOPWORDS


class _Texts:
    """The texts of a thing, to be asked for words."""

    def __init__(self, values: JsonObject) -> None:
        self._folded = fold("\n".join([value for value in _flat(values) if isinstance(value, str)]))
        self._tokens: frozenset[str] | None = None

    def have(self, token: str) -> bool:
        """Say whether they have a word."""
        if token not in self._folded:
            return False
        if self._tokens is None:
            self._tokens = frozenset(tokens_of(self._folded))
        return token in self._tokens


def _flat(values: JsonObject) -> Iterator[JsonValue]:
    waiting: list[JsonValue] = list(values.values())
    for value in waiting:
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
        else:
            yield value


def _is_told(value: JsonValue, told: StatedNumber) -> bool:
    if type(value) not in _NUMBERS or not abs(value) < _LARGEST:
        return False
    return bool(abs(abs(value) - told.value) <= told.near) or abs(100 * abs(value) - told.value) <= told.near


def _is_foreign(
    told: StatedNumber, inside: list[StatedNumber], own: _Thing, things: list[_Thing], answer: Answer
) -> bool:
    """Say whether another thing has the number in a field whose own value is not told in this part."""
    if told.is_part or _counts_list(told, answer):
        return False
    if own.has(told) or _is_part_of_name(told, own, answer) or _is_asked(told, answer):
        return False
    fields = frozenset().union(*(thing.fields_of(told) for thing in things if thing is not own))
    return any(_is_left_out(own.values.get(key), inside) for key in fields)


def _counts_list(told: StatedNumber, answer: Answer) -> bool:
    """Say whether a bare number is that of the entries of a list."""
    return not (told.unit or told.currencies) and any(told.value == len(each.entries) for each in answer.lists)


def _is_left_out(value: JsonValue, told: list[StatedNumber]) -> bool:
    """Say whether a value is a number that is not told."""
    return type(value) in _NUMBERS and not any(_is_told(value, each) for each in told)


def _is_part_of_name(told: StatedNumber, own: _Thing, answer: Answer) -> bool:
    """Say whether the number stands in one of the thing's own texts: "3 Spring Street"."""
    digits = answer.folded[told.start : told.end].strip(" $€£¥-")
    return any(isinstance(value, str) and digits in value for value in _flat(own.values))


def _is_asked(told: StatedNumber, answer: Answer) -> bool:
    """Say whether the user's own words have the number."""
    digits = answer.folded[told.start : told.end].strip(" $€£¥-").split(" ")[0]
    return find_literal(fold(answer.asked), digits) >= 0


_SHORTEST = 3
"""Characters of a text that is a name."""
_NUMBERS = frozenset({int, float})
"""The types of numbers; true and false are of another."""
_LARGEST = 1e15
"""More than any number that is read in an answer."""


def is_plainly_attributed(group: list[JsonObject], text: str, told: list[StatedNumber]) -> bool:
    """Say whether each number is nobody's, or stands behind the name of its own thing: a short look at plain lists."""
    others = frozenset([value for each in group for value in each.values() if type(value) in _NUMBERS])
    return _are_nobodys(told, others) or _stand_behind_names(group, text, told, others)


def _are_nobodys(told: list[StatedNumber], others: frozenset[float]) -> bool:
    """Say whether no number is one of these, exactly as it is told or rounded."""
    if not others.isdisjoint([each.value for each in told]):
        return False
    sizes = sorted([*map(abs, others), *[100 * value for value in others]])
    for each in told:
        wanted, near = each.value, each.near
        at = bisect_left(sizes, wanted - _NEAR * near)
        while at < len(sizes) and sizes[at] <= wanted + _NEAR * near:
            if abs(sizes[at] - wanted) <= near:
                return False
            at += 1
    return True


def _stand_behind_names(group: list[JsonObject], text: str, told: list[StatedNumber], others: frozenset[float]) -> bool:
    """Say whether each number that is one of these stands behind the name of a thing that has it."""
    places = _places_of_names(group, text)
    if not places:
        return False
    for each in told:
        value = each.value
        if (value in others or -value in others) and not _has_exactly(value, _thing_before(each.start, places)):
            return False
        if each.near > _EXACT and value != int(value) and value not in others:
            return False
    return True


def _thing_before(start: int, places: list[tuple[int, JsonObject]]) -> JsonObject:
    """Return the thing whose name is the last one before a place."""
    at = bisect_left(places, start, key=_start)
    return places[at - 1][1] if at else _NOBODY


def _has_exactly(value: float, thing: JsonObject) -> bool:
    return any(type(number) in _NUMBERS and abs(number) == value for number in thing.values())


_NOBODY: JsonObject = {}
_EXACT = 0.06
"""The nearness of numbers that are told with two decimals or more."""


def _places_of_names(group: list[JsonObject], text: str) -> list[tuple[int, JsonObject]]:
    """Return where the text has the names of things, in its order; none where it has not each of them once."""
    for key, value in group[0].items():
        if isinstance(value, str) and len(value) >= _SHORTEST:
            names = [str(each.get(key)).casefold() for each in group]
            counts = [text.count(name) for name in names]
            if max(counts) == 1 and len(set(names)) == len(names):
                named = zip(names, counts, group, strict=True)
                return sorted([(text.find(name), each) for name, count, each in named if count], key=_start)
    return []


def _start(place: tuple[int, JsonObject]) -> int:
    return place[0]


def holders_of(sizes: list[tuple[float, int]], told: StatedNumber) -> Iterator[int]:
    """Yield which things have a told number, by the sizes of their numbers in order."""
    last = told.value + _NEAR * told.near
    for at in range(bisect_left(sizes, (told.value - _NEAR * told.near, 0)), len(sizes)):
        size, thing = sizes[at]
        if size > last:
            return
        if abs(size - told.value) <= told.near:
            yield thing


_NEAR = 1.01
"""A little more than the nearness of numbers, whose sums are not exact."""
