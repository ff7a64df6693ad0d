"""Whether a text tells a value or an argument: as it stands, or as people write numbers, dates, times and choices."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.validation.grounding.arguments.evidence import holds, is_code, is_span, named_evidence
from generator.validation.grounding.reading.days import MONTHS
from generator.validation.grounding.reading.words import fold
from generator.validation.verdict import brief
from generator.validation.view import CallView, RecordView, ResultView, is_beyond_words

_ISO_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d).*)?")
_SLASHED_DAY = re.compile(r"(\d\d?)[/.-](\d\d?)[/.-](\d{4})")
_CLOCK = re.compile(r"(\d\d?):(\d\d)(?::\d\d)?")
_WORDS = re.compile(r"[^\W\d_]+|\d+(?:\.\d+)?")
_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}\b)")
_SPELLED = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_LARGEST = 1e15
"""From here on a number is told by its very digits alone."""
_ROOT = 5
"""Letters of a choice's word that must stand in the text: "refunded" tells `refund`."""
_DEPTH = 8
_MOST_LEAVES = 400
_PLAIN = frozenset({str, int, float})


def leaves(value: JsonValue) -> list[JsonValue]:
    """Return the texts and numbers inside a value; flags and null stand for nothing that is said."""
    if type(value) in _PLAIN:
        return [value]
    found: list[JsonValue] = []
    _gather(value, 0, found)
    return found


def leaves_of(result: ResultView) -> list[JsonValue]:
    """Return the texts and numbers inside a result, gathered once."""
    if result.leaves is None:
        result.leaves = leaves(result.value)
    return result.leaves


def leaves_of_call(result: ResultView) -> list[JsonValue]:
    """Return the texts and numbers inside a result, and those that its call gave."""
    return [*leaves_of(result), *leaves(result.call.arguments if result.call else None)]


def _gather(value: JsonValue, depth: int, found: list[JsonValue]) -> None:
    if depth < _DEPTH:
        kind = type(value)
        inner = value.values() if kind is dict else value[:_MOST_LEAVES] if kind is list else ()
        for each in inner:
            if type(each) in _PLAIN:
                found.append(each)
            else:
                _gather(each, depth + 1, found)


