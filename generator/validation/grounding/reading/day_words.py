"""Day words: what each word of a text may do in stating a day, as one letter, whatever its language.

Patterns over these letters read the phrases of every language; the words themselves are data.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from generator.validation.grounding.reading.languages import (
    Lexicon,
    Meaning,
    Tokens,
    first_tokens,
    table,
    tokens_and_ends,
)
from generator.validation.grounding.reading.number_words import number_words
from generator.validation.grounding.reading.words import fold

NUMBER, ORDINAL, YEAR, MONTH, WEEKDAY, UNIT = "N", "O", "Y", "M", "W", "U"
SHIFT, RELATIVE, EDGE, FEAST, QUARTER = "S", "R", "E", "H", "Q"
COMING = 1.5
"""The coming one: the nearest, where the next may be the one after it as well."""
_LINKS = {"from": "F", "before": "B", "to": "T", "later": "L", "ago": "A", "ago_first": "a", "and": "C",
          "articles": "k", "prepositions": "p", "glue": "g", "week_later": "Z", "fortnight_later": "z"}  # fmt: skip
_MARKS = {"year_mark": "1", "month_mark": "2", "day_mark": "3"}
_PARTS = {UNIT: "units", RELATIVE: "relative", SHIFT: "shift", EDGE: "edge", FEAST: "festivals", ORDINAL: "ordinals"}
"""Codes of words by their tables."""
_IN_NUMBERS = frozenset({RELATIVE, SHIFT, ORDINAL})
"""Codes of words whose values are numbers, rather than names."""
_BEFORE_MONTH = frozenset("pgkFBTEOSNC")
_AFTER_MONTH = frozenset("NOYC")
_SIGNS = frozenset(":./")
_STOPS = frozenset(":.")
"""Signs within a time or a number; with a space behind them they end what is said."""
_QUARTERS = frozenset("1234")
_LONG = 5
"""Digits of numbers that are no years nor days: they state nothing at the beginning of a stretch without others."""
_FIRST_IDEOGRAPH = "\u2e80"
_FIRST_YEAR, _LAST_YEAR, _YEAR_DIGITS = 1000, 2200, 4


class DayWord(NamedTuple):
    """One or more tokens that do something in stating a day."""

    code: str
    value: float | str
    start: int
    end: int


_NOTHING = DayWord("x", 0.0, 0, 0)
"""Stands for tokens that do nothing, of which no pattern takes the place."""
_NO_WORD = 1, "x", 0.0
"""The size, the code and the value of a token that does nothing."""


class Stretch(NamedTuple):
    """A part of a text of which each word may do something in stating a day."""

    start: int
    text: str
    goes_on: bool
    """Whether other words follow it."""


class DayWords:
    """The words of one language that state days."""

    def __init__(self, language: str) -> None:
        known = table(language, "days")
        meanings = list(_meanings(known))
        self._lexicon = Lexicon(meanings)
        self._numbers = number_words(language)
        self._suffixes = first_tokens(known.get("ordinal_suffixes", ""))
        self._quarters = first_tokens(known.get("quarter", ""))
        self._spelled = {fold(word): fold(apart).split() for word, apart in known.get("spelled", {}).items()}
        """Words written together, by what they are apart."""
        self._one = first_tokens(known.get("one", ""))
        self._verbs = first_tokens(known.get("verbs", ""))
        self._ordinal_before = fold(table(language, "numbers").get("ordinal_before", ""))
        self.day_marks = tuple(first_tokens(known.get("day_mark", "")))
        """What makes a number a day of the month by itself."""
        own = {*self._one, *self._quarters, self._ordinal_before}
        self._beginnings = self._lexicon.beginnings | self._numbers.beginnings | own
        linking = frozenset(_LINKS.values())
        stating = [forms for code, _, forms in meanings if code not in linking]
        self._anchors = self._numbers.saying | first_tokens(*stating)
        """The tokens of which one at least is in what states a day, where no digit is."""
        self._telling = self._beginnings | _SIGNS
        """The tokens that may do something by themselves, beside numbers and words written together."""
        self._speaking = self._telling | self._lexicon.tokens | self._numbers.tokens | self._suffixes | {"-"}
        """The tokens that may do something by themselves or after others."""
        self.dotted = bool(known.get("ordinal_dot"))
        """Whether a number before a dot is an ordinal one."""
        self.by_day = known.get("dates_begin_with") == "day"
        """Whether "el 27", with no more than an article, is a day."""
        self.strict_weeks = bool(known.get("strict_weeks"))
        """Whether the Friday of "next Friday" is that of the next week alone."""

    def stretches(self, folded: str) -> list[Stretch]:
        """Return the stretches of a folded text that may state days.

        No word of a stretch is read by the words outside of it: each may be read by itself.
        """
        texts, ends = tokens_and_ends(folded)
        if self._numbers.are_written_together or (self._spelled and not self._spelled.keys().isdisjoint(texts)):
            return [Stretch(0, folded, False)]
        distinct = set(texts)
        anchors = distinct & self._anchors
        digits = set(filter(str.isdigit, distinct))
        if not anchors and not digits:
            return []
        speaking = (distinct & self._speaking) | digits
        found: list[Stretch] = []
        for first, past in _runs(texts, speaking):
            if _may_state(texts[first:past], anchors, digits):
                start = ends[2 * _with_code(texts, ends, first)]
                found.append(Stretch(start, folded[start : ends[2 * past - 1]], past < len(texts)))
        return found

    def read(self, folded: str) -> list[DayWord]:
        """Return what the words of a folded text do, one after the other."""
        tokens = Tokens(folded, self._spelled)
        texts = tokens.texts
        found: list[DayWord] = []
        at, upto, telling, together = 0, len(texts), self._telling, self._numbers.may_be_written_together
        while at < upto:
            token = texts[at]
            does_something = token in telling or token[0].isdigit() or together(token)
            size, code, value = self._word(tokens, texts, at) if does_something else _NO_WORD
            if code == "x":
                if not found or found[-1] is not _NOTHING:  # one is as good as many
                    found.append(_NOTHING)
            else:
                word = DayWord(code, value, tokens.start(at), tokens.end(at + size - 1))
                if code in "123":
                    self._mark(found, word)
                else:
                    found.append(word)
            at += size
        return self._without_verbs(found, folded)

    def _word(self, tokens: Tokens, texts: list[str], at: int) -> tuple[int, str, float | str]:
        """Return how many tokens from this place on are a word, its code and its value."""
        token = texts[at]
        if token in _SIGNS and token not in self._beginnings:
            return 1, "x" if token in _STOPS and _is_set_apart(tokens, at) else token, 0.0
        if (known := self._known(tokens, texts, at)) is not None:
            return known
        if token[0].isdigit():
            return self._in_digits(tokens, at)
        end, value, ordinal = self._numbers.run(texts, at)
        if end > at:
            return end - at, ORDINAL if ordinal else self._cardinal(value), value
        return 1, token if token in _SIGNS else "x", 0.0

    def _known(self, tokens: Tokens, texts: list[str], at: int) -> tuple[int, str, float | str] | None:
        """Return the word that begins here with one of the tables, as `_word` does; None where none does."""
        token = texts[at]
        if token in self._one and self._is_before_unit(texts, at):
            return 1, NUMBER, 1.0
        known = self._lexicon.longest(texts, at)
        if known is not None and (known[0] > 1 or known[1] != ORDINAL):
            return known
        if token in self._quarters and (quarter := self._quarter(tokens, at)):
            return 2, QUARTER, quarter
        if token == self._ordinal_before:
            end, value, _ = self._numbers.run(texts, at + 1)
            if end > at + 1:
                return end - at, ORDINAL, value
        return None

    def _is_before_unit(self, texts: list[str], at: int) -> bool:
        """Say whether a unit of time follows a token."""
        following = self._lexicon.longest(texts, at + 1) if at + 1 < len(texts) else None
        return following is not None and following[1] == UNIT

    def _cardinal(self, value: float) -> str:
        return YEAR if _FIRST_YEAR <= value < _LAST_YEAR and value == int(value) else NUMBER

    def _quarter(self, tokens: Tokens, at: int) -> int:
        following = tokens.texts[at + 1] if at + 1 < len(tokens.texts) else ""
        return int(following) if following in _QUARTERS and tokens.start(at + 1) == tokens.end(at) else 0

    def _in_digits(self, tokens: Tokens, at: int) -> tuple[int, str, float | str]:
        text = tokens.texts[at]
        if (len(text) == _YEAR_DIGITS and _is_in_code(tokens, at)) or self._ends_code(tokens, at):
            return 1, "x", 0.0
        value = float(text) if len(text) < 16 else 0.0
        if self._has_suffix(tokens, at) or self._is_dotted(tokens, at):
            return 2, ORDINAL, value
        if at + 1 < len(tokens.texts) and tokens.texts[at + 1] in self._numbers.beginnings:
            end, scaled, _ = self._numbers.run(tokens.texts[at : at + 3], 0)
            if end > 1:
                return end, NUMBER, scaled
        return 1, self._figure(text, value), value

    def _figure(self, text: str, value: float) -> str:
        """Return the code of a number in digits: few are a number, and four a year; what has more states nothing."""
        if len(text) < _YEAR_DIGITS:
            return NUMBER
        return YEAR if len(text) == _YEAR_DIGITS and self._cardinal(value) == YEAR else "x"

    def _has_suffix(self, tokens: Tokens, at: int) -> bool:
        """Say whether letters right behind digits make an ordinal number of them, as in "3rd"."""
        texts = tokens.texts
        return at + 1 < len(texts) and texts[at + 1] in self._suffixes and tokens.start(at + 1) == tokens.end(at)

    def _ends_code(self, tokens: Tokens, at: int) -> bool:
        """Say whether digits stand behind letters and a hyphen, as in "NB-03": no day of "NB-03 February 9".

        Words that state days themselves are no code, nor is what is counted or a year of our time: "Mon-03", "top-3
        days", "pre-2026".
        """
        letters = tokens.texts[at - 2] if at > 1 and tokens.texts[at - 1] == "-" else ""
        if not letters[-1:].isalpha() or letters[-1] >= _FIRST_IDEOGRAPH or letters in self._speaking:
            return False
        if tokens.end(at - 2) != tokens.start(at - 1) or tokens.end(at - 1) != tokens.start(at):
            return False
        if self._is_before_unit(tokens.texts, at):
            return False
        return tokens.texts[at][:2] not in ("19", "20", "21")[: 3 * (len(tokens.texts[at]) == 4)]

    def _is_dotted(self, tokens: Tokens, at: int) -> bool:
        """Say whether a number is an ordinal one by the dot after it, as in "3. April" and "3.4."."""
        if not self.dotted or len(tokens.texts[at]) > 2 or tokens.texts[at + 1 : at + 2] != ["."]:
            return False
        after = tokens.texts[at + 2] if at + 2 < len(tokens.texts) else ""
        long = len(after) > 2 and after.isdigit() and tokens.start(at + 2) == tokens.end(at + 1)
        return tokens.start(at + 1) == tokens.end(at) and not long

    def _mark(self, found: list[DayWord], mark: DayWord) -> None:
        """Let a mark say what the number before it is: a year, a month, or a day of one."""
        last = found[-1] if found else None
        if last is None or last.code not in (NUMBER, YEAR):
            unit = {"1": "year", "2": "month", "3": "day"}[mark.code]
            found.append(mark._replace(code=UNIT, value=unit))
            return
        code = {"1": YEAR, "2": MONTH, "3": ORDINAL}[mark.code]
        if code == YEAR and float(last.value) < _FIRST_YEAR:
            found.append(mark._replace(code=UNIT, value="year"))
        elif code != MONTH or 1 <= float(last.value) <= 12:
            found[-1] = last._replace(code=code, end=mark.end)

    def _without_verbs(self, found: list[DayWord], folded: str) -> list[DayWord]:
        """Take names of months that are verbs as well for months only in the company of a month."""
        for place, word in enumerate(found):
            if word.code == MONTH and folded[word.start : word.end] in self._verbs:
                before = found[place - 1].code if place else ""
                after = found[place + 1].code if place + 1 < len(found) else ""
                if before not in _BEFORE_MONTH and after not in _AFTER_MONTH:
                    found[place] = word._replace(code="x")
        return found


def _meanings(known: dict[str, Any]) -> Iterator[Meaning]:
    """Yield what the words of a table do in stating days."""
    yield from ((MONTH, number, forms) for number, forms in enumerate(known.get("months", ()), start=1))
    yield from ((WEEKDAY, number, forms) for number, forms in enumerate(known.get("weekdays", ())))
    for code, part in _PARTS.items():
        for key, forms in known.get(part, {}).items():
            yield code, float(key) if code in _IN_NUMBERS else key, forms
    yield SHIFT, COMING, known.get("coming", "")
    links = known.get("links", {})
    yield from ((code, 0.0, links[name]) for name, code in _LINKS.items() if name in links)
    yield from ((code, 0.0, known[name]) for name, code in _MARKS.items() if name in known)


def _runs(texts: list[str], speaking: set[str]) -> Iterator[tuple[int, int]]:
    """Yield where each run of tokens that speak begins and ends."""
    first = -1
    for at, text in enumerate(texts):
        if text in speaking:
            if first < 0:
                first = at
        elif first >= 0:
            yield first, at
            first = -1
    if first >= 0:
        yield first, len(texts)


def _may_state(run: list[str], anchors: set[str], digits: set[str]) -> bool:
    """Say whether a run of tokens may state a day: by a word, or by a number that is no long one at its beginning."""
    if not anchors.isdisjoint(run) or not digits.isdisjoint(run[1:]):
        return True
    return run[0] in digits and len(run[0]) < _LONG


def _with_code(texts: list[str], ends: list[int], first: int) -> int:
    """Return the first token of a stretch, with the letters of a code that its first number stands behind."""
    number = first + 1 if texts[first] == "-" and first + 1 < len(texts) else first
    is_in_code = first and texts[number][0].isdigit() and texts[first - 1][-1].isalpha()
    return first - 1 if is_in_code and ends[2 * first - 1] == ends[2 * first] else first


def _is_set_apart(tokens: Tokens, at: int) -> bool:
    """Say whether a token has a space behind it, as the first dot of "on May 4. 3 rooms" has."""
    return at + 1 < len(tokens.texts) and tokens.end(at) < tokens.start(at + 1)


def _is_in_code(tokens: Tokens, at: int) -> bool:
    """Say whether digits stand behind a letter that is no ideograph, as in "LX1576": such a number is no year."""
    before = tokens.texts[at - 1] if at else ""
    return before[-1:].isalpha() and before[-1] < _FIRST_IDEOGRAPH and tokens.end(at - 1) == tokens.start(at)


@cache
def day_words(language: str) -> DayWords:
    """Return the words of a language that state days."""
    return DayWords(language)
