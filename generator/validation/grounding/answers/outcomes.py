"""Outcomes: whether an answer tells as failed what failed, as done what was done, and tells the results at all.

A result fails by its shape, as an error, or by what it says itself: a flag, a state, a code. A place that nobody has
filled in, an end in the middle of a sentence, a result as it came, an announcement of what has been done already, a
question whether to do it, a refusal of it: each leaves the user without what was found out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.reading.denials import Clause, sentences_of
from generator.validation.grounding.reading.languages import Phrases, english, entries, phrases, signs_of
from generator.validation.grounding.reading.words import STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.grounding.result_status import (
    CallStatus,
    forms_of_text,
    forms_of_verb,
    is_empty,
    looks_up,
    own_words,
    plain_leaves,
    text_of,
    tool_words,
    verbs_of,
    words_of,
)
from generator.validation.verdict import Severity
from generator.validation.view import ResultView


def untold_errors(answer: Answer) -> Iterator[ResultView]:
    """Yield the results of the turn that are errors, were not mended by a later call, and are not told as errors."""
    failed = [result for result in answer.results if result.failed]
    if failed and answer.language:
        words = frozenset(map(stem, tokens_of(answer.folded)))
        yield from (each for each in _untold_failures(answer, failed) if not _repeats(each, words))


def _untold_failures(answer: Answer, failed: list[ResultView]) -> list[ResultView]:
    """Return the failed results that no later call made good and that the answer does not tell as failed."""
    failed = _unmended(answer, failed)
    if not failed or not _failure(answer).found_in(answer.folded, answer.words):
        return failed
    return [] if len(answer.results) == 1 else _untold_among(failed, answer)


def _failure(answer: Answer) -> Phrases:
    return phrases(answer.language, "outcomes", "failure")


def _untold_among(failed: list[ResultView], answer: Answer) -> list[ResultView]:
    """Return the failed results among several of which no sentence of failure speaks."""
    sentences = _SENTENCE.split(answer.folded)
    failing = [at for at, sentence in enumerate(sentences) if _failure(answer).found_in(sentence)]
    return [result for result in failed if not _tells_failure(result, answer, sentences, failing)]


_SENTENCE = re.compile(r"(?<=[.!?\n])\s+|\n|[。！？；]")
_FOR_ALL = re.compile(
    r"\b(?:none|nothing|neither|all|both|any|everything|each|every|the (?:others?|second|latter|last|rest))\b"
)


def _tells_failure(result: ResultView, answer: Answer, sentences: list[str], failing: list[int]) -> bool:
    """Say whether a sentence of failure, or one beside it, speaks of this call among several."""
    if len(failing) >= len(answer.results) or any(_FOR_ALL.search(sentences[at]) for at in failing):
        return True
    own = words_of(result) | tool_words(result)
    return any(own & forms_of_text(" ".join(sentences[max(0, at - 1) : at + 2])) for at in failing)


def _unmended(answer: Answer, failed: list[ResultView]) -> list[ResultView]:
    """Return the failed results; where a later call of the same tool succeeded, the error was overcome."""
    unmended: list[ResultView] = []
    succeeded: dict[str, set[int | None]] = {}
    """By tool, the turns of the calls that succeeded later; None for a result without a call."""
    for result in reversed(answer.results):
        turns = succeeded.setdefault(str(result.message.entry.get("name")), set())
        turn = result.call.turn if result.call is not None else None
        if result not in failed:
            turns.add(turn)
        elif not (turns - {turn} or (turn is None and turns)):
            unmended.append(result)
    return unmended[::-1]


def _repeats(result: ResultView, words: frozenset[str]) -> bool:
    """Say whether the answer gives the error's own message in its words."""
    message = (result.error or {}).get("message")
    if not isinstance(message, str):
        return False
    tokens = [stem(token) for token in tokens_of(fold(message)) if token not in STOPWORDS]
    return bool(tokens) and sum(token in words for token in tokens) * 2 >= len(tokens)


