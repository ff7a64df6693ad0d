"""Losses: what a request states and nobody takes up, whether in a call, a result or an answer.

Who states an id, an address, a path or a quote wants something done with it. Where it occurs nowhere but in the request,
it was lost, unless a denial or a correction disposes of it. Of several things of one list, as "Rome, Oslo and Lima", each
is called for or told of. Numbers may be said in passing, and are noted at the most.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.validation.grounding.arguments import grounded_arguments
from generator.validation.grounding.denials import Mention, Wish, mentions_of, wishes_of
from generator.validation.grounding.literals import Literal, Taken, literals_of
from generator.validation.grounding.names import other_names
from generator.validation.grounding.reading import Reading
from generator.validation.rule import Finding
from generator.validation.say import brief
from generator.validation.verdict import Severity
from generator.validation.view import RecordView

_TELLING = re.compile(r"[\d@/\"“„«「']")
_AROUND = ".,;:!?\"'“”„«»()[]"
_SENTENCE_ENDS = (".", "!", "?", ":", "…", '"', "”", "-", "–", "—", "*", "•")


def lost(record: RecordView) -> Iterator[Finding]:
    """Yield what the user states and nobody takes up."""
    if not record.calls or not _may_lose(record):
        return
    taken = Taken(_rest(record))
    for wish in wishes_of(record):
        mentions = [each for call in wish.calls for each in mentions_of(call, record, wish)]
        for index, reading in wish.readings.items():
            own = [each for each in mentions if each.message == index]
            yield from _lost_literals(record, index, reading, own, taken)
            yield from _lost_entries(index, reading, own, taken)


def _rest(record: RecordView) -> list[str]:
    """Return all that was not said by the user or the system."""
    texts = [each.content for each in record.messages if isinstance(each.content, str) and each.role not in ("user", "system")]
    return [*texts, *(call.text for call in record.calls)]


def _may_lose(record: RecordView) -> bool:
    """Say, after a first look, whether a word of the user that stands out occurs nowhere else."""
    rest = "\n".join(_rest(record))
    for message in record.messages:
        if message.role == "user" and isinstance(message.content, str):
            last = "."
            for word in message.content.split():
                if (word[0].isupper() and not last.endswith(_SENTENCE_ENDS)) or (not word.isalpha() and _TELLING.search(word)):
                    core = word.strip(_AROUND)
                    if core not in rest:
                        return True
                last = word
    return False


def _lost_literals(
    record: RecordView, index: int, reading: Reading, own: list[Mention], taken: Taken
) -> Iterator[Finding]:
    raw = record.messages[index].content
    for literal in literals_of(raw):
        if taken.holds(literal) or _is_disposed_of(literal.start, reading) or _is_used(literal, own):
            continue
        at_most: Severity = "warning" if literal.identifies and _is_sure(literal) else "note"
        yield Finding(f"/messages/{index}/content", f"states {brief(literal.text)}, which nobody takes up", at_most)


def _is_sure(literal: Literal) -> bool:
    return literal.sort != "quote" or " " in literal.text.strip()


def _is_used(literal: Literal, own: list[Mention]) -> bool:
    """Say whether the value of a call comes from a literal."""
    return any(each.start < literal.end and literal.start < each.end for each in own)


def _is_disposed_of(at: int, reading: Reading) -> bool:
    """Say whether a denial, a correction or a withdrawal disposes of what stands at a place."""
    return (
        any(denied.start <= at < denied.end for denied in reading.denied)
        or any(at < each.start for each in reading.corrections)
        or any(each.taken_from <= at < each.start for each in reading.withdrawals)
    )


_NAME = r"[A-ZÀ-ÞĀ-Ž][\w'’.-]{1,40}(?:\s(?:(?:de|da|di|del|la|le|of|the|and|van|von|el)\s){0,2}[A-ZÀ-ÞĀ-Ž][\w'’.-]{1,40}){0,4}"
_ENTRY = re.compile(rf"{_NAME}")
_AFTER = re.compile(r"\s*(?:,\s*(?:and|und|y|et|e)\s|,|\s(?:and|und|y|et|e|&)\s|、|和)\s*")
_BEFORE = re.compile(r"(?:,\s*(?:and|und|y|et|e)\s|,\s|\s(?:and|und|y|et|e|&)\s|、|和)$")
_BOUND = re.compile(r"\s*(?:[.,;:!?)]|$|\s(?:and|und|y|et|e|&)\s|、|和)")


def _lost_entries(index: int, reading: Reading, own: list[Mention], taken: Taken) -> Iterator[Finding]:
    """Yield the names of a list of which the others are used."""
    if not reading.raw:
        return
    for entries in _lists(reading):
        used = [any(each.start < end and start < each.end for each in own) for start, end in entries]
        gone = [span for span, is_used in zip(entries, used, strict=True) if not is_used]
        for start, end in gone if any(used) else ():
            name = reading.raw[start:end]
            if not taken.holds(Literal("id", name, start, end)) and not _is_disposed_of(start, reading) and not other_names(name):
                at_most: Severity = "error" if sum(used) > 1 else "warning"
                message = f"names {brief(name)} in one list with what is called for, and nobody takes it up"
                yield Finding(f"/messages/{index}/content", message, at_most)


def _lists(reading: Reading) -> Iterator[list[tuple[int, int]]]:
    """Yield the places of names that are listed with one another."""
    raw = reading.raw
    entries: list[tuple[int, int]] = []
    for match in _ENTRY.finditer(raw):
        if entries:
            between = raw[entries[-1][1] : match.start()]
            if not _AFTER.fullmatch(between):
                yield from [entries] if len(entries) > 1 else []
                entries = []
        entries.append(match.span())
    yield from [entries] if len(entries) > 1 else []
