"""Counts and units: whether an answer counts what the results list, and tells numbers by the units they have there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from generator.jsontext import JsonValue
from generator.validation.grounding.answers.answer import Answer, without_moments
from generator.validation.grounding.answers.outcomes import Claim
from generator.validation.grounding.answers.stated_numbers import StatedNumber
from generator.validation.grounding.reading.languages import pairs, words_for
from generator.validation.grounding.reading.words import STOPWORDS, find_literal, find_number, fold, stem
from generator.validation.grounding.result_numbers import (
    Fact,
    HeldNumber,
    ResultList,
    facts_of,
    family_of,
    is_converted,
    is_money,
    is_same_unit,
    readable_value,
    stems_of_key,
    unit_of_key,
    units_in,
)
from generator.validation.verdict import Severity


class _Counted(NamedTuple):
    """A small number of an answer and the words after it."""

    start: int
    written: str
    value: int
    words: list[str]
    rest: str
    """What follows in its clause."""


def wrong_counts(answer: Answer) -> Iterator[Claim]:
    """Yield the numbers of things that an answer counts otherwise than the results do."""
    lists = answer.lists
    if answer.language == "en":
        for counted in _counted(answer):
            claim = _against_lists(counted, lists, answer) or _against_fields(counted, lists, answer)
            if claim is not None:
                yield claim
    if lists and "\n" in answer.text:
        yield from _headings(answer)


def _counted(answer: Answer) -> Iterator[_Counted]:
    """Yield the small numbers, in figures or in words, that count what lists hold or are those of a field."""
    yield from _counted_in_figures(answer)
    numerals = pairs("en", "counts", "numerals")
    if not answer.words.isdisjoint(numerals):
        for match in _in_words(tuple(numerals)).finditer(answer.folded):
            words = match["words"].split()
            yield _Counted(match.start(), match["number"], int(numerals[match["number"]]), words, match["rest"])


def _counted_in_figures(answer: Answer) -> Iterator[_Counted]:
    text = answer.folded
    nouns: frozenset[str] | None = None
    for told in answer.stated_numbers:
        value = told.value
        named = _WORDS.match(text, told.end) if _may_count(told) else None
        if named is None:
            continue
        if nouns is None:
            nouns = frozenset([noun for each in answer.lists for noun in _nouns(each.key)])
        if value in answer.numbers_by_size or not nouns.isdisjoint(map(stem, named[1].split())):
            match = _THINGS.match(text, told.end)
            if match is not None:
                words = match["words"].split()
                yield _Counted(told.start, text[told.start : told.end], int(value), words, match["rest"])


def _may_count(told: StatedNumber) -> bool:
    """Say whether a number is whole, not too large, and no measure."""
    if told.unit or told.currencies or told.is_part:
        return False
    return told.value < _LARGE_COUNT and told.value == int(told.value)


_LARGE_COUNT = 10_000
_WORDS = re.compile(r"\s([a-z]{2,24}(?:\s[a-z]{2,24}){0,2})")
_AFTER = r"\s(?P<words>[a-z]{2,24}(?:\s[a-z]{2,24}){0,2})(?P<rest>[^.,;:!?\n()]{0,80})"
_THINGS = re.compile(_AFTER)


@cache
def _in_words(numerals: tuple[str, ...]) -> re.Pattern[str]:
    forms = [rf"{word[0]}(?<![\w-]{word[0]}){word[1:]}" for word in numerals]  # its first letter leads to each quickly
    return re.compile(rf"(?P<number>{'|'.join(forms)}){_AFTER}")


def _against_lists(counted: _Counted, lists: list[ResultList], answer: Answer) -> Claim | None:
    """Complain of a number of what a list holds."""
    for at, word in enumerate(counted.words):
        if word in STOPWORDS or word in _ENDING or word in pairs("en", "counts", "numerals"):
            return None  # "page 3 holds two posts"
        named = _called(stem(word), lists)
        if named:
            counts_nothing = _is_verb(counted, at) or _is_number_of_a_thing(counted, answer)
            return None if counts_nothing else _of_lists(counted, at, named, answer)
    return None


def _called(stemmed: str, lists: list[ResultList]) -> list[ResultList]:
    """Return the lists whose names have a word."""
    return [each for each in lists if stemmed in _nouns(each.key)]


def _is_of_a_part(counted: _Counted, answer: Answer) -> bool:
    """Say whether the word before a number makes it one of some of all: "the first two", "the cheapest three"."""
    before = answer.folded[max(0, counted.start - _LONGEST_BEFORE) : counted.start].split()
    return bool(before) and (
        before[-1] in words_for("parts_of_all", "parting")
        or (len(before[-1]) > _SHORTEST and before[-1].endswith("est"))
    )


_LONGEST_BEFORE = 24


def _is_verb(counted: _Counted, at: int) -> bool:
    """Say whether a word is what a thing does, with what it does it to behind it: "client 7 holds 40 shares"."""
    following = " ".join((*counted.words[at + 1 :], counted.rest)).split()
    return at == 0 and bool(following) and following[0][:1].isdigit()


def _is_number_of_a_thing(counted: _Counted, answer: Answer) -> bool:
    """Say whether a number names a thing, as the request and the arguments do: "client 5012"."""
    before = answer.folded[max(0, counted.start - _LONGEST_BEFORE) : counted.start].split()[-1:]
    if not counted.written.isdecimal() or not before or before[0] in STOPWORDS:
        return False
    return find_literal(answer.evidence, f"{before[0]} {counted.written}") >= 0


_ENDING = frozenset("more other others further most least times percent".split())


def _of_lists(counted: _Counted, at: int, named: list[ResultList], answer: Answer) -> Claim | None:
    """Complain of a number of what lists hold, which none of the lists of that name has."""
    lengths = [len(each.entries) for each in named]
    if not counted.value and _is_told_more_closely(counted, at):
        return None  # "no seats at the bar"
    true = {*lengths, sum(lengths)}
    if counted.value in true:
        return None
    true.update(_counts_beside(counted.words[at], answer))
    if counted.value in true or _is_said(counted, answer):
        return None
    message = f"{counted.written} {' '.join(counted.words[: at + 1])} where there are {lengths[0]}"
    if counted.value > max(true):
        return Claim(message)
    sure = None if _is_of_a_part(counted, answer) else _sureness_of_fewer(counted, at, named, answer)
    return None if sure is None else Claim(message, sure)


def _is_told_more_closely(counted: _Counted, at: int) -> bool:
    """Say whether other words stand beside the word for what is counted."""
    return at > 0 or len(counted.words) > at + 1 or bool(counted.rest.strip())


def _sureness_of_fewer(counted: _Counted, at: int, named: list[ResultList], answer: Answer) -> Severity | None:
    """Return how sure it is that fewer than a list has are counted wrongly; None where they may be some of them."""
    told = [sum(map(_Telling(answer), each.entries)) for each in named]
    if counted.value in told or sum(told) == counted.value:
        return None
    if at == 0 and len(named) == 1 and told[0] == len(named[0].entries):
        return "error"
    after = f"{' '.join(counted.words[at + 1 :])} {counted.rest}".split()
    restricted = at > 0 or not _RESTRICTING_NOTHING.issuperset(after[:1])
    return None if restricted or sum(told) > counted.value else "warning"


_RESTRICTING_NOTHING = frozenset("for from to".split())
"""What may follow what is counted: "for you", "from Rome", as was asked."""


def _nouns(key: str) -> frozenset[str]:
    return stems_of_key(key)


def _counts_beside(word: str, answer: Answer) -> Iterator[int]:
    """Yield the whole numbers that fields call so, or a count of all: `total`, `results_count`."""
    stemmed = stem(word)
    for name, numbers in answer.numbers_by_name.items():
        stems = stems_of_key(name)
        if stemmed in stems or stems <= _TOTALS:
            values = [readable_value(value) for _, value, _ in numbers]
            yield from [int(value) for value in values if value == int(value)]


_TOTALS = frozenset(map(stem, "total count number results found matches of items size".split()))


def _is_said(counted: _Counted, answer: Answer) -> bool:
    """Say whether the number and the word after it stand in what was said before."""
    return find_literal(answer.evidence, f"{counted.written} {counted.words[0]}") >= 0


class _Telling:
    """Says whether an answer tells an entry of a list, by any of its texts or numbers of three characters."""

    def __init__(self, answer: Answer) -> None:
        self._text = answer.folded

    def __call__(self, entry: JsonValue) -> bool:
        values = entry.values() if isinstance(entry, dict) else (entry,)
        return any(self._tells(value) for value in values)

    def _tells(self, value: JsonValue) -> bool:
        if isinstance(value, str):
            return len(value) > _SHORT and find_literal(self._text, fold(value)) >= 0
        return type(value) in (int, float) and value >= _LARGE and find_number(self._text, f"{value:g}") >= 0


_SHORT, _LARGE = 2, 100


def _against_fields(counted: _Counted, lists: list[ResultList], answer: Answer) -> Claim | None:
    """Complain of a number that no field of this name has, while another field has it."""
    word = counted.words[0]
    stemmed = stem(word)
    if not _may_be_of_a_field(counted, answer) or _called(stemmed, lists):
        return None
    of_name = [fact for fact in answer.facts if stemmed in fact.stems]
    named = [fact for fact in of_name if _is_told_whole(fact, answer)]
    if not named or _is_explained(counted, of_name, named, answer):
        return None
    return Claim(f"{counted.written} {word} where {named[0].key} is {named[0].value:g}", "warning")


def _is_explained(counted: _Counted, of_name: list[Fact], named: list[Fact], answer: Answer) -> bool:
    """Say whether a number was said before, comes from the fields of its name or from a list, or is no field's."""
    if any(fact.is_about(counted.value, _NEAR) for fact in of_name) or _is_said(counted, answer):
        return True
    if _is_sum(counted.value, [fact.value for fact in named]):
        return True
    if any(len(each.entries) == counted.value for each in answer.lists):
        return True
    return all(fact.value != counted.value for fact in answer.facts)


