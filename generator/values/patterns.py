"""Texts that match a regular expression (ECMA 262), of a wanted length, in bounded time."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from random import Random

from generator.errors import GaveUp
from generator.values.regex_syntax import Parser, Piece

_FREE_REPEATS = 3
_MOST_NODES = 20_000
_LOWER = "abcdefghijklmnopqrstuvwxyz"


class PatternTexts:
    """Makes texts for one pattern. It does not promise that they match: look-ahead and overlaps are left to a check."""

    def __init__(self, pattern: str) -> None:
        self.root = Parser(pattern).parse()
        self.anchored_start = _touches(self.root, "start", first=True)
        self.has_boundaries = "\\b" in pattern
        self.anchored_end = _touches(self.root, "end", first=False)

    def make(self, random: Random, shortest: int, longest: int | None, *, generous: bool = False) -> str:
        """Make a text of a length within the bounds as far as the pattern allows."""
        text = ""
        for room, full in _rooms(shortest, generous=generous):
            text = _Writer(random, room, longest, full=full).write(self.root)
            if len(text) >= shortest and (longest is None or len(text) <= longest):
                break
        if longest is not None and len(text) > longest:
            text = _Writer(random, 0, longest, full=False).write(self.root)
        return self._pad(text, shortest, random)

    def _pad(self, text: str, shortest: int, random: Random) -> str:
        missing = shortest - len(text)
        if missing <= 0:
            return text
        filler = "".join(random.choices(_LOWER, k=missing))
        if self.has_boundaries:  # what is beside a word must not belong to it
            filler = f"{filler[1:]} " if self.anchored_end else f" {filler[1:]}"
        if not self.anchored_end:
            return text + filler
        return text if self.anchored_start else filler + text


@lru_cache(maxsize=1024)
def texts_of(pattern: str) -> PatternTexts:
    """Return the one maker of texts for a pattern, which many schemas share.

    Raises:
        GaveUp: it is no pattern that is understood.
    """
    return PatternTexts(pattern)


def _rooms(shortest: int, *, generous: bool) -> Iterator[tuple[int, bool]]:
    """Yield how far repeats may go beyond their least, and whether they go all the way, the natural ones first."""
    if generous or not shortest:
        yield 0 if generous else 1, False
    for room in (_FREE_REPEATS, 8, 20, shortest):
        yield room, False
        yield min(room, shortest), True


def _touches(node: Piece, kind: str, *, first: bool) -> bool:
    """Say whether every match begins (ends) at an anchor."""
    if node.kind == kind:
        return True
    if node.kind == "either":
        return all(_touches(part, kind, first=first) for part in node.parts)
    if node.kind in ("sequence", "group", "plain") and node.parts:
        return _touches(node.parts[0 if first else -1], kind, first=first)
    return False


class _Writer:
    def __init__(self, random: Random, room: int, longest: int | None, *, full: bool) -> None:
        self.random, self.room, self.longest, self.full = random, room, longest, full
        self.groups: dict[int, str] = {}
        self.nodes = 0

    def write(self, node: Piece) -> str:
        self.nodes += 1
        if self.nodes > _MOST_NODES:
            raise GaveUp("the pattern asks for too long a text")
        if node.kind == "chars":
            return node.chars[int(self.random.random() * len(node.chars))] if node.chars else ""
        if node.kind == "either":
            return self.write(self.random.choice(node.parts))
        if node.kind == "repeat":
            return self._repeat(node)
        if node.kind in ("sequence", "group", "plain"):
            text = "".join([self.write(part) for part in self._in_order(node.parts)])
            self.groups[node.group] = text
            return text
        return self.groups.get(node.group, "") if node.kind == "back" else ""

    def _in_order(self, parts: list[Piece]) -> list[Piece]:
        """Let a look-ahead stand for what follows it when nothing does."""
        if parts and parts[-1].kind == "ahead":
            return [*parts[:-1], parts[-1].parts[0]]
        return parts

    def _repeat(self, node: Piece) -> str:
        most = node.low + self.room if node.high is None else min(node.high, node.low + self.room)
        if self.longest is not None:
            most = min(most, max(node.low, self.longest))
        most = max(most, node.low)
        least = most if self.full else node.low
        times = most if most <= least else self.random.randint(least, most)
        return "".join([self.write(node.parts[0]) for _ in range(times)])
