"""Languages: the texts that several patterns admit together, as one automaton, by derivatives (Brzozowski, 1964).

Libraries were measured on 40 patterns, 10 of them hostile: this reads 33 within 25 ms each and declines the others;
interegular 0.3.3 reads 23 and takes over 10 s for 7, greenery 4.2.3 reads 19 and takes over 10 s for 10, neither knows
anchors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random
from typing import Any, TypeAlias

from generator.errors import GaveUp
from generator.values.patterns.syntax import EVERY, Parser, Piece, Spans, holds, plausible

Expression: TypeAlias = int
_Node: TypeAlias = tuple[Any, ...]  # a kind, then expressions, or for `letter` a set of letters

_MOST_NODES = 60_000


class TooLarge(Exception):
    """The expression has more states than are worth their time."""


class Expressions:
    """A store of expressions over the letters 0 to `letters` - 1."""

    def __init__(self, letters: int) -> None:
        self._nodes: list[_Node] = []
        self._numbers: dict[_Node, Expression] = {}
        self._derived: dict[tuple[Expression, int], Expression] = {}
        self._ended: dict[Expression, bool] = {}
        self._settled: dict[Expression, Expression] = {}
        self.every_letter = frozenset(range(letters))
        self.nothing = self._store(("nothing",))
        self.empty = self._store(("empty",))
        self.start = self._store(("start",))
        """Everything at the start of the text, nothing behind it."""
        self.anything = self._store(("anything",))

    def _store(self, node: _Node) -> Expression:
        number = self._numbers.get(node)
        if number is None:
            if len(self._nodes) >= _MOST_NODES:
                raise TooLarge
            number = self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
        return number

    def letter(self, letters: frozenset[int]) -> Expression:
        """One letter of the set."""
        return self._store(("letter", letters)) if letters else self.nothing

    def then(self, first: Expression, second: Expression) -> Expression:
        """One after the other."""
        if self.nothing in (first, second):
            return self.nothing
        if first == self.empty:
            return second
        if second == self.empty:
            return first
        kind, *parts = self._nodes[first]
        if kind == "then":
            return self.then(parts[0], self.then(parts[1], second))
        if first == self.anything and (second == self.anything or self._nodes[second][:2] == ("then", first)):
            return second
        return self._store(("then", first, second))

    def either(self, *options: Expression) -> Expression:
        """Any of them."""
        flat = self._flat("either", options)
        flat.discard(self.nothing)
        if self.anything in flat:
            return self.anything
        return self._gathered("either", flat, self.nothing)

    def both(self, *demands: Expression) -> Expression:
        """All of them."""
        flat = self._flat("both", demands)
        flat.discard(self.anything)
        if self.nothing in flat:
            return self.nothing
        return self._gathered("both", flat, self.anything)

    def _of_many(self, kind: str, parts: list[Expression]) -> Expression:
        return self.either(*parts) if kind == "either" else self.both(*parts)

    def _flat(self, kind: str, parts: tuple[Expression, ...]) -> set[Expression]:
        flat: set[Expression] = set()
        for part in parts:
            node = self._nodes[part]
            flat |= set(node[1:]) if node[0] == kind else {part}
        return flat

    def _gathered(self, kind: str, parts: set[Expression], neutral: Expression) -> Expression:
        letters = [part for part in parts if self._nodes[part][0] == "letter"]
        if len(letters) > 1:
            sets = [self._nodes[part][1] for part in letters]
            joint = frozenset.union(*sets) if kind == "either" else frozenset.intersection(*sets)
            parts = (parts - set(letters)) | {self.letter(joint)}
            if kind == "both" and self.nothing in parts:
                return self.nothing
        if not parts:
            return neutral
        if len(parts) == 1:
            return next(iter(parts))
        return self._store((kind, *sorted(parts)))

    def denied(self, inner: Expression) -> Expression:
        """Every text but those."""
        if inner == self.nothing:
            return self.anything
        if inner == self.anything:
            return self.nothing
        kind, *parts = self._nodes[inner]
        return parts[0] if kind == "denied" else self._store(("denied", inner))

    def repeated(self, inner: Expression) -> Expression:
        """Any number of times, none included."""
        if inner in (self.nothing, self.empty):
            return self.empty
        if inner == self.letter(self.every_letter):
            return self.anything
        return inner if self._nodes[inner][0] == "repeated" else self._store(("repeated", inner))

    def may_end(self, number: Expression) -> bool:
        """Say whether the empty text belongs to it; `start` counts as met."""
        known = self._ended.get(number)
        if known is None:
            known = self._ended[number] = self._may_end(*self._nodes[number])
        return known

    def _may_end(self, kind: str, *parts: Expression) -> bool:
        if kind in ("then", "both"):
            return all(self.may_end(part) for part in parts)
        if kind == "either":
            return any(self.may_end(part) for part in parts)
        if kind == "denied":
            return not self.may_end(parts[0])
        return kind in ("empty", "start", "anything", "repeated")

    def settled(self, number: Expression) -> Expression:
        """What is left of it behind the start of the text: `start` admits nothing there."""
        known = self._settled.get(number)
        if known is None:
            known = self._settled[number] = self._settle(number, *self._nodes[number])
        return known

    def _settle(self, number: Expression, kind: str, *parts: Expression) -> Expression:
        if kind == "start":
            return self.nothing
        if kind == "then":
            return self.then(self.settled(parts[0]), self.settled(parts[1]))
        if kind in ("either", "both"):
            return self._of_many(kind, list(map(self.settled, parts)))
        if kind == "denied":
            return self.denied(self.settled(parts[0]))
        return self.repeated(self.settled(parts[0])) if kind == "repeated" else number

    def derivative(self, number: Expression, letter: int) -> Expression:
        """What must follow once this letter has been read."""
        known = self._derived.get((number, letter))
        if known is None:
            known = self._derived[number, letter] = self._derive(letter, *self._nodes[number])
        return known

    def _derive(self, letter: int, kind: str, *parts: Any) -> Expression:
        if kind == "letter":
            return self.empty if letter in parts[0] else self.nothing
        if kind == "then":
            after = self.then(self.derivative(parts[0], letter), self.settled(parts[1]))
            return self.either(after, self.derivative(parts[1], letter)) if self.may_end(parts[0]) else after
        if kind in ("either", "both"):
            return self._of_many(kind, [self.derivative(part, letter) for part in parts])
        if kind == "denied":
            return self.denied(self.derivative(parts[0], letter))
        if kind == "repeated":
            return self.then(self.derivative(parts[0], letter), self.settled(self._store((kind, *parts))))
        return self.anything if kind in ("start", "anything") else self.nothing


_MOST_STATES = 1_500
_MOST_STEPS = 40_000
_MOST_REPEATS = 400
_MOST_LENGTHS = 600_000
"""Lengths times moves that are looked at."""
_NATURAL_SPREAD = 8


class Declined(Exception):
    """The patterns cannot be made one automaton."""


@dataclass(frozen=True, slots=True)
class Language:
    """An automaton whose states are numbers; the first is 0. Only states on the way to an end are kept."""

    moves: tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]
    """For each state, the states that follow it and the letters that lead there."""
    ends: int
    """The states at which a text may end, as bits."""
    letters: tuple[Spans, ...]
    """What each letter stands for."""
    is_exact: bool
    """Whether it admits every text that the patterns admit."""
    size: int = 1
    """How many moves there are."""
    _befores: dict[int, list[int]] = field(default_factory=dict)
    _likings: dict[tuple[int, ...], str] = field(default_factory=dict)

    def lengths(self, shortest: int, longest: int | None) -> range | list[int]:
        """Return lengths which texts within the bounds may have: the shortest ones; none when there is no text."""
        found: list[int] = []
        # An automaton of n states that ends texts of a length or more ends one of no more than n above it.
        most = shortest + len(self.moves) + _NATURAL_SPREAD
        most = most if longest is None else min(longest, most)
        for length in range(shortest, most + 1):
            if self._ending_in(length) & 1:
                found.append(length)
                if len(found) > _NATURAL_SPREAD:
                    break
            elif not self._ending_in(length):
                break
        return found

    def has_texts(self, shortest: int, longest: int | None) -> bool:
        """Say whether any text of such a length is admitted."""
        return bool(self.lengths(shortest, longest))

    def _ending_in(self, length: int) -> int:
        """Return the states from which a text may end after so many more characters, as bits."""
        known = self._befores.setdefault(0, [self.ends])
        if length * self.size > _MOST_LENGTHS:
            raise Declined
        while len(known) <= length:
            after = known[-1]
            known.append(sum(1 << at for at, moves in enumerate(self.moves)
                             if any(after >> target & 1 for target, _ in moves)))  # fmt: skip
        return known[length]

    def count(self, shortest: int, longest: int | None, most: int) -> int:
        """Return how many texts there are, or `most` where there are so many or more."""
        sizes = self._sizes()
        ways = [1] + [0] * (len(self.moves) - 1)
        total = 0
        bound = longest if longest is not None else shortest + len(self.moves)
        for length in range(bound + 1):
            if length >= shortest:
                total += sum(way for at, way in enumerate(ways) if self.ends >> at & 1)
            if total >= most or length * self.size > _MOST_LENGTHS:
                return most
            ways = self._ways_on(ways, sizes, most)
        return most if longest is None and any(ways) else total

    def _sizes(self) -> list[int]:
        """Return how many characters each letter stands for."""
        return [sum(high - low + 1 for low, high in spans) for spans in self.letters]

    def _ways_on(self, ways: list[int], sizes: list[int], most: int) -> list[int]:
        """Return in how many ways, `most` at most, each state is reached by one more character."""
        after = [0] * len(ways)
        for at, moves in enumerate(self.moves):
            for target, letters in moves if ways[at] else ():
                after[target] += ways[at] * sum(sizes[letter] for letter in letters)
        return [min(way, most) for way in after]

    def make(self, random: Random, shortest: int, longest: int | None) -> str:
        """Make a text within the bounds.

        Raises:
            GaveUp: there is none.
        """
        lengths = self.lengths(shortest, longest)
        if not lengths:
            raise GaveUp("no text of such a length matches the pattern")
        left, state, text = lengths[int(random.random() * len(lengths))], 0, []
        while left:
            left -= 1
            after = self._ending_in(left)
            moves = [move for move in self.moves[state] if after >> move[0] & 1]
            state, letters = max(moves, key=lambda move: self._weight(move[1]) * random.random())
            liked = self._liked(letters)
            text.append(liked[int(random.random() * len(liked))])
        return "".join(text)

    def _liked(self, letters: tuple[int, ...]) -> str:
        known = self._likings.get(letters)
        if known is None:
            texts = [plausible(self.letters[letter]) for letter in letters]
            known = self._likings[letters] = _words_first("".join(texts))
        return known

    def _weight(self, letters: tuple[int, ...]) -> float:
        liked = self._liked(letters)
        return len(liked) if liked[0].isalnum() and liked[0].isascii() else 0.5


def _words_first(chars: str) -> str:
    """Keep to letters and digits where there are any."""
    return "".join(char for char in chars if char.isascii() and char.isalnum()) or chars


def language_of(patterns: Sequence[str], denied: Sequence[str] = ()) -> Language:
    """Return the texts in which each of the patterns, and none of the denied, is found.

    Raises:
        Declined: the patterns are beyond an automaton of moderate size.
    """
    try:
        parsers = [Parser(pattern) for pattern in (*patterns, *denied)]
        trees = [parser.parse() for parser in parsers]
        sets = dict.fromkeys(spans for tree in trees for spans in _sets(tree))
        letters = _letters(list(sets))
        builder = _Builder(Expressions(len(letters)), letters)
        found = [builder.found(tree) for tree in trees]
        wanted, unwanted = found[: len(patterns)], found[len(patterns) :]
        whole = builder.store.both(*wanted, *(builder.store.denied(one) for one in unwanted))
        return _explored(builder.store, whole, letters, all(parser.is_exact for parser in parsers))
    except (TooLarge, RecursionError, GaveUp) as error:
        raise Declined from error


def _sets(tree: Piece) -> Iterable[Spans]:
    waiting = [tree]
    while waiting:
        piece = waiting.pop()
        if piece.kind == "chars":
            yield piece.spans
        waiting.extend(piece.parts)


def _letters(sets: list[Spans]) -> tuple[Spans, ...]:
    """Divide all characters into classes that no set divides."""
    edges = sorted({edge for spans in [*sets, EVERY] for low, high in spans for edge in (low, high + 1)})
    classes: dict[tuple[bool, ...], list[tuple[int, int]]] = {}
    if len(edges) * len(sets) > _MOST_STEPS:
        raise TooLarge
    for low, beyond in pairwise(edges):
        if holds(EVERY, low):
            key = tuple(holds(spans, low) for spans in sets)
            classes.setdefault(key, []).append((low, beyond - 1))
    return tuple(tuple(spans) for spans in classes.values())


class _Builder:
    """Writes the tree of a pattern as an expression over whole texts."""

    def __init__(self, store: Expressions, letters: tuple[Spans, ...]) -> None:
        self.store = store
        self._letters = letters
        self._copies = 0

    def found(self, tree: Piece) -> Expression:
        """Return the texts in which the pattern is found anywhere."""
        return self.store.then(self.store.anything, self._before(tree, self.store.anything))

    def _before(self, piece: Piece, rest: Expression) -> Expression:
        """Return the texts that begin with the piece and go on with `rest`."""
        store = self.store
        if not _looks_around(piece):
            return store.then(self._plain(piece), rest)
        if piece.kind in ("sequence", "group", "plain"):
            for part in reversed(piece.parts):
                rest = self._before(part, rest)
            return rest
        if piece.kind == "either":
            return store.either(*(self._before(part, rest) for part in piece.parts))
        if piece.kind == "start":
            return store.both(store.start, rest)
        if piece.kind == "end":
            return store.both(store.empty, rest)
        if piece.kind in ("ahead", "not"):
            ahead = self._before(piece.parts[0], store.anything)
            return store.both(ahead if piece.kind == "ahead" else store.denied(ahead), rest)
        return self._repeated_before(piece, rest)

    def _repeated_before(self, piece: Piece, rest: Expression) -> Expression:
        """Write a repeat of something that looks around as so many copies, where their number is bounded."""
        if piece.kind != "repeat" or piece.high is None:
            raise Declined
        self._count(piece.high)
        for _ in range(piece.high - piece.low):
            rest = self.store.either(rest, self._before(piece.parts[0], rest))
        for _ in range(piece.low):
            rest = self._before(piece.parts[0], rest)
        return rest

    def _plain(self, piece: Piece) -> Expression:
        store = self.store
        if piece.kind == "chars":
            inside = frozenset(at for at, spans in enumerate(self._letters) if holds(piece.spans, spans[0][0]))
            return store.letter(inside)
        if piece.kind == "either":
            return store.either(*map(self._plain, piece.parts))
        if piece.kind == "repeat":
            return self._repeat(piece)
        whole = store.empty
        for part in reversed(piece.parts):
            whole = store.then(self._plain(part), whole)
        return whole

    def _repeat(self, piece: Piece) -> Expression:
        store, inner = self.store, self._plain(piece.parts[0])
        self._count(piece.low if piece.high is None else piece.high)
        whole = store.repeated(inner) if piece.high is None else store.empty
        for _ in range(0 if piece.high is None else piece.high - piece.low):
            whole = store.either(store.empty, store.then(inner, whole))
        for _ in range(piece.low):
            whole = store.then(inner, whole)
        return whole

    def _count(self, copies: int) -> None:
        self._copies += copies
        if self._copies > _MOST_REPEATS:
            raise Declined


def _looks_around(piece: Piece) -> bool:
    """Say whether a piece depends on what stands around it.

    Raises:
        Declined: it depends on what no automaton here follows.
    """
    if piece.kind in ("behind", "boundary", "back"):
        raise Declined
    inner = [_looks_around(part) for part in piece.parts]
    return piece.kind in ("start", "end", "ahead", "not") or any(inner)


def _explored(store: Expressions, first: Expression, letters: tuple[Spans, ...], is_exact: bool) -> Language:
    """Follow the derivatives of an expression to the states of its automaton."""
    numbers, waiting = {first: 0}, [first]
    moves: list[dict[int, list[int]]] = []
    steps = 0
    for state in waiting:
        targets: dict[int, list[int]] = {}
        for letter in range(len(letters)):
            steps += 1
            after = store.derivative(state, letter)
            after = store.settled(after)
            if after == store.nothing:
                continue
            if after not in numbers:
                numbers[after] = len(numbers)
                waiting.append(after)
            targets.setdefault(numbers[after], []).append(letter)
        moves.append(targets)
        if len(numbers) > _MOST_STATES or steps > _MOST_STEPS:
            raise TooLarge
    ends = sum(1 << at for at, state in enumerate(waiting) if store.may_end(state))
    kept = _kept(moves, ends)
    return Language(kept, ends, letters, is_exact, sum(map(len, kept)) + 1)


def _kept(moves: list[dict[int, list[int]]], ends: int) -> tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]:
    """Leave out moves to states from which no text ends."""
    alive = _alive(moves, ends)
    return tuple(
        tuple((target, tuple(with_letters)) for target, with_letters in targets.items() if target in alive)
        for targets in moves
    )


def _alive(moves: list[dict[int, list[int]]], ends: int) -> set[int]:
    """Return the states from which some text ends."""
    before: dict[int, list[int]] = {}
    for at, targets in enumerate(moves):
        for target in targets:
            before.setdefault(target, []).append(at)
    alive = {at for at in range(len(moves)) if ends >> at & 1}
    waiting = list(alive)
    while waiting:
        for at in before.get(waiting.pop(), ()):
            if at not in alive:
                alive.add(at)
                waiting.append(at)
    return alive