def says(text: str, value: JsonValue) -> bool:
    """Say whether a text holds a value as it stands, as a whole word, whatever the case."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    wanted = str(value).casefold().strip()
    if not wanted:
        return False
    folded = text.casefold()
    if not wanted.isascii() or not (wanted[0].isalnum() and wanted[-1].isalnum()):
        return wanted in folded
    if "," in folded and wanted.isdigit():
        folded = _GROUPED.sub("", folded)
    return _stands_whole(folded, wanted)


def _stands_whole(text: str, wanted: str) -> bool:
    """Say whether a text holds another one that is no part of a longer word or number."""
    start = text.find(wanted)
    while start >= 0:
        end = start + len(wanted)
        if not text[start - 1 : start].isalnum() and not text[end : end + 1].isalnum():
            return True
        start = text.find(wanted, start + 1)
    return False


def tells(text: str, value: JsonValue) -> bool:
    """Say whether a text tells every word and number of a value; a flag or an empty value is told by no text."""
    parts = leaves(value)
    return bool(parts) and all(_tells_leaf(text, leaf) for leaf in parts)


def tells_any(text: str, value: JsonValue) -> bool:
    """Say whether a text tells any part of a value."""
    return tells_any_of(text, leaves(value))


def tells_any_of(text: str, parts: list[JsonValue]) -> bool:
    """Say whether a text tells any of some texts and numbers; first it is searched for the very texts."""
    if len(parts) < _SEVERAL:
        return any(_tells_leaf(text, part) for part in parts)
    return _holds_any_of(text, parts) or any(
        _tells_moment(text, part) or _tells_choice(text, part) if type(part) is str else _tells_leaf(text, part)
        for part in parts
    )


def _holds_any_of(text: str, parts: list[JsonValue]) -> bool:
    """Say whether a text tells any of some texts and numbers as it stands."""
    folded = text.casefold()
    for part in parts:
        if type(part) is str:
            wanted = part.casefold().strip()
            if (wanted in folded or wanted.isdigit()) and says(text, part):
                return True
        elif str(part) in folded and _tells_leaf(text, part):
            return True
    return False


_SEVERAL = 2


def _tells_leaf(text: str, leaf: JsonValue) -> bool:
    if isinstance(leaf, int | float):
        return _tells_number(text, leaf)
    return isinstance(leaf, str) and (says(text, leaf) or _tells_moment(text, leaf) or _tells_choice(text, leaf))


def _tells_number(text: str, number: int | float) -> bool:
    if not abs(number) < _LARGEST:
        return says(text, number)
    folded = _GROUPED.sub("", text.casefold()) if "," in text else text.casefold()
    if number == int(number) and 0 <= number < len(_SPELLED) and says(folded, _SPELLED[int(number)]):
        return True
    return any(_numeral(folded, form) for form in _number_forms(number))


def _number_forms(number: int | float) -> Iterator[str]:
    whole = int(number) if number == int(number) else number
    yield str(whole)
    yield f"{number:.2f}"
    if 0 < abs(number) < 1:
        yield f"{round(number * 100, 6):g}%"


def _numeral(text: str, form: str) -> bool:
    start = text.find(form)
    while start >= 0:
        end = start + len(form)
        before, after = text[start - 1 : start], text[end : end + 2]
        goes_on = after[:1].isdecimal() or (after[:1] == "." and after[1:].isdecimal())
        if not (goes_on or before == "." or before.isdecimal()):
            return True
        start = text.find(form, start + 1)
    return False


def _tells_moment(text: str, value: str) -> bool:
    """Say whether a text tells a day or a time of day that a value writes in figures."""
    if not value[:1].isdigit():
        return False
    if match := _ISO_DAY.fullmatch(value):
        told = _tells_day(text, int(match[2]), int(match[3]))
        return told and (match[4] is None or _tells_clock(text, int(match[4]), int(match[5])))
    if match := _SLASHED_DAY.fullmatch(value):
        first, second = int(match[1]), int(match[2])
        return _tells_day(text, first, second) or _tells_day(text, second, first)
    match = _CLOCK.fullmatch(value)
    return match is not None and _tells_clock(text, int(match[1]), int(match[2]))


def _tells_day(text: str, month: int, day: int) -> bool:
    return 1 <= month <= 12 and _day_pattern(month, day).search(text) is not None


@lru_cache(maxsize=1200)
def _day_pattern(month: int, day: int) -> re.Pattern[str]:
    name = MONTHS[month - 1]
    month_said = rf"(?:{name}|{name[:3]}t?\.?)"
    return re.compile(rf"\b{month_said} 0?{day}(?!\d)|\b0?{day}(?:st|nd|rd|th)?(?: of)? {month_said}\b", re.I)


def _tells_clock(text: str, hour: int, minute: int) -> bool:
    return _clock_pattern(hour, minute).search(text) is not None


@lru_cache(maxsize=1440)
def _clock_pattern(hour: int, minute: int) -> re.Pattern[str]:
    half = "a" if hour < 12 else "p"
    minutes = f":{minute:02d}" if minute else "(?::00)?"
    named = {(12, 0): r"\bnoon\b", (0, 0): r"\bmidnight\b"}.get((hour, minute), r"(?!)")
    whole = rf"|(?<![\d:])0?{hour}:{minute:02d}(?![\d:]| ?[ap]\.?m\b)" if hour < 12 else ""
    return re.compile(rf"(?<!\d){hour % 12 or 12}{minutes} ?{half}\.?m\b|{named}{whole}", re.IGNORECASE)


def _tells_choice(text: str, value: str) -> bool:
    """Say whether a text has every word of a short value that is written in words: `one_way` is "one way"."""
    words = _words_of_choice(value) if len(value) <= _SHORT else _words_of_choice.__wrapped__(value)
    if not words:
        return False
    folded = text.casefold()
    if not all(word[:_ROOT] in folded for word in words):  # how a word begins stands in each text that has it
        return False
    spoken, roots = _spoken(text)
    return all(word in spoken or (len(word) >= _ROOT and word[:_ROOT] in roots) for word in words)


@lru_cache(maxsize=4096)
def _words_of_choice(value: str) -> tuple[str, ...]:
    """Return the words of a value that is short and written in words; none where it is not."""
    words = _WORDS.findall(_HUMP.sub(" ", value).casefold())
    return tuple(words) if 0 < len(words) <= _MOST_WORDS and any(word.isalpha() for word in words) else ()


_MOST_WORDS = 6


@lru_cache(maxsize=4)
def _spoken(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of a text, and with what letters they begin; one text is asked for many values in a row."""
    spoken = frozenset(_WORDS.findall(text.casefold()))
    return spoken, frozenset(word[:_ROOT] for word in spoken)


