r"""Referring: words that stand for a value, such as "it", "there", "my e-mail address" or "next Friday".

A request is written with a mark in the value's place, so that frames and descriptions weave it like any value; then
the mark, with the noun and the article before it, gives way to the phrase: "the order \x021\x03" becomes "it".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from generator.authors.offline.fields import Field
from generator.authors.offline.saying import Unsayable
from generator.authors.offline.words import spoken, upper_first, word_set

_LETTERS = re.compile("[a-z]+")
_IS_IT = re.compile(r"(?<![Ww]here )(?<![Hh]ow )\b(?:is|are) $")
"""What tells a value ("the ID is"), unlike a question that begins with it ("Is it", "Where is it")."""
_HEADLESS = ("ed", ".", ":", ";")
"""How a word ends after which no phrase of the kind follows: an adjective, or a sentence of its own."""
_MARK = re.compile("\x02([0-9]+)\x03")
_DETERMINERS = word_set("the a an my our your this that its")
_NAMING = word_set("called named titled with by number numbered id identifier # no. code name under of labeled")
_ADJECTIVES = word_set(
    "pending new active current latest next last first single whole recent open main other all every"
)
_PREPOSITIONS = word_set("in at to from for of on with by about under near into around")


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words for a value, and what gives way to them."""

    text: str
    takes_noun: bool = True
    """Whether the noun before the value gives way too ("the order 5" -> "it"), as it must not before "2k"."""
    takes: frozenset[str] = frozenset()
    """Prepositions right before that give way as well ("in Paris" -> "there", "on <date>" -> "tomorrow")."""


def marks_of(phrases: Mapping[str, Phrase]) -> dict[str, str]:
    """Return what stands for each value while the request is written."""
    return {name: f"\x02{number}\x03" for number, name in enumerate(phrases)}


def put_phrases(text: str, phrases: Mapping[str, Phrase], fields: Mapping[str, Field]) -> str:
    """Put the phrases where their marks stand, and let what they replace give way.

    Raises:
        Unsayable: a phrase does not stand well among the words around it.
    """
    names = list(phrases)
    while match := _MARK.search(text):
        name = names[int(match[1])]
        start, end = _unquoted(text, match.start(), match.end())
        before = _left_of(text[:start].split(" "), phrases[name], fields.get(name))
        if not _stands_well(before, phrases[name].text, text[end:]):
            raise Unsayable(f"{phrases[name].text!r} does not stand well after {before[-20:]!r}")
        text = f"{before}{phrases[name].text}{text[end:]}"
    return upper_first(" ".join(text.split()))


def _stands_well(before: str, phrase: str, after: str) -> bool:
    """Say whether a phrase with its own determiner may stand here: after no other one, no adjective, no "is"."""
    if before and not before[-1].isspace():
        return phrase[0].isdigit() and not before[-1].isalnum()
    left = before.lower().split()[-1:]
    if left and (left[0] in _DETERMINERS | _ADJECTIVES or left[0].endswith(_HEADLESS) or _IS_IT.search(before)):
        return False
    right = _LETTERS.findall(after.lower()[:30])[:1]
    return right != phrase.lower().split()[-1:] and not after[:1].isalnum() and not after.startswith(("'", "-", "/"))


def _unquoted(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen the place of a mark by the quotation marks around it."""
    quoted = text[start - 1 : start] in ('"', "'") and text[end : end + 1] == text[start - 1 : start]
    return (start - 1, end + 1) if quoted else (start, end)


def _left_of(words: list[str], phrase: Phrase, field: Field | None) -> str:
    """Return what stays of the words before the value, with the space that follows them."""
    glued = words.pop() if words and words[-1] else ""
    glue = "" if glued in ("#", "(") else glued
    while words and not words[-1]:
        words.pop()
    if phrase.takes_noun and not glue and field is not None:
        words = _without_noun(words, field)
    if words and words[-1].lower() in phrase.takes:
        words = words[:-1]
        if words and words[-1].lower() in _DETERMINERS:
            words = words[:-1]
    return " ".join([*words, ""]) + glue


def _without_noun(words: list[str], field: Field) -> list[str]:
    """Drop "the order with the ID" before its value."""
    nouns = {*field.noun.lower().split(), *spoken(field.subject).lower().split(), *field.heads}
    kept, named = list(words), False
    while kept and (kept[-1].lower() in nouns or (not named and kept[-1].lower() in _NAMING - _PREPOSITIONS)):
        kept.pop()
        named = True
    if named and len(kept) > 1 and kept[-1].lower() in ("with", "by", "the") and kept[-2].lower() in nouns:
        return _without_noun(kept[:-1], field)
    if named and kept and kept[-1].lower() in _DETERMINERS:
        kept.pop()
    return kept