_NEAR = 0.5000001
"""A little more than what rounding to whole numbers takes."""


def _may_be_of_a_field(counted: _Counted, answer: Answer) -> bool:
    """Say quickly whether a field has a number, and the word after it names another field.

    Where all words of a field's name stand after the number and it has it, that is the one.
    """
    word = counted.words[0]
    if word in STOPWORDS or len(word) < _SHORTEST or counted.value not in answer.numbers_by_size:
        return False
    stemmed = stem(word)
    words: frozenset[str] | None = None
    for name, numbers in answer.numbers_by_name.items():
        stems = stems_of_key(name)
        if stemmed in stems:
            words = words or frozenset(map(stem, counted.words))
            if stems <= words and any(abs(value) == counted.value for _, value, _ in numbers):
                return False
    return words is not None


_SHORTEST = 4


def _is_told_whole(fact: Fact, answer: Answer) -> bool:
    """Say whether each word of a field's name is told: "pending payments" are no payments."""
    return fact.stems <= answer.stems


def _is_sum(value: float, numbers: list[float]) -> bool:
    """Say whether a number is the sum of others, or the difference of two."""
    few = numbers[:24]
    return abs(sum(numbers) - value) < 1 or any(abs(abs(one - other) - value) < 1 for one in few for other in few)


