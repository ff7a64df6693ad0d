"""Opposed: how sure it is that a number from nowhere is wrong, by what speaks against it.

A number that nothing explains may be what everybody knows. It is likely wrong where it stands for another one: a number
of the results that the answer should tell and does not, an id or an amount but for a digit, a sum of told numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.derived import (
    is_cued,
    is_derived,
    is_reckoned,
    is_total,
    number_of,
    places_of,
    said_numbers,
)
from generator.validation.grounding.facts import Fact, family_of, is_converted, is_money, is_same_unit, size_of
from generator.validation.grounding.reading.clauses import sentences_of
from generator.validation.grounding.reading.languages import table
from generator.validation.grounding.reading.number_words import number_words
from generator.validation.grounding.reading.words import STOPWORDS, fold, stem, tokens_of
from generator.validation.grounding.telling import Told, told_numbers
from generator.validation.grounding.verdicts import text_of
from generator.validation.verdict import Severity

_PLAIN = re.compile(r"[\d.,]+")
_NOT_DIGIT = re.compile(r"\D")


def sureness(written: str, word: str, answer: Answer) -> Severity | None:
    """Return how sure it is that a number from nowhere is wrong; None where it follows from what was said.

    Args:
        written: the number.
        word: what it is part of between two spaces.
        answer: the answer that tells it.
    """
    places = [each for each in places_of(written, answer) if not is_derived(each, answer)]
    if not places:
        if places_of(written, answer):
            return None
        return "warning" if _is_like_another(written, word, answer) or _is_day(written, answer) else "note"
    return max((_sureness_at(each, written, answer) for each in places), key=_DEGREES.index)


_DEGREES: tuple[Severity | None, ...] = (None, "note", "warning")


def _sureness_at(told: Told, written: str, answer: Answer) -> Severity | None:
    untold = [each for each in untold_facts(answer) if _stands_for(told, each, answer)]
    if is_reckoned(told, answer) and (_is_fine(told) or is_cued(told, answer) or not _of_results(untold, answer)):
        return None
    return "warning" if untold or _is_opposed(told, written, answer) else "note"


def _is_fine(told: Told) -> bool:
    """Say whether a number has too many digits to come about by chance."""
    return len(f"{told.value:.2f}".replace(".", "").strip("0")) >= _MANY


_MANY = 4


def _of_results(untold: list[Fact], answer: Answer) -> list[Fact]:
    """Leave out what the user and the calls stated, which need not be told again."""
    said = said_numbers(answer) if untold else set()
    return [each for each in untold if size_of(each.value) not in said]


def _is_opposed(told: Told, written: str, answer: Answer) -> bool:
    if _is_day(written, answer) or _is_like_another(written, written, answer):
        return True
    if is_total(told, answer) and len(answer.told) > _FEWEST_SUMMED:
        return True
    untold = list(untold_facts(answer))
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


def untold_facts(answer: Answer) -> Iterator[Fact]:
    """Yield the numbers of the results of its turn that an answer does not tell, in whatever form."""
    told = [number_of(each, answer) for each in answer.told]
    in_words = {each.value for each in number_words(answer.language or "en").read(answer.folded[:_LONGEST_IN_WORDS])}
    for fact in answer.facts:
        value = size_of(fact.value)
        if not value or value in in_words or any(abs(value - each.value) <= each.near for each in told):
            continue
        if any(abs(100 * value - each.value) <= each.near for each in told):
            continue
        if not any(each.unit and is_converted(each.value, each.near, each.unit, fact) for each in answer.told):
            yield fact


_LONGEST_IN_WORDS = 2000


def _is_left(told: Told, fact: Fact, untold: list[Fact], answer: Answer) -> bool:
    """Say whether a number is all that an answer tells where a fact should be: the only one, or one of a field."""
    if told.currencies or told.unit or (fact.unit and family_of(fact.unit)):
        return False
    held = [each for each in answer.contents.numbers if each.name == fact.key]
    if len(untold) == len(answer.facts) <= _FEW and not _is_year(told):
        return True
    return len(held) > sum(each.key == fact.key for each in untold)


_FEW = 6


def _is_year(told: Told) -> bool:
    return told.value in _YEARS


_YEARS = range(1500, 2200)


def _words_counted(answer: Answer) -> Iterator[frozenset[str]]:
    """Yield the words after the numbers of texts among the results that the answer does not tell."""
    told = {each.value for each in answer.told}
    for result in answer.results[:_MOST]:
        text = text_of(result)[:_LONGEST_IN_WORDS] if isinstance(result.value, str) else ""
        yield from (_words_after(text, each) for each in told_numbers(text, "en") if each.value not in told)


_MOST = 16


def _words_after(text: str, told: Told) -> frozenset[str]:
    match = _AFTER.match(text, told.start)
    words = tokens_of(match[1]) if match is not None else []
    return frozenset(stem(word) for word in words if word not in STOPWORDS and word.isalpha())


_AFTER = re.compile(r"[\d.,]{1,24}((?:\s?[^\W\d_]{2,24}){1,2})")


def _stands_for(told: Told, fact: Fact, answer: Answer) -> bool:
    """Say whether a number is told of the field that holds another one."""
    if told.currencies:
        return fact.currency in told.currencies if fact.currency else is_money(fact)
    if told.unit and fact.unit:
        return is_same_unit(told.unit, fact.unit)
    if told.unit and family_of(told.unit):
        return False
    return _is_headed(told, fact, answer)


def _is_headed(told: Told, fact: Fact, answer: Answer) -> bool:
    """Say whether a word of the field's name stands beside the number, in its sentence."""
    sentence = next((each for each in sentences_of(answer.folded) if each.start + len(each.text) > told.start), None)
    return sentence is not None and not fact.stems.isdisjoint(map(stem, tokens_of(sentence.text)))
