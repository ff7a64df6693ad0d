"""Misspelt names: words of an answer that are a name of the results but for one letter.

Wherever it stands, a word that nobody has said and that differs by one letter from a name that the results have, and
that the answer has nowhere, is that name misspelt. Endings that languages put to names make no other name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.languages import entries, little_words
from generator.validation.grounding.reading.names import NOT_NAMES
from generator.validation.grounding.reading.words import fold, is_a_letter, stem
from generator.validation.view import ResultView

_NAME = re.compile(r"(?<![\w@./'’-])[^\W\d_a-z][^\W\d_A-Z]{3,30}(?![\w@/])")
_SHORTEST = 4
_MOST = 40_000
_LONGEST = 8000


def misspelt_names(answer: Answer, strange: list[str]) -> Iterator[tuple[str, str]]:
    """Yield words of an answer with the names that they misspell."""
    told = frozenset(_NAME.findall(answer.text))
    names = [name for name in dict.fromkeys(_NAME.findall(_brought(answer)[:_MOST])) if name not in told]
    for word in strange:
        name = next((each for each in names if _is_misspelt(fold(word), fold(each))), None)
        if name is not None and word in told and fold(word) not in answer.evidence:
            yield word, name


def strange_words(answer: Answer) -> list[str]:
    """Return the words with a capital that no result has and that are no common words."""
    if not answer.results or len(answer.text) > _LONGEST:
        return []
    brought, common = _brought(answer), _common()
    words = dict.fromkeys(_CAPITAL.findall(answer.text))
    return [word for word in words if word not in brought and fold(word) not in common]


_CAPITAL = re.compile(r"[A-Z\u00c0-\u00de][^\W\d_A-Z]{3,30}")


def _brought(answer: Answer) -> str:
    return "\n".join([str(result.message.content) for result in answer.results])


@cache
def _common() -> frozenset[str]:
    """Return words that name nothing: little ones of every language, those of the calendar, and idle ones."""
    idle = (token for entry in entries("en", "statements", "idle") for token in entry.split())
    return frozenset((*little_words(), *NOT_NAMES, *CALENDAR_WORDS, *idle))


def _is_misspelt(word: str, name: str) -> bool:
    """Say whether a word is a name but for a letter, which is no ending."""
    if abs(len(word) - len(name)) > 1 or word == name or (word[0] != name[0] and word[1:] != name[1:]):
        return False
    if len(name) < _SHORTEST or (word.startswith(name) or name.startswith(word)):
        return False
    if len(word) == len(name) and word[:-1] == name[:-1]:
        return False  # "Montag" beside "Montage": a last letter may be an ending
    return is_a_letter(word, name)


_SUBJECT = re.compile(
    r"(?:^|\n|[.!?]\s)([^\W\d_a-z][^\W\d_A-Z]{3,30}(?: [^\W\d_a-z][^\W\d_A-Z]{2,30})?) (?:is|was|has) "
)


def strange_subjects(answer: Answer, strange: list[str]) -> Iterator[str]:
    """Yield the names that nobody has said, of which a sentence tells something, where what it is of is not named."""
    if answer.language != "en":
        return
    for match in _SUBJECT.finditer(answer.text):
        name = fold(match[1])
        if match[1].split()[0] not in strange or any(each in _known(answer) for each in (name, stem(name))):
            continue
        if all(_is_unnamed(result, answer) for result in answer.results):
            yield match[1]


def _known(answer: Answer) -> str:
    return f"{answer.evidence}\n{answer.tools_text}"


def _is_unnamed(result: ResultView, answer: Answer) -> bool:
    """Say whether a result repeats a name of its call, and the answer tells none of them."""
    given = result.call.arguments if result.call is not None else None
    brought = result.value if isinstance(result.value, dict) else {}
    names = [value for key, value in (given or {}).items() if isinstance(value, str) and value[:1].isupper()
             and brought.get(key) == value]  # fmt: skip
    return bool(names) and not any(fold(name) in answer.folded for name in names)
