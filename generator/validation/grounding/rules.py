"""TC, third part: where values come from, and what an answer may tell (tool-calling practice)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from generator.validation.call_view import CallView
from generator.validation.grounding.answers import (
    Answer,
    answers_of,
    readable,
    ungrounded_days,
    ungrounded_names,
    ungrounded_numbers,
)
from generator.validation.grounding.arguments import grounded_arguments
from generator.validation.grounding.denials import contradicted
from generator.validation.grounding.explaining import told
from generator.validation.grounding.leaves import Grounded
from generator.validation.grounding.losses import lost
from generator.validation.grounding.mixups import mixed_up
from generator.validation.grounding.outcomes import uncovered_calls, untold_errors
from generator.validation.grounding.plain import (
    has_plain_answers,
    has_plain_arguments,
    has_things_to_mix_up,
    tells_of_each_call,
)
from generator.validation.grounding.role_rules import results_keep_their_calls, values_keep_their_roles
from generator.validation.grounding.words import LONGEST_TEXT
from generator.validation.opinions import is_judged_abroad
from generator.validation.rule import Finding, Rule
from generator.validation.say import brief
from generator.validation.view import RecordView, ResultView

_SOURCE = "tool-calling practice"


def _arguments_are_grounded(record: RecordView) -> Iterator[Finding]:
    if record.grounded is None and has_plain_arguments(record):
        return
    for grounded in grounded_arguments(record):
        if grounded.grounding is None:
            leaf = grounded.leaf
            what = f"the key {brief(leaf.path[-1])}" if leaf.is_key else brief(leaf.value)
            yield Finding(grounded.pointer, f"nothing explains {what}: {_why(grounded)}")


def _why(grounded: Grounded) -> str:
    if grounded.misplaced:
        return grounded.misplaced
    return (
        "not the user's words so far, the system message, an earlier result or the schema (default, const, only choice)"
    )


def _metadata_are_found(record: RecordView) -> Iterator[Finding]:
    if "grounding" not in record.metadata or (record.grounded is None and has_plain_arguments(record)):
        return
    if record.metadata["grounding"] != told(grounded_arguments(record)):
        yield Finding("/metadata/grounding", "this is not where the arguments come from")


def _answers(record: RecordView) -> list[Answer]:
    """Return the answers that can be read whole."""
    if record.answers is None:
        record.answers = [answer for answer in answers_of(record) if readable(answer)]
    return record.answers


def _answers_to_search(record: RecordView) -> list[Answer]:
    """Return the answers, unless a short look found all that they tell."""
    return [] if has_plain_answers(record) else _answers(record)


def _told(find: Callable[[Answer], Iterator[str]], message: str) -> Callable[[RecordView], Iterator[Finding]]:
    def find_in_record(record: RecordView) -> Iterator[Finding]:
        for answer in _answers_to_search(record):
            for said in dict.fromkeys(find(answer)):
                yield Finding(answer.pointer, message.format(brief(said)))

    return find_in_record


_NOUNS_HAVE_CAPITALS = frozenset({"de", "lb"})


def _names_are_told(record: RecordView) -> Iterator[Finding]:
    """Look for names by their capitals, where not every noun has one."""
    if str(record.metadata.get("locale"))[:2] not in _NOUNS_HAVE_CAPITALS:
        yield from _told(ungrounded_names, "the name {} is in no result and no request")(record)


def _things_are_kept_apart(record: RecordView) -> Iterator[Finding]:
    """Look at every answer, those that repeat each value to the letter as well: each value is true of something."""
    if not has_things_to_mix_up(record):
        return
    for answer in answers_of(record) if len(record.text) <= LONGEST_TEXT else ():
        for said in dict.fromkeys(mixed_up(answer)):
            yield Finding(answer.pointer, f"gives {brief(said)} to another of its things than the one it belongs to")


def _errors_are_told(record: RecordView) -> Iterator[Finding]:
    if is_judged_abroad(record) or not any(result.failed for result in record.results):
        return
    for answer in _answers(record):
        for result in untold_errors(answer):
            yield Finding(answer.pointer, f"glosses over the error of {_named(result)}: an error is told")


def _calls_are_covered(record: RecordView) -> Iterator[Finding]:
    if is_judged_abroad(record) or tells_of_each_call(record):
        return
    for answer in _answers(record):
        for result in uncovered_calls(answer) if answer.results else ():
            yield Finding(answer.pointer, f"says nothing of what became of {_named(result)}")


def _named(result: ResultView) -> str:
    call = result.call
    return f"{brief(call.name)} at {call.pointer}" if isinstance(call, CallView) else result.message.pointer


RULES = (
    Rule("TC201", "Every argument comes from what was said, a result or the schema.", _SOURCE, _arguments_are_grounded,
         read="warning", scope="calls"),
    Rule("TC202", "Every number an answer tells is in the results or the request.", _SOURCE,
         _told(ungrounded_numbers, "the number {} is in no result and no request"), read="warning"),
    Rule("TC203", "Every date and time an answer tells is in the results or the request.", _SOURCE,
         _told(ungrounded_days, "the date or time {} is in no result and no request"), read="warning"),
    Rule("TC204", "Every name an answer tells is in the results or the request.", _SOURCE,
         _names_are_told, read="warning"),
    Rule("TC205", "An answer tells the errors of its turn.", _SOURCE, _errors_are_told, read="warning",
         scope="results"),
    Rule("TC206", "An answer covers each call of its turn.", _SOURCE, _calls_are_covered, read="warning",
         scope="results"),
    Rule("TC207", "Metadata that say where arguments come from say what is found.", _SOURCE, _metadata_are_found,
         read="warning"),
    Rule("TC208", "An answer gives each thing its own values.", _SOURCE, _things_are_kept_apart, read="warning",
         scope="results"),
    Rule("TC209", "Each value of a call stands in its own role.", _SOURCE, values_keep_their_roles,
         read="warning", scope="calls"),
    Rule("TC210", "Each result belongs to its own call.", _SOURCE, results_keep_their_calls, read="warning",
         scope="results"),
    Rule("TC211", "Calls respect what the user denies, corrects and takes back.", _SOURCE, contradicted, read="warning",
         scope="calls"),
    Rule("TC212", "Nothing that a request states is lost.", _SOURCE, lost, read="warning", scope="calls"),
)  # fmt: skip
"""The rules of grounding."""