class Claim(NamedTuple):
    """What an answer says of a call against what its result says."""

    message: str
    at_most: Severity = "error"
    is_certain: bool = False
    """Whether it is sure in records of other people as well, whatever their tools and manners."""


def untold_failed_calls(answer: Answer) -> Iterator[tuple[ResultView, Claim]]:
    """Yield the results that say that their calls failed, of which the answer says nothing of the sort."""
    failed = _failed_calls(answer)
    if not failed or not answer.language or _says_no(answer):
        return
    untold = _untold_failures(answer, [result for result, _ in failed])
    for result, verdict in failed:
        if result in untold:
            certain = verdict.is_sure and says_done(answer)
            yield result, Claim(f"says {verdict.words!r}", _sureness(answer, verdict), certain)


def _failed_calls(answer: Answer) -> list[tuple[ResultView, CallStatus]]:
    """Return the results that are no errors and say that their calls failed, each with what it says."""
    return [
        (result, verdict)
        for result, verdict in zip(answer.results, answer.statuses, strict=True)
        if verdict is not None and not verdict.worked and not result.failed
    ]


def _says_no(answer: Answer) -> bool:
    """Say whether an answer begins with a bare no, with which a lone result that says no is told."""
    if len(answer.results) > 1:
        return False
    first, mark, _ = _MARK.sub("\n", answer.folded[:_LONGEST_NO], count=1).partition("\n")
    return bool(mark) and first.strip(" ¡") in entries(answer.language, "outcomes", "no")


_MARK = re.compile(r"\s?[,.;:!–—-]|[，。；：！]")
_LONGEST_NO = 12


def says_done(answer: Answer) -> bool:
    """Say whether an answer says in so many words that all is done."""
    return phrases(answer.language, "outcomes", "done").found_in(answer.folded)


def _sureness(answer: Answer, verdict: CallStatus) -> Severity:
    """Return how sure it is that what failed is told as done: no other way of telling it is left."""
    state = verdict.words.partition(": ")[2].casefold()
    if state.isalpha() and state not in ("true", "false") and stem(state) in forms_of_text(answer.folded):
        return "note"
    return "error" if verdict.is_sure else "warning"


class _Worked(NamedTuple):
    """A result that tells that its call worked."""

    result: ResultView
    verdict: CallStatus | None


def denied_successes(answer: Answer) -> Iterator[tuple[ResultView, Claim]]:
    """Yield the results of calls that worked, of which the answer says that they did not."""
    worked = _worked(answer) if _may_deny(answer) else []
    if not worked:
        return
    failed = [result for result in answer.results if not any(result is each.result for each in worked)]
    sentences = list(sentences_of(answer.folded))
    for at, sentence in enumerate(sentences):
        meant = _denied_by(sentence, at, worked, failed, answer)
        if meant:
            for result, verdict in meant:
                yield result, Claim(sentence.text.strip()[:80], _denial(result, verdict, sentences, at))
            return


def _may_deny(answer: Answer) -> bool:
    """Say quickly whether an answer may say of anything that it did not work, or was not done."""
    language = answer.language
    if not answer.results or not language:
        return False
    if not signs_of(language, "outcomes", "denial", "undone").may_be_in(answer.folded, answer.words):
        return False
    if phrases(language, "outcomes", "denial").found_in(answer.folded, answer.words):
        return True
    is_any_sure = any(verdict is not None and verdict.is_sure for verdict in answer.statuses)
    return is_any_sure and phrases(language, "outcomes", "undone").found_in(answer.folded, answer.words)


def _denied_by(
    sentence: Clause, at: int, worked: list[_Worked], failed: list[ResultView], answer: Answer
) -> list[_Worked]:
    """Return what a sentence says did not work, though it did; the first may say so of all that was done."""
    if sentence.asks:
        return []
    is_denial = phrases(answer.language, "outcomes", "denial").found_in(sentence.text)
    meant = worked if is_denial else _told_undone(sentence, worked, answer)
    spoken = [each for each in meant if _speaks_of(each.result, sentence, answer)]
    if failed:
        return spoken if _is_of_another(sentence, spoken, failed, answer) else []
    # "hasn't been shipped yet" denies no look-up
    return spoken or (worked[:1] if is_denial and at == 0 else [])


