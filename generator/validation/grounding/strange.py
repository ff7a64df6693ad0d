"""Strange facts: statements of an answer of which nobody and nothing before it says a word.

An answer tells what results brought, offers, hopes and excuses itself. A plain statement about things, none of whose
words stand in a request, a call, a result or a tool, brings what nobody knows: a warranty, a prize, a view of the sea.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.reading.clauses import denies
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.languages import entries, phrases
from generator.validation.grounding.reading.words import STOPWORDS, stem, tokens_of
from generator.validation.grounding.successes import Claim

_DIGIT = re.compile(r"\d")
_LONGEST = 4000


def strange_facts(answer: Answer) -> Iterator[Claim]:
    """Yield the statements that are made of words that nobody has said."""
    if not answer.results or answer.language != "en" or len(answer.text) > _LONGEST:
        return
    near = ""
    for statement in _statements(answer.folded):
        words = _telling(statement)
        if len(words) < _FEWEST or not _states(statement):
            continue
        near = near or "\n".join([str(result.message.content) for result in answer.results]).lower()
        if sum(stem(word) in near for word in words) > _MOST_KNOWN:
            continue
        strange = [word for word in words if not (stem(word) in near or _is_known(word, answer))]
        is_of_known = len(strange) == len(words) or (words[0] not in strange and len(strange) == len(words) - 1)
        if len(strange) >= _FEWEST and is_of_known:
            is_sure = len(strange) == len(words) >= _SURE
            yield Claim(statement.strip()[:80], "warning" if is_sure else "note")
            return


def _statements(folded: str) -> Iterator[str]:
    """Yield the sentences and coordinate clauses that begin as a statement about things does."""
    subjects = _class("subjects")
    for part in folded.replace("! ", ". ").replace("\n", ". ").replace(", and ", ". ").replace("; ", ". ").split(". "):
        first = part.partition(" ")[0].partition("'")[0]
        if first in subjects and not part.rstrip().endswith(("?", ":")):
            yield part


_FEWEST, _SURE = 2, 3
_MOST_KNOWN = 1
"""Words of a statement that may be known: the first, which is what it is said of."""


def _telling(text: str) -> list[str]:
    """Return the words of a statement that tell something; none where it tells a number or a day."""
    if _DIGIT.search(text) or '"' in text:
        return []
    idle = _class("idle")
    tokens = tokens_of(text.replace("'s ", " "))
    if not CALENDAR_WORDS.isdisjoint(tokens):
        return []
    return [token for token in tokens if token not in idle and token not in STOPWORDS and len(token) > 2]


def _states(text: str) -> bool:
    """Say whether a statement denies, supposes and hopes nothing."""
    return not denies(text, "en") and not phrases("en", "statements", "open").found_in(text)


def _is_known(word: str, answer: Answer) -> bool:
    stemmed = stem(word)
    return stemmed in answer.evidence or stemmed in answer.tools_text


@cache
def _class(name: str) -> frozenset[str]:
    return frozenset(token for entry in entries("en", "statements", name) for token in entry.split())
