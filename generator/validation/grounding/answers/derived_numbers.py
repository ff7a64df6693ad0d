"""Numbers of an answer that nothing holds: whether they follow from what was said, or how likely they are wrong.

People round, scale, convert and reckon: "roughly $48,000", "8.3 million", "about 52 miles", "$155 under your limit".
A number that follows from nothing may be what everybody knows. It is likely wrong where it stands for another one: a
number of the results that the answer should tell and does not, an id or an amount but for a digit, a sum of told
numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.answers.stated_numbers import StatedNumber, stated_numbers
from generator.validation.grounding.answers.unsupported import holds_time
from generator.validation.grounding.reading.clocks import of_half
from generator.validation.grounding.reading.days import read_day
from generator.validation.grounding.reading.denials import clauses_of, sentences_of
from generator.validation.grounding.reading.languages import phrases, table
from generator.validation.grounding.reading.number_words import number_words
from generator.validation.grounding.reading.quantities import quantities_of
from generator.validation.grounding.reading.words import STOPWORDS, find_literal, fold, stem, tokens_of
from generator.validation.grounding.result_numbers import (
    Fact,
    HeldNumber,
    contents_of,
    facts_of,
    family_of,
    is_converted,
    is_money,
    is_same_unit,
    size_of,
)
from generator.validation.grounding.result_status import text_of
from generator.validation.verdict import Severity
from generator.validation.view import ResultView

_NOT_DIGIT = re.compile(r"\D")


class _Number(NamedTuple):
    """A number of an answer, as what it may stand for."""

    value: float
    near: float
    """By how much what it stands for may differ."""
    is_small: bool
    """Whether it is a small count, which anything may come to by chance."""


def _places_of(written: str, answer: Answer) -> list[StatedNumber]:
    """Return where an answer tells a number, whatever signs stand between its digits."""
    digits = _NOT_DIGIT.sub("", written)
    return [
        each for each in answer.stated_numbers if _NOT_DIGIT.sub("", answer.folded[each.start : each.end]) == digits
    ]


def _is_derived(told: StatedNumber, answer: Answer) -> bool:
    """Say whether a told number is one that was said, in another form: rounded, scaled, converted, in groups."""
    number = number_of(told, answer)
    if _is_held(number, answer.numbers) or _is_in_hundredths(told, answer) or _was_told(told, answer):
        return True
    if _is_by_phone(told, answer) or _is_hour(told, answer) or _is_between_days(told, answer):
        return True
    return any(is_converted(told.value, number.near, told.unit, fact) for fact in _told_measures(told, answer))


def _is_calculated(told: StatedNumber, answer: Answer) -> bool:
    """Say whether a told number is made of others in one step of reckoning."""
    number = number_of(told, answer)
    if not (told.unit or told.currencies) and (number.is_small or not _may_be_reckoned(number, told, answer)):
        return False
    near = told.near if _is_total(told, answer) and told.value == number.value else number.near
    return any(abs(made - number.value) <= near for made in _made(told, answer)) or any(
        abs(made - number.value) <= number.near for made in _differences(answer)
    )


def _may_be_reckoned(number: _Number, told: StatedNumber, answer: Answer) -> bool:
    """Say whether a bare number is too large to come about by chance, or told with a word of reckoning."""
    return number.value >= _LARGE or _is_cued(told, answer)


_LARGE = 100


def _is_cued(told: StatedNumber, answer: Answer) -> bool:
    """Say whether a clause tells a number with a word of reckoning: "each", "less", "apart"."""
    clauses = clauses_of(answer.folded, answer.language or "en")
    clause = next((each for each in clauses if each.start + len(each.text) > told.start), None)
    return clause is not None and phrases(answer.language, "reckoning", "cues").found_in(clause.text)


def _was_told(told: StatedNumber, answer: Answer) -> bool:
    """Say whether an earlier answer told the number, where it was looked at."""
    written = answer.folded[told.start : told.end].strip()
    earlier = (each.content for each in answer.before if each.role == "assistant" and isinstance(each.content, str))
    return any(find_literal(fold(text), written) >= 0 for text in earlier)


def _is_held(number: _Number, held: frozenset[float]) -> bool:
    return any(abs(each - number.value) <= number.near for each in held)


def number_of(told: StatedNumber, answer: Answer) -> _Number:
    """Read a told number with the word of scale after it, and how far it is rounded."""
    scale = _scale(told, answer)
    value = told.value * scale
    near = told.near * scale
    digits = f"{told.value:.0f}" if told.value.is_integer() else ""
    zeros = len(digits) - len(digits.rstrip("0"))
    if zeros:
        is_hedged = _is_hedged(told, answer)
        most = _MOST_ROUNDED if is_hedged else _LEAST_ROUNDED if len(digits) - zeros > 1 else 0.0
        near = max(near, min(0.5 * 10.0**zeros * scale, most * value))
    return _Number(value, near, told.value.is_integer() and value <= _SMALL)


_MOST_ROUNDED, _LEAST_ROUNDED = 0.05, 0.005
"""The share by which a rounded number may differ, where a word says that it is rounded and where none does."""
_SMALL = 12


def _is_hedged(told: StatedNumber, answer: Answer) -> bool:
    before = answer.folded[max(0, told.start - _REACH) : told.start]
    return bool(_ABOUT.search(before)) or phrases(answer.language, "reckoning", "approximately").found_in(before)


_REACH = 24
_ABOUT = re.compile(r"[~≈±][\s$€£¥]{0,3}$")
_WORD_AFTER = re.compile(r"[\d.,]{1,40}[\s-]?([^\W\d_]{1,16})")


def _scale(told: StatedNumber, answer: Answer) -> float:
    """Return what the word after a number multiplies it by: a million; 1 for other words."""
    text = answer.folded
    at = next((at for at in range(told.start, told.end) if text[at].isdigit()), told.start)
    match = _WORD_AFTER.match(text, at)
    if match is None:
        return 1.0
    languages = (answer.language or "en",)
    return max([each.value for each in quantities_of(f"1 {match[1]}", languages) if each.value >= 1] or [1.0])


def _is_in_hundredths(told: StatedNumber, answer: Answer) -> bool:
    """Say whether an amount of money is told in dollars, and held in cents."""
    written = answer.folded[told.start : told.end]
    return bool(_HUNDREDTHS.search(written)) and round(100 * told.value, 4) in answer.numbers


_HUNDREDTHS = re.compile(r"\d[.,]\d\d(?!\d)")


def _is_by_phone(told: StatedNumber, answer: Answer) -> bool:
    """Say whether a number is a part of a longer one that is told in groups, as telephone numbers are."""
    runs = grouped_digits(answer.folded)
    return any(told.start in place and digits in answer.evidence_digits for place, digits in runs)


def grouped_digits(folded: str) -> list[tuple[range, str]]:
    """Return the long numbers that a text tells in groups, as telephone numbers are: where they stand, their digits."""
    runs = [(range(*run.span()), _NOT_DIGIT.sub("", run[0])) for run in _GROUPS.finditer(folded)]
    return [(place, digits) for place, digits in runs if len(digits) >= _SHORTEST_PHONE]


_GROUPS = re.compile(r"\d(?<!\d\d)\d{0,14}(?:[ ()./-]{1,2}\d{1,15}){1,8}")
_SHORTEST_PHONE = 7


def _is_hour(told: StatedNumber, answer: Answer) -> bool:
    """Say whether a number is the hour at which something begins that ends at a time of day: "from 4 to 6 PM"."""
    match = _TO_CLOCK.match(answer.folded, told.start)
    if match is None:
        return False
    hour = int(match[1])
    return hour <= _SMALL and any(
        holds_time(each % 24, 0, answer) for each in (of_half(hour, match[2]), hour, hour + 12)
    )


_TO_CLOCK = re.compile(r"(\d{1,2})\s?(?:to|and|until|till|or|[-–—])\s?\d{1,2}(?::\d\d)?\s?([ap])\.?m\b")


def _is_between_days(told: StatedNumber, answer: Answer) -> bool:
    """Say whether as many days, weeks or nights lie between two dates."""
    days = _DAYS_IN.get(told.unit, 0)
    if not days:
        return False
    dates = sorted({day for text in _DATE.findall(answer.evidence)[:_MOST] for day in read_day(text)})
    return any(abs(abs((one - other).days) - days * told.value) < days for one, other in combinations(dates, 2))


_DATE = re.compile(r"(?<!\d)\d{4}-\d\d-\d\d(?!\d)")
_DAYS_IN = {"d": 1, "night": 1, "w": 7}
_MOST = 24


def _told_measures(told: StatedNumber, answer: Answer) -> Iterator[Fact]:
    """Yield the other numbers that the answer tells in a unit, as if they were facts."""
    for other in _others_than(told, answer) if told.unit else ():
        if other.unit:
            yield Fact(other.value, "", other.unit, "")


def _others_than(told: StatedNumber, answer: Answer) -> list[StatedNumber]:
    """Return the other numbers that the answer tells."""
    return [each for each in answer.stated_numbers if each.start != told.start]


def _made(told: StatedNumber, answer: Answer) -> Iterator[float]:
    """Yield what is made of told numbers and of those that go with them."""
    if _is_total(told, answer):
        yield from _totals(told, answer)
        return
    for one, others in _known(told, answer):
        for other in others:
            yield from (one + other, abs(one - other))
            yield from _products(one, other, is_share=told.unit == "%")
        yield from (one / each for each in _PARTS_OF_A_YEAR)
        yield from (one * each for each in _PARTS_OF_A_YEAR)


def _differences(answer: Answer) -> Iterator[float]:
    """Yield how far the numbers of one field lie apart."""
    for values in _by_key(answer).values():
        yield from (abs(one - other) for one, other in combinations(sorted(set(values))[:_MOST], 2))


def _totals(told: StatedNumber, answer: Answer) -> Iterator[float]:
    """Yield what numbers come to together: those that are told in the same unit, those of one field, so many of one."""
    others = _others_than(told, answer)
    kind = (told.currencies, told.unit)
    every = [each.value for each in others]
    alike = [each.value for each in others if (each.currencies, each.unit) == kind]
    yield from _sums(alike if len(alike) > 1 else every)
    for values in _by_key(answer).values():
        yield from (sum(values), sum(values) / len(values))
    counts = set(filter(float.is_integer, (*_said_numbers(answer), *every)))
    yield from (one * count for one in (alike or every)[:_MOST] for count in counts)


_PARTS_OF_A_YEAR = (12.0, 52.0, 7.0, 4.0)


def _products(one: float, other: float, *, is_share: bool) -> Iterator[float]:
    if is_share:
        if one and other:
            yield from (100 * one / other, 100 * other / one)
            yield from (100 * abs(one - other) / one, 100 * abs(one - other) / other)
        return
    yield from (one * other, one * other / 100, one * (1 + other / 100), one * (1 - other / 100))
    if one and other:
        yield from (one / other, other / one)


def _is_total(told: StatedNumber, answer: Answer) -> bool:
    """Say whether a number is told as what others come to together."""
    sentence = next((each for each in sentences_of(answer.folded) if each.start + len(each.text) > told.start), None)
    return sentence is not None and phrases(answer.language, "reckoning", "totals").found_in(sentence.text)


def _sums(values: list[float]) -> Iterator[float]:
    """Yield what some of the told numbers come to."""
    few = values[:_FEW]
    for size in range(2, len(few) + 1):
        yield from (sum(each) for each in combinations(few, size))
    yield sum(values)


_FEW = 8


def _held(answer: Answer) -> list[HeldNumber]:
    """Return the numbers of the results of all turns so far."""
    earlier = [ResultView(each, None, None) for each in answer.before if each.role == "tool"]
    return [*answer.contents.numbers, *contents_of(earlier[:_MOST]).numbers][:_MOST_HELD]


_MOST_HELD = 200


def _by_key(answer: Answer) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for held in _held(answer):
        found.setdefault(held.name, []).append(size_of(held.value))
    return {key: values for key, values in found.items() if len(values) > 1}


def _known(told: StatedNumber, answer: Answer) -> list[tuple[float, set[float]]]:
    """Return the numbers that the answer tells, exactly, each with those that it may be reckoned with."""
    others = [number_of(each, answer) for each in _others_than(told, answer)[:_MOST]]
    every, by_key = _held(answer), _by_key(answer)
    beside = {each.value for each in others} | _said_numbers(answer)
    found: list[tuple[float, set[float]]] = []
    for number in others:
        exact = [held for held in every if abs(size_of(held.value) - number.value) <= number.near]
        for held in exact[:3]:
            value = size_of(held.value)
            found.append((value, (beside | set(by_key.get(held.name, ()))) - {value}))
        if not exact:
            found.append((number.value, beside - {number.value}))
    rates = _rates(every)
    return [(value, with_it | rates) for value, with_it in found]


def _rates(held: list[HeldNumber]) -> set[float]:
    """Return the numbers of the results by which others are multiplied."""
    return {size_of(fact.value) for fact in facts_of(held) if _RATE.search(fact.key.lower())}


_RATE = re.compile(r"rate|ratio|factor|percent|pct|tax|per_")


def _said_numbers(answer: Answer) -> set[float]:
    """Return the numbers that the user and the calls stated."""
    said = [each.content for each in answer.before if each.role == "user" and isinstance(each.content, str)]
    texts = [*said[-3:], *(result.call.text for result in answer.results[:_MOST] if result.call is not None)]
    return {float(each.replace(",", "")) for text in texts for each in _FIGURE.findall(_DATE.sub(" ", text))[:_MOST]}


_FIGURE = re.compile(r"\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,6})?(?!\d)|\d{1,15}(?:\.\d{1,6})?")


_PLAIN = re.compile(r"[\d.,]+")


def number_severity(written: str, word: str, answer: Answer) -> Severity | None:
    """Return how sure it is that a number from nowhere is wrong; None where it follows from what was said.

    Args:
        written: the number.
        word: what it is part of between two spaces.
        answer: the answer that tells it.
    """
    places = [each for each in _places_of(written, answer) if not _is_derived(each, answer)]
    if not places:
        if _places_of(written, answer):
            return None
        return "warning" if _is_like_another(written, word, answer) or _is_day(written, answer) else "note"
    return max((_sureness_at(each, written, answer) for each in places), key=_DEGREES.index)


_DEGREES: tuple[Severity | None, ...] = (None, "note", "warning")


def _sureness_at(told: StatedNumber, written: str, answer: Answer) -> Severity | None:
    untold = [each for each in _untold_facts(answer) if _stands_for(told, each, answer)]
    if _is_calculated(told, answer) and (_is_fine(told) or _is_cued(told, answer) or not _of_results(untold, answer)):
        return None
    return "warning" if untold or _is_opposed(told, written, answer) else "note"


def _is_fine(told: StatedNumber) -> bool:
    """Say whether a number has too many digits to come about by chance."""
    return len(f"{told.value:.2f}".replace(".", "").strip("0")) >= _MANY


_MANY = 4


def _of_results(untold: list[Fact], answer: Answer) -> list[Fact]:
    """Leave out what the user and the calls stated, which need not be told again."""
    said = _said_numbers(answer) if untold else set()
    return [each for each in untold if size_of(each.value) not in said]


def _is_opposed(told: StatedNumber, written: str, answer: Answer) -> bool:
    if _is_day(written, answer) or _is_like_another(written, written, answer):
        return True
    if _is_total(told, answer) and len(answer.stated_numbers) > _FEWEST_SUMMED:
        return True
    untold = list(_untold_facts(answer))
    if any(_is_left(told, fact, untold, answer) for fact in untold):
        return True
    words = _words_after(answer.folded, told)
    return bool(words) and any(not words.isdisjoint(each) for each in _words_counted(answer))


_FEWEST_SUMMED = 2


def _is_day(written: str, answer: Answer) -> bool:
    """Say whether a number is the day of a month, or a month, whatever language is spoken."""
    for match in _DAY_OF_MONTH.finditer(answer.folded):
        if match[1] == written and (match[2] is None or match[2] in _months(answer.language)):
            return True
    return False


@cache
def _months(language: str) -> frozenset[str]:
    names = table(language, "days").get("months", ())
    return frozenset(fold(name) for each in names for name in str(each).split("|"))


_DAY_OF_MONTH = re.compile(r"(?<![\d.,])(\d{1,2})(?:[日月号]|(?:\.|er|º|°)?(?:\s(?:de|of))?\s([^\W\d_]{3,12}))")


def _is_like_another(written: str, word: str, answer: Answer) -> bool:
    """Say whether an exact number, or an id, is one that was said before but for a digit or two that changed places."""
    digits = _NOT_DIGIT.sub("", written)
    is_id = not _PLAIN.fullmatch(word)
    is_exact = len(digits.rstrip("0")) >= _EXACT or bool(_CENTS.search(written)) or is_id
    if not is_exact or len(digits) < _SHORTEST:
        return False
    return any(_differs_little(digits, each) for each in _digits_said(answer))


_EXACT, _SHORTEST = 5, 3
_CENTS = re.compile(r"\d[.,]\d\d$")
_SAID = re.compile(r"\d{1,20}(?:,\d{3}){0,5}(?:\.\d{1,6})?")


def _digits_said(answer: Answer) -> Iterator[str]:
    for match in _SAID.finditer(answer.evidence):
        yield _NOT_DIGIT.sub("", match[0])


def _differs_little(one: str, other: str) -> bool:
    if len(one) != len(other) or one == other:
        return False
    apart = [at for at in range(len(one)) if one[at] != other[at]]
    return len(apart) == 1 or (
        len(apart) == 2 and one[apart[0]] == other[apart[1]] and one[apart[1]] == other[apart[0]]
    )


def _untold_facts(answer: Answer) -> Iterator[Fact]:
    """Yield the numbers of the results of its turn that an answer does not tell, in whatever form."""
    told = [number_of(each, answer) for each in answer.stated_numbers]
    in_words = {each.value for each in number_words(answer.language or "en").read(answer.folded[:_LONGEST_IN_WORDS])}
    for fact in answer.facts:
        value = size_of(fact.value)
        if not value or value in in_words or any(fact.is_about(each.value, each.near) for each in told):
            continue
        if not _is_told_converted(fact, answer):
            yield fact


def _is_told_converted(fact: Fact, answer: Answer) -> bool:
    """Say whether the answer tells a number of the results in another unit."""
    return any(each.unit and is_converted(each.value, each.near, each.unit, fact) for each in answer.stated_numbers)


_LONGEST_IN_WORDS = 2000


def _is_left(told: StatedNumber, fact: Fact, untold: list[Fact], answer: Answer) -> bool:
    """Say whether a number is all that an answer tells where a fact should be: the only one, or one of a field."""
    if told.currencies or told.unit or (fact.unit and family_of(fact.unit)):
        return False
    held = [each for each in answer.contents.numbers if each.name == fact.key]
    if len(untold) == len(answer.facts) <= _FEW_FACTS and not _is_year(told):
        return True
    return len(held) > sum(each.key == fact.key for each in untold)


_FEW_FACTS = 6


def _is_year(told: StatedNumber) -> bool:
    return told.value in _YEARS


_YEARS = range(1500, 2200)


def _words_counted(answer: Answer) -> Iterator[frozenset[str]]:
    """Yield the words after the numbers of texts among the results that the answer does not tell."""
    told = {each.value for each in answer.stated_numbers}
    for result in answer.results[:_MOST_RESULTS]:
        text = text_of(result)[:_LONGEST_IN_WORDS] if isinstance(result.value, str) else ""
        yield from (_words_after(text, each) for each in stated_numbers(text, "en") if each.value not in told)


_MOST_RESULTS = 16


def _words_after(text: str, told: StatedNumber) -> frozenset[str]:
    match = _AFTER.match(text, told.start)
    words = tokens_of(match[1]) if match is not None else []
    return frozenset(stem(word) for word in words if word not in STOPWORDS and word.isalpha())


_AFTER = re.compile(r"[\d.,]{1,24}((?:\s?[^\W\d_]{2,24}){1,2})")


def _stands_for(told: StatedNumber, fact: Fact, answer: Answer) -> bool:
    """Say whether a number is told of the field that holds another one."""
    if told.currencies:
        return fact.currency in told.currencies if fact.currency else is_money(fact)
    if told.unit and fact.unit:
        return is_same_unit(told.unit, fact.unit)
    if told.unit and family_of(told.unit):
        return False
    return _is_headed(told, fact, answer)


def _is_headed(told: StatedNumber, fact: Fact, answer: Answer) -> bool:
    """Say whether a word of the field's name stands beside the number, in its sentence."""
    sentence = next((each for each in sentences_of(answer.folded) if each.start + len(each.text) > told.start), None)
    return sentence is not None and not fact.stems.isdisjoint(map(stem, tokens_of(sentence.text)))
