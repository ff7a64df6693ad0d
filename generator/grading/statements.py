"""Statements: what a text says in words that can be held against another text: its facts, its stance, its sentences.

Facts are numbers with their units, days, times of day, codes, and words: names, and what stands in the results.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple

from generator.validation.grounding.reading.day_readings import WEEKDAYS
from generator.validation.grounding.reading.days import MONTHS, month_number
from generator.validation.grounding.reading.languages import NOT_NAMES, entries, little_words, pairs, phrases, table
from generator.validation.grounding.reading.words import fold, stem
from generator.validation.grounding.result_numbers import currencies, family_of, unit_of_word

Fact = tuple[str, float | str | int] | tuple[str, int, int]
"""`("number", value)`, `("day", month, day)`, `("clock", minutes of twelve hours)`, `("code" or "word", text)`."""

_TOKEN = re.compile(
    r"(?P<iso>\d{4}-\d\d-\d\d)(?!\d)"
    r"|(?P<clock>(?<![\d.:])(?:\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]\.?m\b\.?))"
    r"|(?P<code>(?=[\w.@/+-]{0,64}\d)(?=[\w.@/+-]{0,64}[^\W\d])(?!\d{1,4}(?:st|nd|rd|th)\b)"
    r"(?!\d[\d.,]{0,20}(?:km|kg|g|ml|l|m|k|min|h)\b)(?!\d{1,9}-[^\W\d])\w{1,64}(?:[._@/+-]{1,3}\w{1,64}){0,16}"
    r"|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.]{1,64}|(?:[\w-]{1,64}[/\\]){1,12}[\w-]{1,64}(?:\.\w{1,8})?"
    r"|[\w-]{2,64}\.[a-z]{2,4}(?![\w.]))"
    r"|(?P<group>\d{2,9}(?:-\d{2,9}){1,5})(?![\w-])"
    r"|(?P<number>\d+(?:[.,]\d+)*)(?:st|nd|rd|th)?"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)"
    r"|(?P<sign>[$€£¥₹%°])"
    r"|(?P<end>[.!?。！？;；]+(?=\s|$|[^\w])|\n+[\s*•–-]*)"
    r"|(?P<colon>:)",
    re.IGNORECASE,
)
LONGEST = 8_000
"""Characters of a text that are read for statements."""
_IDEOGRAPHS = "\u2e80"
_NOT_WORDS = frozenset(["ok", "okay"])


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence by what it says."""

    stems: frozenset[str]
    """The stems of its words, little words left out."""
    order: tuple[str, ...]
    """These stems in their order, each as often as it stands there."""
    facts: tuple[Fact, ...]
    asks: bool


@dataclass(slots=True)
class Statements:
    """What a text says."""

    language: str
    facts: list[Fact] = field(default_factory=list)
    """In the order in which it tells them."""
    units: dict[float, set[str]] = field(default_factory=dict)
    """The units and currencies of its numbers."""
    halves: dict[int, set[str]] = field(default_factory=dict)
    """Which half of the day its times are of, where they tell it."""
    names: set[str] = field(default_factory=set)
    """Its words with capitals within sentences."""
    words: set[str] = field(default_factory=set)
    stem_counts: Counter[str] = field(default_factory=Counter)
    """How often it has each stem, little words left out."""
    sentences: list[Sentence] = field(default_factory=list)
    denials: int = 0
    """How often it denies; 1 where it but tells a failure or excuses itself."""
    negations: int = 0
    """How often it denies in so many words."""
    poles: Counter[str] = field(default_factory=Counter)
    """How many verbs it has of deeds that have a contrary: `making`, `unmaking`."""

    @property
    def asks(self) -> bool:
        """Whether it asks anything."""
        return any(sentence.asks for sentence in self.sentences)

    @property
    def stems(self) -> AbstractSet[str]:
        """The stems of its words, little words left out."""
        return self.stem_counts.keys()

    def in_facts(self, known: AbstractSet[Fact]) -> list[Fact]:
        """Return those of its facts that are known, in order."""
        return [fact for fact in self.facts if fact in known]

    def in_order(self, known: AbstractSet[Fact] | None = None) -> tuple[list[Fact], list[Fact]]:
        """Return its facts in the order in which each is told first, and those that are no words, each time."""
        facts = self.facts if known is None else self.in_facts(known)
        return list(dict.fromkeys(facts)), [fact for fact in facts if fact[0] != "word"]

    def by_sentence(self, known: AbstractSet[Fact] | None = None) -> list[list[Fact]]:
        """Return the facts of each sentence in their order, sentences without any left out."""
        held = [sentence.facts for sentence in self.sentences]
        told = [[fact for fact in facts if known is None or fact in known] for facts in held]
        return [list(dict.fromkeys(facts)) for facts in told if facts]