def day_exists(year: int, month: int, day: int) -> bool:
    """Say whether the calendar has this day."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


_NO_SENSE = frozenset(
    "id ids name number no code key value type the a an of in on at to for by with and or is are be from this that "
    "should which you me my your".split()
)


def words_of(text: str) -> frozenset[str]:
    """Return the words of a name or a text, in lower case and in the singular as far as an "s" tells."""
    return _words_of_short(text) if len(text) <= _SHORT else _words_of(text)


_SHORT = 64
"""Characters of a name: the same few stand in many records."""


def _words_of(text: str) -> frozenset[str]:
    found = _WORDS.findall(_HUMP.sub(" ", text).casefold())
    return frozenset(word[:-1] if len(word) > 3 and word.endswith("s") and word[-2] != "s" else word for word in found)


_words_of_short = lru_cache(maxsize=4096)(_words_of)


@lru_cache(maxsize=4096)
def telling_words(name: str) -> frozenset[str]:
    """Return the words of a parameter's name that tell it from others; all of them where none does."""
    words = words_of(name)
    return words - _NO_SENSE or words


def is_worded_by_domain(record: RecordView) -> bool:
    """Say whether the words of a record are those that a domain file has for its very kind, or beyond lists of words.

    Then which words ask, object or leave open was settled where they were written, and no list of words knows better.
    """
    return is_beyond_words(record) or (record.metadata.get("author") == "offline" and has_written_domain(record))


def has_written_domain(record: RecordView) -> bool:
    """Say whether the tools of a record are known from a domain file, and not from their definitions alone."""
    return record.metadata.get("domain") in ("written", "model")


def properties_of(parameters: JsonValue) -> JsonObject:
    """Return the properties that parameters declare; none where they are no object schema."""
    properties = parameters.get("properties") if isinstance(parameters, dict) else None
    return properties if isinstance(properties, dict) else {}


def required_of(parameters: JsonValue) -> tuple[str, ...]:
    """Return the names of the required parameters."""
    required = parameters.get("required") if isinstance(parameters, dict) else None
    return tuple(name for name in required if isinstance(name, str)) if isinstance(required, list) else ()


def says_argument(text: str, name: str, call: CallView, record: RecordView) -> bool:
    """Say whether a text tells the value of an argument, or holds the words that are its evidence."""
    return tells(text, (call.arguments or {}).get(name)) or quotes(text, name, call, record)


def unsaid(text: str, call: CallView, record: RecordView, *, but: str = "") -> Iterator[str]:
    """Yield each argument of a call that a text does not say, but for one; flags and what is empty need not be said."""
    for name, value in (call.arguments or {}).items():
        if name != but and leaves(value) and not says_argument(text, name, call, record):
            yield f"{name} = {brief(value)}"


def quotes(text: str, name: str, call: CallView, record: RecordView) -> bool:
    """Say whether a text holds the words that are named for an argument, or for each named part of it.

    Words that mean a code prove nothing: it is known or it is not.
    """
    if any(map(is_code, leaves((call.arguments or {}).get(name)))):
        return False
    place = pointer((name,))
    named = [
        words
        for key, words in named_evidence(call, record).items()
        if key in (name, place) or key.startswith(f"{place}/")
    ]
    folded = fold(text)
    return bool(named) and all(isinstance(each, str) and is_span(each) and holds(folded, each) for each in named)
