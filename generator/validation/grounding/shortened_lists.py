"""Shortened lists: arguments that are lists and miss a thing which the request joins with those that they hold.

"Anna, Ben and Carla" is a list of three, and so is what a call is given for it. A name beside a name is one of them; a
plain word is one where an answer or a result speaks of it as well. Numbers stand in a row of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from generator.jsontext import JsonValue, pointer
from generator.validation.grounding import days
from generator.validation.grounding.denial_words import cues_of
from generator.validation.grounding.reading import Reading, reading_of
from generator.validation.grounding.words import LONGEST_TEXT, STOPWORDS, find_literal, fold, tokens_of
from generator.validation.rule import Finding
from generator.validation.verdict import Severity, brief
from generator.validation.view import CallView, RecordView

_MOST_THINGS = 50
_NAME = r"[^\W\d_a-zß-öø-ÿ][\w'’-]{1,40}(?:\s[^\W\d_a-zß-öø-ÿ][\w'’-]{1,40}){0,3}"
_WORDS = r"[^\W\d_][\w'’-]{0,40}(?:\s[^\W\d_][\w'’-]{0,40}){0,2}"
_FIRST = {True: re.compile(_NAME), False: re.compile(_WORDS)}
_LAST = {True: re.compile(_NAME + "$"), False: re.compile(_WORDS + "$")}
_NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,6})?")
_NEAR = 90


class _Missed(NamedTuple):
    """What a list misses, and how sure that is."""

    text: str
    at_most: Severity


def shortened_lists(record: RecordView) -> Iterator[Finding]:
    """Yield the lists of calls that miss something which the request lists with what they hold."""
    for call in record.calls:
        for name, value in (call.arguments or {}).items():
            if type(value) is list and 0 < len(value) < _MOST_THINGS:
                missed = _missed(name, value, call, record)
                if missed is not None:
                    where = call.arguments_pointer + pointer((name,))
                    why = f"misses {brief(missed.text)}, which the request lists with what it holds"
                    yield Finding(where, why, missed.at_most)


def _is_spoken_of(word: str, record: RecordView) -> bool:
    """Say whether a result, an answer or another call speaks of a word."""
    texts = [each.content for each in record.messages if each.role in ("tool", "assistant")]
    held = fold("\n".join([*(text for text in texts if isinstance(text, str)), *(call.text for call in record.calls)]))
    return find_literal(held, fold(word)) >= 0


def _telling(text: str) -> list[str]:
    """Return the words of a text that are no small ones."""
    return [word for word in tokens_of(fold(text)) if len(word) > 1 and word not in STOPWORDS]


def _missed(name: str, value: list[JsonValue], call: CallView, record: RecordView) -> _Missed | None:
    """Return what a list misses."""
    asked = [each.content for each in record.messages[: call.turn] if each.role == "user"]
    said = next((text for text in reversed(asked) if isinstance(text, str) and _says_any(value, text)), "")
    if not said or len(said) > LONGEST_TEXT:
        return None
    if all(type(each) in (int, float) for each in value):
        number = _missed_number(value, said, call, record)
        return _Missed(number, "warning") if number else None
    things = [each for each in value if isinstance(each, str) and each]
    reading = reading_of(said)
    if len(things) < len(value) or not reading.raw or not reading.language or not reading.is_plain:
        return None
    given = _given(name, things, call, record)
    for text, word in _besides(things, reading):
        if given.isdisjoint(_telling(text)) and _may_be_one(text, word) and not _is_counted(text, reading):
            is_spoken_of = _is_spoken_of(word, record)
            if is_spoken_of or word[0].isupper():
                return _Missed(text, "warning" if is_spoken_of else "note")
    return None


def _given(name: str, things: list[str], call: CallView, record: RecordView) -> frozenset[str]:
    """Return the words of what calls are given, those of longer lists of the same things left out."""
    held: list[str] = []
    for other in record.calls:
        for key, value in (other.arguments or {}).items():
            is_longer = (
                key == name and other is not call and isinstance(value, list) and all(e in value for e in things)
            )
            held += [] if is_longer else [str(value)]
    return frozenset(tokens_of(fold("\n".join(held).replace("_", " "))))


def _may_be_one(text: str, word: str) -> bool:
    """Say whether words may be a thing of a list, by that which is next to the list: no day and no small word."""
    telling = _telling(text)
    is_long = len(word) >= _SHORTEST and word.casefold() not in STOPWORDS
    return is_long and bool(telling) and days.CALENDAR_WORDS.isdisjoint(telling)


_SHORTEST = 3


def _is_counted(text: str, reading: Reading) -> bool:
    """Say whether a number stands before words, of which they are the unit: "30 minutes"."""
    before = reading.raw[: max(0, reading.raw.find(text))].rstrip(" -")
    return before[-1:].isdigit()


def _says_any(value: list[JsonValue], text: str) -> bool:
    folded = fold(text[:LONGEST_TEXT])
    return any(find_literal(folded, fold(str(each))) >= 0 for each in value)


def _missed_number(value: list[JsonValue], said: str, call: CallView, record: RecordView) -> str:
    own = Counter(float(each) for each in value if isinstance(each, int | float))
    reading = reading_of(said)
    for match in _joint(reading.language).numbers.finditer(said) if reading.language else ():
        listed = Counter(float(each) for each in _NUMBER.findall(match[0]))
        rest = listed - own
        if own - listed or not rest or rest.total() > 1 or own.total() < len(("one", "other")):
            continue
        given = [each for other in record.calls for each in (other.arguments or {}).values() if other is not call]
        number = f"{next(iter(rest)):g}"
        held = [str(each) for each in (*given, *(call.arguments or {}).values()) if not isinstance(each, list)]
        return "" if number in held else number
    return ""


def _besides(things: list[str], reading: Reading) -> Iterator[tuple[str, str]]:
    """Yield what a request joins with any of the things of a list, and its word that is next to it."""
    joint = _joint(reading.language)
    for thing in things:
        at = find_literal(reading.text, fold(thing))
        end = at + len(fold(thing))
        if len(thing) < _SHORTEST or not _PLAIN.fullmatch(thing) or at < 0 or "\x00" in reading.masked[at:end]:
            continue
        is_name = reading.raw[at].isupper()
        after, before = reading.raw[end : end + _NEAR], reading.raw[max(0, at - _NEAR) : at]
        goes_on = joint.goes_on.match(after) is not None
        following, leading = joint.first.match(after), joint.last.search(before)
        if following is not None and (following[0] != ", " or joint.goes_on.match(after[2:]) is not None):
            found = _FIRST[is_name].match(after, following.end())
            yield from [(found[0], found[0].split()[0])] if found else []
        if leading is not None and (leading[0] != ", " or goes_on):
            found = _LAST[is_name].search(before[: leading.start()])
            yield from [(found[0], found[0].split()[-1])] if found else []


_PLAIN = re.compile(r"[\w\s'’-]{1,80}")


class _Joint(NamedTuple):
    """How a language joins the things of a list."""

    first: re.Pattern[str]
    last: re.Pattern[str]
    goes_on: re.Pattern[str]
    """Finds further things up to the word before the last."""
    numbers: re.Pattern[str]
    """Finds three numbers or more."""


@cache
def _joint(language: str) -> _Joint:
    words = "|".join(sorted((re.escape(word) for word in cues_of(language).joining), key=len, reverse=True))
    last = rf"(?:,?\s(?:{words})\s|\s&\s)"
    either = rf"(?:{last}|,\s)"
    numbers = rf"{_NUMBER.pattern}(?:(?:{last}|,\s?){_NUMBER.pattern}){{2,200}}"
    goes_on = rf"[^.;:!?\n]{{0,60}}?{last}"
    return _Joint(re.compile(either), re.compile(rf"{either}$"), re.compile(goes_on), re.compile(numbers))
