"""Regular expressions with intersection and complement, and their derivatives (Brzozowski, 1964).

An expression is a number; equal expressions have equal numbers, so that the states of an automaton are told apart
at once. Letters are classes of characters which no set of the patterns at hand divides.
"""

from __future__ import annotations

from typing import Any, TypeAlias

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
        if kind == "either":
            return self.either(*map(self.settled, parts))
        if kind == "both":
            return self.both(*map(self.settled, parts))
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
        if kind == "either":
            return self.either(*(self.derivative(part, letter) for part in parts))
        if kind == "both":
            return self.both(*(self.derivative(part, letter) for part in parts))
        if kind == "denied":
            return self.denied(self.derivative(parts[0], letter))
        if kind == "repeated":
            return self.then(self.derivative(parts[0], letter), self.settled(self._store((kind, *parts))))
        return self.anything if kind in ("start", "anything") else self.nothing