_HEADING = re.compile(r"(?m)^([^\n]{1,160})[:：]\s*\n((?:\s*(?:[-*•–]|\d{1,2}[.)])\s[^\n]*(?:\n|$)){2,60})")
_BULLET = re.compile(r"(?m)^(\s*)(?:[-*•–]|\d{1,2}[.)])\s")


def _headings(answer: Answer) -> Iterator[Claim]:
    """Yield the numbers with which a list of the answer begins, and which are not those of its entries."""
    if _are_headed_plainly(answer):
        return
    for match in _HEADING.finditer(answer.without_moments):
        indents = [len(each[1]) for each in _BULLET.finditer(match[2])]
        count = indents.count(min(indents)) if indents else 0
        claim = _of_heading(match[1], count, answer)
        if claim is not None:
            yield claim


def _are_headed_plainly(answer: Answer) -> bool:
    """Say whether no line before a list has one number alone, but such as a list or a field of the results has."""
    text = answer.folded
    if "\na" in text or "\np" in text:  # a time of day may go on in another line
        return False
    if ":\n" not in text and _HEADED.search(text) is None:
        return True
    numerals = pairs(answer.language, "counts", "numerals")
    lengths = frozenset([len(each.entries) for each in answer.lists])
    lines = map(str.rstrip, answer.text.split("\n"))
    return all(_is_headed_plainly(line, lengths, numerals, answer) for line in lines if line[-1:] in _COLONS)


