"""Clocks: the times of day that a text states and values write, in minutes since midnight.

As with days, each word becomes a letter, and one set of patterns reads the phrases of every language: "half past
eight in the evening", "halb neun", "a las ocho y media", "neuf heures moins vingt", 下午三点.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from generator.validation.grounding.reading.languages import Lexicon, Meaning, Tokens, first_tokens, table
from generator.validation.grounding.reading.number_words import number_words
from generator.validation.grounding.reading.quantities import quantities_of

DAY = 1440
_CODES = {"past": "a", "to": "b", "plus": "y", "less": "l", "less_before": "d", "hour": "h", "minute": "m",
          "from": "f", "range": "r", "at": "p", "glue": "g"}  # fmt: skip
_BEFORE = {"half_past_before": 30, "half_to_before": -30, "quarter_past_before": 15, "quarter_to_before": -15}
_AFTER = {"half_past_after": 30, "quarter_past_after": 15, "quarter_to_after": -15, "three_quarters_after": 45}
_LOOSELY = {"early": (360,), "morning": (480, 540, 600), "afternoon": (780, 840, 900, 960),
            "evening": (1080, 1140, 1200), "night": (1200, 1260, 1320, 1380)}  # fmt: skip
"""What a part of the day may mean by itself."""
_NIGHT_ENDS = 6


class ClockWord(NamedTuple):
    """One or more tokens that do something in stating a time."""

    code: str
    value: float | str
    start: int
    end: int


class ClockPhrase(NamedTuple):
    """Words that state a time of day."""

    start: int
    end: int
    text: str
    minutes: tuple[int, ...]
    """What they may mean: an hour without its half of the day is both."""
    part: str
    """The part of the day that they name, "" where they name none."""


class _ClockWords:
    """The words of one language that state times."""

    def __init__(self, language: str) -> None:
        known = table(language, "clocks")
        self._lexicon = Lexicon(_meanings(known))
        self._numbers = number_words(language)
        self._beginnings = self._lexicon.beginnings | self._numbers.beginnings
        self._long = first_tokens(known.get("long_hour", ""))

    def read(self, folded: str) -> list[ClockWord]:
        """Return what the words of a folded text do, one after the other."""
        tokens = Tokens(folded)
        texts = tokens.texts
        found: list[ClockWord] = []
        at = 0
        while at < len(tokens.texts):
            size, code, value = self._word(tokens, texts, at)
            found.append(ClockWord(code, value, tokens.start(at), tokens.end(at + size - 1)))
            at += size
        return found

    def _word(self, tokens: Tokens, texts: list[str], at: int) -> tuple[int, str, float | str]:
        token = texts[at]
        if token[0].isdigit():
            return self._in_digits(tokens, texts, at)
        if token in self._beginnings or self._numbers.may_be_written_together(token):
            if (known := self._lexicon.longest(texts, at)) is not None:
                return known
            end, value, ordinal = self._numbers.run(texts, at, parts=False)
            if end > at:
                whole = not ordinal and value == int(value) and 0 <= value < 60
                return end - at, "N" if whole else "x", value
        return 1, "x" if token[0].isalpha() else token, 0.0

    def _in_digits(self, tokens: Tokens, texts: list[str], at: int) -> tuple[int, str, float | str]:
        """Read "3:30", "9.15" before what makes it a time, "1400 hours", and the numbers that may be hours."""
        text = texts[at]
        if len(text) == 4 and at + 1 < len(texts) and texts[at + 1] in self._long and int(text[2:]) < 60:
            return 2, "t", int(text[:2]) * 60 + int(text[2:])
        if len(text) > 2 or _goes_on(tokens, at):
            return 1, "x", 0.0
        if _is_before_two_digits(tokens, at):
            return self._with_minutes(texts, at)
        return 1, "N" if int(text) < 60 else "x", float(text)

    def _with_minutes(self, texts: list[str], at: int) -> tuple[int, str, float | str]:
        """Read an hour, a sign and two digits, which are minutes where the sign or what follows says so."""
        hour, sign, minute = texts[at : at + 3]
        size = 5 if _are_seconds(texts[at + 3 : at + 5]) else 3
        if int(hour) < 25 and int(minute) < 60 and (sign == ":" or self._makes_a_time(texts, at + size)):
            exact = hour[0] == "0" and len(hour) == 2
            return size, "t" if exact else "T", int(hour) * 60 + int(minute)
        return 1, "x", 0.0

    def _makes_a_time(self, texts: list[str], at: int) -> bool:
        """Say whether the words at a place make a time of the number before them: "o'clock", "in the evening"."""
        known = self._lexicon.longest(texts, at) if at < len(texts) else None
        return known is not None and known[1] in "hD"


def _meanings(known: dict[str, Any]) -> Iterator[Meaning]:
    """Yield what the words of a table do in stating times."""
    yield from (("V", float(minutes), known[name]) for name, minutes in _BEFORE.items() if name in known)
    yield from (("P", float(minutes), known[name]) for name, minutes in _AFTER.items() if name in known)
    yield "I", 720.0, known.get("noon", "")
    yield "I", 0.0, known.get("midnight", "")
    yield from (("D", name, forms) for name, forms in known.get("parts", {}).items())
    yield from ((code, 0.0, known[name]) for name, code in _CODES.items() if name in known)


def _goes_on(tokens: Tokens, at: int) -> bool:
    """Say whether the number here is the rest of one with a sign inside, as the 5 of "2.5" is."""
    if at < 2 or tokens.texts[at - 1] not in (":", ".") or not tokens.texts[at - 2].isdigit():
        return False
    return tokens.end(at - 2) == tokens.start(at - 1) and tokens.end(at - 1) == tokens.start(at)


def _is_before_two_digits(tokens: Tokens, at: int) -> bool:
    """Say whether a sign and two digits stand right behind the number here, as in "3:30" and "9.15"."""
    texts = tokens.texts
    if at + 2 >= len(texts) or tokens.start(at + 2) != tokens.end(at) + 1:
        return False
    return texts[at + 1] in (":", ".") and len(texts[at + 2]) == 2 and texts[at + 2].isdigit()


def _are_seconds(following: list[str]) -> bool:
    """Say whether what follows minutes is a colon with digits: the ":30" of "14:05:30"."""
    return len(following) > 1 and following[0] == ":" and following[1].isdigit()


@cache
def _clock_words(language: str) -> _ClockWords:
    return _ClockWords(language)


def of_half(hour: int, half: str | None) -> int:
    """Return the hour of the day that an hour is in a part of the day, or before or after noon."""
    if not half or hour > 12:
        return hour
    if half in ("a", "am", "early", "morning"):
        return hour % 12
    if half == "night" and (hour < _NIGHT_ENDS or hour == 12):
        return hour % 12
    return 0 if half == "evening" and hour == 12 else hour % 12 + 12


_Parts = list[ClockWord]


def _plain(words: _Parts) -> int | None:
    """Return the minutes that an hour and what stands around it are, as on a clock face."""
    whole = _values(words, "Tt")
    if whole:
        return whole[0]
    named, numbers = _values(words, "I"), _values(words, "N")
    shift = sum(_values(words, "VP"))
    codes = _codes(words)
    if not _SHIFTING.isdisjoint(codes):
        shift += numbers.pop(0) * (1 if "a" in codes else -1)
    elif len(numbers) > 1:
        shift += numbers.pop() * (-1 if "l" in codes else 1)
    hour = named[0] // 60 if named else numbers[0] if numbers else 99
    return hour * 60 + shift if hour <= 24 and abs(shift) < 60 else None


_SHIFTING = frozenset("abd")
"""Codes of words beside which the first number is that of the minutes: "ten past three"."""


def _values(words: _Parts, codes: str) -> list[int]:
    """Return the values of the words of some codes."""
    return [int(float(word.value)) for word in words if word.code in codes]


def _codes(words: _Parts) -> str:
    return "".join([word.code for word in words])


def _compiled(pattern: str) -> re.Pattern[str]:
    near, between = "(?:[gp]*(?:x[gp]*){0,2}D)?", "[gp,]*"
    return re.compile(pattern.replace("^", "(?:D[gp,]*)?").replace("$", near).replace(" ", between))


_PATTERNS = tuple(_compiled(pattern) for pattern in (
    "^[Tt]$",
    "^V(?:N|I)h?$",
    "(?<!f)Nm?[ab](?:N|I)h?$",
    "^Nh? ?P$|IP",
    "dNm?Nh$",
    "^(?:Nh? ?l ?N|NhNm?)$",
    "(?<=p)NyNm?$",
    "(?<=p)NN$",
    "^Nh$",
    "D[gp,]*N|N[gp,]*(?:x[gp,]*){0,2}D",
    "I",
))  # fmt: skip
_ON_THE_HOUR = re.compile("(?<=[pfrab])N|N(?=[rb])")
_ANY = re.compile("[TtIDPVhpfrab]")
_RANGE = re.compile("[gp]*[rbp][gp]*")
_MOST_PHRASES = 200


class Clocks(NamedTuple):
    """The times of day of a text."""

    phrases: list[ClockPhrase]
    loose: list[ClockPhrase]
    """Bare numbers that may be hours, and parts of the day that stand by themselves."""


@lru_cache(maxsize=128)
def clocks_in(folded: str, languages: tuple[str, ...]) -> Clocks:
    """Return the phrases of a folded text that state times in these languages, bounded in number."""
    found = Clocks([], [])
    for language in languages:
        words = _clock_words(language).read(folded)
        codes = "".join(word.code if len(word.code) == 1 else "x" for word in words)
        if _ANY.search(codes):
            _take(folded, words, codes, found)
    return found


_Place = tuple[int, int, _Parts]
"""From where to where among the words of a text a time is stated, and the words of it."""
_BY_PLACE = itemgetter(0)


def _take(folded: str, words: _Parts, codes: str, found: Clocks) -> None:
    """Add the phrases to those found in which these words state times."""
    places, left = _stated(words, codes)
    single = [(match.start(), match.end(), words[match.start() : match.end()]) for match in _ON_THE_HOUR.finditer(left)]
    halves = _halves(sorted([*places, *single], key=_BY_PLACE), codes)
    for first, _last, own in places[:_MOST_PHRASES]:
        found.phrases.append(_phrase(folded, own, halves.get(first, "")))
    for first, _last, own in single[:_MOST_PHRASES]:
        part = halves.get(first, "")
        (found.phrases if part else found.loose).append(_phrase(folded, own, part))
    for place, word in enumerate(words):
        if word.code == "D" and left[place] == "D" and word.value in _LOOSELY:
            said = folded[word.start : word.end]
            found.loose.append(ClockPhrase(word.start, word.end, said, _LOOSELY[str(word.value)], str(word.value)))


def _stated(words: _Parts, codes: str) -> tuple[list[_Place], str]:
    """Return the times that the patterns find, in their order, and the codes with theirs blotted out."""
    left = codes
    places: list[_Place] = []
    for pattern in _PATTERNS:
        for match in pattern.finditer(left):
            own = words[match.start() : match.end()]
            if _plain(own) is not None:
                places.append((match.start(), match.end(), own))
                left = left[: match.start()] + "#" * len(match[0]) + left[match.end() :]
    return sorted(places, key=_BY_PLACE), left


def _halves(places: list[_Place], codes: str) -> dict[int, str]:
    """Return the part of the day of each time; in "between 2 and 4 pm" it is said of both."""
    found: dict[int, str] = {}
    for place in range(len(places) - 1, -1, -1):
        first, last, own = places[place]
        part = next((str(word.value) for word in own if word.code == "D"), "")
        if not part and place + 1 < len(places):
            after, _, following = places[place + 1]
            if _RANGE.fullmatch(codes, last, after) and _is_earlier(own, following):
                part = found.get(after, "")
        found[first] = part
    return found


def _is_earlier(one: _Parts, other: _Parts) -> bool:
    """Say whether a time is earlier than another in the same half of the day."""
    first, second = _plain(one), _plain(other)
    return first is not None and second is not None and first % 720 < second % 720


def _phrase(folded: str, own: _Parts, part: str) -> ClockPhrase:
    minutes = _plain(own) or 0
    codes = _codes(own)
    text = folded[own[0].start : own[-1].end]
    hour, minute = divmod(minutes % DAY if minutes < 0 else minutes, 60)
    if part:
        readings: tuple[int, ...] = (of_half(hour, part) * 60 + minute,)
    elif "t" in codes or "I" in codes or not (0 < hour < 13 or (hour == 0 and "V" in codes)):
        readings = (hour * 60 + minute,)
    else:
        readings = hour * 60 + minute, (hour % 12 + 12) * 60 + minute
    return ClockPhrase(own[0].start, own[-1].end, text, tuple(each % DAY for each in readings), part)


__all__ = ["DAY", "hours_of", "of_half", "read_clock"]

_VALUE = re.compile(r"(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(am|pm|a\.m\.|p\.m\.)?(?:z|[+-]\d\d:?\d\d)?")
_SHORT_VALUE = re.compile(r"(\d{1,2})\s*(am|pm|a\.m\.|p\.m\.)")


def read_clock(value: str) -> int | None:
    """Return the minutes since midnight that a folded value writes (`15:00`, `3:00 pm`, `3pm`), else None."""
    match = _VALUE.fullmatch(value)
    if match is not None:
        hour, minute, half = int(match[1]), int(match[2]), match[4]
    else:
        match = _SHORT_VALUE.fullmatch(value)
        if match is None:
            return None
        hour, minute, half = int(match[1]), 0, match[2]
    if hour > 24 or minute > 59:
        return None
    return (of_half(hour, half.replace(".", "") if half else "") * 60 + minute) % DAY


def hours_of(text: str, clocks: Clocks, languages: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Yield the times that a folded text may mean: by bare numbers on the full hour, and by parts of the day.

    What belongs to a time that is stated in full is none: neither the 7 nor the evening of "7 in the evening".
    """
    for phrase in clocks.phrases:
        text = text[: phrase.start] + " " * (phrase.end - phrase.start) + text[phrase.end :]
    for phrase in clocks.loose:
        yield from ((minutes, phrase.text) for minutes in phrase.minutes)
    for quantity in quantities_of(text, languages):
        hour = int(quantity.value) if 0 <= quantity.value <= 24 else -1
        if hour == quantity.value and quantity.unit not in ("am", "pm"):
            yield hour * 60 % DAY, quantity.text
            if 0 < hour < 13:
                yield (hour % 12 + 12) * 60, quantity.text
