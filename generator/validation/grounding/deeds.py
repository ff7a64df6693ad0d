"""Deeds: whether an answer claims to have done what only a call does, where no call was made.

A deed is known by a verb that the name of a shown tool has, or that the user asked for; what is done in words alone,
such as a translation, needs no call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.invented import ungrounded_days, ungrounded_numbers
from generator.validation.grounding.reading.clauses import Clause, clauses_of, denies, is_left_open, sentences_of
from generator.validation.grounding.reading.languages import Phrases, entries, language_among, phrases
from generator.validation.grounding.reading.words import fold, stem, tokens_of, tokens_of_value
from generator.validation.grounding.verdicts import forms_of_verb, verbs_of
from generator.validation.verdict import Severity
from generator.validation.view import MessageView, RecordView


class Deed(NamedTuple):
    """A deed that an answer claims."""

    pointer: str
    words: str
    at_most: Severity = "error"


class _Talk(NamedTuple):
    """A text of the assistant in a turn without calls."""

    message: MessageView
    asked: str
    """What the user said last, folded."""
    language: str
    record: RecordView
    has_called: bool
    """Whether any earlier turn has calls."""

    @property
    def verbs(self) -> frozenset[str]:
        """The stems of verbs that ask for a deed: those of the shown tools, and what no words alone can do.

        The tools that were called before are left out: the deed may be theirs.
        """
        return _verbs(self.record, self.message) | (_outward() & self.wished if not self.has_called else frozenset())

    @property
    def wished(self) -> frozenset[str]:
        """The stems of the user's words."""
        return frozenset(map(stem, tokens_of(self.asked)))


def claimed_deeds(record: RecordView) -> Iterator[Deed]:
    """Yield the deeds that are claimed in turns without calls."""
    for talk in _talks(record):
        folded = fold(talk.message.content)
        deed = _completed(folded, talk) or _told(folded, talk) or _code(talk, record)
        if deed is None and not record.generated:
            deed = _from_nowhere(folded, talk, record)
        if deed is not None:
            yield deed


def _talks(record: RecordView) -> Iterator[_Talk]:
    asked, called, has_called = "", False, False
    for message in record.messages:
        if message.role == "user":
            asked, called = message.content if isinstance(message.content, str) else "", False
        elif message.calls:
            called = has_called = True
        elif message.role == "assistant" and not called and asked and isinstance(message.content, str):
            folded = fold(asked)
            language = language_among(fold(message.content), folded)
            yield _Talk(message, folded, language, record, has_called)


@cache
def _outward() -> frozenset[str]:
    return frozenset(map(stem, entries("en", "claims", "outward")))


def _verbs(record: RecordView, message: MessageView) -> frozenset[str]:
    called = frozenset(stem for call in record.calls if call.turn < message.index for stem in verbs_of(call.name))
    return frozenset(stem for tool in record.tools for stem in verbs_of(tool.name)) - called


def _completed(folded: str, talk: _Talk) -> Deed | None:
    """Return the word that says of all that was asked that it is done."""
    words = phrases(talk.language, "claims", "completed")
    if not talk.language or not words.begins(folded) or not _is_wish(talk):
        return None
    first = next(clauses_of(folded, talk.language), None)
    said = first.text.strip(" !.") if first is not None and not first.asks else ""
    if not said or not words.begins(said) or len(tokens_of(said)) > _MOST_WORDS or denies(said, talk.language):
        return None
    return Deed(talk.message.pointer, said, "warning" if talk.has_called or _is_in_words(talk) else "error")


_MOST_WORDS = 6


def _is_wish(talk: _Talk) -> bool:
    """Say whether what the user said last may be a wish for a deed, and no thanks or goodbye."""
    return bool(talk.verbs & talk.wished) or talk.language != "en"


def _is_in_words(talk: _Talk) -> bool:
    """Say whether what is asked may be done in words alone."""
    return phrases(talk.language, "claims", "in_words").found_in(talk.asked)


def _told(folded: str, talk: _Talk) -> Deed | None:
    """Return the deed that a clause tells as done."""
    if not talk.language or _claims(talk.language).search(folded) is None:
        return None
    english = talk.language == "en"
    for sentence in sentences_of(folded) if english else clauses_of(folded, talk.language):
        if not english and is_left_open(sentence, talk.language):
            continue
        for match in _claims(talk.language).finditer(sentence.text):
            if _is_plain(match, sentence, talk):
                sureness = _sureness(match, talk)
                if sureness is not None:
                    return Deed(talk.message.pointer, match[0].strip(), sureness)
    return None