def _is_headed_plainly(heading: str, lengths: frozenset[int], numerals: Mapping[str, str], answer: Answer) -> bool:
    told = _numbers_in(_WORD.findall(fold(heading)), numerals)
    if _IN_PARTS.search(heading) is None and lengths.issuperset(told):
        return True
    told = _small_in(without_moments(heading[:-1]), numerals)
    return len(told) != 1 or told[0] in lengths or _is_held(told[0], answer)


_COLONS = frozenset(":：")
_HEADED = re.compile(r"[:：]\s*\n")


def _small_in(heading: str, numerals: Mapping[str, str]) -> list[int]:
    """Return the small numbers above one in the last sentence of a heading without dates, in figures or in words."""
    return _numbers_in(_SMALL.findall(_SENTENCE_END.split(heading)[-1]), numerals)


def _numbers_in(words: list[str], numerals: Mapping[str, str]) -> list[int]:
    small = [int(numerals.get(word, word)) for word in words if word in numerals or _is_small(word)]
    return [number for number in small if number > 1]


_IN_PARTS = re.compile(r"\d[^\s\d]{1,2}\d|\d[^\W\d_]|[^\W\d_]\d|\d{5}")
"""Numbers of which a date or a time of day may be but a part."""
_WORD = re.compile(r"[^\W_]+")
_SMALL = re.compile(r"(?<![\d.,$€£¥:/-])(?:\d{1,2}|[^\W\d_]+)(?![\d.,:/-]\d)(?!\d)")
_SENTENCE_END = re.compile(r"[.!?]\s")


def _is_small(word: str) -> bool:
    return len(word) < _SHORTEST_LARGE and word.isdecimal()


_SHORTEST_LARGE = 3
"""Digits of a number that is not small."""


def _is_held(number: int, answer: Answer) -> bool:
    return any(value == number for _, value, _ in answer.numbers_by_size.get(number, ()))


def _of_heading(heading: str, count: int, answer: Answer) -> Claim | None:
    told = _small_in(heading, pairs(answer.language, "counts", "numerals"))
    if len(told) != 1 or told[0] == count or not answer.lists:
        return None
    lengths = {len(each.entries) for each in answer.lists}
    if (
        told[0] in lengths
        or any(fact.value == told[0] for fact in answer.facts)
        or find_number(fold(answer.asked), str(told[0])) >= 0
        or count not in lengths
    ):
        return None
    return Claim(f"{told[0]} before a list of {count}", "warning")


def wrong_units(answer: Answer) -> Iterator[Claim]:
    """Yield the numbers that an answer tells in another currency or unit than they have."""
    for told in answer.stated_numbers:
        if (told.currencies or told.unit) and not told.is_part:
            claim = _against_units(told, answer)
            if claim is not None and not _stands_before(told, answer):
                yield claim


