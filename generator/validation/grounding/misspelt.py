"""Misspelt names: words of an answer that are a name of the results but for one letter.

Wherever it stands, a word that nobody has said and that differs by one letter from a name that the results have, and
that the answer has nowhere, is that name misspelt. Endings that languages put to names make no other name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.days import CALENDAR_WORDS
from generator.validation.grounding.language import entries
from generator.validation.grounding.not_names import NOT_NAMES
from generator.validation.grounding.slips import is_a_letter, is_little
from generator.validation.grounding.words import fold, stem
from generator.validation.view import ResultView

_NAME = re.compile(r"(?<![\w@./'’-])[^\W\d_a-z][^\W\d_A-Z]{3,30}(?![\w@/])")
_SHORTEST = 4
_MOST = 400
_LONGEST = 8000


def misspelt_names(answer: Answer) -> Iterator[tuple[str, str]]:
    """Yield words of an answer with the names that they misspell."""
    if not answer.results or len(answer.text) > _LONGEST:
        return
    contents = [result.message.content for result in answer.results if isinstance(result.message.content, str)]
    strange = [word for word in dict.fromkeys(_NAME.findall(answer.text)) if not any(word in each for each in contents)]
    strange = [word for word in strange if word not in answer.evidence_as_said and not _is_common(fold(word))]
    if not strange:
        return
    told = frozenset(_NAME.findall(answer.text))
    names = [name for each in contents for name in dict.fromkeys(_NAME.findall(each[: _LONGEST * 4]))][:_MOST]
    for word in strange:
        for name in names:
            if name not in told and _is_misspelt(fold(word), fold(name)) and fold(word) not in answer.evidence:
                yield word, name
                break


def _is_common(word: str) -> bool:
    return is_little(word) or word in NOT_NAMES or word in CALENDAR_WORDS or word in _idle()


@cache
def _idle() -> frozenset[str]:
    return frozenset(token for entry in entries("en", "statements", "idle") for token in entry.split())


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


def strange_subjects(answer: Answer) -> Iterator[str]:
    """Yield the names that nobody has said, of which a sentence tells something, where what it is of is not named."""
    if not answer.results or answer.language != "en" or len(answer.text) > _LONGEST:
        return
    for match in _SUBJECT.finditer(answer.text):
        name = fold(match[1])
        if name in answer.evidence or name in answer.tools_text or _is_common(name) or _is_common(name.split()[0]):
            continue
        if stem(name) in answer.evidence or stem(name) in answer.tools_text:
            continue
        if all(_is_unnamed(result, answer) for result in answer.results):
            yield match[1]


def _is_unnamed(result: ResultView, answer: Answer) -> bool:
    """Say whether a result repeats a name of its call, and the answer tells none of them."""
    given = result.call.arguments if result.call is not None else None
    brought = result.value if isinstance(result.value, dict) else {}
    names = [value for key, value in (given or {}).items() if isinstance(value, str) and value[:1].isupper()
             and brought.get(key) == value]  # fmt: skip
    return bool(names) and not any(fold(name) in answer.folded for name in names)