def statements_of(text: str, language: str, telling: AbstractSet[str]) -> Statements:
    """Read what a text says, as far as `LONGEST` characters.

    Args:
        text: the text as it is written.
        language: the language it is in, "" where that is not known.
        telling: the words, folded, that are facts wherever they stand.
    """
    said = Statements(language)
    reading = _Reading(said, telling)
    for match in _TOKEN.finditer(text[:LONGEST]):
        reading.take(match)
    reading.close(asks=False)
    if language:
        folded = fold(text[:LONGEST])
        plain = _POLITE.sub(" ", folded)
        said.negations = _negations(plain, language)
        said.denials = said.negations or int(phrases(language, "outcomes", "failure").found_in(plain))
        for pole in POLES:
            said.poles[pole] = _poles_in(language, pole, reading.all_words, folded)
    return said


POLES = ("making", "unmaking")
_POLITE = re.compile(r"\bno (?:problem|worries|trouble)\b|\b(?:don't|do not) hesitate\b|\bwhy not\b")


def _negations(folded: str, language: str) -> int:
    found = phrases(language, "outcomes", "negation")
    if found.found_in(folded) or (language == "en" and "n't" in folded):
        return max(1, sum(1 for _ in found.places_in(folded)), folded.count("n't") if language == "en" else 0)
    return 0


def _poles_in(language: str, pole: str, words: list[str], folded: str) -> int:
    if language == "zh":
        return sum(folded.count(each) for each in entries(language, "poles", pole))
    verbs = _pole_words(language, pole)
    return sum(1 for word in words if word in verbs)


@cache
def _pole_words(language: str, pole: str) -> frozenset[str]:
    return frozenset(entries(language, "poles", pole))


class _Word(NamedTuple):
    """What is known of a word by itself."""

    folded: str
    stem: str
    """Its stem; "" for a little word."""
    month: int
    """Which month it names; 0 for none."""
    numeral: float
    """The number that it is, from two on; 0 for none."""
    is_weekday: bool
    may_be_name: bool


@lru_cache(maxsize=16_384)
def _known_word(text: str, language: str) -> _Word:
    folded = _unowned(fold(text))
    may_be_name = text[0].isupper() and folded not in NOT_NAMES and language != "de"
    stemmed = "" if folded in little_words() else stem(folded)
    numeral = _numerals(language).get(folded, 0.0)
    return _Word(folded, stemmed, _month_of(folded, language), numeral, folded in WEEKDAYS, may_be_name)


def _unowned(folded: str) -> str:
    """Return a word without the sign of the possessive; contractions, which are little words, stay as they are."""
    return folded if folded in little_words() else folded.removesuffix("'s")


_DAYS = frozenset(range(1, 32))


