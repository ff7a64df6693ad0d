"""Comparisons: whether what an answer calls the cheapest, or cheaper than another, is so by the results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.answers.outcomes import Claim
from generator.validation.grounding.reading.clauses import Clause, denies, is_left_open, sentences_of
from generator.validation.grounding.reading.languages import at_beginning, english, pairs, table
from generator.validation.grounding.reading.words import find_literal, fold, stem, tokens_of, tokens_of_value


class _Comparison(NamedTuple):
    """A word that compares: of which field it speaks, and whether of more or less of it."""

    field: str
    is_more: bool


def wrong_comparisons(answer: Answer) -> Iterator[Claim]:
    """Yield the comparisons of an answer that are not those of the results."""
    if not _may_compare(answer):
        return
    groups = answer.things
    for sentence in sentences_of(answer.folded) if groups else ():
        if sentence.asks or not _compares(sentence, answer.language) or is_left_open(sentence, answer.language):
            continue
        has_than = table(answer.language, "comparisons").get("than", "") in sentence.text
        for group in groups:
            yield from _extremes(sentence, group, answer.language)
            if has_than:
                yield from _against_each_other(sentence, group, answer.language)
                yield from _more_or_less(sentence, group, answer.language)


def _may_compare(answer: Answer) -> bool:
    than = table(answer.language, "comparisons").get("than", "")
    if than and than in answer.folded:
        return True
    first = _first_words(answer.language)
    return (not first or not first.isdisjoint(answer.words)) and (
        _superlatives(answer.language).search(answer.folded) is not None
    )


def _compares(sentence: Clause, language: str) -> bool:
    """Say whether a sentence may have any of the words that compare."""
    than = table(language, "comparisons").get("than", "")
    return than in sentence.text or _superlatives(language).search(sentence.text) is not None


@cache
def _first_words(language: str) -> frozenset[str]:
    """Return the words that superlatives begin with; none where that tells nothing."""
    known = _known(language, "superlatives")
    starts = [re.split(r"[\s-]", phrase)[0] for phrase in known]
    return frozenset(starts) if language == "en" else frozenset()


@cache
def _superlatives(language: str) -> re.Pattern[str]:
    return _pattern(tuple(_known(language, "superlatives")), language)


@cache
def _comparatives(language: str) -> re.Pattern[str]:
    return _pattern(tuple(_known(language, "comparatives")), language)


def _pattern(words: tuple[str, ...], language: str) -> re.Pattern[str]:
    longest_first = sorted(words, key=len, reverse=True)
    forms = [(word, re.escape(word).replace(r"\*", r"\w{0,4}")) for word in longest_first]
    if language != "zh":
        forms = [(word, at_beginning(form, word)) for word, form in forms]
    return re.compile("|".join([form for _, form in forms]) or r"(?!)")


@cache
def _known(language: str, name: str) -> dict[str, _Comparison]:
    found = {}
    for words, sign in pairs(language, "comparisons", name).items():
        phrase, _, field = words.rpartition(" ")
        found[phrase] = _Comparison(field, sign == ">")
    return found


def _meaning(written: str, language: str, name: str) -> _Comparison:
    known = _known(language, name)
    if written in known:
        return known[written]
    return next(meaning for phrase, meaning in known.items() if written.startswith(phrase.rstrip("*")))


_FILLING = frozenset("is one option of at was are choice the from in by , : comes would overall".split())


def _extremes(sentence: Clause, group: list[JsonObject], language: str) -> Iterator[Claim]:
    """Yield the things that are called the most of something and are not."""
    for match in _superlatives(language).finditer(sentence.text):
        meaning = _meaning(match[0], language, "superlatives")
        if next(_fields(group, meaning.field), None) is None:
            continue
        named = [each for each in group if _names(sentence.text, each, group)]
        if len(named) != 1 or denies(sentence.text, language):
            continue
        after = tokens_of(sentence.text[match.end() :])[:1]
        plain = not after or after[0] in _FILLING or stem(after[0]) in _kinds(group)
        ranks = list(_ranks(named[0], group, meaning))
        if ranks and not any(ranks):
            yield Claim(f"{match[0]!r}, which it is not", "error" if plain else "warning")


def _kinds(group: list[JsonObject]) -> frozenset[str]:
    return frozenset(stem(token) for key in group[0] for token in tokens_of_value(key))


def _ranks(thing: JsonObject, group: list[JsonObject], meaning: _Comparison) -> Iterator[bool]:
    """Yield for each field that may be meant whether nothing in the group has more, or less, of it."""
    for key, values in _fields(group, meaning.field):
        own = thing[key]
        yield own == (max(values) if meaning.is_more else min(values))


def _fields(group: list[JsonObject], field: str) -> Iterator[tuple[str, list[JsonValue]]]:
    words = english("comparisons_fields", field)
    for key in group[0]:
        if not words.isdisjoint(_words_of_key(key)) and all(key in each for each in group):
            values = [each[key] for each in group]
            if all(type(value) in (int, float) for value in values) or (
                field == "time" and all(isinstance(value, str) and _MOMENT.match(value) for value in values)
            ):
                yield key, values


@lru_cache(maxsize=4096)
def _words_of_key(key: str) -> frozenset[str]:
    return frozenset(tokens_of_value(key))


_MOMENT = re.compile(r"\d{4}-\d\d-\d\d|[012]\d:\d\d")


def _names(text: str, thing: JsonObject, group: list[JsonObject]) -> bool:
    """Say whether a text has a value of this thing that no other of its group has."""
    return any(_has(text, value) and sum(value in each.values() for each in group) == 1 for value in thing.values())


def _has(text: str, value: JsonValue) -> bool:
    return isinstance(value, str) and len(value) > _SHORT and find_literal(text, fold(value)) >= 0


_SHORT = 2
"""Characters of a text that names nothing."""


def _against_each_other(sentence: Clause, group: list[JsonObject], language: str) -> Iterator[Claim]:
    """Yield the pairs of which one is called more of something than the other, and is not."""
    than = table(language, "comparisons").get("than", "")
    for match in _comparatives(language).finditer(sentence.text):
        after = sentence.text[match.end() :]
        at = find_literal(after, than) if than else -1
        if not 0 <= at <= _FAR or denies(sentence.text, language):
            continue
        less = [each for each in group if _names(after[at:], each, group)]
        more = [each for each in group if _names(sentence.text[: match.start()], each, group)]
        if len(less) == len(more) == 1 and less[0] is not more[0]:
            meaning = _meaning(match[0], language, "comparatives")
            signs = [(more[0][key] > less[0][key]) == meaning.is_more and more[0][key] != less[0][key]
                     for key, _ in _fields(group, meaning.field)]  # fmt: skip
            if signs and not any(signs):
                yield Claim(f"{match[0]!r} where it is the other way round")


def _more_or_less(sentence: Clause, group: list[JsonObject], language: str) -> Iterator[Claim]:
    """Yield the pairs of which one is told to be more than the other, whatever of, and is less of everything."""
    than = table(language, "comparisons").get("than", "")
    for match in _generic(language).finditer(sentence.text):
        at = find_literal(sentence.text[match.end() :], than)
        if not 0 <= at <= _FARTHER or denies(sentence.text, language):
            continue
        place = match.end() + at
        less = [each for each in group if _names(sentence.text[place:], each, group)]
        more = [each for each in group if _names(sentence.text[:place], each, group)]
        if len(less) == len(more) == 1 and less[0] is not more[0]:
            is_more = pairs(language, "comparisons", "generic")[match[0]] == ">"
            signs = [(more[0][key] > less[0][key]) == is_more for key in _numeric(more[0], less[0])]
            if signs and not any(signs):
                yield Claim(f"{match[0]!r} where it is the other way round", "error" if len(signs) == 1 else "warning")


@cache
def _generic(language: str) -> re.Pattern[str]:
    return _pattern(tuple(pairs(language, "comparisons", "generic")), language)


def _numeric(one: JsonObject, other: JsonObject) -> list[str]:
    """Return the fields in which two things have different numbers."""
    return [
        key
        for key, value in one.items()
        if type(value) in (int, float) and type(other.get(key)) in (int, float) and value != other[key]
    ]


_FARTHER = 60
_FAR = 24
"""Characters between a comparing word and its "than"."""
