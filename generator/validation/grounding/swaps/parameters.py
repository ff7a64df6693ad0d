"""Swapped parameters: values of one call that stand in each other's place, by the roles or names of their parameters.

Roles are from and to, start and end, least and most. "From Rome to Oslo", "nach Oslo von Rom", "从罗马到奥斯陆",
"between 10 and 20": what stands before a value or between two says which is which, and the names of the parameters say
which is wanted; a range that runs backwards is wrong whatever is said. Names head their values, as in "a base of 10 and
a height of 5". Where both values are said the other way round they are exchanged; where but one of them is, they
probably are. Of forms only those are known that no other text has: addresses of mail and of pages, numbers of phones,
what has digits and what has letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, pairwise
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.arguments.argument import Path, schemas_at
from generator.validation.grounding.reading.role_words import (
    SUBJECTS,
    RoleWords,
    Side,
    has_any,
    role_names,
    role_words_of,
    sort_of,
    words_in,
)
from generator.validation.grounding.reading.words import STOPWORDS, Span, fold, stem, tokens_of_value
from generator.validation.grounding.requests.wishes import Request, literal_mentions, mentions_of
from generator.validation.tool_view import ToolView
from generator.validation.verdict import Severity
from generator.validation.view import CallView, RecordView

_MOST_PATHS = 200
"""Places of one call that are paired; no function that people call takes more."""
_DESCRIBED = 200
"""Characters of a description that may say which side a parameter is."""


class Pair(NamedTuple):
    """Two places of one call's arguments of which one is the first and the other the second."""

    first: Path
    second: Path
    subjects: tuple[str, ...]
    """What they may be about."""
    rest: frozenset[str]
    """What their names say beside the role: "city" of `from_city`, "date" of `start_date`."""


class _Named(NamedTuple):
    sides: dict[str, Side]
    """By subject."""
    rest: frozenset[str]
    described: bool = False
    """Whether its description says so, and not its name."""


def places_of(arguments: JsonObject) -> tuple[str | Path, ...]:
    """Return the places of texts and numbers in arguments and in the objects there; a name stands for its path."""
    found: list[str | Path] = []
    for name, value in arguments.items():
        kind = type(value)
        if kind is str or kind is int or kind is float:
            found.append(name)
        elif kind is dict:
            found.extend((name, inner) for inner, each in value.items() if type(each) in (str, int, float))
    return tuple(found)


def value_at(arguments: JsonObject, path: Path) -> JsonValue:
    """Return the value at a place of arguments."""
    found: JsonValue = arguments
    for step in path:
        found = found[step]
    return found


def pairs_of(tool: ToolView | None, paths: tuple[Path, ...], known: dict[str, str]) -> tuple[Pair, ...]:
    """Return the pairs among the places of a call; `known` are what masked names stand for."""
    by_parent: dict[Path, list[Path]] = {}
    for path in paths[:_MOST_PATHS]:
        for level in range(len(path)):
            by_parent.setdefault((*path[:level], "*", *path[level + 1 :]), []).append(path)
    found: list[Pair] = []
    for alike in by_parent.values():
        for one, other in combinations(alike, 2):
            found.extend(_pair(tool, one, other, known))
    return tuple(found)


def _pair(tool: ToolView | None, one: Path, other: Path, known: dict[str, str]) -> Iterator[Pair]:
    level = next(at for at in range(len(one)) if one[at] != other[at])
    mine = _named(str(one[level]), tool, one[: level + 1], known)
    theirs = _named(str(other[level]), tool, other[: level + 1], known)
    subjects = _told_apart(mine, theirs)
    if subjects and mine.described is theirs.described and _go_together(mine.rest, theirs.rest):
        turned = mine.sides[subjects[0]] == "second"
        subjects = tuple(each for each in subjects if (mine.sides[each] == "second") is turned)
        yield Pair(*((other, one) if turned else (one, other)), subjects, mine.rest | theirs.rest)


def _told_apart(mine: _Named, theirs: _Named) -> tuple[str, ...]:
    """Return the subjects of which two names are the two sides."""
    return tuple(each for each in SUBJECTS if {mine.sides.get(each), theirs.sides.get(each)} == {"first", "second"})


