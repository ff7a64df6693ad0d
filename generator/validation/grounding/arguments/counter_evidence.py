"""Counter-evidence: what speaks against a text that nothing explains: nearly it was said, or another of its sort.

What stands in a request and no call takes up is unused. A name, a code or a path that looks like an unused one was
meant to be that one; where a name is unused, another name stands for it. Texts that are composed (queries, commands,
sentences) are no copies of anything, so that nothing is held against them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from generator.validation.grounding.arguments.leaves import Leaf, given_by_name, leaves_of, name_of, other_values
from generator.validation.grounding.arguments.sources import Said, Source
from generator.validation.grounding.caching import cached_on_record
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.languages import entries, languages
from generator.validation.grounding.reading.names import MAKING, NOT_NAMES, verb_of
from generator.validation.grounding.reading.words import (
    LONGEST_TEXT,
    STOPWORDS,
    fold,
    is_a_letter,
    stem,
    tokens_of_value,
)
from generator.validation.tool_view import ToolView
from generator.validation.view import RecordView

_WORD = re.compile(r"[^\W_]+")
_SYNTAX = re.compile(r"[\n{}()<>=|\\$;*\[\]]|--| -\w|\w:\S")
_MOST_WORDS = 6
_NAMES = re.compile(r"(?<![.!?:\"'“] )(?<!^)(?<=[ (])[A-Z][^\W\d_]+")
_TITLED = re.compile(r"(?<![^\W_])[A-ZÀ-Þ][^\W\d_A-Z]{2,40}(?![^\W_])")
_CODE = re.compile(r"(?<![\w.@/-])(?=[^\s\d]{0,20}\d)[A-Za-z\d]{1,40}(?:[-_/#][A-Za-z\d]{1,40}){0,6}(?![\w@])")
_PATH = re.compile(r"[^\s/\\]{0,200}[/\\]\S{1,400}|[\w-]{1,100}\.[A-Za-z][A-Za-z\d]{1,4}")
_INFLECTIONS = frozenset("snyead")
_SHORTEST_NAME = 4
_APART = re.compile(r"[\s\"'`“”„«»(),;]+")
_FEWEST_DIGITS = 3
_MOST_CHANGED = 2
_MOST_CODES = 400


def _is_composed(value: str) -> bool:
    """Say whether a text is written for the call: a sentence, a query, a command, code."""
    return len(value) > _LONGEST_NAME or len(value.split()) > _MOST_WORDS or _SYNTAX.search(value) is not None


_LONGEST_NAME = 120


def has_counter_evidence(
    value: str, leaf: Leaf, tool: ToolView | None, said: Said, record: RecordView, *, english: bool
) -> bool:
    """Say whether a request says something else in place of a text that is no date, no number and no address."""
    requests = [source for source in said.sources if source.role == "user"]
    if _resembles_code(value, said) or _resembles_path(value, leaf, tool, said, record):
        return True
    if _is_composed(value):
        return False
    given = _given_elsewhere(record, leaf)
    if _is_replaced(value, requests, said, given, fewest=1 if english else 2):
        return True
    if not english:
        return False
    if _is_misspelt(value, requests, said, given):
        return True
    return not _is_sort(leaf) and _is_for_another(value, requests, said, record)


def _is_sort(leaf: Leaf) -> bool:
    """Say whether a parameter takes the sort of a thing, which who makes calls finds: "sheep" of somebody's ewes."""
    return not _classifying().isdisjoint(tokens_of_value(name_of(leaf)))


@cache
def _classifying() -> frozenset[str]:
    """Return the words of parameters that take the sort of a thing."""
    return frozenset(word for code in languages() for word in entries(code, "parameters", "classifying"))


def _given_elsewhere(record: RecordView, leaf: Leaf) -> frozenset[str]:
    """Return the folded words of everything that calls give under other names than that of a leaf."""
    own = name_of(leaf)
    values = (each for name, values in given_by_name(record).items() if name != own for each in values)
    return frozenset(word for each in values for word in _WORD.findall(fold(str(each))))


@cached_on_record
def _given_words(record: RecordView) -> frozenset[str]:
    """Return the folded words of everything that the calls of a record give."""
    return frozenset(_WORD.findall(_given_text(record)))


@cached_on_record
def _given_text(record: RecordView) -> str:
    return fold("\n".join(str(leaf.value) for call in record.calls for leaf in leaves_of(call)))


def is_name(value: str) -> bool:
    """Say whether each word of a text that means something has a capital and goes on in small letters."""
    words = [word for word in _WORD.findall(value) if fold(word) not in STOPWORDS and not word[0].isdigit()]
    return bool(words) and all(word[0].isupper() and not word.isupper() for word in words)


def _resembles_code(value: str, said: Said) -> bool:
    """Say whether a code is nearly one that was said or told."""
    if sum(map(str.isdigit, value)) < _FEWEST_DIGITS or _CODE.fullmatch(value) is None:
        return False
    mine = value.casefold()
    return any(_are_near_codes(mine, other) for source in said.sources for other in _codes(source.start))


@lru_cache(maxsize=64)
def _codes(folded: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(match[0] for match in _CODE.finditer(folded)))[:_MOST_CODES]


