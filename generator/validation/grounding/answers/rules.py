"""The rules over answers: what they tell of results, and what they tell without any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from generator.validation.grounding.answers.answer import Answer, answers
from generator.validation.grounding.answers.claimed_actions import additional_deeds, claimed_deeds, unbacked_claims
from generator.validation.grounding.answers.comparisons import wrong_comparisons
from generator.validation.grounding.answers.counts import wrong_counts, wrong_units
from generator.validation.grounding.answers.language import unread_languages, wrong_languages
from generator.validation.grounding.answers.negations import MAKING, UNMAKING, negated_results, reversed_deeds
from generator.validation.grounding.answers.outcomes import Claim, denied_successes, unfinished, untold_failed_calls
from generator.validation.grounding.answers.states import (
    arguments_told_as_results,
    misstated_flags,
    wrong_states,
    wrong_yes_or_no,
)
from generator.validation.grounding.answers.text_replies import needless_questions, needless_refusals
from generator.validation.grounding.answers.unsupported import unsupported_statements
from generator.validation.grounding.reading.languages import Signs, both, signs_of
from generator.validation.rule import Check, Finding
from generator.validation.verdict import brief, weaker
from generator.validation.view import RecordView


def _outcomes_are_the_results(record: RecordView) -> Iterator[Finding]:
    for answer in answers(record):
        if answer.results:
            found = list(_outcomes(answer)) or [(_UNSUPPORTED, claim) for claim in unsupported_statements(answer)]
            for words, claim in found:
                if not (words == _UNSUPPORTED and claim.at_most == "note" and record.generated):
                    yield _finding(answer, words, claim, record)


_UNSUPPORTED = "states what nobody has said"


def _outcomes(answer: Answer) -> Iterator[tuple[str, Claim]]:
    untold = list(untold_failed_calls(answer))
    for result, claim in untold:
        yield f"tells nothing of the failure at {result.message.pointer}", claim
    has_signs = answer.language != "" and _signs(answer.language).may_be_in(answer.folded, answer.words)
    for result, claim in denied_successes(answer) if has_signs else ():
        yield f"denies what was done at {result.message.pointer}", claim
    for find, words, by_signs in () if untold else _STATES:
        for claim in find(answer) if has_signs or not by_signs else ():
            yield words, claim


@cache
def _signs(language: str) -> Signs:
    """Return the words of which an answer has one that denies, or tells a deed or its contrary."""
    return both(signs_of(language, "outcomes", "denial", "undone"), signs_of(language, "poles", MAKING, UNMAKING))


def _finding(answer: Answer, words: str, claim: Claim, record: RecordView) -> Finding:
    """Make a finding, which is an error in what was read where it is certain alone."""
    sure = claim.at_most if record.generated or claim.is_certain else weaker(claim.at_most, "warning")
    return Finding(answer.pointer, f"{words}: {claim.message}", sure)


_STATES: tuple[tuple[Callable[[Answer], Iterator[Claim]], str, bool], ...] = (
    (misstated_flags, "says the opposite of the result", False),
    (wrong_yes_or_no, "answers the opposite of the result", False),
    (wrong_states, "tells another state than the result", False),
    (reversed_deeds, "tells the contrary of what was done", True),
    (unfinished, "does not tell the results", False),
    (arguments_told_as_results, "tells what was asked, not what the result says", False),
    (negated_results, "denies what the result tells", False),
    (additional_deeds, "tells a deed that no call has done", False),
)
"""What finds states, what it says of them, and whether it looks for none but in answers with the signs of some."""


def _relations_hold(record: RecordView) -> Iterator[Finding]:
    for answer in answers(record):
        if answer.results and answer.language:
            for find, words in _RELATIONS:
                for claim in find(answer):
                    yield _finding(answer, words, claim, record)


_RELATIONS: tuple[tuple[Callable[[Answer], Iterator[Claim]], str], ...] = (
    (wrong_units, "tells in another unit"),
    (wrong_counts, "counts otherwise"),
    (wrong_comparisons, "compares otherwise"),
)


def _no_deed_is_claimed(record: RecordView) -> Iterator[Finding]:
    found = list(claimed_deeds(record))
    if not record.generated:  # what toolgen writes is held to its kind
        known = {deed.pointer for deed in found}
        found += [deed for deed in unbacked_claims(record) if deed.pointer not in known]
    for deed in found:
        yield Finding(f"{deed.pointer}/content", f"claims what no call has done: {brief(deed.words)}", deed.at_most)


def _text_replies_do_what_they_can(record: RecordView) -> Iterator[Finding]:
    yield from needless_refusals(record)
    yield from needless_questions(record)


def _languages_are_read(record: RecordView) -> Iterator[Finding]:
    for pointer, name in unread_languages(record):
        yield Finding(pointer, f"answers are in {name}, of which too little is known here to hold them to all rules")


CHECKS: dict[str, Check] = {
    "TC216": Check(_outcomes_are_the_results, "results"),
    "TC217": Check(_relations_hold, "results"),
    "TC218": Check(_no_deed_is_claimed),
    "TC221": Check(_text_replies_do_what_they_can),
    "TC222": Check(wrong_languages),
    "TC219": Check(_languages_are_read),
}
"""The rules over answers."""
