"""Unfinished answers: what follows results and does not tell them.

A place that nobody has filled in, an end in the middle of a sentence, a result as it came, an announcement of what has
been done already, a question whether to do it, a refusal of it: each leaves the user without what was found out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.answers.outcomes import Claim
from generator.validation.grounding.reading.languages import entries, phrases
from generator.validation.grounding.reading.words import fold, stem, tokens_of, tokens_of_value
from generator.validation.grounding.results.status import forms_of_verb, is_empty, looks_up
from generator.validation.grounding.results.words import plain_leaves

_PLACE = re.compile(r"\{\{?\s?([A-Za-z_][\w. ]{0,40}?)\s?\}?\}|\[([A-Za-z_][\w ]{1,40})\](?!\()|<([a-z_][\w ]{1,40})>")
_CODE = re.compile(r"(?<![\w/])(?:undefined|NaN|null)(?!\w)")
_LONGEST = 8000


def unfinished(answer: Answer) -> Iterator[Claim]:
    """Yield what shows that an answer does not tell the results of its turn."""
    if not answer.results or len(answer.text) > _LONGEST:
        return
    found = _unfilled(answer) or _cut(answer) or _dumped(answer)
    if found is None and answer.language == "en" and not any(result.failed for result in answer.results):
        found = _still_to_come(answer) or _refused(answer)
    if found is not None:
        yield found


def _unfilled(answer: Answer) -> Claim | None:
    """Return a place that was to be filled in, by the name of a field or a parameter, or a value of programs."""
    text = answer.text
    if "{" in text or "[" in text or "<" in text:
        for match in _PLACE.finditer(text):
            name = next(filter(None, match.groups()))
            if match[0] not in answer.evidence_as_said and (match[0][0] == "{" or _is_name_of_place(name, answer)):
                return Claim(f"leaves {match[0]} open", "warning")
    code = _CODE.search(text) if "undefined" in text or "NaN" in text or "null" in text else None
    if code is not None and code[0] not in answer.evidence_as_said:
        return Claim(f"tells {code[0]}", "warning")
    return None


def _is_name_of_place(name: str, answer: Answer) -> bool:
    words = tokens_of_value(name)
    if not words or words[0] in _class("filling"):
        return bool(words)
    keys = "\n".join([str(result.message.content) for result in answer.results])
    key = "_".join(words)
    return f'"{key}"' in keys or f'"{key}"' in answer.tools_text or f"'{key}'" in answer.tools_text


@cache
def _class(name: str) -> frozenset[str]:
    return frozenset(entry for entry in entries("en", "unfinished", name))


def _cut(answer: Answer) -> Claim | None:
    """Return the end of an answer that breaks off after a word which something must follow."""
    text = answer.folded.rstrip()
    if not text or not text[-1].isalpha() or answer.language != "en":
        return None
    last = text.split()[-1]
    return Claim(f"ends with {last!r}", "warning") if last in _class("never_last") else None


def _dumped(answer: Answer) -> Claim | None:
    """Return a result that is passed on as it came, where nobody asked for its form."""
    text = answer.text.strip()
    if text[:1] not in "{[" or text[-1:] not in "}]" or "json" in answer.evidence:
        return None
    return Claim("passes a result on as it came", "warning") if '"' in text and ":" in text else None


_LEAD = r"(?:(?:now|first|just|quickly|go ahead and)\s)?(?P<verb>[a-z]{2,20})(?P<rest>[^.!?\n]{0,200})"
_COMING = re.compile(rf"(?<![\w'])(?:let me|i will|i'll|i am going to|i'm going to|i'm about to)\s{_LEAD}")
_OFFER = re.compile(rf"(?<![\w'])(?:shall i|should i|would you like me to|do you want me to|may i|want me to)\s{_LEAD}")


def _still_to_come(answer: Answer) -> Claim | None:
    """Return what is announced or offered though a call of the turn has done it."""
    match = _COMING.match(answer.folded) or (_OFFER.search(answer.folded) if "?" in answer.folded else None)
    if match is None or not _class("further").isdisjoint(tokens_of(match["rest"])) or _tells_news(answer):
        return None
    forms = forms_of_verb(match["verb"])
    for result in answer.results:
        looks = looks_up(result)
        if looks and match["verb"] in _class("looking_into") and not is_empty(result.value):
            return Claim(f"announces what was done: {match[0][:60]}", "warning")
        if not looks and result.call is not None and forms & _verb_of(result.call.name):
            return Claim(f"announces what was done: {match[0][:60]}", "warning")
    return None


@cache
def _verb_of(name: str) -> frozenset[str]:
    tokens = tokens_of_value(name)[:8]
    return frozenset({stem(tokens[0])}) if tokens else frozenset()


def _refused(answer: Answer) -> Claim | None:
    """Return a refusal of what was done, in an answer that tells nothing of it."""
    unable = phrases("en", "declining", "unable")
    if "?" in answer.folded or not unable.found_in(answer.folded, answer.words) or _tells_news(answer):
        return None
    if not _denies_its_deed(answer):
        return None
    if phrases("en", "declining", "reasons").found_in(answer.folded, answer.words):
        return None
    if any(is_empty(result.value) or not isinstance(result.value, dict | list) for result in answer.results):
        return None
    if any(verdict is not None and not verdict.worked for verdict in answer.statuses):
        return None
    return Claim(f"declines what was done: {answer.folded[:60]}", "warning")


_UNABLE = re.compile(
    r"[^.!?\n]{0,60}(?:can't|cannot|unable to|not able to|(?:the ability|capability|way|means|access) (?:to|of))\s"
    r"(?:currently\s|directly\s)?(?P<verb>[a-z]{2,20})"
)


def _denies_its_deed(answer: Answer) -> bool:
    """Say whether an answer begins with not being able to do what its calls have done."""
    match = _UNABLE.match(answer.folded)
    if match is None:
        return False
    if all(map(looks_up, answer.results)):
        return match["verb"] in _class("looking_into") or match["verb"] == "access"
    forms = forms_of_verb(match["verb"])
    return all(each.call is not None and forms & _verb_of(each.call.name) for each in answer.results)


def _tells_news(answer: Answer) -> bool:
    """Say whether an answer tells anything of the results that was neither asked for nor called with."""
    known = "\n".join([fold(answer.asked), *(fold(each.call.text) for each in answer.results if each.call is not None)])
    for result in answer.results:
        for leaf in plain_leaves(result):
            told = fold(leaf).replace("_", " ")
            if len(told) > 1 and told not in known and told in answer.folded:
                return True
    moments = [fold(each[0]) for each in (*answer.days, *answer.clocks)]
    return any(each not in known for each in (*moments, *answer.figures))
