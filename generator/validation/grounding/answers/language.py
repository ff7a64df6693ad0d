"""The language of answers: whether it is that of the request, and whether it is one that can be read here.

What is quoted is in whatever language it was written; who asks for another language, or for a translation, gets it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from generator.validation.grounding.reading.languages import UNKNOWN, entries, is_read, language_of, table
from generator.validation.grounding.reading.words import LONGEST_TEXT, fold, tokens_of
from generator.validation.rule import Finding
from generator.validation.view import RecordView

_QUOTED = re.compile(r"[\"“„«「][^\"”“»」]{1,2000}[\"”“»」]")
_FEWEST = 6
"""Words by which a language can be told."""


def wrong_languages(record: RecordView) -> Iterator[Finding]:
    """Yield the answers in another language than all that the user says."""
    spoken: set[str] | None = None
    for message in record.messages:
        text = message.content
        if message.role != "assistant" or message.calls or not isinstance(text, str) or len(text) > LONGEST_TEXT:
            continue
        told = _language(text)
        if told == UNKNOWN:
            continue
        spoken = {_language(each) for each in record.requests} - {UNKNOWN} if spoken is None else spoken
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
    speaks = any(name in said for name in entries("en", "tongues", "names"))
    return speaks or any(name in tools for name in entries("en", "tongues", "tools"))


_FEWEST_LETTERS = 24
"""Letters of a text that is long enough to tell its language."""


def unread_languages(record: RecordView) -> Iterator[tuple[str, str]]:
    """Yield the first answer in a language that is not read here, by its pointer, with the language's name."""
    for message in record.messages:
        if message.role == "assistant" and not message.calls and isinstance(message.content, str):
            folded = fold(message.content)
            language = language_of(folded)
            if is_read(language) or sum(map(str.isalpha, folded[:400])) < _FEWEST_LETTERS:
                continue
            rest = _own_words(folded, record)
            if is_read(language_of(rest)) or sum(map(str.isalpha, rest[:400])) < _FEWEST_LETTERS:
                continue
            name = table(language, "words").get("name", "") or _script_of(folded)
            if name:
                yield f"{message.pointer}/content", name
                return


def _own_words(folded: str, record: RecordView) -> str:
    """Return the words of an answer that no result holds: names are of any language."""
    results = [each.message.content for each in record.results if isinstance(each.message.content, str)]
    held = frozenset(tokens_of(fold("\n".join(results)[:LONGEST_TEXT])))
    return " ".join([word for word in folded.split() if not held.issuperset(tokens_of(word)) or word.isnumeric()])


def _script_of(folded: str) -> str:
    """Return the name of the script that most letters are of, where it is not Latin; "" for Latin letters.

    What is in Latin letters and in no language that is known may as well be a list of names.
    """
    letters = [letter for letter in folded[:400] if letter.isalpha()]
    foreign = [letter for letter in letters if not letter.isascii() and "LATIN" not in unicodedata.name(letter, "")]
    if 2 * len(foreign) < len(letters):
        return ""
    return f"{unicodedata.name(foreign[0], 'unknown').partition(' ')[0].capitalize()} script"