def _told_undone(sentence: Clause, worked: list[_Worked], answer: Answer) -> list[_Worked]:
    """Return the deeds that a sentence says were not done, each by its verb."""
    if not phrases(answer.language, "outcomes", "undone").found_in(sentence.text):
        return []
    return [each for each in worked if _is_undone(each, sentence)]


def _is_undone(each: _Worked, sentence: Clause) -> bool:
    """Say whether a sentence that something was not done has the verb of a deed that was."""
    result, verdict = each
    if verdict is None or not verdict.is_sure or result.call is None:
        return False
    told = frozenset().union(*map(forms_of_verb, tokens_of(sentence.text)))
    return bool(told & (verbs_of(result.call.name) | forms_of_verb(verdict.words.rpartition(": ")[2].casefold())))


def _worked(answer: Answer) -> list[_Worked]:
    """Return the results that tell that their calls worked, or bring something."""
    each = zip(answer.results, answer.statuses, strict=True)
    return [_Worked(result, verdict) for result, verdict in each if not result.failed and _has_worked(result, verdict)]


def _has_worked(result: ResultView, verdict: CallStatus | None) -> bool:
    if verdict is not None and verdict.is_sure:
        return verdict.worked
    return (verdict is None or verdict.worked) and _says_no_failure(result)


def _says_no_failure(result: ResultView) -> bool:
    """Say whether a result brings something, and no words of failure that the answer may pass on."""
    value = result.value
    if isinstance(value, dict) and any(each is False for each in value.values()):
        return False  # what it denies, its answer may deny
    return not is_empty(value) and not phrases("en", "outcomes", "failure").found_in(text_of(result))


def _speaks_of(result: ResultView, sentence: Clause, answer: Answer) -> bool:
    """Say whether a sentence has words that this call alone has among those of its turn."""
    words = frozenset(form for token in tokens_of(sentence.text) for form in (token, stem(token)))
    return bool(own_words(result, answer.results) & words)


def _is_of_another(sentence: Clause, spoken: list[_Worked], failed: list[ResultView], answer: Answer) -> bool:
    """Say whether a sentence names what was done by a text of its own, and has no word of what failed."""
    if not spoken or any(_speaks_of(each, sentence, answer) for each in failed):
        return False
    texts = [fold(value) for each, _ in spoken for value in plain_leaves(each) if len(value) > _SHORTEST]
    return any(value in sentence.text and not value.isdigit() for value in texts)


_SHORTEST = 5
"""Characters of a text by which a thing is named."""


def _denial(result: ResultView, verdict: CallStatus | None, sentences: list[Clause], at: int) -> Severity:
    """Return how sure it is that a deed is denied: a look-up may well find no more than it found."""
    if verdict is not None and verdict.is_sure:
        return "error"
    if looks_up(result):
        return "warning" if len(sentences) == 1 or (at == 0 and len(sentences) == 2) else "note"
    return "error" if at == 0 else "warning"


_PLACE = re.compile(r"\{\{?\s?([A-Za-z_][\w. ]{0,40}?)\s?\}?\}|\[([A-Za-z_][\w ]{1,40})\](?!\()|<([a-z_][\w ]{1,40})>")
_CODE = re.compile(r"(?<![\w/])(?:undefined|NaN|null)(?!\w)")
_LONGEST = 8000


def unfinished(answer: Answer) -> Iterator[Claim]:
    """Yield what shows that an answer does not tell the results of its turn."""
    if not answer.results or len(answer.text) > _LONGEST:
        return
    found = _unfilled(answer) or _value_of_programs(answer) or _cut(answer) or _dumped(answer) or _undelivered(answer)
    if found is not None:
        yield found