def _go_together(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return mine == theirs or not mine or not theirs or bool(mine & theirs)


def _named(name: str, tool: ToolView | None, path: Path, known: dict[str, str]) -> _Named:
    """Say which side a name is, by its own words or else by those of its description."""
    words = tokens_of_value(known.get(name, name))
    joined = [*words, *(first + second for first, second in pairwise(words))]
    names = role_names()
    sides = {each: side for each in SUBJECTS if (side := _only(names[each].get(word) for word in joined)) is not None}
    if sides:
        return _Named(sides, _words_without_side(words, joined))
    described = _only(names["described"].get(word) for word in _description(tool, path))
    return _Named(dict.fromkeys(SUBJECTS, described) if described else {}, frozenset(), True)


def _words_without_side(words: list[str], joined: list[str]) -> frozenset[str]:
    """Return the words of a name that are no part of what names its side; `joined` are they and each two as one."""
    names = role_names()
    naming = {word for each in SUBJECTS for word in joined if word in names[each]}
    return frozenset(word for word in words if not any(word in each for each in naming))


def _description(tool: ToolView | None, path: Path) -> list[str]:
    texts = [schema.get("description") for _, schema in schemas_at(tool, path)] if tool is not None else []
    return [word for text in texts if isinstance(text, str) for word in tokens_of_value(text[:_DESCRIBED])]


def _only(sides: Iterator[Side | None]) -> Side | None:
    """Return the one side that is named; None where none is, or both are."""
    found = {side for side in sides if side is not None}
    return found.pop() if len(found) == 1 else None


_DAY = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?Z?")


def is_reversed(pair: Pair, first: JsonValue, second: JsonValue) -> bool:
    """Say whether a range runs backwards: days, which go on, and amounts that are called least and most.

    Times without a day may end on the next one, and counts from a start to an end may run down.
    """
    if isinstance(first, str) and isinstance(second, str):
        return "time" in pair.subjects and first > second and _are_days(first, second)
    if _is_number(first) and _is_number(second):
        return bool(first > second) and (pair.subjects == ("amount",) or "year" in pair.rest)
    return False


def _are_days(first: str, second: str) -> bool:
    """Say whether two texts are days that are written alike."""
    return len(first) == len(second) and all(_DAY.fullmatch(each) for each in (first, second))


def _is_number(value: JsonValue) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


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
    record: RecordView, call: CallView, pair: Pair, values: tuple[JsonValue, JsonValue], requests: list[Request]
) -> Severity | None:
    """Say how surely the values of a pair are exchanged; None where nothing says so."""
    subject = _subject(pair, values)
    if not subject or _are_plainly_joined(values, requests[0]):
        return None
    first = _latest(record, call, pair.first, values[0], subject, requests)
    second = _latest(record, call, pair.second, values[1], subject, requests)
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
    return "note" if _speak_of_a_way_back(requests, marks) else held


def _speak_of_a_way_back(requests: list[Request], marks: RoleWords) -> bool:
    return any(has_any(each.folded, marks.reversals, spaced=marks.spaced) for each in requests)


def _are_plainly_joined(values: tuple[JsonValue, JsonValue], said: Request) -> bool:
    """Say whether the first value stands before the second with the plainest joint between: most do."""
    first, second = (fold(str(value)) for value in values)
    return any(f"{first}{joint}{second}" in said.folded for joint in _PLAIN_JOINTS)


def _latest(
    record: RecordView, call: CallView, path: Path, value: JsonValue, subject: str, requests: list[Request]
) -> _Reading | None:
    """Return the last text that says a value, with where it does."""
    literal = next(((said, spans) for said in requests if (spans := literal_mentions(value, said))), None)
    for said, spans in (
        [literal] if literal else ((each, mentions_of(record, call, path, value, each)) for each in requests)
    ):
        if spans:
            numbers = frozenset(str(each) for each in (call.arguments or {}).values() if type(each) in (int, float))
            return _Reading(said.folded, role_words_of(said.language, subject), spans, numbers)
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
    marks: RoleWords
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

    def sides(self) -> tuple[set[Side], set[Side]]:
        """Say on which sides the marks put the first and the second value, as far as they speak of this call."""
        first = set() if self.goes_on else _sides(self.first, self.rest)
        return first, set() if self.comes_on else _sides(self.second, self.rest)


def _verdict(ends: _Ends) -> Severity | None:
    first, second, rest = ends.first, ends.second, ends.rest
    if first is not None and second is not None and first.text is second.text:
        if _joined(first, first.spans, second.spans, rest):
            return None
        if _joined(first, second.spans, first.spans, rest):
            return "error"
    return _verdict_of_marks(ends)


def _verdict_of_marks(ends: _Ends) -> Severity | None:
    """Say how surely two values are exchanged by the marks before them: on both sides, or on one alone."""
    sides = ends.sides()
    if sides == ({"second"}, {"first"}):
        return "error"
    marked = ends.first if sides == ({"second"}, set()) else ends.second if sides == (set(), {"first"}) else None
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


def _preceding(words: list[str], marks: RoleWords, rest: frozenset[str]) -> Side | None:
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