def _against_units(told: StatedNumber, answer: Answer) -> Claim | None:
    """Complain of a number in another currency or unit than each of the results that it may stand for."""
    exact = answer.numbers_by_size.get(told.value)
    if exact is not None and (_is_plain(told, exact) or _claim(told, facts_of(exact), answer) is None):
        return None
    own = [fact for fact in answer.facts if fact.is_about(told.value, told.near)]
    return _claim(told, own, answer) if own else None


def _is_plain(told: StatedNumber, exact: list[HeldNumber]) -> bool:
    """Say whether the very number stands in a result in the very unit, or beside the very currency: most do."""
    for name, _, holder in exact:
        unit = unit_of_key(name)
        if not told.currencies:
            if unit == told.unit:
                return True
        elif not unit and holder is not None and type(currency := holder.get("currency")) is str:
            return currency in told.currencies and not units_in(holder)
    return False


def _claim(told: StatedNumber, own: list[Fact], answer: Answer) -> Claim | None:
    return _of_currency(told, own, answer) if told.currencies else _of_unit(told, own, answer)


def _stands_before(told: StatedNumber, answer: Answer) -> bool:
    """Say whether the very words stand in what was said before."""
    return find_literal(answer.evidence, answer.folded[told.start : told.end]) >= 0


def _of_currency(told: StatedNumber, own: list[Fact], answer: Answer) -> Claim | None:
    may_be_unit = bool(told.unit) and _are_in(told.unit, own)  # as pounds are
    if may_be_unit or any(fact.currency in told.currencies for fact in own):
        return None
    words = _words_of(told, answer)
    held = next((fact for fact in own if fact.currency), None)
    if held is not None:
        return Claim(f"{words!r} where {held.key} is in {held.currency}", is_certain=True)
    if all(fact.unit for fact in own):
        return Claim(f"{words!r} where {own[0].value:g} is {own[0].key}", "warning")
    return _of_unspoken_currency(told, answer)


def _of_unspoken_currency(told: StatedNumber, answer: Answer) -> Claim | None:
    """Complain of a currency of which nothing speaks, where something speaks of another one."""
    if answer.speaks_of(told.currencies):
        return None
    spoken = answer.currencies
    if spoken and spoken.isdisjoint(told.currencies):
        return Claim(f"{_words_of(told, answer)!r} where all else is in {', '.join(sorted(spoken)[:2])}")
    return None


def _words_of(told: StatedNumber, answer: Answer) -> str:
    return answer.folded[told.start : told.end].strip()


def _are_in(unit: str, facts: list[Fact]) -> bool:
    """Say whether any of some numbers is in a unit."""
    return any(is_same_unit(fact.unit, unit) for fact in facts)


def _of_unit(told: StatedNumber, own: list[Fact], answer: Answer) -> Claim | None:
    if _are_in(told.unit, own) or any(is_converted(told.value, told.near, told.unit, fact) for fact in answer.facts):
        return None
    words = _words_of(told, answer)
    near = _measuring_as(told.unit, own)
    if near is not None:
        is_known = all(fact.unit for fact in own)
        return Claim(f"{words!r} where {near.key} is {near.value:g}", "error" if is_known else "warning")
    if all(map(_is_measured, own)) and _are_in(told.unit, answer.facts):
        return Claim(f"{words!r} where {own[0].key} is {own[0].value:g}", "warning")
    return None


def _is_measured(fact: Fact) -> bool:
    return bool(fact.unit) or is_money(fact)


def _measuring_as(unit: str, facts: list[Fact]) -> Fact | None:
    """Return the first number in a unit that measures the same as another one: miles for kilometres."""
    family = family_of(unit)
    return next((fact for fact in facts if family and family_of(fact.unit) == family), None)