class _Reading:
    """Takes the tokens of a text one after the other."""

    def __init__(self, said: Statements, telling: AbstractSet[str]) -> None:
        self._said, self._telling = said, telling
        self._comma = said.language in ("de", "es", "fr")
        self._begins = True
        self._month = 0
        self._number: float | None = None
        self._sign = ""
        self._is_open = False
        """Whether anything was read that the next token may go on."""
        self._stems: list[str] = []
        self._facts_before = 0
        self.all_words: list[str] = []

    def take(self, match: re.Match[str]) -> None:
        sort, text = match.lastgroup, match[0]
        number, month, sign = self._opened() if self._is_open else (None, 0, "")
        if sort == "word":
            self._word(text, number, month)
        elif sort == "end":
            self._begins = True
            self.close(asks="?" in text or "？" in text)
        elif sort == "number":
            self._begins = False
            self._figure(match["number"], month, sign)
        else:
            self._begins = sort == "colon"
            self._sign_or_whole(sort, text, number)

    def _opened(self) -> tuple[float | None, int, str]:
        """Return the number, month and sign that stand right before the next token, and close them."""
        found = self._number, self._month, self._sign
        self._number, self._month, self._sign, self._is_open = None, 0, "", False
        return found

    def _sign_or_whole(self, sort: str | None, text: str, number: float | None) -> None:
        if sort == "sign":
            if text == "°":
                self._number, self._is_open = number, True
            elif number is not None:
                self._said.units.setdefault(number, set()).add(_sign_of(text))
            else:
                self._sign, self._is_open = text, True
        elif sort == "iso":
            self._said.facts.append(("day", int(text[5:7]), int(text[8:])))
        elif sort == "clock":
            self._clock(text)
        elif sort != "colon":
            self._said.facts.append(("code", fold(text)))

    def close(self, *, asks: bool) -> None:
        """End a sentence."""
        facts = tuple(self._said.facts[self._facts_before :])
        if self._stems or facts or asks:
            self._said.sentences.append(Sentence(frozenset(self._stems), tuple(self._stems), facts, asks))
        self._stems = []
        self._facts_before = len(self._said.facts)

    def _word(self, text: str, number: float | None, month: int) -> None:
        word = _known_word(text, self._said.language)
        begins, self._begins = self._begins, False
        said, folded = self._said, word.folded
        if folded[:1] >= _IDEOGRAPHS:
            self._stems.extend(folded)  # written without spaces: each sign is looked at by itself
            said.stem_counts.update(folded)
            said.words.update(folded)
            return
        said.words.add(folded)
        self.all_words.append(folded)
        if word.month:
            self._of_month(word.month, number)
        elif word.numeral:
            said.facts.append(("number", word.numeral))
            self._number, self._is_open = word.numeral, True
        elif not word.is_weekday:
            if month and folded in ("of", "the"):
                self._month, self._is_open = month, True
            if number is not None:
                self._unit(folded, number)
            self._telling_word(word, begins)

    def _of_month(self, month: int, number: float | None) -> None:
        facts = self._said.facts
        if number is not None and number in _DAYS and facts[-1:] == [("number", number)]:
            facts[-1] = ("day", month, int(number))
        else:
            self._month, self._is_open = month, True

    def _telling_word(self, word: _Word, begins: bool) -> None:
        said = self._said
        if word.stem:
            self._stems.append(word.stem)
            said.stem_counts[word.stem] += 1
        is_name = word.may_be_name and not begins
        if is_name:
            said.names.add(word.folded)
        if is_name or word.folded in self._telling:
            said.facts.append(("word", word.folded))

    def _unit(self, folded: str, number: float) -> None:
        unit = unit_of_word(folded, self._said.language or "en")
        codes = currencies().get(folded, ()) or ()
        if not unit and not codes:
            return
        said = self._said
        unit = codes[0] if codes else unit.rstrip("?")
        unit = unit.upper() if unit.upper() in _currency_codes() else unit
        if unit == "min":
            number = self._with_hours(number)
        said.units.setdefault(number, set()).add(unit)

    def _with_hours(self, minutes: float) -> float:
        """Make one fact of minutes and the hours told right before them, if there are any; return its minutes."""
        facts = self._said.facts
        if len(facts) > 1 and facts[-2][0] == "number":
            hours = facts[-2][1]
            if isinstance(hours, float) and "h" in self._said.units.get(hours, ()):
                minutes = 60 * hours + minutes
                facts[-2:] = [("number", minutes)]
        return minutes

    def _figure(self, written: str, month: int, sign: str) -> None:
        said = self._said
        if month and written.isdecimal() and 1 <= int(written[:4]) <= 31:
            said.facts.append(("day", month, int(written)))
            return
        value = _value(written, self._comma)
        if value is None:
            said.facts.append(("code", written))
            return
        if said.facts and said.facts[-1][0] == "day" and len(written) == 4 and 1900 <= value <= 2100:
            return  # the year of the day before it
        said.facts.append(("number", value))
        self._number, self._is_open = value, True
        if sign:
            said.units.setdefault(value, set()).add(_sign_of(sign))

    def _clock(self, text: str) -> None:
        figures = [int(each) for each in re.findall(r"\d+", text)]
        hour, minute = figures[0], figures[1] if len(figures) > 1 else 0
        told = "a" if "a" in text.lower() else "p" if "p" in text.lower() else ""
        if not told:
            told = "p" if 12 < hour < 24 else "a" if text[0] == "0" or hour in (0, 24) else ""
        at = hour % 12 * 60 + minute
        self._said.facts.append(("clock", at))
        if told:
            self._said.halves.setdefault(at, set()).add(told)


def _month_of(folded: str, language: str) -> int:
    """Return which month a word names; 0 for none. "may" and "mar" are words of their own."""
    if folded in MONTHS and folded not in ("may", "mar"):
        return month_number(folded)
    if folded == "may":
        return 5
    months = table(language, "days").get("months", ()) if language else ()
    for number, forms in enumerate(months, 1):
        if folded in [fold(form) for form in str(forms).split("|")]:
            return number
    return 0


@cache
def _numerals(language: str) -> dict[str, float]:
    """Return the numbers from two on that a language has one word for."""
    cardinals = table(language, "numbers").get("cardinals", {}) if language else {}
    found = {fold(form): float(value) for value, forms in cardinals.items() for form in str(forms).split("|")[:1]}
    return {word: value for word, value in found.items() if value >= 2 and word not in _NOT_WORDS}


def _value(written: str, comma: bool) -> float | None:
    if comma and ("," in written or re.fullmatch(r"\d{1,3}(?:\.\d{3})+", written)):
        written = written.replace(".", "").replace(",", ".")
    elif re.fullmatch(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?", written):
        written = written.replace(",", "")
    try:
        return float(written.replace(",", ".")) if len(written) <= 18 else None
    except ValueError:  # a version, an address
        return None


@cache
def _currency_codes() -> frozenset[str]:
    return frozenset(code for codes in currencies().values() for code in codes)


def _sign_of(sign: str) -> str:
    codes = currencies().get(sign, ())
    return codes[0] if codes else sign


def content_stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, little words left out."""
    return frozenset(stem(word) for word in _words(fold(text)) if word not in little_words())


def _words(folded: str) -> Iterator[str]:
    return (match[0] for match in re.finditer(r"[^\W\d_]+", folded))


@cache
def unit_stems(language: str) -> dict[str, str]:
    """Return the stems of the words of a language that name units, with the unit of each."""
    return {stem(word): unit for word, unit in pairs(language or "en", "measures", "units").items()}


def is_another_unit(one: str, other: str) -> bool:
    """Say whether two units measure the same, so that one told for the other is another amount."""
    if one == other:
        return False
    families = [family_of(each) or ("money" if each.isupper() else "") for each in (one, other)]
    return families[0] == families[1] != ""
