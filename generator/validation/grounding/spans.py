"""Spans: where the words of two things lie in a text, and whether two of them have changed places.

What belongs together is said side by side, in every language. Where the words of two things lie in each other, and
would lie apart if one word of each took the other's place, those two stand in the wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping

Span = tuple[int, int]
"""Where words begin and end."""
FEWEST = 2
"""Words that a thing must have in a text, or nothing lies beside anything."""


def changed_places(mine: Mapping[str, Span], theirs: Mapping[str, Span]) -> str:
    """Return which words of two things would have to change places so that the things lie apart; "" for none."""
    if min(len(mine), len(theirs)) < FEWEST or _lie_apart(mine, theirs):
        return ""
    for place in sorted(mine.keys() & theirs.keys()):
        if _lie_apart({**mine, place: theirs[place]}, {**theirs, place: mine[place]}):
            return place
    return ""


def extent(spans: Mapping[str, Span]) -> Span:
    """Return from where to where the words of a thing reach."""
    return min(start for start, _ in spans.values()), max(end for _, end in spans.values())


def _lie_apart(mine: Mapping[str, Span], theirs: Mapping[str, Span]) -> bool:
    first, second = sorted((extent(mine), extent(theirs)))
    return first[1] <= second[0]
