"""Pairing: which of the calls made is meant for which of the calls expected, their order being free."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence

Members = dict[str, Hashable]
"""What each argument of a call means, by its name."""

_EXACT = 7
"""Calls of one tool on either side up to which every pairing is compared."""
_NEAR = 60
"""Calls of one tool up to which each is paired with the nearest that is left; beyond, in their order."""


def paired(
    expected: Sequence[tuple[str, Members | None]], actual: Sequence[tuple[str, Members | None]]
) -> list[tuple[int, int]]:
    """Return pairs of places, of calls of one tool, such that as many arguments as can be are the same.

    Calls that mean the same are paired first. Of up to 7 others of a tool every pairing is compared, of up to 60
    each takes the nearest that is left, and beyond they are taken in their order, so that any number of calls takes
    a time in proportion.
    """
    same, left_expected, left_actual = _same(expected, actual)
    wanted, given = _by_name(left_expected, expected), _by_name(left_actual, actual)
    for name, places in wanted.items():
        same += _nearest(places, given.get(name, []), expected, actual)
    return sorted(same)


def _same(
    expected: Sequence[tuple[str, Members | None]], actual: Sequence[tuple[str, Members | None]]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for place in range(len(actual) - 1, -1, -1):
        waiting[_key(actual[place])].append(place)
    pairs: list[tuple[int, int]] = []
    left: list[int] = []
    for place, call in enumerate(expected):
        alike = waiting.get(_key(call)) if call[1] is not None else None
        if alike:
            pairs.append((place, alike.pop()))
        else:
            left.append(place)
    return pairs, left, sorted(place for places in waiting.values() for place in places)


def _key(call: tuple[str, Members | None]) -> Hashable:
    name, members = call
    return (name, None if members is None else frozenset(members.items()))


def _by_name(places: Iterable[int], calls: Sequence[tuple[str, Members | None]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for place in places:
        found[calls[place][0]].append(place)
    return found


def _nearest(
    wanted: list[int],
    given: list[int],
    expected: Sequence[tuple[str, Members | None]],
    actual: Sequence[tuple[str, Members | None]],
) -> list[tuple[int, int]]:
    if not wanted or not given:
        return []
    if len(wanted) == 1 and len(given) == 1:
        return [(wanted[0], given[0])]
    if max(len(wanted), len(given)) > _NEAR:
        return list(zip(wanted, given, strict=False))

    def likeness(one: int, other: int) -> int:
        return common(expected[one][1], actual[other][1])

    if max(len(wanted), len(given)) <= _EXACT:
        return _best(wanted, given, likeness)
    return _greedy(wanted, given, likeness)


def common(wanted: Members | None, given: Members | None) -> int:
    """Return how alike two calls are: by the arguments that are the same, then by those that both have."""
    if wanted is None or given is None:
        return -1_000
    shared = [given[name] == reading for name, reading in wanted.items() if name in given]
    return 2 * len(shared) + sum(shared) - len(wanted) - len(given)


def _best(wanted: list[int], given: list[int], likeness: Callable[[int, int], int]) -> list[tuple[int, int]]:
    """Return the pairing of the greatest likeness, by the subsets of what is given; of equal ones the first."""
    best: dict[int, tuple[int, tuple[tuple[int, int], ...]]] = {0: (0, ())}
    spare = max(len(wanted) - len(given), 0)
    for one in wanted:
        following: dict[int, tuple[int, tuple[tuple[int, int], ...]]] = {}
        for taken, (total, pairs) in best.items():
            options: list[tuple[int, int, tuple[tuple[int, int], ...]]] = [(taken | 1 << at, likeness(one, other), ((one, other),)) for at, other in enumerate(given)
                       if not taken >> at & 1]  # fmt: skip
            if spare:
                options.append((taken, 0, ()))
            for key, more, pair in options:
                if key not in following or total + more > following[key][0]:
                    following[key] = (total + more, pairs + pair)
        best = following
    most = max(key.bit_count() for key in best)
    return list(max((found for key, found in best.items() if key.bit_count() == most), key=lambda each: each[0])[1])


def _greedy(wanted: list[int], given: list[int], likeness: Callable[[int, int], int]) -> list[tuple[int, int]]:
    ranked = sorted((-likeness(one, other), one, other) for one in wanted for other in given)
    ones: set[int] = set()
    others: set[int] = set()
    pairs = []
    for _, one, other in ranked:
        if one not in ones and other not in others:
            ones.add(one)
            others.add(other)
            pairs.append((one, other))
    return pairs
