"""Unbacked: what an answer tells as done or found out in a turn without calls.

Where no call was made at all, nothing can have been booked, sent or looked up. A settled word ("all taken care of"), a
verb of a deed, or several things that nobody said, told where a shown tool is spoken of, come from nowhere. Later on,
only a deed does that no earlier call has done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.deeds import Deed
from generator.validation.grounding.further import undone_deeds
from generator.validation.grounding.invented import (
    ungrounded_addresses,
    ungrounded_days,
    ungrounded_names,
    ungrounded_numbers,
)
from generator.validation.grounding.reading.clauses import Clause, clauses_of, denies
from generator.validation.grounding.reading.languages import entries, phrases
from generator.validation.grounding.reading.words import fold, tokens_of
from generator.validation.grounding.talks import Talk, talks_of
from generator.validation.verdict import Severity
from generator.validation.view import RecordView


def unbacked(record: RecordView) -> Iterator[Deed]:
    """Yield what is told as done or found out before anything was called."""
    if record.tools:
        for talk in talks_of(record):
            if not talk.language:
                continue
            deed = _further(talk) if talk.has_called else _claim(talk) or _news(talk)
            if deed is not None:
                yield deed


def _further(talk: Talk) -> Deed | None:
    """Return a deed that is told in a turn without calls, and that no call of an earlier turn has done."""
    claim = next(undone_deeds(_answer(talk)), None)
    return Deed(talk.message.pointer, claim.message, claim.at_most) if claim is not None else None


def _answer(talk: Talk) -> Answer:
    record = talk.record
    before = record.messages[: talk.message.index]
    return Answer(talk.message, before, [], record.tools, record.metadata.get("reference_date"))


def _claim(talk: Talk) -> Deed | None:
    """Return the words by which all that was asked is told as settled, in an answer that says little else."""
    if talk.folded.count(" ") > _MOST_WORDS or not _may_wish(talk):
        return None
    settled = phrases(talk.language, "claims", "settled")
    tried = phrases(talk.language, "outcomes", "denial")
    fresh = phrases(talk.language, "claims", "fresh")
    begins = _DEED.match(talk.folded)
    may_claim = any(each.found_in(talk.folded, talk.words) for each in (settled, tried, fresh))
    if not may_claim and (begins is None or begins[0] not in _deeds()):
        return None
    for at, clause in enumerate(clauses_of(talk.folded, talk.language)):
        if clause.asks or _is_supposed(clause, talk):
            continue
        if tried.found_in(clause.text) and any(map(talk.shared_with, talk.nearest_tools)):
            return Deed(talk.message.pointer, clause.text.strip()[:80], "note")
        if denies(clause.text, talk.language):
            continue
        if fresh.found_in(clause.text):
            sureness = _sureness(talk) if any(map(talk.names, talk.nearest_tools)) else "note"
            return Deed(talk.message.pointer, clause.text.strip()[:80], sureness)
        if settled.found_in(clause.text) or (at == 0 and _is_bare_deed(clause, talk)):
            return Deed(talk.message.pointer, clause.text.strip()[:80], _sureness(talk))
    return None


_MOST_WORDS = 40
_DEED = re.compile(r"[a-z]{3,14}")


def _sureness(talk: Talk) -> Severity:
    """Return how sure a claim is: what is asked for with such a verb first may be done in words alone."""
    beginning = " ".join(tokens_of(talk.asked_folded)[:_FIRST])
    return "note" if phrases(talk.language, "claims", "in_words").found_in(beginning) else "warning"


_FIRST = 4


def _may_wish(talk: Talk) -> bool:
    """Say whether the user asks or wishes: a remark on oneself and thanks are answered by what is but polite."""
    return "?" in talk.asked or not phrases(talk.language, "claims", "remarks").begins(talk.asked_folded)


def _is_supposed(clause: Clause, talk: Talk) -> bool:
    return phrases(talk.language, "claims", "supposing").found_in(clause.sentence)


def _is_bare_deed(clause: Clause, talk: Talk) -> bool:
    """Say whether a text begins with the word of a deed alone: "Saved!", "Booked: table for two"."""
    words = tokens_of(clause.text)
    if not words or len(words) > _FEW or talk.language != "en":
        return False
    return words[0] in _deeds() and words[0] not in tokens_of(talk.asked_folded)


_FEW = 3


@cache
def _deeds() -> frozenset[str]:
    return frozenset(
        (*entries("en", "poles", "making"), *entries("en", "poles", "unmaking"), *entries("en", "claims", "bare"))
    )


def _news(talk: Talk) -> Deed | None:
    """Return what nobody said, in an answer to a question that a shown tool answers."""
    text = talk.folded.rstrip()
    if text.endswith(("?", "？")) or not _STANDS_OUT.search(talk.message.content):
        return None
    if phrases(talk.language, "declining", "unable").found_in(text) or not _may_wish(talk):
        return None
    nearest = talk.nearest_tools[:1]
    if not any(map(talk.shared_with, nearest)):
        return None
    answer = _answer(talk)
    if phrases(talk.language, "claims", "hedges").found_in(answer.without_moments):
        return None
    told = _unheard(answer, talk.language)
    if not told:
        return None
    is_named = any(talk.names(tool) for tool in nearest)
    return Deed(talk.message.pointer, told[0], "warning" if is_named and len(told) > 1 else "note")


def _unheard(answer: Answer, language: str) -> list[str]:
    """Return the numbers, days, names and addresses that nothing said before holds."""
    found = [*ungrounded_days(answer), *ungrounded_numbers(answer), *ungrounded_addresses(answer)]
    if language in _CAPITALS_ARE_NAMES:
        found += ungrounded_names(answer)
    return list(dict.fromkeys(map(fold, found)))


_STANDS_OUT = re.compile(r"\d|@|(?<=[a-z,] )[^\W\d_a-z]")
"""What a text has that tells a number, an address or a name."""
_CAPITALS_ARE_NAMES = frozenset({"en", "es", "fr"})
