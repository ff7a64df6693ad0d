"""Further deeds: what an answer says that was done besides, which no call of the record has done.

A deed is known by a verb that does something outside of the talk, told in the first person or of what "has been" done.
It is backed where a tool that was called, its arguments or its result speak of it, by the verb or by what it was done
to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.caching import cached_attribute
from generator.validation.grounding.reading.clauses import Clause, denies, sentences_of
from generator.validation.grounding.reading.days import CALENDAR_WORDS
from generator.validation.grounding.reading.languages import entries, phrases
from generator.validation.grounding.reading.words import STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.grounding.successes import Claim
from generator.validation.grounding.talks import deed_of
from generator.validation.grounding.verdicts import forms_of_verb, verbs_of


class _Told(NamedTuple):
    """A deed that a sentence tells."""

    verb: str
    start: int
    """Where who did it stands in the sentence."""
    end: int
    """Where the verb ends."""
    sentence: Clause
    is_passive: bool

    @property
    def part(self) -> str:
        """The deed with the rest of its clause."""
        return _CLAUSE_END.split(self.sentence.text[self.start :], maxsplit=1)[0][:_LONGEST_PART]


_CLAUSE_END = re.compile(r"[;!?\n]|\.(?!\d)")
_LONGEST_PART = 200


def further_deeds(answer: Answer) -> Iterator[Claim]:
    """Yield the deeds that no call has done, of an answer to results."""
    if answer.results:
        yield from undone_deeds(answer)


def undone_deeds(answer: Answer) -> Iterator[Claim]:
    """Yield the deeds that no call before an answer has done."""
    if answer.language not in _READ or len(answer.text) > _LONGEST:
        return
    verbs = _class("deeds") & answer.words
    if not verbs or not _may_lead(answer.folded):
        return
    called_so = [verbs_of(call.name) for message in answer.before for call in message.calls]
    verbs = frozenset([verb for verb in verbs if all(map(forms_of_verb(verb).isdisjoint, called_so))])
    called = Called(answer)
    for told in _deeds(answer, verbs):
        if _is_plain(told, answer) and _is_unbacked(told, answer, called):
            yield Claim(told.part.strip()[:80], "warning")
            return


_READ, _LONGEST = frozenset({"en"}), 8000


def _may_lead(folded: str) -> bool:
    return any(map(folded.__contains__, ("i ", "i've ", "we ", "we've ", " been ", " being ", "and ")))


def _deeds(answer: Answer, verbs: frozenset[str]) -> Iterator[_Told]:
    """Yield the deeds that an answer tells, each with its sentence."""
    text = answer.folded
    for verb in sorted(verbs):
        for place in islice(_as_word(verb).finditer(text), _MOST):
            before = text[max(0, place.start() - _REACH) : place.start()]
            if (before.split() or [""])[-1] not in _last_words():
                continue
            lead = _lead(answer.language).search(before)
            if lead is not None:
                start = place.start() - len(before) + lead.start()
                sentence = next(each for each in sentences_of(text) if each.start + len(each.text) > place.start())
                at = sentence.start
                yield _Told(verb, max(0, start - at), place.end() - at, sentence, lead["passive"] is not None)


_MOST, _REACH = 20, 60


@cache
def _as_word(verb: str) -> re.Pattern[str]:
    """Return what finds a verb of the class as a word of its own, by its first letter."""
    first = re.escape(verb[0])
    return re.compile(rf"{first}(?<![\w'-]{first}){re.escape(verb[1:])}(?![\w'])")


@cache
def _last_words() -> frozenset[str]:
    names = ("openers", "was", "passive", "between", "besides", "and")
    return frozenset(entry.split()[-1] for name in names for entry in entries("en", "claims", name))


@cache
def _lead(language: str) -> re.Pattern[str]:
    """Return what stands right before the verb of a deed: who did it, or that it was done."""
    openers = _any((*entries(language, "claims", "openers"), *entries(language, "claims", "and")))
    passive = _any((*entries(language, "claims", "was"), *entries(language, "claims", "passive")))
    gap = _any((*entries(language, "claims", "between"), *entries(language, "claims", "besides")))
    return re.compile(rf"(?<![\w'])(?:(?:{openers})|(?P<passive>{passive}))\s(?:(?:{gap})\s){{0,2}}$")


def _any(forms: tuple[str, ...]) -> str:
    return "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))


def _is_plain(told: _Told, answer: Answer) -> bool:
    """Say whether a deed is told as done, and neither asked nor supposed nor denied."""
    text = told.sentence.text
    before = text[: told.start]
    if told.sentence.asks or before.count('"') % 2 or denies(text[told.start : told.end], answer.language):
        return False
    return not phrases(answer.language, "claims", "supposing").found_in(before)


def _is_unbacked(told: _Told, answer: Answer, called: Called) -> bool:
    """Say whether neither the verb nor what it was done to is known from the calls."""
    if any(map(called.speaks_of, forms_of_verb(told.verb))):
        return False
    if told.verb in _class("passing_on") and not any(map(called.speaks_of, _stems("passed_on"))):
        return True
    text = told.sentence.text
    besides = phrases(answer.language, "claims", "besides").found_in(text)
    if told.verb in _class("light_deeds") and not besides:
        return False
    part = text if told.is_passive else told.part
    things = [stem(token) for token in tokens_of(part) if _tells(token, told.verb)]
    foreign = [thing for thing in things if not called.speaks_of(thing)]
    return bool(foreign) and (besides or len(foreign) == len(things))


@cache
def _class(name: str) -> frozenset[str]:
    return frozenset(entries("en", "claims", name))


@cache
def _stems(name: str) -> frozenset[str]:
    return frozenset(map(stem, _class(name)))


def _tells(token: str, verb: str) -> bool:
    if len(token) < _SHORTEST or not token.isalpha() or token == verb:
        return False
    return token not in STOPWORDS and token not in _idle() and token not in CALENDAR_WORDS


_SHORTEST = 3


@cache
def _idle() -> frozenset[str]:
    names = ("besides", "between", "openers", "was", "passive", "aside")
    return frozenset(token for name in names for entry in entries("en", "claims", name) for token in tokens_of(entry))


class Called:
    """What was called before an answer: tools, arguments and results."""

    def __init__(self, answer: Answer) -> None:
        self._before = answer.before

    @cached_attribute
    def _described(self) -> frozenset[str]:
        """The stems of the words of the tools that were called."""
        found: set[str] = set()
        for message in self._before:
            for call in message.calls:
                found |= deed_of(call.tool).described if call.tool is not None else set()
                found.update(map(stem, tokens_of_value(call.name)))
        return frozenset(found)

    @cached_attribute
    def _text(self) -> str:
        """The arguments and the results, folded."""
        texts = [call.text for message in self._before for call in message.calls]
        texts += [each.content for each in self._before if each.role == "tool" and isinstance(each.content, str)]
        return fold("\n".join(texts))

    def speaks_of(self, stemmed: str) -> bool:
        """Say whether any of it has a word that begins so."""
        return stemmed in self._described or stemmed in self._text
