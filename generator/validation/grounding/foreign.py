"""Foreign: the languages of answers that no rule here can read, so that silence is not taken for praise."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from generator.validation.grounding.reading.languages import is_read, language_of, table
from generator.validation.grounding.reading.words import LONGEST_TEXT, fold, tokens_of
from generator.validation.view import RecordView

_FEWEST_LETTERS = 24
"""Letters of a text that is long enough to tell its language."""


def foreign_answers(record: RecordView) -> Iterator[tuple[str, str]]:
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
