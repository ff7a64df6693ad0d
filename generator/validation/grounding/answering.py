"""The rules over answers: what they tell of results, and what they tell without any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from generator.validation.grounding.answers import Answer, answers_of
from generator.validation.grounding.asking_back import asked_again
from generator.validation.grounding.comparing import miscompared
from generator.validation.grounding.counting import miscounts
from generator.validation.grounding.declining import refused
from generator.validation.grounding.deeds import claimed_deeds
from generator.validation.grounding.foreign import foreign_answers
from generator.validation.grounding.further import further_deeds
from generator.validation.grounding.language import Signs, both, signs_of
from generator.validation.grounding.polarity import negated
from generator.validation.grounding.poles import MAKING, UNMAKING, reversed_deeds
from generator.validation.grounding.siding import sided
from generator.validation.grounding.states import misanswered, misstated_flags, other_states
from generator.validation.grounding.strange import strange_facts
from generator.validation.grounding.successes import Claim, denied, glossed_over
from generator.validation.grounding.tongues import foreign_tongues
from generator.validation.grounding.unbacked import unbacked
from generator.validation.grounding.unfinished import unfinished
from generator.validation.grounding.units import misunits
from generator.validation.rule import Check, Finding
from generator.validation.verdict import brief, weaker
from generator.validation.view import RecordView


def answers(record: RecordView) -> list[Answer]:
    """Return the answers of a record, read once."""
    if record.answers is None:
        record.answers = list(answers_of(record))
    return record.answers


def _outcomes_are_the_results(record: RecordView) -> Iterator[Finding]:
    for answer in answers(record):
        if answer.results:
            found = list(_outcomes(answer)) or [(_STRANGE, claim) for claim in strange_facts(answer)]
            for words, claim in found:
                if not (words == _STRANGE and claim.at_most == "note" and record.generated):
                    yield _finding(answer, words, claim, record)


_STRANGE = "states what nobody has said"


def _outcomes(answer: Answer) -> Iterator[tuple[str, Claim]]:
    untold = list(glossed_over(answer))
    for result, claim in untold:
        yield f"tells nothing of the failure at {result.message.pointer}", claim
    has_signs = answer.language != "" and _signs(answer.language).may_be_in(answer.folded, answer.words)
    for result, claim in denied(answer) if has_signs else ():
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
    (misanswered, "answers the opposite of the result", False),
    (other_states, "tells another state than the result", False),
    (reversed_deeds, "tells the contrary of what was done", True),
    (unfinished, "does not tell the results", False),
    (sided, "tells what was asked, not what the result says", False),
    (negated, "denies what the result tells", False),
    (further_deeds, "tells a deed that no call has done", False),
)
"""What finds states, what it says of them, and whether it looks for none but in answers with the signs of some."""


def _relations_hold(record: RecordView) -> Iterator[Finding]:
    for answer in answers(record):
        if answer.results and answer.language:
            for find, words in _RELATIONS:
                for claim in find(answer):
                    yield _finding(answer, words, claim, record)


_RELATIONS: tuple[tuple[Callable[[Answer], Iterator[Claim]], str], ...] = (
    (misunits, "tells in another unit"),
    (miscounts, "counts otherwise"),
    (miscompared, "compares otherwise"),
)


def _no_deed_is_claimed(record: RecordView) -> Iterator[Finding]:
    found = list(claimed_deeds(record))
    if not record.generated:  # what toolgen writes is held to its kind
        known = {deed.pointer for deed in found}
        found += [deed for deed in unbacked(record) if deed.pointer not in known]
    for deed in found:
        yield Finding(f"{deed.pointer}/content", f"claims what no call has done: {brief(deed.words)}", deed.at_most)


def _talks_do_what_they_can(record: RecordView) -> Iterator[Finding]:
    yield from refused(record)
    yield from asked_again(record)


def _languages_are_read(record: RecordView) -> Iterator[Finding]:
    for pointer, name in foreign_answers(record):
        yield Finding(pointer, f"answers are in {name}, of which too little is known here to hold them to all rules")


CHECKS: dict[str, Check] = {
    "TC216": Check(_outcomes_are_the_results, "results"),
    "TC217": Check(_relations_hold, "results"),
    "TC218": Check(_no_deed_is_claimed),
    "TC221": Check(_talks_do_what_they_can),
    "TC222": Check(foreign_tongues),
    "TC219": Check(_languages_are_read),
}
"""The rules over answers."""
