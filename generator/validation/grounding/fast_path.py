"""The fast path: most records repeat every value verbatim, and a short look finds that out.

What is repeated verbatim keeps every rule of grounding; what is not may keep them as well, and is looked at in full.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.answers.unsupported import is_near, lengths
from generator.validation.grounding.arguments.argument import Grounded, Leaf, Path, declared_at, leaves_of, pointer_of
from generator.validation.grounding.arguments.evidence import ground_literal_text
from generator.validation.grounding.arguments.grounded import explanation, misplaced, said_before_calls
from generator.validation.grounding.arguments.sources import Grounding, Said
from generator.validation.grounding.reading.clocks import of_half
from generator.validation.grounding.reading.day_readings import WEEKDAYS
from generator.validation.grounding.reading.days import CALENDAR_WORDS, month_number
from generator.validation.grounding.reading.words import find_literal, find_number
from generator.validation.view import CallView, RecordView, ResultView

_DIGIT = re.compile(r"\d")
_AROUND = "\"'“”‘’()[]*|.,;:!?"
_LONGEST = 2000
_TOLD = frozenset({str, int, float})
_NUMBERS = frozenset({int, float})
_LONGEST_COUNT = 6


def has_verbatim_arguments(record: RecordView) -> bool:
    """Say whether every argument is explained, each in its own place, as the metadata say if they say it."""
    if record.has_verbatim_arguments is None:
        record.has_verbatim_arguments = _are_explained(record)
    return record.has_verbatim_arguments


_UNTOLD: JsonObject = {}
"""Stands for entries of the metadata where there are none."""
_MOST_LEAVES = 500


def _are_explained(record: RecordView) -> bool:
    """Say whether each argument is explained, and as the metadata tell where they tell it."""
    told = record.metadata.get("grounding", _UNTOLD)
    calls = record.calls
    if not calls:
        return bool(told == _UNTOLD)
    if type(told) is not dict or len(record.calls_by_id) < len(calls):
        return False
    explaining = _Explaining(record)
    telling = 0
    for turn, said in said_before_calls(record):
        for call in record.messages[turn].calls:
            found = explaining.entries_of(call, said)
            if found is None or not _is_told(told, call, found):
                return False
            telling += bool(found)
    return (told is _UNTOLD or telling == len(told)) and not explaining.misplaces()


def _is_told(told: JsonObject, call: CallView, found: JsonObject) -> bool:
    """Say whether the metadata tell of a call what explains it, where they tell it of any."""
    return told is _UNTOLD or bool(told.get(call.id, _UNTOLD) == found)


class _Explaining:
    """Explains the arguments of a record call by call."""

    def __init__(self, record: RecordView) -> None:
        self._record = record
        self._left = _MOST_LEAVES
        self._explained: list[tuple[CallView, Path, JsonValue, Grounding]] = []
        self._numbers: set[float] = set()
        self._is_doubtful = False
        """Whether a number is given twice, or is said in a word that may count anything."""

    def entries_of(self, call: CallView, said: Said) -> JsonObject | None:
        """Return what explains each argument of a call, as the metadata tell it; None where something is not plain."""
        found: JsonObject = {}
        for path, value, is_key in _leaves(call):
            self._left -= 1
            if is_key or self._left < 0:
                return None
            if type(value) is str:
                grounding = ground_literal_text(value, said) or self._in_full(Leaf(path, value), call, said)
            else:
                grounding = self._in_full(Leaf(path, value), call, said)
                if type(value) in _NUMBERS and grounding is not None:
                    self._count(abs(float(value)), grounding)
            if grounding is None:
                return None
            self._explained.append((call, path, value, grounding))
            found[pointer_of(path)] = {"level": grounding[0], "where": grounding[1], "text": grounding[2]}
        return found

    def _in_full(self, leaf: Leaf, call: CallView, said: Said) -> Grounding | None:
        index = next((at for at, tool in enumerate(self._record.tools) if tool is call.tool), 0)
        return explanation(leaf, call, index, said, self._record, literally=False)

    def _count(self, number: float, grounding: Grounding) -> None:
        if number in self._numbers or grounding.text.isalpha():
            self._is_doubtful = True
        self._numbers.add(number)

    def misplaces(self) -> bool:
        """Say whether anything that is explained stands in another's place."""
        if not self._is_doubtful and not _are_at_once(self._record.calls):
            return False
        grounded = [Grounded(call, Leaf(path, value), found) for call, path, value, found in self._explained]
        return next(misplaced(self._record, grounded), None) is not None


def _are_at_once(calls: list[CallView]) -> bool:
    """Say whether calls are several and of one turn, so that one may be there twice."""
    return len(calls) > 1 and calls[0].turn == calls[-1].turn


_HOLDERS = frozenset({dict, list})


