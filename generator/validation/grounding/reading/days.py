"""Days: the days that a text states, absolutely or relative to a day of reference, and those that values write.

Each pattern is over the letters of `day_words`; a space in it stands for articles and prepositions. The first pattern
that fits takes its words, so that "the last Friday of May" is not "last Friday" as well. No library reads the phrases
of `tests/dates_grid.jsonl` instead: the best one found 56 % of the English ones, took 12 ms for each, needs an old
release of another package and has no German dates; those that are light know a third of them, or one language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from generator.validation.grounding.reading import day_readings as readings
from generator.validation.grounding.reading.day_readings import (
    NOTHING,
    WEEKDAYS,
    Counts,
    DayMatch,
    Read,
    Resolve,
    SaidDay,
)
from generator.validation.grounding.reading.day_words import DayWord, DayWords, day_words


class DayPhrase(NamedTuple):
    """Words that state one day or several."""

    start: int
    end: int
    text: str
    said: tuple[SaidDay, ...]
    """What they state absolutely."""
    resolve: Resolve | None = None
    """What they state relative to a day."""
    counts: Counts | None = None
    """How they count from another day, as "two weeks" or "the Monday" after it do."""
    is_counted: bool = False
    """Whether they count from another day."""
    is_date: bool = False
    """Whether they are the day and the month of dates."""
    month: int | None = None

    @property
    def dates(self) -> tuple[SaidDay, ...]:
        """The dates they write."""
        return self.said if self.is_date else ()

    def days(self, reference: date) -> Iterator[date]:
        """Yield the days that are meant, seen from a day of reference."""
        if self.resolve is not None:
            yield from self.resolve(reference)
        for each in self.said:
            yield from each.near(reference)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", "[gkp]*"))


_LIST = "(?:(?:W )?[NO] [TC]+ ){0,8}(?:W )?[NO]"
_FURTHER = "(?: T [NO]| C (?:O|N(?! ?[x:.]))){0,8}"
_DAY_AFTER = "(?! ?(?:O|N(?![:.]N)))"
_WHEN = "(?: C? Y| (?:S U|U S))?"
_PATTERNS: tuple[tuple[re.Pattern[str], Read, frozenset[str]], ...] = tuple(
    (_compiled(pattern), read, frozenset(letters)) for pattern, read, letters in (
        (f"(?:W C? )?{_LIST}(?:(?<=O) |(?<=N)[gk]*)M{_WHEN}", readings.date_of, "M"),
        (f"(?:(?<=[kpFB])|W C? |{_LIST} [TC] )N M{_DAY_AFTER}{_WHEN}", readings.date_of, "M"),
        ("(?:Y )?(?:W C? )?M (?:O|N(?![:.]N))(?![gkp]+W)" + _FURTHER + _WHEN, readings.date_of, "M"),
        ("(?<=[gkpTFBC])N/N(?![/N])", readings.in_figures, "/"),
        ("OO", readings.dotted, "O"),
        (f"{_LIST} (?:S U|US)", readings.of_shifted_month, "U"),
        ("O[gkp]+U", readings.of_shifted_month, "U"),
        ("(?:S U|US) O(?![gkp]+W)", readings.of_shifted_month, "U"),
        ("[OS] W (?:M(?: C? Y)?|S U|U S?)", readings.stated_nth_weekday, "W"),
        ("(?:M|S U) [OS] W", readings.stated_nth_weekday, "W"),
        ("E (?:S U|U S|M(?: C? Y)?|Q(?: C? Y)?|O U|U|Y)", readings.edge_of_unit, "E"),
        ("(?:(?:Y )?M|S U|U|Q) E", readings.edge_of_unit, "E"),
        ("Q(?: C? Y)?", readings.whole, "Q"),
        ("O U(?: C? Y)?", readings.whole, "OU"),
        ("W C? (?:S U|U S)", readings.shifted_weekday, "SW"),
        ("S U W", readings.shifted_weekday, "SW"),
        ("N W [LA]", readings.nth_from_now, "NW"),
        ("(?:W|R)(?:U|Z|z)", readings.plus_weeks, ""),
        ("W [gkp]+N U", readings.plus_weeks, "NU"),
        ("R [gkp]+N U", readings.plus_weeks, "NU"),
        ("N U(?: F | [kp])[gkp]*[WR]", readings.plus_weeks, "NU"),
        ("W C? O", readings.weekday_and_day, "WO"),
        ("S W|W S", readings.shifted_weekday, "SW"),
        ("[aBS] N [S]? ?U|N S U|N U ?(?:[AL](?: R)?)?", readings.counted, "NU"),
        ("S U M|M (?:S U|US)", readings.month_of_shifted_year, "SUM"),
        ("S M|M S", readings.shifted_month, "SM"),
        ("S U|U S", readings.whole, "SU"),
        ("U", readings.one_unit, "U"),
        ("R", readings.relative, "R"),
        ("W", readings.weekday, "W"),
        ("H(?: C? Y)?", readings.stated_feast, "H"),
        ("M(?: C? Y)?|Y M", readings.month, "M"),
        ("(?<![NT/.])Y(?! ?[T/.]N)", readings.year, "Y"),
        ("O T O|(?<=[kFp])[NO] [TC] [NO]", readings.bare_range, ""),
        ("O", readings.bare_ordinal, "O"),
        ("(?<=[kTFB])O(?! ?[xUN])", readings.bare_day, "O"),
        ("(?<=[kTFB])N", readings.bare_article_day, "N"),
)
)  # fmt: skip
"""The patterns, what reads the words that they take, and the letters without which they take nothing.

