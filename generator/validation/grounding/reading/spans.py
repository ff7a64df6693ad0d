"""Spans: where the words of things lie in a text, and whether two of them have changed places.

What belongs together is said side by side, in every language. Where the words of two things lie in each other, and
would lie apart if one word of each took the other's place, those two stand in the wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Span = tuple[int, int]
"""Where words begin and end."""
Places = dict[str, list[Span]]
"""Where each value of a thing is said: at one place or at any of several."""
FEWEST = 2
"""Words that a thing must have in a text, or nothing lies beside anything."""


def extent(spans: Mapping[str, Span]) -> Span:
    """Return from where to where the words of a thing reach."""
    return min(start for start, _ in spans.values()), max(end for _, end in spans.values())


def changed_places(mine: Mapping[str, Span], theirs: Mapping[str, Span]) -> str:
    """Return which words of two things, each said once, would have to change places so that the things lie apart.

    An empty text says that none would.
    """
    if min(len(mine), len(theirs)) < FEWEST:
        return ""
    one, other = ({place: (span,) for place, span in each.items()} for each in (mine, theirs))
    return "" if lie_apart(one, other) else place_to_change(one, other)


def place_to_change(mine: Mapping[str, Sequence[Span]], theirs: Mapping[str, Sequence[Span]]) -> str:
    """Return which words of two things would have to change places so that the things lie apart; "" for none."""
    for place in sorted(mine.keys() & theirs.keys()):
        if lie_apart({**mine, place: theirs[place]}, {**theirs, place: mine[place]}):
            return place
    return ""


def lie_apart(mine: Mapping[str, Sequence[Span]], theirs: Mapping[str, Sequence[Span]]) -> bool:
    """Say whether the words of two things can be read one thing after the other."""
    return _comes_first(mine, theirs) or _comes_first(theirs, mine)


def _comes_first(mine: Mapping[str, Sequence[Span]], theirs: Mapping[str, Sequence[Span]]) -> bool:
    """Say whether each word of the one is said before each of the other, at the best of its places."""
    ends = max(min(end for _, end in spans) for spans in mine.values())
    return ends <= min(max(start for start, _ in spans) for spans in theirs.values())


def in_order(first: Sequence[Span], second: Sequence[Span]) -> int | None:
    """Return which of two lists' words stands elsewhere in the second list than in the first; None where none does.

    Only of lists of which one ends before the other begins, and of which two entries alone have changed places.
    """
    if max(end for _, end in first) > min(start for start, _ in second) and (
        max(end for _, end in second) > min(start for start, _ in first)
    ):
        return None
    ranks = [sorted(values).index(value) for values in (first, second) for value in values]
    half = len(first)
    wrong = [at for at in range(half) if ranks[at] != ranks[half + at]]
    return wrong[-1] if len(wrong) == 2 else None


def first_out_of_turn(things: Sequence[Sequence[Sequence[Span]]]) -> int | None:
    """Return the first thing that is not told after the one before it, with all its words; None where all are."""
    at = 0
    for number, thing in enumerate(things):
        taken: list[Span] = []
        for places in thing:
            own = next((span for span in places if span[0] >= at and span not in taken), None)
            if own is None:
                return number
            taken.append(own)
        at = max((end for _, end in taken), default=at)
    return None


def overlapping(things: Sequence[Places]) -> list[tuple[int, int]]:
    """Return which two things reach into each other, by all the places of their words; most do not."""
    reaches = sorted(
        (min(spans[0][0] for spans in thing.values()), max(spans[-1][1] for spans in thing.values()), number)
        for number, thing in enumerate(things)
        if thing
    )
    found: list[tuple[int, int]] = []
    for at, (_, end, one) in enumerate(reaches):
        for start, _, other in reaches[at + 1 :]:
            if start >= end:
                break
            found.append((min(one, other), max(one, other)))
    return sorted(found)
