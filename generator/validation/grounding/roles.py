"""Roles: which of two values is said as the first and which as the second, by the closed words beside them.

"From Rome to Oslo", "nach Oslo von Rom", "从罗马到奥斯陆", "between 10 and 20": what stands before a value or between
two says which is which, and the names of the parameters say which is wanted. Where both are said the other way round
they are exchanged; where but one of them is, they probably are. Nothing is said of values that stand without a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.jsontext import JsonValue
from generator.validation.grounding.marks import Marks, Side, has_any, marks_of, words_in
from generator.validation.grounding.mentions import Heard, literal_mentions, mentions_of
from generator.validation.grounding.pairs import Pair, value_at
from generator.validation.grounding.places import Path
from generator.validation.grounding.spans import Span
from generator.validation.grounding.words import fold
from generator.validation.verdict import Severity
from generator.validation.view import CallView, RecordView

_OTHER: dict[Side, Side] = {"first": "second", "second": "first"}
_PLAIN_JOINTS = (" to ", "到")
_REACH = 80
"""Characters before a value in which its mark stands."""
_MOST_BETWEEN = 4
"""Words that may stand between a mark and its value."""
_LONGEST_MARK = 4
_BREAK = re.compile(r"[.!?;,\n。！？；，、]")
_SENTENCE = re.compile(r"[.!?\n。！？]")
_SIGNS = frozenset("'\"()[]*`:=_#$€£¥")
_MOMENT = re.compile(r"\d{4}-\d\d(?:-\d\d)?\b.*|\d{1,2}:\d\d.*", re.DOTALL)
_ONE_WAY = ("time", "amount")
"""What runs one way alone: nobody asks for a range and for the way back."""
_OF_MEASURE = frozenset({"currency", "unit", "units", "scale", "measure", "waehrung", "einheit", "moneda", "unidad"})
_OF_TIME = frozenset({"date", "time", "day", "year", "month", "week", "hour", "at", "on", "datum", "zeit", "fecha"})


def judge_pair(
    record: RecordView, call: CallView, pair: Pair, values: tuple[JsonValue, JsonValue], heard: list[Heard]
) -> Severity | None:
    """Say how surely the values of a pair are exchanged; None where nothing says so."""
    subject = _subject(pair, values)
    if not subject or _are_plainly_joined(values, heard[0]):
        return None
    first, second = (
        _latest(record, call, path, value, subject, heard)
        for path, value in zip((pair.first, pair.second), values, strict=True)
    )
    legs = [] if subject in _ONE_WAY else list(_other_legs(record, call, pair))
    if (values[1], values[0]) in legs:
        return None
    ends = _Ends(
        first, second, pair.rest, any(values[0] == leg[1] for leg in legs), any(values[1] == leg[0] for leg in legs)
    )
    held = _verdict(ends)
    if held is None:
        return None
    marks = (first or second).marks  # type: ignore[union-attr]  # who is judged is said
    return "note" if any(has_any(each.folded, marks.reversals, spaced=marks.spaced) for each in heard) else held


def _are_plainly_joined(values: tuple[JsonValue, JsonValue], said: Heard) -> bool:
    """Say whether the first value stands before the second with the plainest joint between: most do."""
    first, second = (fold(str(value)) for value in values)
    return any(f"{first}{joint}{second}" in said.folded for joint in _PLAIN_JOINTS)


def _latest(
    record: RecordView, call: CallView, path: Path, value: JsonValue, subject: str, heard: list[Heard]
) -> _Reading | None:
    """Return the last text that says a value, with where it does."""
    literal = next(((said, spans) for said in heard if (spans := literal_mentions(value, said))), None)
    for said, spans in (
        [literal] if literal else ((each, mentions_of(record, call, path, value, each)) for each in heard)
    ):
        if spans:
            numbers = frozenset(str(each) for each in (call.arguments or {}).values() if type(each) in (int, float))
            return _Reading(said.folded, marks_of(said.language, subject), spans, numbers)
    return None


def _subject(pair: Pair, values: tuple[JsonValue, JsonValue]) -> str:
    """Choose what a pair is about, of what its names allow, by what its values are; "" where they are of two sorts."""
    of_time = bool(pair.rest & _OF_TIME)
    if not isinstance(values[0], str):
        wanted: tuple[str, ...] = ("time", "amount") if of_time else ("amount", "time")
    elif pair.rest & _OF_MEASURE:
        wanted = ("measure",)
    else:
        moments = {_MOMENT.fullmatch(str(value)) is not None for value in values}
        if len(moments) == 2:
            return ""
        wanted = ("time",) if True in moments or of_time else ("way", "gift", "change")
    return next((each for each in wanted if each in pair.subjects), pair.subjects[0])


def _other_legs(record: RecordView, call: CallView, pair: Pair) -> Iterator[tuple[JsonValue, JsonValue]]:
    """Yield the pairs of values that other calls have in the same places: other legs of one journey."""
    for other in record.calls:
        if other is not call and other.arguments is not None:
            try:
                yield value_at(other.arguments, pair.first), value_at(other.arguments, pair.second)
            except (KeyError, TypeError, IndexError):
                continue


class _Reading(NamedTuple):
    """One text with the marks by which it is read, and where it says a value."""

    text: str
    marks: Marks
    spans: list[Span]
    numbers: frozenset[str]
    """The numbers of the same call: what one of them stands before is what it counts."""


class _Ends(NamedTuple):
    """Where the values of a pair are said."""

    first: _Reading | None
    second: _Reading | None
    rest: frozenset[str]
    """What the names of the parameters say beside the role; it may stand between a mark and its value."""
    goes_on: bool
    """Whether the first value is the second of another call: what is said of it may be said of that."""
    comes_on: bool
    """Whether the second value is the first of another call."""


def _verdict(ends: _Ends) -> Severity | None:
    first, second, rest = ends.first, ends.second, ends.rest
    if first is not None and second is not None and first.text is second.text:
        if _joined(first, first.spans, second.spans, rest):
            return None
        if _joined(first, second.spans, first.spans, rest):
            return "error"
    of_first = set() if ends.goes_on else _sides(first, rest)
    of_second = set() if ends.comes_on else _sides(second, rest)
    if of_first == {"second"} and of_second == {"first"}:
        return "error"
    marked = (
        first
        if of_first == {"second"} and not of_second
        else second
        if of_second == {"first"} and not of_first
        else None
    )
    return None if marked is None or _is_mutual(marked) else "warning"


def _is_mutual(reading: _Reading) -> bool:
    """Say whether words before a value in its sentence hold both ways: what is far from A has A far from it."""
    marks = reading.marks
    sentences = (_SENTENCE.split(reading.text[:start])[-1] for start, _ in reading.spans)
    return any(has_any(each, marks.both_ways, spaced=marks.spaced) for each in sentences)


def _joined(reading: _Reading, first: list[Span], second: list[Span], rest: frozenset[str]) -> bool:
    """Say whether any of the first values stands before one of the second with nothing but a joint between."""
    return any(
        start[1] <= end[0] <= start[1] + _REACH and _is_joint(reading, start, reading.text[start[1] : end[0]], rest)
        for start in first
        for end in second
    )


def _is_joint(reading: _Reading, start: Span, gap: str, rest: frozenset[str]) -> bool:
    marks = reading.marks
    words = [word for word in words_in(gap) if word not in _SIGNS]
    meant = tuple(word for word in words if word not in marks.articles and not _is_part(word, rest))
    if meant in marks.joints:
        return True
    return meant in marks.both and marks.spaced and _follows(reading, start, marks.between)


def _is_part(word: str, rest: frozenset[str]) -> bool:
    return any(word in each for each in rest) and len(word) > 2


def _follows(reading: _Reading, span: Span, phrases: frozenset[tuple[str, ...]]) -> bool:
    before = words_in(reading.text[max(0, span[0] - _REACH) : span[0]])[-_MOST_BETWEEN:]
    return any(tuple(before[at : at + len(phrase)]) == phrase for phrase in phrases for at in range(len(before)))


def _sides(reading: _Reading | None, rest: frozenset[str]) -> set[Side]:
    if reading is None:
        return set()
    return {side for span in reading.spans if (side := _side(reading, span, rest)) is not None}


def _side(reading: _Reading, span: Span, rest: frozenset[str]) -> Side | None:
    """Return which side the mark beside a value puts it on; None where there is no mark."""
    before = reading.text[max(0, span[0] - _REACH) : span[0]]
    marks = reading.marks
    if rest & _OF_MEASURE and _ends_in_number(before, reading.numbers):
        return "first"
    if not marks.spaced:
        return _touching(reading, span)
    return _preceding(words_in(_BREAK.split(before)[-1]), marks, rest)


def _ends_in_number(before: str, numbers: frozenset[str]) -> bool:
    """Say whether a number of the call stands right before a value, which is then what it is a number of."""
    return before.replace(",", "").replace(".", "").rstrip().endswith(tuple(each.replace(".", "") for each in numbers))


def _touching(reading: _Reading, span: Span) -> Side | None:
    """Return the side of the longest mark that touches a value, before it or after it."""
    before, after = reading.text[: span[0]].rstrip(" \"'“”「《"), reading.text[span[1] :].lstrip(" \"'”」》")
    written = {"".join(words): side for words, side in reading.marks.before.items()}
    found = [(len(mark), side) for mark, side in written.items() if before.endswith(mark)]
    found += [(len(mark), side) for mark, side in reading.marks.after.items() if after.startswith(mark)]
    return max(found)[1] if found else None


def _preceding(words: list[str], marks: Marks, rest: frozenset[str]) -> Side | None:
    """Return the side of the nearest mark before a value, with nothing between that could part them."""
    for between in range(min(len(words), _MOST_BETWEEN + 1)):
        end = len(words) - between
        for length in range(_LONGEST_MARK, 0, -1):
            side = marks.before.get(tuple(words[max(0, end - length) : end])) if length <= end else None
            if side is not None:
                if length < end and words[end - length - 1] in marks.negations:
                    side = _OTHER[side]
                return side if _lead_on(words[end - 1], words[end:], marks, rest) else None
        if words[end - 1] in marks.stops:
            return None
    return None


def _lead_on(mark: str, between: list[str], marks: Marks, rest: frozenset[str]) -> bool:
    """Say whether words lead from a mark to its value: none, signs, articles, links, or a noun after an article."""
    if mark in marks.contracted:
        return len(between) < _MOST_BETWEEN - 1
    if between[:1] and between[0] in marks.articles:
        return len(between) < _MOST_BETWEEN
    return all(
        word in marks.articles or word in marks.links or _is_part(word, rest) or word in _SIGNS for word in between
    )