def _leaves(call: CallView) -> Iterable[tuple[Path, JsonValue, bool]]:
    """Return the leaves of the arguments of a call; most lie side by side."""
    arguments = call.arguments or {}
    if not _HOLDERS.isdisjoint(map(type, arguments.values())):
        return leaves_of(call)
    if call.tool is not None and not arguments.keys() <= declared_at(call.tool, ()):
        return leaves_of(call)
    return [((name,), value, False) for name, value in arguments.items() if value != ""]


def has_verbatim_figures(answer: Answer) -> bool:
    """Say whether an answer repeats to the letter what it tells in figures: numbers, dates and times."""
    if answer.has_verbatim_figures is None:
        answer.has_verbatim_figures = _holds_figures(answer)
    return answer.has_verbatim_figures


def _holds_figures(answer: Answer) -> bool:
    if not _DIGIT.search(answer.text):
        return True
    if len(answer.text) > _LONGEST:
        return False
    heard, words = answer.heard, answer.text.split()
    for at, word in enumerate(words):
        if word.isalpha() or not _DIGIT.search(word) or holds_figure(words, at, heard):
            continue
        if not _holds_otherwise(words, at, answer):
            return False
    return True


def _holds_otherwise(words: list[str], at: int, answer: Answer) -> bool:
    """Say whether a number is a count, or stands in the evidence rounded, without its sign, or in minutes."""
    if not _counts_something(words, at):
        return False
    count = words[at].strip(_AROUND)
    if count.isdecimal() and len(words[at]) < _LONGEST_COUNT and _is_length(int(count), answer.results):
        return True
    if len(answer.evidence_as_said) > _FEW_NUMBERS:
        return False
    minutes = _length_around(words, at)
    if minutes is not None:
        return minutes in answer.numbers
    figure = _figure_of(words[at])
    return bool(figure) and is_near(figure, answer)


_FEW_NUMBERS = 4000
"""Characters that hold no more numbers than an answer keeps of what was said before it."""


def tells_of_each_call(record: RecordView) -> bool:
    """Say whether each answer repeats a value of each call before it, and none of these failed."""
    results_at = {result.message.index: result for result in record.results}
    results: list[ResultView] = []
    for message in record.messages:
        if message.role == "user":
            results = []
        elif message.role == "tool":
            if not isinstance(message.content, str):
                return False
            results.append(results_at[message.index])
        elif message.role == "assistant" and not message.calls:
            if results and not _tells_of(message.content, results):
                return False
            results = []
    return True


def _tells_of(answer: JsonValue, results: list[ResultView]) -> bool:
    if not isinstance(answer, str) or len(answer) > _LONGEST or any(result.failed for result in results):
        return False
    return _tells_all(answer, results)


def _is_length(number: int, results: list[ResultView]) -> bool:
    """Say whether a number is that of the entries of a list in the results."""
    return any(number == length for result in results[:32] for length in lengths(result.value))


def may_swap_values(record: RecordView) -> bool:
    """Say whether there are several results of one tool, or several entries in a list of one."""
    tools: set[str] = set()
    for result in record.results:
        value = result.value
        if result.call is not None and isinstance(value, dict):
            if result.call.name in tools or any(type(inner) is list and len(inner) > 1 for inner in value.values()):
                return True
            tools.add(result.call.name)
    return False


def _tells_all(answer: str, results: list[ResultView]) -> bool:
    if len(results) == 1:
        return any(str(value) in answer for value in _values_of(results[0]))
    leaves = [{str(value) for value in _values_of(result)} for result in results]
    holding = Counter(leaf for own in leaves for leaf in own)
    return all(any(holding[leaf] == 1 and leaf in answer for leaf in own) for own in leaves)


def _values_of(result: ResultView) -> Iterator[JsonValue]:
    """Yield the texts and numbers of a result at its first level, then what its call was given."""
    arguments: JsonObject = (result.call.arguments if result.call is not None else None) or {}
    brought = islice(result.value.values(), 40) if isinstance(result.value, dict) else (result.value,)
    for value in chain(brought, islice(arguments.values(), 40)):
        if type(value) in _TOLD and value != "":
            yield value


_SIGNS = "$€£¥₹~#%/_-`'"
_HALVES = {"am": "a", "a.m": "a", "pm": "p", "p.m": "p"}
_MONTHS = CALENDAR_WORDS - {name for name in CALENDAR_WORDS if name[:3] in {day[:3] for day in WEEKDAYS}}
_TIME = re.compile(r"(\d{1,2})(?::(\d\d))?")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_YEAR = re.compile(r"\d{4}")
_PLAIN = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_NUMBER = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_DIGITS_OF_YEAR = 4
_ENDING = frozenset(",;:")
"""Ends a word so that no day of a month after it begins with it."""
_MOST_OF_UNIT = 8
_MINUTES_OF_HOUR = 60
_HALF_AT_END = re.compile(r"\d[ap]\.?m$", re.IGNORECASE)


class _Beside(NamedTuple):
    """What a word does to the number beside it."""

    bare: str
    """The word without what stands around it, in lower case."""
    is_month: bool
    is_half: bool
    """Whether it begins as the half of a day does."""
    is_of: bool