def _lead_on(mark: str, between: list[str], marks: RoleWords, rest: frozenset[str]) -> bool:
    """Say whether words lead from a mark to its value: none, signs, articles, links, or a noun after an article."""
    if mark in marks.contracted:
        return len(between) < _MOST_BETWEEN - 1
    if between[:1] and between[0] in marks.articles:
        return len(between) < _MOST_BETWEEN
    return all(
        word in marks.articles or word in marks.links or _is_part(word, rest) or word in _SIGNS for word in between
    )


_SHORTEST = 3
_HEADING_REACH = 60
_DESCRIBED_HEADING = 160
_NEITHER = (None, None)
_MOST_WORDS = 7
_CLOSING = "'\"`)]*"
_LINKING = frozenset(":=*\"'`([#$€£¥")


class HeadedWrongly(NamedTuple):
    """Two places of a call whose values stand beside each other's names."""

    first: Path
    second: Path
    at_most: Severity


class NamedPlace(NamedTuple):
    """A place of a call with the words of its name and of its description, without their endings."""

    path: Path
    name: frozenset[str]
    words: frozenset[str]
    """Those of its name and of its description."""


def names_of(tool: ToolView | None, paths: tuple[Path, ...], known: dict[str, str]) -> tuple[NamedPlace, ...]:
    """Return the names of the places of a call; `known` are what masked names stand for."""
    found = []
    for path in paths:
        words = tokens_of_value(known.get(str(path[-1]), str(path[-1])))
        schemas = schemas_at(tool, path) if tool is not None else ()
        texts = [
            text[:_DESCRIBED_HEADING] for _, schema in schemas if isinstance(text := schema.get("description"), str)
        ]
        described = [word for text in texts for word in tokens_of_value(text)]
        found.append(NamedPlace(path, _stems(words), _stems([*words, *described])))
    return tuple(found)


def _stems(words: list[str]) -> frozenset[str]:
    return frozenset(
        stem(word) for word in words if len(word) >= _SHORTEST and word.isalpha() and word not in STOPWORDS
    )


def headed_wrongly(call: CallView, named: tuple[NamedPlace, ...], said: Request) -> Iterator[HeadedWrongly]:
    """Yield the places of a call whose values are exchanged by the names beside them."""
    arguments = call.arguments or {}
    texts, numbers = _named_in(said.folded, named, arguments)
    if len(texts) < 2 and len(numbers) < 2:
        return
    places: dict[Path, list[Span]] = {}
    for one, other in (*combinations(texts, 2), *combinations(numbers, 2)):
        values = value_at(arguments, one.path), value_at(arguments, other.path)
        if values[0] != values[1]:
            for each, value in zip((one, other), values, strict=True):
                if each.path not in places:
                    places[each.path] = literal_mentions(value, said)
            first, second = places[one.path], places[other.path]
            if len(first) == len(second) == 1:
                held = _judged(said, one, other, first[0], second[0], isinstance(values[0], str))
                if held is not None:
                    yield HeadedWrongly(one.path, other.path, held)


def _named_in(
    text: str, named: tuple[NamedPlace, ...], arguments: JsonObject
) -> tuple[list[NamedPlace], list[NamedPlace]]:
    """Return the texts whose names a text may use, and the numbers where it may use any, or words that describe it."""
    texts: list[NamedPlace] = []
    numbers: list[NamedPlace] = []
    for each in named:
        (texts if type(value_at(arguments, each.path)) is str else numbers).append(each)
    said = _occurring(text, [(each.words, each) for each in numbers]) if len(numbers) > 1 else []
    return _occurring(text, [(each.name, each) for each in texts]) if len(texts) > 1 else [], numbers if said else []


def _occurring(text: str, named: list[tuple[frozenset[str], NamedPlace]]) -> list[NamedPlace]:
    return [each for words, each in named if any(map(text.__contains__, words))]


def _judged(
    said: Request, one: NamedPlace, other: NamedPlace, first: Span, second: Span, are_texts: bool
) -> Severity | None:
    text = said.folded
    for start, end in (first, second):  # the words of a value head nothing
        text = f"{text[:start]}{'.' * (end - start)}{text[end:]}"
    if not any(root in text for named in (one, other) for root in named.words):  # a word begins with its stem
        return None
    marks = role_words_of(said.language, "way")
    by_name = _HeadingReading(
        text, marks, one.name - other.name, other.name - one.name, one.name & other.name, are_texts
    )
    if by_name.mine and by_name.theirs:
        held, known = _verdict_of_headings(by_name, first, second)
        if known:
            return held
    if are_texts:  # which are made of such words themselves: the Hilton Hotel in Rome
        return None
    mine, theirs = one.words, other.words
    described = _HeadingReading(text, marks, mine - theirs, theirs - mine, mine & theirs, are_texts)
    held, _ = _verdict_of_headings(described, first, second)
    return "warning" if held == "error" else None


