"""Drawing: what a source is, and what it says where there is nothing to draw."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from random import Random
from typing import Any

from generator.worlds.rows import Scope

Taken = dict[Hashable, Any]
"""What the sources of one table have given already, or have left to give, so that its rows differ."""
Source = Callable[[Scope, Random, Taken], Any]

_MOST_TRIES = 24


class NothingToDraw(Exception):
    """No row or value is there for a draw: the way cannot be gone in this world."""


def picked(taken: Taken, source: Hashable, entries: Sequence[Any], random: Random) -> Any:
    """Return an entry that this source has not given in this table; once all are given, they begin anew."""
    left = taken.get(source)
    if not left:
        left = taken[source] = list(entries)
    place = int(random.random() * len(left))
    left[place], left[-1] = left[-1], left[place]
    return left.pop()


def distinct(taken: Taken, source: Hashable, make: Callable[[Random], Any], random: Random) -> Any:
    """Return a value that this source has not given in this table, as far as there is one."""
    before = taken.get(source)
    if before is None:
        before = taken[source] = set()
    value = make(random)
    for _ in range(_MOST_TRIES):
        mark = repr(value) if isinstance(value, list | dict) else value
        if mark not in before:
            before.add(mark)
            break
        value = make(random)
    return value
