"""Exchanges: values of two calls made at once of which each stands in the other's place.

Who asks for several things names what belongs together side by side: "8.7 kg to Canada and 2.2 kg to the Netherlands",
in every language. Where the words of two calls lie in each other, and would lie apart if one value of each took the
other's place, those two are exchanged. Values that are told in lists ("2 kg and 8 kg, to Canada and to Spain") lie in
each other either way, and prove nothing; nor does a call of which but one value is told, nor a request with a word
aside ("Canada (and 2.2 kg to Spain) gets 8.7 kg"), which parts what belongs together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from generator.jsontext import pointer
from generator.validation.call_view import CallView
from generator.validation.grounding.leaves import Grounded
from generator.validation.grounding.sources import SCHEMA
from generator.validation.grounding.spans import Span, changed_places
from generator.validation.grounding.vouched import evidence_of
from generator.validation.grounding.words import LONGEST_TEXT, fold
from generator.validation.view import RecordView

_ASIDE = re.compile(r"[()\[\]（）—]|\s[-–]\s")
_MOST_CALLS = 8


class _Mention(NamedTuple):
    """Where the words of one value stand in the request: the only place where they do."""

    grounded: Grounded
    start: int
    end: int


_Mentions = dict[str, _Mention]
"""The mentions of a call by the place of each value in its arguments."""


def exchanged(record: RecordView, grounded: list[Grounded]) -> Iterator[tuple[Grounded, str]]:
    """Yield the values that stand in the place of another call's, each with why."""
    for turn in record.turns_of_calls:
        if 1 < len(turn.calls) <= _MOST_CALLS:
            where, request = _request_before(record, turn.index)
            mentions = [_mentions(call, request, where, grounded, record) for call in turn.calls]
            for mine, theirs in combinations(mentions, 2):
                yield from _between(*_apart(mine, theirs))


def _request_before(record: RecordView, index: int) -> tuple[str, str]:
    """Return where the user last spoke, and what was said there, folded; nothing where some of it is said aside."""
    for message in reversed(record.messages[:index]):
        if message.role == "user" and isinstance(message.content, str):
            said = message.content[:LONGEST_TEXT]
            return f"/messages/{message.index}/content", "" if _ASIDE.search(said) else fold(said)
    return "", ""


def _mentions(call: CallView, request: str, where: str, grounded: list[Grounded], record: RecordView) -> _Mentions:
    found: _Mentions = {}
    evidence = evidence_of(call, record)
    for each in grounded:
        place = pointer(each.leaf.path)
        if each.call is call and not each.leaf.is_key and each.grounding and each.grounding.rung != SCHEMA:
            words = evidence.get(str(each.leaf.path[0]), evidence.get(place))
            if not isinstance(words, str):
                words = each.grounding.text if each.grounding.where == where else ""
            words = fold(words).strip()
            if words and request.count(words) == 1:
                start = request.index(words)
                found[place] = _Mention(each, start, start + len(words))
    return found


def _apart(mine: _Mentions, theirs: _Mentions) -> tuple[_Mentions, _Mentions]:
    """Leave out the words that both calls have in common."""
    shared = {(each.start, each.end) for each in mine.values()} & {(each.start, each.end) for each in theirs.values()}
    first, second = (
        {place: each for place, each in mentions.items() if (each.start, each.end) not in shared}
        for mentions in (mine, theirs)
    )
    return first, second


def _between(mine: _Mentions, theirs: _Mentions) -> Iterator[tuple[Grounded, str]]:
    place = changed_places(_spans(mine), _spans(theirs))
    if place:
        own, other = mine[place].grounded, theirs[place].grounded
        yield other, f"it has changed places: {own.leaf.value!r} is said with what {other.call.pointer} is given"


def _spans(mentions: _Mentions) -> dict[str, Span]:
    return {place: (each.start, each.end) for place, each in mentions.items()}