def _is_plain(match: re.Match[str], sentence: Clause, talk: _Talk) -> bool:
    """Say whether what is told as done is neither denied nor supposed nor asked."""
    before = sentence.text[: match.start()]
    supposed = phrases(talk.language, "claims", "supposing").found_in(before)
    asks = talk.message.content.rstrip().endswith(("?", "？"))
    if match["state"] and (asks or denies(sentence.text, talk.language)):
        return False
    return not (sentence.asks or supposed or denies(match[0], talk.language))


def _sureness(match: re.Match[str], talk: _Talk) -> Severity | None:
    """Return how sure it is that a verb tells a deed that needs a call; None where it does not."""
    verb = match["verb"]
    if _in_words(talk.language).begins(verb):
        return None
    stems = forms_of_verb(verb)
    if talk.language == "en":
        wished = talk.wished
        asked = stems & wished
        if stems & talk.verbs and (match["own"] or not match["state"]):
            return "error"
        if match["state"]:
            return "warning" if stems & talk.verbs and asked and verb not in tokens_of(talk.asked) else None
        is_wished = bool(asked or talk.verbs & wished)
        return "warning" if is_wished and not talk.has_called and match["own"] in _perfect() else None
    return "note" if talk.has_called else "warning"


@cache
def _perfect() -> frozenset[str]:
    return frozenset(entries("en", "claims", "perfect"))


def _from_nowhere(folded: str, talk: _Talk, record: RecordView) -> Deed | None:
    """Return a date, time or measure that nobody said, where what was asked for is what a shown tool tells."""
    if not _DIGIT.search(folded) or not talk.language or folded.rstrip().endswith(("?", "？")):
        return None
    wished = talk.wished
    if not any(wished & _things_of(tool.name) for tool in record.tools):
        return None
    if phrases(talk.language, "claims", "hedges").found_in(folded):
        return None
    before = record.messages[: talk.message.index]
    answer = Answer(talk.message, before, [], record.tools, record.metadata.get("reference_date"))
    told = [*ungrounded_days(answer), *(number for number in ungrounded_numbers(answer) if _is_measure(number, answer))]
    return Deed(talk.message.pointer, told[0], "warning") if told else None


_DIGIT = re.compile(r"\d")


def _is_measure(number: str, answer: Answer) -> bool:
    """Say whether a number of an answer is told with a unit, a currency or a fraction."""
    value = abs(float(number.replace(",", "")))
    return any(
        abs(each.value - value) <= each.near and (each.unit or each.currencies or value != int(value))
        for each in answer.told
    )


@cache
def _things_of(name: str) -> frozenset[str]:
    """Return the stems of the words of a tool's name that say what it is about."""
    looking = frozenset(entries("en", "results", "looking"))
    return frozenset(stem(token) for token in tokens_of_value(name) if token not in looking and len(token) > 2)


_CODE = re.compile(r"(?<![\w./@-])[A-Z]{1,5}-?\d{4,12}(?![\w@]|\.\w)")


def _code(talk: _Talk, record: RecordView) -> Deed | None:
    """Return an id that nobody said, where what was asked for is what a shown tool does."""
    if _CODE.search(talk.message.content) is None or not talk.verbs & talk.wished:
        return None
    before = [each.content for each in record.messages[: talk.message.index] if isinstance(each.content, str)]
    said = "\n".join([*before, *(call.text for call in record.calls), *(str(tool.function) for tool in record.tools)])
    found = (match[0] for match in _CODE.finditer(talk.message.content) if match[0] not in said)
    code = next(found, None)
    return Deed(talk.message.pointer, code, "warning") if code is not None else None


def _in_words(language: str) -> Phrases:
    return phrases(language, "claims", "in_words")


@cache
def _claims(language: str) -> re.Pattern[str]:
    """Return what finds a deed told as done: who did it or that it was done, and its verb."""
    own = _any(entries(language, "claims", "openers"))
    was = _any(entries(language, "claims", "was"))
    state = _any(entries(language, "claims", "states"))
    verb = _any((*entries(language, "claims", "participles"), *_irregular(language)))
    if language == "zh":
        return re.compile(rf"(?:(?P<own>{own})|{was}|(?P<state>{state}))(?P<verb>[\u4e00-\u9fff]{{2}})")
    gap = rf"(?:{_any(entries(language, 'claims', 'between'))})\s" if language == "en" else r"[^\s.!?]{1,40}\s"
    most = 3 if language == "en" else 10
    return re.compile(
        rf"(?<![\w'])(?:(?P<own>{own})|{was}|(?P<state>{state}))\s(?:{gap}){{0,{most}}}?(?P<verb>{verb})(?!\w)"
    )


def _irregular(language: str) -> tuple[str, ...]:
    return tuple(entry.split()[0] for entry in entries(language, "claims", "irregular"))


def _any(forms: tuple[str, ...]) -> str:
    longest_first = sorted(forms, key=len, reverse=True)
    return "|".join(re.escape(form).replace(r"\*", r"\w{1,24}") for form in longest_first) or r"(?!)"