def _beside(words: list[str], at: int) -> _Beside:
    """Return what a word does to the number beside it; nothing where a text ends."""
    return _read(words[at]) if 0 <= at < len(words) else _NOTHING


@lru_cache(maxsize=8192)
def _read(word: str) -> _Beside:
    """Read what a word does to the number beside it."""
    bare = word.strip(_AROUND).lower()
    return _Beside(bare, bare in _MONTHS, bare[:2] in _HALVES or bare[:3] in _HALVES, bare == "of")


_NOTHING = _Beside("", False, False, False)


def holds_figure(words: list[str], at: int, heard: str) -> bool:
    """Say whether the texts before an answer hold its word with a digit, read with the words beside it."""
    written = words[at]
    word = written.strip(_AROUND)
    before, after = _beside(words, at - 1), _beside(words, at + 1)
    if after.is_half:
        return after.bare in _HALVES and written.endswith(word) and _holds_time(word, _HALVES[after.bare], heard)
    if after.is_of:
        return False
    if before.is_month or (after.is_month and not _is_ended(written, word)):
        return _holds_date(words, at, word, heard)
    return _holds_number(word, heard)


def _is_ended(written: str, word: str) -> bool:
    """Say whether a mark ends what is no day, so that none begins with it: "order W-94199, January 15"."""
    return written[-1] in _ENDING and _DAY.fullmatch(word) is None


def _counts_something(words: list[str], at: int) -> bool:
    """Say whether a word of an answer is a number that is part of no date and no time."""
    before, after = _beside(words, at - 1), _beside(words, at + 1)
    return not (before.is_month or after.is_month or after.is_of or after.is_half)


def _holds_time(word: str, half: str, heard: str) -> bool:
    time = _TIME.fullmatch(word)
    if time is None or int(time[1]) > 12:
        return False
    return f"{of_half(int(time[1]), half):02}:{time[2] or '00'}" in heard


def _holds_date(words: list[str], at: int, word: str, heard: str) -> bool:
    """Say whether a day beside the name of a month, maybe with a year, is held as a date is written in figures."""
    before, after = _beside(words, at - 1), _beside(words, at + 1)
    if before.is_month and _YEAR.fullmatch(word):
        return _beside(words, at - 2).bare.isalpha() and _holds_number(word, heard)
    day = _DAY.fullmatch(word)
    if day is None or before.is_month == after.is_month:
        return False
    if before.is_month:
        month, year, as_said = before.bare, after.bare, f"{words[at - 1]} {word}"
    else:
        month, year, as_said = after.bare, _beside(words, at + 2).bare, f"{word} {words[at + 1]}"
    written = f"-{month_number(month):02}-{int(day[1]):02}"
    if year.isdigit() and len(year) >= _DIGITS_OF_YEAR:
        return f"{year}{written}" in heard
    return written in heard or as_said in heard


def _holds_number(word: str, heard: str) -> bool:
    number = word.strip(_SIGNS)
    if find_number(heard, number) >= 0:
        if number.isdecimal() or _PLAIN.fullmatch(number):
            return True
    elif number.isdecimal():
        return False
    elif _PLAIN.fullmatch(number):
        return any(find_number(heard, form) >= 0 for form in _forms(number))
    return find_literal(heard, word) >= 0 or _holds_each_number(word, number, heard)


def _holds_each_number(word: str, number: str, heard: str) -> bool:
    """Say whether all numbers in a word are held, and it is no time, list or range, whose parts belong together."""
    if ":" in word or "," in word or "-" in number or _HALF_AT_END.search(word):
        return False
    return all(find_number(heard, each) >= 0 for each in _NUMBER.findall(number))


def _forms(number: str) -> tuple[str, ...]:
    """Return how else a number may be written: 1,234.50 as 1234.50, as 1234.5."""
    plain = number.replace(",", "")
    return (plain, number, plain.rstrip("0").rstrip(".")) if "." in plain else (plain, number)


def _figure_of(word: str) -> str:
    """Return the digits of a number, its signs and separators left out; "" for what is no plain number."""
    number = word.strip(_AROUND).strip(_SIGNS)
    return number.replace(",", "") if _PLAIN.fullmatch(number) else ""


def _length_around(words: list[str], at: int) -> int | None:
    """Return in minutes the length of time that a number is part of, as in "2 hours 50 minutes"; None for none."""
    found = _length(words, at)
    return found if found is not None else _length(words, at - 2)


def _length(words: list[str], at: int) -> int | None:
    if at < 0 or at + 2 >= len(words) or (at > 1 and words[at - 2].strip(_AROUND).isdecimal()):
        return None
    hours, unit, minutes = words[at : at + 3]
    if not (_is_small(hours) and _is_small(minutes) and unit.isalpha() and len(unit) <= _MOST_OF_UNIT):
        return None
    return 60 * int(hours) + int(minutes) if int(minutes) < _MINUTES_OF_HOUR else None


def _is_small(word: str) -> bool:
    """Say whether a word is a number of one digit or two."""
    return word.isdecimal() and len(word) <= 2