class _HeadingReading(NamedTuple):
    text: str
    """What is said, the two values themselves blotted out."""
    marks: RoleWords
    mine: frozenset[str]
    """What only the first name has."""
    theirs: frozenset[str]
    shared: frozenset[str]
    are_texts: bool

    @property
    def has_both_names(self) -> bool:
        """Whether words that only one name has are said of either."""
        return all(any(each in self.text for each in names) for names in (self.mine, self.theirs))


def _verdict_of_headings(reading: _HeadingReading, first: Span, second: Span) -> tuple[Severity | None, bool]:
    """Say how surely two values are exchanged, and whether the names beside them say anything at all."""
    before = _heading_before(reading, first), _heading_before(reading, second)
    after = _heading_after(reading, first), _heading_after(reading, second)
    known = (before, after) != (_NEITHER, _NEITHER)
    if (0, 1) in (before, after):
        return None, known
    if (1, 0) in (before, after):
        return "error", known
    one = before in ((1, None), (None, 0)) and after == _NEITHER
    if one and reading.has_both_names:
        return "warning", known
    at_once = _heading_after(reading, first, 1), _heading_after(reading, second, 1)
    counted = not reading.are_texts and at_once in ((1, None), (None, 0)) and before == _NEITHER
    return ("warning" if counted else None), known


def _heading_before(reading: _HeadingReading, span: Span) -> int | None:
    """Return whose name heads a value: 0 for the first, 1 for the second, None for neither."""
    words = words_in(_BREAK.split(reading.text[max(0, span[0] - _HEADING_REACH) : span[0]])[-1])[-_MOST_WORDS:]
    for at in range(len(words) - 1, -1, -1):
        word = words[at]
        whose = _whose(reading, word)
        if whose is not None:
            return None if any(_whose(reading, each) == 1 - whose for each in words[:at]) else whose
        leads_on = word in reading.marks.links or word in reading.marks.articles or word in _LINKING
        if not leads_on and stem(word) not in reading.shared:
            return None
    return None


def _heading_after(reading: _HeadingReading, span: Span, most: int = 2) -> int | None:
    """Return whose name follows a value, at once or after its unit."""
    words = words_in(_BREAK.split(reading.text[span[1] : span[1] + _HEADING_REACH].lstrip(_CLOSING))[0])[:most]
    for word in words:
        whose = _whose(reading, word)
        if whose is not None:
            return whose
        if not word.isalpha() or word in reading.marks.stops or word in reading.marks.articles:
            return None
    return None


def _whose(reading: _HeadingReading, word: str) -> int | None:
    root = stem(word)
    return 0 if root in reading.mine else 1 if root in reading.theirs else None


_LONGEST = 300
_FORMS = {
    "mail": re.compile(r"[^\s@]{1,100}@[^\s@]{1,100}\.[^\s@]{1,40}"),
    "phone": re.compile(r"\+?[\d\s().\-/]{5,30}"),
    "link": re.compile(r"(?:\w{2,10}://|www\.)\S{1,280}"),
    "digits": re.compile(r"(?=[^\d]{0,40}\d)[\w\s-]{2,40}"),
    "words": re.compile(r"(?=[^a-zA-Z\u00c0-\uffff]{0,40}[a-zA-Z\u00c0-\uffff])[^@]{1,300}"),
}


def exchanged_by_form(first: str, second: str, mine: str, theirs: str) -> Severity | None:
    """Say how surely two texts stand in each other's place by their forms; None where they may stand as they do.

    Args:
        first: the name of the one parameter.
        second: the name of the other.
        mine: the value of the first.
        theirs: the value of the second.
    """
    wanted, other = sort_of(first), sort_of(second)
    if wanted == other or len(mine) > _LONGEST or len(theirs) > _LONGEST:
        return None
    wrong = _is_wrong(wanted, mine, theirs), _is_wrong(other, theirs, mine)
    if all(wrong):
        return "error"
    sole = wanted if wrong[0] and not other else other if wrong[1] and not wanted else ""
    return "warning" if sole in ("mail", "link") else None


def _is_wrong(wanted: str, own: str, other: str) -> bool:
    """Say whether a value has not the form that is wanted, and the other has it."""
    form = _FORMS.get(wanted)
    return form is not None and form.fullmatch(own) is None and form.fullmatch(other) is not None