def _unfilled(answer: Answer) -> Claim | None:
    """Return a place that was to be filled in, by the name of a field or a parameter."""
    text = answer.text
    if not ("{" in text or "[" in text or "<" in text):
        return None
    for match in _PLACE.finditer(text):
        name = next(filter(None, match.groups()))
        if match[0] not in answer.evidence_as_said and (match[0][0] == "{" or _is_name_of_place(name, answer)):
            return Claim(f"leaves {match[0]} open", "warning")
    return None


def _value_of_programs(answer: Answer) -> Claim | None:
    """Return what programs write where they have no value."""
    text = answer.text
    code = _CODE.search(text) if "undefined" in text or "NaN" in text or "null" in text else None
    if code is None or code[0] in answer.evidence_as_said:
        return None
    return Claim(f"tells {code[0]}", "warning")


def _is_name_of_place(name: str, answer: Answer) -> bool:
    words = tokens_of_value(name)
    if not words or words[0] in english("unfinished", "filling"):
        return bool(words)
    keys = "\n".join([str(result.message.content) for result in answer.results])
    key = "_".join(words)
    return f'"{key}"' in keys or f'"{key}"' in answer.tools_text or f"'{key}'" in answer.tools_text


def _cut(answer: Answer) -> Claim | None:
    """Return the end of an answer that breaks off after a word which something must follow."""
    text = answer.folded.rstrip()
    if not text or not text[-1].isalpha() or answer.language != "en":
        return None
    last = text.split()[-1]
    return Claim(f"ends with {last!r}", "warning") if last in english("unfinished", "never_last") else None


def _dumped(answer: Answer) -> Claim | None:
    """Return a result that is passed on as it came, where nobody asked for its form."""
    text = answer.text.strip()
    if text[:1] not in "{[" or text[-1:] not in "}]" or "json" in answer.evidence:
        return None
    return Claim("passes a result on as it came", "warning") if '"' in text and ":" in text else None


def _undelivered(answer: Answer) -> Claim | None:
    """Return what is announced, offered or refused, in English, though it was done and nothing of the turn failed."""
    if answer.language != "en" or any(result.failed for result in answer.results):
        return None
    return _still_to_come(answer) or _refused(answer)


_LEAD = r"(?:(?:now|first|just|quickly|go ahead and)\s)?(?P<verb>[a-z]{2,20})(?P<rest>[^.!?\n]{0,200})"
_COMING = re.compile(rf"(?<![\w'])(?:let me|i will|i'll|i am going to|i'm going to|i'm about to)\s{_LEAD}")
_OFFER = re.compile(rf"(?<![\w'])(?:shall i|should i|would you like me to|do you want me to|may i|want me to)\s{_LEAD}")


def _still_to_come(answer: Answer) -> Claim | None:
    """Return what is announced or offered though a call of the turn has done it."""
    match = _COMING.match(answer.folded) or (_OFFER.search(answer.folded) if "?" in answer.folded else None)
    further = english("unfinished", "further")
    if match is None or not further.isdisjoint(tokens_of(match["rest"])) or _tells_news(answer):
        return None
    if any(_has_done(result, match["verb"]) for result in answer.results):
        return Claim(f"announces what was done: {match[0][:60]}", "warning")
    return None


def _has_done(result: ResultView, verb: str) -> bool:
    """Say whether a call has done what a verb says: what it is named by, or looking into something that it found."""
    if looks_up(result):
        return verb in english("unfinished", "looking_into") and not is_empty(result.value)
    return result.call is not None and not forms_of_verb(verb).isdisjoint(_verb_of(result.call.name))


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
    return Claim(f"declines what was done: {answer.folded[:60]}", "warning") if _is_all_there(answer) else None


def _is_all_there(answer: Answer) -> bool:
    """Say whether every result of the turn brings something, and none says that its call failed."""
    if any(is_empty(result.value) or not isinstance(result.value, dict | list) for result in answer.results):
        return False
    return all(verdict is None or verdict.worked for verdict in answer.statuses)


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
        return match["verb"] in english("unfinished", "looking_into") or match["verb"] == "access"
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
