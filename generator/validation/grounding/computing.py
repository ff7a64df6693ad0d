"""Computing: numbers that follow from two others by one step of arithmetic."""

from __future__ import annotations

from itertools import chain

_MOST = 12
"""Numbers of a text that are counted with."""


def is_computed(number: float, numbers: list[float]) -> bool:
    """Say whether a number is made of two others by one operation, or is twice or half of one."""
    few = numbers[:_MOST]
    results = (
        result
        for at, one in enumerate(few)
        for other in few[at + 1 :]
        for result in (one + other, abs(one - other), one * other, *_quotients(one, other))
    )
    doubled = (result for one in few for result in (one * 2, one / 2))
    return number != 0 and any(_is_near(number, result) for result in chain(results, doubled))


def _quotients(one: float, other: float) -> tuple[float, ...]:
    return (one / other, other / one) if one and other else ()


def _is_near(one: float, other: float) -> bool:
    return abs(one - other) <= 1e-6 * max(abs(one), abs(other))
