"""Sets of characters as intervals of code points, and those which people would choose from them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Spans: TypeAlias = tuple[tuple[int, int], ...]
"""Disjoint closed intervals of code points, ascending."""

EVERY: Spans = ((0, 0xD7FF), (0xE000, 0x10FFFF))
"""All of Unicode; surrogates are no characters."""

_SURROGATES: Spans = ((0xD800, 0xDFFF),)
_LAST = 0x10FFFF


def spans_of(chars: Iterable[str]) -> Spans:
    """Return the set of the characters given."""
    return joined([((ord(char), ord(char)),) for char in chars])


def joined(sets: Iterable[Spans]) -> Spans:
    """Return the union of sets."""
    found: list[tuple[int, int]] = []
    for low, high in sorted(span for spans in sets for span in spans):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return tuple(found)


def without(spans: Spans) -> Spans:
    """Return every character that is not in the set."""
    found, at = [], 0
    for low, high in joined([spans, _SURROGATES]):
        if low > at:
            found.append((at, low - 1))
        at = high + 1
    if at <= _LAST:
        found.append((at, _LAST))
    return tuple(found)


def holds(spans: Spans, point: int) -> bool:
    """Say whether a code point is in the set."""
    return any(low <= point <= high for low, high in spans)


_LIKED = tuple("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 -_.,:;!?@#$%&*()[]{}<>/\\'\"+=|~^`")
_TEXTUAL = ((0xA1, 0x24F), (0x370, 0x3FF), (0x400, 0x44F), (0x4E00, 0x4FFF), (0x1F600, 0x1F64F))


def plausible(spans: Spans, most: int = 40) -> str:
    """Return characters of the set, those of everyday texts first; "" where the set is empty."""
    liked = "".join(char for char in _LIKED if holds(spans, ord(char)))
    if liked:
        return liked
    textual = [chr(point) for low, high in _TEXTUAL for point in range(low, min(high, low + most) + 1)
               if holds(spans, point)]  # fmt: skip
    if textual:
        return "".join(textual[:most])
    return "".join(chr(point) for low, high in spans[:most] for point in range(low, min(high, low + 4) + 1))[:most]
