"""Tongues: whether an answer is in the language that it was asked in.

What is quoted is in whatever language it was written; who asks for another language, or for a translation, gets it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.validation.grounding.reading.languages import UNKNOWN, entries, language_of
from generator.validation.grounding.reading.words import LONGEST_TEXT, fold
from generator.validation.grounding.talks import texts_of_users
from generator.validation.rule import Finding
from generator.validation.view import RecordView

_QUOTED = re.compile(r"[\"“„«「][^\"”“»」]{1,2000}[\"”“»」]")
_FEWEST = 6
"""Words by which a language can be told."""


def foreign_tongues(record: RecordView) -> Iterator[Finding]:
    """Yield the answers in another language than all that the user says."""
    spoken: set[str] | None = None
    for message in record.messages:
        text = message.content
        if message.role != "assistant" or message.calls or not isinstance(text, str) or len(text) > LONGEST_TEXT:
            continue
        told = _language(text)
        if told == UNKNOWN:
            continue
        spoken = {_language(each) for each in texts_of_users(record)} - {UNKNOWN} if spoken is None else spoken
        if len(spoken) != 1 or told in spoken:
            continue
        if not _speaks_of_languages(record):
            other = next(iter(spoken))
            yield Finding(f"{message.pointer}/content", f"answers in {_name(told)} what was asked in {_name(other)}")


def _language(text: str) -> str:
    plain = fold(_QUOTED.sub(" ", text))
    enough = plain.count(" ") + 1 >= _FEWEST or not plain.isascii()
    return language_of(plain) if enough else UNKNOWN


def _name(language: str) -> str:
    return next(iter(entries(language, "words", "name")), language).capitalize()


def _speaks_of_languages(record: RecordView) -> bool:
    texts = [each.content for each in record.messages if each.role != "assistant" and isinstance(each.content, str)]
    said, tools = fold("\n".join(texts)), fold("\n".join([str(tool.function) for tool in record.tools]))
    return any(name in said for name in _class("names")) or any(name in tools for name in _class("tools"))


@cache
def _class(name: str) -> tuple[str, ...]:
    return entries("en", "tongues", name)