A bare number before a preposition is rarely the day of the month that follows: not in "turbine 7 in May", and never in
"a table for 4 on May 12", where the month has a day behind it.
"""


_ANY = re.compile("[MWURHQEYON]")
_AFTER = re.compile("[gkp]*([FB])[gkp]*")
_MOST_PHRASES = 400


@lru_cache(maxsize=128)  # the same system message stands before many records
def phrases_of(folded: str, languages: tuple[str, ...]) -> tuple[DayPhrase, ...]:
    """Return the phrases of a folded text that state days in these languages, bounded in number."""
    found: list[DayPhrase] = []
    for language in languages:
        places = 0
        for start, text, goes_on in day_words(language).stretches(folded):
            held = (_kept if len(text) <= _LONGEST_KEPT else _in_stretch)(text, language, goes_on)
            found += [_moved(phrase, start) for phrase in held.phrases] if start else held.phrases
            places += held.places
            if places >= _MOST_PHRASES:
                break
    return tuple(found)


class _Held(NamedTuple):
    """What a stretch of a text states."""

    places: int
    """How many stretches of its words the patterns took."""
    phrases: list[DayPhrase]


def _in_stretch(text: str, language: str, goes_on: bool) -> _Held:
    """Return what a stretch of a text states; bounded in number."""
    rules = day_words(language)
    words = rules.read(text)
    codes = "".join([word.code for word in words])
    if not _ANY.search(codes):
        return _Held(0, [])
    if goes_on:
        codes += "x"
    places = sorted(_taken(text, words, codes, rules), key=lambda each: each[0])[:_MOST_PHRASES]
    return _Held(len(places), list(_joined(places, codes)))


_kept = lru_cache(maxsize=8192)(_in_stretch)
_LONGEST_KEPT = 120
"""Characters: "on friday, january 23", "for two nights"; the same few stretches make up most texts."""


def _moved(phrase: DayPhrase, by: int) -> DayPhrase:
    """Return a phrase of a stretch at its place in the text."""
    return DayPhrase._make((phrase[0] + by, phrase[1] + by, *phrase[2:]))


_Place = tuple[int, int, DayPhrase]


def _taken(folded: str, words: list[DayWord], codes: str, rules: DayWords) -> Iterator[_Place]:
    """Yield what the patterns take, each word once, with its place among the words."""
    left = codes
    present = frozenset(codes)
    for pattern, read, letters in _PATTERNS:
        if not letters <= present:
            continue
        taken: list[re.Match[str]] = []
        for match in pattern.finditer(left):
            first, last = match.span()
            start, end = words[first].start, words[last - 1].end
            own = DayMatch(words[first:last], rules, match[0], folded[start:end])
            stated = read(own)
            if stated != NOTHING:
                taken.append(match)
                phrase = DayPhrase(start, end, folded[start:end], stated.said, stated.resolve, stated.counts,
                                   is_date=read is readings.date_of, month=own.number("M"))  # fmt: skip
                yield first, last, phrase
        for match in reversed(taken):
            left = left[: match.start()] + "#" * len(match[0]) + left[match.end() :]


def _joined(places: list[_Place], codes: str) -> Iterator[DayPhrase]:
    """Yield the phrases, joined where one counts from the next: "two weeks after April 3rd"."""
    for place, (_, last, phrase) in enumerate(places):
        if phrase.counts is not None and place + 1 < len(places):
            first_after, _, base = places[place + 1]
            between = _AFTER.fullmatch(codes, last, first_after)
            if between is not None and (base.said or base.resolve is not None):
                yield _counting(phrase, phrase.counts, base, 1 if between[1] == "F" else -1)
                continue
        if phrase.said or phrase.resolve is not None:
            yield phrase


def _counting(phrase: DayPhrase, counts: Counts, base: DayPhrase, way: int) -> DayPhrase:
    def resolve(reference: date) -> Iterator[date]:
        yield from (counts(day, way) for day in base.days(reference))

    return DayPhrase(phrase.start, base.end, f"{phrase.text} {base.text}", (), resolve, is_counted=True)


MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
          "november", "december")  # fmt: skip
_MONTH_NUMBERS = {month[:3]: number for number, month in enumerate(MONTHS, start=1)}
CALENDAR_WORDS = frozenset(
    (*MONTHS, *WEEKDAYS, *(name[:3] for name in (*MONTHS, *WEEKDAYS)), *"sept tues thur thurs".split())
)
"""Names of months and days of the week."""
MONTH_LETTERS = tuple(month[:3] for month in MONTHS)
"""The first letters of each month: a text without any of them names none."""


def month_number(name: str) -> int:
    """Return the number of a month by its name or the first three letters of it."""
    return _MONTH_NUMBERS[name[:3].lower()]


_NUMERIC = re.compile(r"(?<!\d)(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?!\d)")
_YEAR = re.compile(r"(?<![\d.,])((?:1[0-9]|20|21)\d\d)(?![\d.])")
_COMPACT = re.compile(r"(?<!\d)(\d{4})(\d\d)(\d\d)(?!\d)")
ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_MOST_DAYS = 200


def read_day(value: str) -> Iterator[date]:
    """Yield the days that a folded value writes; several where the order of day and month is open."""
    if ISO_DAY.fullmatch(value):
        yield from _written(int(value[:4]), int(value[5:7]), int(value[8:]))
        return
    for said in (*_in_figures(value), *(each for phrase in phrases_of(value, ("en",)) for each in phrase.dates)):
        if said.year is not None and said.month is not None:
            yield from said.near(date.min)


@lru_cache(maxsize=4096)
def _written(year: int, month: int, day: int) -> tuple[date, ...]:
    return tuple(SaidDay(year, month, day, "").near(date.min))


def days_of(text: str, phrases: tuple[DayPhrase, ...]) -> list[SaidDay]:
    """Return the days that a folded text states absolutely in figures and in the phrases it holds."""
    said = (SaidDay(year, month, day, phrase.text) for phrase in phrases for year, month, day, _ in phrase.said)
    return [*islice(_in_figures(text), _MOST_DAYS), *islice(said, _MOST_DAYS)]


_MAY_BE_FIGURES = re.compile(r"[0-9](?:[-/.][0-9]|[0-9]{7})")
"""What each date in figures has, in a text of ASCII letters alone."""


def _in_figures(text: str) -> Iterator[SaidDay]:
    if text.isascii() and not _MAY_BE_FIGURES.search(text):
        return
    for match in _NUMERIC.finditer(text):
        first, second, third = int(match[1]), int(match[3]), int(match[4])
        if len(match[1]) == 4:
            yield SaidDay(first, second, third, match[0])
        elif len(match[4]) in (2, 4) and len(match[1]) <= 2:
            year = third if third > 99 else 2000 + third
            yield SaidDay(year, first, second, match[0])
            yield SaidDay(year, second, first, match[0])
    for match in _COMPACT.finditer(text):
        yield SaidDay(int(match[1]), int(match[2]), int(match[3]), match[0])


def relative_days(phrases: tuple[DayPhrase, ...], reference: date) -> Iterator[tuple[date, str]]:
    """Yield the days that phrases state relative to a day, each with what they say."""
    for phrase in phrases:
        try:
            yield from ((day, phrase.text) for day in phrase.days(reference))
        except (OverflowError, ValueError):  # before the first or after the last year of the calendar
            continue


def years_of(text: str) -> Iterator[tuple[int, str]]:
    """Yield the years that a folded text writes."""
    yield from ((int(match[1]), match[0]) for match in _YEAR.finditer(text))
