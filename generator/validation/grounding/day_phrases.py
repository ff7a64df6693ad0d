"""Day phrases: what the words of a text state as days, absolutely or relative to a day of reference.

Each pattern is over the letters of `day_words`; a space in it stands for articles and prepositions. The first pattern
that fits takes its words, so that "the last Friday of May" is not "last Friday" as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from generator.validation.grounding import day_readings as days
from generator.validation.grounding import span_readings as spans
from generator.validation.grounding import weekday_readings as weekdays
from generator.validation.grounding.day_readings import NOTHING, Counts, DayMatch, Read, Resolve
from generator.validation.grounding.day_words import DayWord, DayWords, day_words
from generator.validation.grounding.said_days import SaidDay


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
_WHEN = "(?: C? Y| (?:S U|U S))?"
_PATTERNS: tuple[tuple[re.Pattern[str], Read, frozenset[str]], ...] = tuple(
    (_compiled(pattern), read, frozenset(letters)) for pattern, read, letters in (
        (f"(?:W C? )?{_LIST} M{_WHEN}", days.date_of, "M"),
        ("(?:Y )?(?:W C? )?M (?:O|N(?![:.]N))(?![gkp]+W)" + _FURTHER + _WHEN, days.date_of, "M"),
        ("(?<=[gkpTFBC])N/N(?![/N])", days.in_figures, "/"),
        ("OO", days.dotted, "O"),
        (f"{_LIST} (?:S U|US)", spans.of_shifted_month, "U"),
        ("O[gkp]+U", spans.of_shifted_month, "U"),
        ("(?:S U|US) O(?![gkp]+W)", spans.of_shifted_month, "U"),
        ("[OS] W (?:M(?: C? Y)?|S U|U S?)", weekdays.nth_weekday, "W"),
        ("(?:M|S U) [OS] W", weekdays.nth_weekday, "W"),
        ("E (?:S U|U S|M(?: C? Y)?|Q(?: C? Y)?|O U|U|Y)", spans.edge, "E"),
        ("(?:(?:Y )?M|S U|U|Q) E", spans.edge, "E"),
        ("Q(?: C? Y)?", spans.whole, "Q"),
        ("O U(?: C? Y)?", spans.whole, "OU"),
        ("W C? (?:S U|U S)", weekdays.shifted_weekday, "SW"),
        ("S U W", weekdays.shifted_weekday, "SW"),
        ("N W [LA]", weekdays.nth_from_now, "NW"),
        ("(?:W|R)(?:U|Z|z)", weekdays.plus_weeks, ""),
        ("W [gkp]+N U", weekdays.plus_weeks, "NU"),
        ("R [gkp]+N U", weekdays.plus_weeks, "NU"),
        ("N U(?: F | [kp])[gkp]*[WR]", weekdays.plus_weeks, "NU"),
        ("W C? O", weekdays.weekday_and_day, "WO"),
        ("S W|W S", weekdays.shifted_weekday, "SW"),
        ("[aBS] N [S]? ?U|N S U|N U ?(?:[AL](?: R)?)?", days.counted, "NU"),
        ("S U M|M (?:S U|US)", spans.month_of_shifted_year, "SUM"),
        ("S M|M S", spans.shifted_month, "SM"),
        ("S U|U S", spans.whole, "SU"),
        ("U", spans.one_unit, "U"),
        ("R", days.relative, "R"),
        ("W", weekdays.weekday, "W"),
        ("H(?: C? Y)?", days.feast, "H"),
        ("M(?: C? Y)?|Y M", spans.month, "M"),
        ("(?<![NT/.])Y(?! ?[T/.]N)", spans.year, "Y"),
        ("O T O|(?<=[kFp])[NO] [TC] [NO]", days.bare_range, ""),
        ("O", days.bare_ordinal, "O"),
        ("(?<=[kTFB])O(?! ?[xUN])", days.bare_day, "O"),
        ("(?<=[kTFB])N", days.bare_article_day, "N"),
)
)  # fmt: skip
"""The patterns, what reads the words that they take, and the letters without which they take nothing."""


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
                                   is_date=read is days.date_of, month=own.number("M"))  # fmt: skip
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
