"""Which tool an index gets: planned coverage first, consistent hashing for the rest.

Nightly builds reuse what did not change, so adding or changing one tool must change few scenarios. Two
mechanisms give that. A `Ring` (consistent hashing) maps random points to tools: a new tool takes over only
its own share of points. `Claims` gives every tool one index of its own in each window of the run: tools
propose indices in an order of their own and an index keeps the tool it prefers (deferred acceptance), so a
new tool displaces a short chain of others. Tools are known by their keys, so a changed definition moves nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from random import Random

_POINTS_PER_DIGEST = 8
_DIGESTS_PER_KEY = 4
_SMALLEST_WINDOW = 16
_PROPOSALS = 64


class Ring:
    """Tools on a ring of 64-bit points; the tool after a random point is the choice."""

    __slots__ = ("_keys", "_points", "keys")

    def __init__(self, keys: Sequence[str]) -> None:
        self.keys = tuple(keys)
        placed = sorted((point, key) for key in self.keys for point in _points(key))
        self._points = [point for point, _ in placed]
        self._keys = [key for _, key in placed]

    def pick(self, random: Random, count: int = 1, *, without: Collection[str] = ()) -> tuple[str, ...]:
        """Return up to `count` distinct keys that are not in `without`, in the order they were drawn."""
        chosen: list[str] = []
        while len(chosen) < count:
            key = self._first_from(random.getrandbits(64), chosen, without)
            if key is None:
                break
            chosen.append(key)
        return tuple(chosen)

    def _first_from(self, point: int, chosen: Collection[str], without: Collection[str]) -> str | None:
        start = bisect_left(self._points, point)
        size = len(self._keys)
        for step in range(size):
            key = self._keys[(start + step) % size]
            if key not in chosen and key not in without:
                return key
        return None


def _points(key: str) -> Iterator[int]:
    for part in range(_DIGESTS_PER_KEY):
        digest = blake2b(
            key.encode("utf-8", "surrogatepass"), digest_size=8 * _POINTS_PER_DIGEST, salt=bytes([part])
        ).digest()
        for start in range(0, len(digest), 8):
            yield int.from_bytes(digest[start : start + 8], "big")


def _number(*parts: int | str) -> int:
    text = "\x1f".join(map(str, parts))
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


class Claims:
    """One index for every tool in each window of the run.

    `admits(key, index)` says whether the tool may lead a record there. The window is the smallest power of
    two (at least 16) that holds twice as many indices as there are tools.
    """

    def __init__(self, seed: int, keys: Sequence[str], admits: Callable[[str, int], bool]) -> None:
        self._seed = seed
        self._keys = tuple(keys)
        self._admits = admits
        self.window = _SMALLEST_WINDOW
        while self.window < 2 * len(self._keys):
            self.window *= 2
        self._assignment = lru_cache(maxsize=8)(self._assign)

    def holder(self, index: int) -> tuple[str, int] | None:
        """Return the tool that claims this index and how many windows came before; None where none does."""
        window, _ = divmod(index, self.window)
        key = self._assignment(window).get(index)
        return None if key is None else (key, window)

    def _assign(self, window: int) -> dict[int, str]:
        held: dict[int, str] = {}
        proposals = {key: self._proposals(key, window) for key in self._keys}
        waiting = list(self._keys)
        while waiting:
            key = waiting.pop()
            for index in proposals[key]:
                rival = held.get(index)
                if rival is None or self._rank(index, key) > self._rank(index, rival):
                    held[index] = key
                    if rival is not None:
                        waiting.append(rival)
                    break
        return held

    def _rank(self, index: int, key: str) -> int:
        return _number(self._seed, "rank", index, key)

    def _proposals(self, key: str, window: int) -> Iterator[int]:
        """The indices a tool would like, best first; it never proposes one twice and may run out of wishes."""
        tried: set[int] = set()
        for turn in range(_PROPOSALS):
            index = self._first_wish(key, window) if turn == 0 else self._later_wish(key, window, turn)
            if index not in tried and self._admits(key, index):
                tried.add(index)
                yield index

    def _first_wish(self, key: str, window: int) -> int:
        """Halve the window until it is of the smallest size: a window twice as large keeps half of the wishes."""
        size, start = self.window, window * self.window
        while size > _SMALLEST_WINDOW:
            size //= 2
            if _number(self._seed, "half", key, size, start) & 1:
                start += size
        return start + _number(self._seed, "wish", key, start) % size

    def _later_wish(self, key: str, window: int, turn: int) -> int:
        return window * self.window + _number(self._seed, "wish", key, window, turn) % self.window