def _are_near_codes(one: str, other: str) -> bool:
    """Say whether two codes have letters, digits and signs at the same places, and differ at one or two of them."""
    if len(one) != len(other) or one == other:
        return False
    changed = [(mine, theirs) for mine, theirs in zip(one, other, strict=True) if mine != theirs]
    return len(changed) <= _MOST_CHANGED and all(mine.isdigit() and theirs.isdigit() for mine, theirs in changed)


def _resembles_path(value: str, leaf: Leaf, tool: ToolView | None, said: Said, record: RecordView) -> bool:
    """Say whether a path or a file's name shares most of its words with one that is said or told and not taken up.

    One that is taken up under the same name, or that a result tells, has all of its words and not one more.
    """
    if _PATH.fullmatch(value) is None:
        return False
    mine = set(tokens_of_value(value))
    given = _given_places(record)
    beside = {fold(each) for each in other_values(record, leaf) if isinstance(each, str)}
    makes = tool is not None and verb_of(str(tool.function.get("name")))[1] == MAKING and _writes(record)
    for source in said.sources:
        for path in set(_paths(source.raw[:LONGEST_TEXT])):
            theirs = set(tokens_of_value(path))
            if source.role == "user" and path not in given:
                if 2 * len(mine & theirs) >= max(len(mine), len(theirs)):
                    return True
                continue
            is_open = not makes and len(theirs) > 1 and (path in beside or path not in given)
            if is_open and theirs < mine and len(mine) == len(theirs) + 1:
                return True
    return False


@cached_on_record
def _writes(record: RecordView) -> bool:
    """Say whether any text that calls give is composed, as the contents of new files are."""
    given = (each for values in given_by_name(record).values() for each in values)
    return any(isinstance(each, str) and _is_composed(each) for each in given)


def _paths(raw: str) -> Iterator[str]:
    """Yield the folded paths and names of files that a text gives, as they stand between spaces and quotes."""
    for word in _APART.split(raw) if "." in raw or "/" in raw or "\\" in raw else ():
        if _PATH.fullmatch(path := word.strip(".:!?")):
            yield fold(path)


@cached_on_record
def _given_places(record: RecordView) -> frozenset[str]:
    return frozenset(_APART.split(_given_text(record)))


def _is_misspelt(value: str, requests: list[Source], said: Said, given: frozenset[str]) -> bool:
    """Say whether a word is one letter off a name that a request has and no call takes up."""
    own = [word for word in _WORD.findall(fold(value)) if word.isalpha() and word not in said.tokens]
    if not own:
        return False
    names = {fold(match[0]) for source in requests for match in _TITLED.finditer(source.raw[:LONGEST_TEXT])}
    left = [name for name in names if len(name) >= _SHORTEST_NAME and name not in given and name not in STOPWORDS]
    return any(is_a_letter(word, name) and not _is_inflected(word, name) for word in own for name in left)


def _is_inflected(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer.startswith(shorter) and longer[len(shorter) :] in _INFLECTIONS


def _is_replaced(value: str, requests: list[Source], said: Said, given: frozenset[str], *, fewest: int) -> bool:
    """Say whether a request has the words of a text, but for a name that no call takes up in the place of one."""
    words = _WORD.findall(value)
    own = [fold(word) for word in words]
    if not 1 < len(own) <= _MOST_WORDS:
        return False
    for source in requests:
        raw = [(match[0], match.start()) for match in _WORD.finditer(source.raw[:LONGEST_TEXT])]
        for mine, at in _replaced_words(own, [fold(word) for word, _ in raw], fewest):
            theirs, start = raw[at]
            is_other = mine not in said.tokens and stem(mine) != stem(fold(theirs))
            if is_other and _is_left_name(theirs, given) and not _begins(source.raw, start):
                return True
    return False


def _replaced_words(own: list[str], words: list[str], fewest: int) -> Iterator[tuple[str, int]]:
    """Yield the one word that differs in a row of words that are else the own ones, with where the other stands."""
    for start in range(len(words) - len(own) + 1):
        odd = [at for at, mine in enumerate(own) if words[start + at] != mine]
        if len(odd) == 1 and sum(mine not in STOPWORDS for mine in own) > fewest:
            yield own[odd[0]], start + odd[0]


def _begins(raw: str, start: int) -> bool:
    """Say whether a word begins a sentence, and so has a capital in any case."""
    before = raw[max(0, start - 3) : start].rstrip(" \"'“(")
    return not before or before[-1] in ".!?:\n"


def _is_left_name(word: str, given: frozenset[str]) -> bool:
    folded = fold(word)
    return (
        bool(_TITLED.fullmatch(word)) and folded not in given and folded not in STOPWORDS | NOT_NAMES | CALENDAR_WORDS
    )


def _is_for_another(value: str, requests: list[Source], said: Said, record: RecordView) -> bool:
    """Say whether a text is a name of which nothing is said, where the latest request leaves another name."""
    if not is_name(value) or any(token in said.tokens for token in _WORD.findall(fold(value))):
        return False
    given = _given_words(record)
    return any(_is_left_name(name, given) for name in _unused_names(requests, record))


def _unused_names(requests: Iterable[Source], record: RecordView) -> Iterator[str]:
    """Yield the words with a capital within a sentence of the latest request that no call of the record takes up."""
    latest = next(iter(requests), None)
    if latest is None:
        return
    given = _given_text(record)
    for match in _NAMES.finditer(latest.raw):
        if fold(match[0]) not in given and fold(match[0]) not in STOPWORDS:
            yield match[0]
