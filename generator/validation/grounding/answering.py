"""The rules over answers: what they tell of results, and what they tell without any."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.validation.grounding.answers import Answer, answers_of
from generator.validation.grounding.comparing import miscompared
from generator.validation.grounding.counting import miscounts
from generator.validation.grounding.deeds import claimed_deeds
from generator.validation.grounding.poles import reversed_deeds
from generator.validation.grounding.states import misanswered, misstated_flags, other_states
from generator.validation.grounding.successes import Claim, denied, glossed_over
from generator.validation.grounding.units import misunits
from generator.validation.rule import Finding, Rule
from generator.validation.say import brief
from generator.validation.view import RecordView

_SOURCE = "tool-calling practice"


def answers(record: RecordView) -> list[Answer]:
    """Return the answers of a record, read once."""
    if record.answers is None:
        record.answers = list(answers_of(record))
    return record.answers


def _outcomes_are_the_results(record: RecordView) -> Iterator[Finding]:
    for answer in answers(record):
        if answer.results:
            yield from _outcomes(answer)


def _outcomes(answer: Answer) -> Iterator[Finding]:
    for result, claim in glossed_over(answer):
        yield Finding(answer.pointer, f"tells nothing of the failure at {result.message.pointer}: {claim.message}",
                      claim.at_most)  # fmt: skip
    for result, claim in denied(answer):
        yield Finding(answer.pointer, f"denies what was done by {result.message.pointer}: {claim.message}",
                      claim.at_most)  # fmt: skip
    for find, words in _STATES:
        for claim in find(answer):
            yield Finding(answer.pointer, f"{words}: {claim.message}", claim.at_most)


_STATES: tuple[tuple[Callable[[Answer], Iterator[Claim]], str], ...] = (
    (misstated_flags, "says the opposite of the result"),
    (misanswered, "answers the opposite of the result"),
    (other_states, "tells another state than the result"),
    (reversed_deeds, "tells the contrary of what was done"),
)


def _relations_hold(record: RecordView) -> Iterator[Finding]:
    for answer in answers(record):
        if answer.results and answer.language:
            for find, words in _RELATIONS:
                for claim in find(answer):
                    yield Finding(answer.pointer, f"{words} {claim.message}", claim.at_most)


_RELATIONS: tuple[tuple[Callable[[Answer], Iterator[Claim]], str], ...] = (
    (misunits, "tells in another unit:"),
    (miscounts, "counts otherwise:"),
    (miscompared, "compares otherwise:"),
)


def _no_deed_is_claimed(record: RecordView) -> Iterator[Finding]:
    for deed in claimed_deeds(record):
        yield Finding(f"{deed.pointer}/content", f"claims what no call has done: {brief(deed.words)}", deed.at_most)


RULES = (
    Rule("TC216", "An answer tells the outcome that the result has.", _SOURCE, _outcomes_are_the_results,
         read="warning", scope="results"),
    Rule("TC217", "Counts, units and comparisons of an answer are those of the results.", _SOURCE, _relations_hold,
         read="warning", scope="results"),
    Rule("TC218", "An answer without calls claims no deed.", _SOURCE, _no_deed_is_claimed, read="warning"),
)  # fmt: skip
"""The rules over answers."""
