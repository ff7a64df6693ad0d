"""Successes: whether an answer tells as done what failed, or as failed what was done.

An error that shows by its shape is the business of `outcomes`; here it is what the result itself says: a flag, a
state, a code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from generator.validation.grounding.answers import Answer
from generator.validation.grounding.outcomes import tells_each_failure
from generator.validation.grounding.reading.clauses import Clause, sentences_of
from generator.validation.grounding.reading.languages import entries, phrases, signs_of
from generator.validation.grounding.reading.words import fold, stem, tokens_of
from generator.validation.grounding.result_words import own_words, plain_leaves, told_forms
from generator.validation.grounding.verdicts import Verdict, forms_of_verb, is_empty, looks_up, text_of, verbs_of
from generator.validation.verdict import Severity
from generator.validation.view import ResultView


class Claim(NamedTuple):
    """What an answer says of a call against what its result says."""

    message: str
    at_most: Severity = "error"
    is_certain: bool = False
    """Whether it is sure in records of other people as well, whatever their tools and manners."""


def glossed_over(answer: Answer) -> Iterator[tuple[ResultView, Claim]]:
    """Yield the results that say that their calls failed, of which the answer says nothing of the sort."""
    verdicts = answer.verdicts
    if all(verdict is None or verdict.worked for verdict in verdicts):
        return
    failed = [result for result, verdict in zip(answer.results, verdicts, strict=True) if _fails(result, verdict)]
    if not failed or not answer.language or _says_no(answer):
        return
    untold = tells_each_failure(answer, failed)
    for result, verdict in zip(answer.results, verdicts, strict=True):
        if verdict is not None and any(result is each for each in untold):
            certain = verdict.is_sure and says_done(answer)
            yield result, Claim(f"says {verdict.words!r}", _sureness(answer, verdict), certain)


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


def _fails(result: ResultView, verdict: Verdict | None) -> bool:
    return verdict is not None and not verdict.worked and not result.failed


def _sureness(answer: Answer, verdict: Verdict) -> Severity:
    """Return how sure it is that what failed is told as done: no other way of telling it is left."""
    state = verdict.words.partition(": ")[2].casefold()
    if state.isalpha() and state not in ("true", "false") and stem(state) in told_forms(answer):
        return "note"
    return "error" if verdict.is_sure else "warning"


def denied(answer: Answer) -> Iterator[tuple[ResultView, Claim]]:
    """Yield the results of calls that worked, of which the answer says that they did not."""
    if not answer.results or not answer.language:
        return
    if not signs_of(answer.language, "outcomes", "denial", "undone").may_be_in(answer.folded, answer.words):
        return
    denials = phrases(answer.language, "outcomes", "denial")
    undone = phrases(answer.language, "outcomes", "undone")
    if not denials.found_in(answer.folded, answer.words):
        is_any_sure = any(verdict is not None and verdict.is_sure for verdict in answer.verdicts)
        if not is_any_sure or not undone.found_in(answer.folded, answer.words):
            return
    worked = [
        (result, verdict)
        for result, verdict in zip(answer.results, answer.verdicts, strict=True)
        if not result.failed and _worked(result, verdict)
    ]
    if not worked:
        return
    failed = [result for result in answer.results if not any(result is each for each, _ in worked)]
    sentences = list(sentences_of(answer.folded))
    for at, sentence in enumerate(sentences):
        if sentence.asks or not (denials.found_in(sentence.text) or undone.found_in(sentence.text)):
            continue
        is_denial = denials.found_in(sentence.text)
        meant = worked if is_denial else [each for each in worked if _is_undone(each, sentence)]
        spoken = [each for each in meant if _speaks_of(each[0], sentence, answer)]
        if not is_denial and not spoken:  # "hasn't been shipped yet" denies no look-up
            continue
        if failed and not _is_of_another(sentence, spoken, failed, answer):
            continue
        if spoken or (not failed and at == 0):
            for result, verdict in spoken or worked[:1]:
                yield result, Claim(sentence.text.strip()[:80], _denial(result, verdict, sentences, at))
            return


def _is_undone(each: tuple[ResultView, Verdict | None], sentence: Clause) -> bool:
    """Say whether a sentence that something was not done has the verb of a deed that was."""
    result, verdict = each
    if verdict is None or not verdict.is_sure or result.call is None:
        return False
    told = frozenset().union(*map(forms_of_verb, tokens_of(sentence.text)))
    return bool(told & (verbs_of(result.call.name) | forms_of_verb(verdict.words.rpartition(": ")[2].casefold())))


def _worked(result: ResultView, verdict: Verdict | None) -> bool:
    """Say whether a result tells that its call worked, or brings something."""
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
    return bool(own_words(result, answer) & words)


def _is_of_another(
    sentence: Clause, spoken: list[tuple[ResultView, Verdict | None]], failed: list[ResultView], answer: Answer
) -> bool:
    """Say whether a sentence names what was done by a text of its own, and has no word of what failed."""
    if any(_speaks_of(each, sentence, answer) for each in failed):
        return False
    texts = [fold(value) for each, _ in spoken for value in plain_leaves(each) if len(value) > _SHORTEST]
    return any(value in sentence.text and not value.isdigit() for value in texts)


_SHORTEST = 5
"""Characters of a text by which a thing is named."""


def _denial(result: ResultView, verdict: Verdict | None, sentences: list[Clause], at: int) -> Severity:
    """Return how sure it is that a deed is denied: a look-up may well find no more than it found."""
    if verdict is not None and verdict.is_sure:
        return "error"
    if looks_up(result):
        return "warning" if len(sentences) == 1 or (at == 0 and len(sentences) == 2) else "note"
    return "error" if at == 0 else "warning"
