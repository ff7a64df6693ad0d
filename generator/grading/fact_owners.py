"""Owners of facts: which result, or which row of one, a fact belongs to, so that a text may tell them in any order.

Facts that are told side by side must be of one owner, and facts of one sort keep their order: a text that tells first
of the other city says the same, one that gives its degrees to this one does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice

from generator.grading.statements import Fact, statements_of
from generator.jsontext import JsonValue
from generator.validation.grounding.reading.role_words import role_names
from generator.validation.grounding.reading.words import fold, stem, tokens_of, tokens_of_value

_MOST_THINGS = 200
_MOST_LEAVES = 5_000
_LONGEST_TEXT = 400
_ANY = "any"
"""The sort of a word that stands in fields of several sorts."""


class FactOwners:
    """Says of facts whose they are and of which sort.

    Args:
        things: what the results of a turn tell of, each with its call's arguments.
    """

    def __init__(self, things: Iterable[JsonValue]) -> None:
        self._owners: dict[Fact, int | None] = {}
        self._sorts: dict[str, str] = {}
        self.field_stems: set[str] = set()
        """The stems of the names of the fields, with which values may be told."""
        for number, thing in enumerate(_rows(things)):
            for field, leaf in _leaves(thing):
                self.field_stems.update(map(stem, tokens_of_value(field)))
                for fact in _facts(leaf):
                    known = self._owners.setdefault(fact, number)
                    if known != number:
                        self._owners[fact] = None
                    if fact[0] == "word":
                        word = str(fact[1])
                        sort = _sort(field)
                        self._sorts[word] = sort if self._sorts.setdefault(word, sort) == sort else _ANY

    def tells_the_same(self, own: Sequence[Fact], said: Sequence[Fact]) -> bool:
        """Say whether facts told in another order belong to the same things, and none to another of its sort."""
        ours, theirs = self._by_owner(own), self._by_owner(said)
        if ours is None or theirs is None:
            ours, theirs = {None: list(own)}, {None: list(said)}
        return ours.keys() == theirs.keys() and all(self._keeps(ours[owner], theirs[owner]) for owner in ours)

    def are_apart(self, said: Sequence[Fact]) -> bool:
        """Say whether facts of several things are told, those of each side by side."""
        found = self._by_owner(said)
        return found is not None and len(found) > 1

    def _by_owner(self, facts: Sequence[Fact]) -> dict[int | None, list[Fact]] | None:
        """Return the facts by the things that they are told with; None where a thing is told of in several places."""
        found: dict[int | None, list[Fact]] = {}
        waiting: list[Fact] = []
        last: int | None = None
        for fact in facts:
            owner = self._owners.get(fact)
            if owner is None or owner == last:
                (waiting if last is None else found[last]).append(fact)
                continue
            if owner in found:
                return None
            found[owner] = [*waiting, fact] if last is None else [fact]
            waiting, last = [], owner
        return found or None

    def _keeps(self, ours: list[Fact], theirs: list[Fact]) -> bool:
        return self._by_sort(ours) == self._by_sort(theirs)

    def _by_sort(self, facts: list[Fact]) -> dict[str, list[Fact]]:
        found: dict[str, list[Fact]] = {}
        for fact in dict.fromkeys(facts):
            sort = self._sorts.get(str(fact[1]), _ANY) if fact[0] == "word" else fact[0]
            found.setdefault(sort, []).append(fact)
        return found


def _rows(things: Iterable[JsonValue]) -> Iterator[JsonValue]:
    """Yield each thing, or each row of the lists of objects inside."""
    return islice(chain.from_iterable(map(_rows_in, things)), _MOST_THINGS)


def _rows_in(thing: JsonValue) -> list[JsonValue]:
    values = thing.values() if isinstance(thing, dict) else ()
    lists = [value for value in values if isinstance(value, list) and len(value) > 1 and isinstance(value[0], dict)]
    return [*chain.from_iterable(lists)] or [thing]


def _leaves(thing: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    waiting: list[tuple[str, JsonValue]] = [("", thing)]
    for field, value in waiting:
        if isinstance(value, dict):
            waiting.extend((str(key), inner) for key, inner in value.items())
        elif isinstance(value, list):
            waiting.extend((field, inner) for inner in value)
        else:
            yield field, value
        if len(waiting) > _MOST_LEAVES:
            return


def _facts(leaf: JsonValue) -> list[Fact]:
    if isinstance(leaf, str):
        text = leaf[:_LONGEST_TEXT]
        return statements_of(text, "", frozenset(tokens_of(fold(text)))).facts
    if isinstance(leaf, int | float) and not isinstance(leaf, bool):
        return [("number", abs(float(leaf)))] if abs(leaf) < 1e300 else []
    return []


def _sort(field: str) -> str:
    words = tokens_of_value(field)
    return _ANY if not words or not _sides().isdisjoint(words) else words[-1]


@cache
def _sides() -> frozenset[str]:
    """Return the words of fields that come in pairs, whose values may be exchanged for each other."""
    return frozenset(word for names in role_names().values() for word in names)
