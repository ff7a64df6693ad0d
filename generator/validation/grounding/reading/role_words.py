"""Role words: the closed words by which a language says which of two values is the first and which the second.

"From" and "to", "until", "at least": what stands before a value, after it, or between two. Each language has a table
`roles` in `assets/language`; a text is read by that of the language whose closed words it has most of. The names of
parameters say sides and forms in `assets/role_names.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

from generator.assets import asset_file
from generator.validation.grounding.reading.languages import SPACED, table
from generator.validation.grounding.reading.words import fold, tokens_of_value

Side = Literal["first", "second"]
Words = tuple[str, ...]
"""The words of a mark, as `words_in` divides a folded text."""

SUBJECTS = ("way", "time", "amount", "change", "gift", "measure")
"""What pairs of roles are about."""

WORD = re.compile(r"[^\W\d_]+|\d+|->|=>|[^\w\s]|_")
"""A word or a sign of a folded text."""
_HAN = re.compile("[\u3400-\u9fff]")
_LONGEST_LOOK = 2000
"""Characters of a text by which its language is told."""


@dataclass(frozen=True, slots=True)
class RoleWords:
    """The marks of one language for one subject."""

    spaced: bool
    """Whether the language parts its words; a mark of one that does not touches its value."""
    before: dict[Words, Side]
    after: dict[str, Side]
    """What follows a value, in languages that do not part their words."""
    joints: frozenset[Words]
    """What stands between the first and the second."""
    between: frozenset[Words]
    both: frozenset[Words]
    """What stands between two after a word of `between`."""
    articles: frozenset[str]
    contracted: frozenset[str]
    """Marks that have an article in them: "vom", "al"."""
    negations: frozenset[str]
    """What turns a mark of an amount or a time round: "nothing under", "nicht vor"."""
    links: frozenset[str]
    stops: frozenset[str]
    reversals: tuple[str, ...]
    both_ways: tuple[str, ...]
    pairwise: tuple[str, ...]


def words_in(text: str) -> list[str]:
    """Return the words and signs of a folded text."""
    return WORD.findall(text)


@cache
def role_words_of(language: str, subject: str) -> RoleWords:
    """Return the marks of a language for a subject."""
    words = table(language, "roles")
    own: dict[str, Any] = words.get(subject, {})
    both: tuple[Side, Side] = ("first", "second")
    return RoleWords(
        spaced=language != "zh",
        before=_headings(subject)
        | {phrase: side for side in both for phrase in _phrases(words[side])}
        | {phrase: side for side in both for phrase in _phrases(own.get(side, ()))},
        after={fold(each): side for side in both for each in own.get(f"{side}_after", ())},
        joints=frozenset(_phrases([*words["joints"], *own.get("joints", ())])),
        between=frozenset(_phrases(words["between"])),
        both=frozenset(_phrases(words["and"])),
        articles=frozenset(map(fold, words["articles"])),
        contracted=frozenset(map(fold, words["contracted"])),
        negations=frozenset(map(fold, words["negations"])) if subject in ("amount", "time") else frozenset(),
        links=frozenset(map(fold, words["links"])),
        stops=frozenset(map(fold, words["stops"])),
        reversals=tuple(map(fold, words["reversals"])),
        both_ways=tuple(map(fold, words["both_ways"])),
        pairwise=tuple(map(fold, words["pairwise"])),
    )


def _headings(subject: str) -> dict[Words, Side]:
    """Return the names of the sides themselves, as they head their values: "destination Oslo", "sender: Ann"."""
    return {} if subject in ("change", "measure") else {(name,): side for name, side in role_names()[subject].items()}


def _phrases(texts: Iterable[str]) -> Iterable[Words]:
    return [tuple(words_in(fold(text))) for text in texts]


@cache
def _known_by(language: str) -> frozenset[str]:
    """Return the closed words by which a text of the language is known."""
    known = table(language, "roles")
    texts = [text for key in ("articles", "links", "stops", "first", "second", "and") for text in known[key]]
    return frozenset(word for text in texts for word in words_in(fold(text)) if word[0].isalpha())


@lru_cache(maxsize=256)
def language_by_roles(folded: str) -> str:
    """Return the language of a folded text, of those that have a table; English where nothing tells."""
    start = folded[:_LONGEST_LOOK]
    if _HAN.search(start):
        return "zh"
    words = frozenset(words_in(start))
    counts = {each: len(words & _known_by(each)) for each in SPACED}
    return max(counts, key=lambda each: counts[each])


def has_any(text: str, phrases: tuple[str, ...], *, spaced: bool) -> bool:
    """Say whether a folded text has any of the phrases, as words of their own where the language parts them."""
    if not spaced:
        return any(each in text for each in phrases)
    padded = f" {' '.join(words_in(text))} "
    return any(each in padded for each in _padded(phrases))


@lru_cache(maxsize=64)
def _padded(phrases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f" {' '.join(words_in(each))} " for each in phrases)


@cache
def role_names() -> dict[str, dict[str, Side]]:
    """Return for each subject the words of names that make a parameter the first or the second of two."""
    both: tuple[Side, Side] = ("first", "second")
    parts = {subject: part for subject, part in _names().items() if "first" in part}
    return {subject: {name: side for side in both for name in part[side]} for subject, part in parts.items()}


@cache
def _sorts() -> dict[str, str]:
    """Return for words of names the form that a value of such a name has."""
    return {name: sort for sort, names in _names()["sorts"].items() for name in names}


@lru_cache(maxsize=4096)
def sort_of(name: str) -> str:
    """Return the form that a parameter's name wants, as "mail" or "phone"; "" for any."""
    words = tokens_of_value(name)
    known = _sorts()
    return known.get(words[-1], known.get("".join(words[-2:]), "")) if words else ""


@cache
def _names() -> dict[str, Any]:
    return tomllib.loads(asset_file("role_names.toml").read_text("utf-8"))
