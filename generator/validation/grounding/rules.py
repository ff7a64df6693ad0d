"""TC: where values come from, and what an answer may tell (tool-calling practice); a record in, findings out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain

from generator.validation.grounding.answers.answer import (
    Answer,
    answers,
    is_readable,
    unread_languages,
    wrong_languages,
)
from generator.validation.grounding.answers.attribution import misattributed_numbers
from generator.validation.grounding.answers.claimed_actions import additional_deeds, claimed_deeds, unbacked_claims
from generator.validation.grounding.answers.counts import wrong_counts, wrong_units
from generator.validation.grounding.answers.coverage import (
    ResultsTogether,
    has_nothing_to_tell,
    is_paraphrased,
    is_used_later,
    omitted_calls,
    repeats_each_call,
    uncovered_calls,
)
from generator.validation.grounding.answers.derived_numbers import number_severity
from generator.validation.grounding.answers.negations import MAKING, UNMAKING, negated_results, reversed_deeds
from generator.validation.grounding.answers.outcomes import (
    Claim,
    denied_successes,
    says_done,
    unfinished,
    untold_errors,
    untold_failed_calls,
)
from generator.validation.grounding.answers.states import (
    arguments_told_as_results,
    misstated_flags,
    wrong_comparisons,
    wrong_states,
    wrong_yes_or_no,
)
from generator.validation.grounding.answers.swapped_values import swapped_values
from generator.validation.grounding.answers.text_replies import needless_questions, needless_refusals
from generator.validation.grounding.answers.unsupported import (
    is_known_thing,
    misspelt_names,
    ungrounded_addresses,
    ungrounded_days,
    ungrounded_names,
    ungrounded_numbers_with_words,
    unknown_subjects,
    unknown_words,
    unsupported_statements,
)
from generator.validation.grounding.arguments.argument import Grounded, leaves_of
from generator.validation.grounding.arguments.grounded import (
    MOST_LEAVES,
    MOST_SOURCES,
    UNEXPLAINED,
    as_metadata,
    contradictions,
    grounded_arguments,
)
from generator.validation.grounding.fast_path import (
    has_verbatim_arguments,
    has_verbatim_figures,
    may_swap_values,
    tells_of_each_call,
)
from generator.validation.grounding.reading.languages import Signs, both, signs_of
from generator.validation.grounding.reading.words import LONGEST_TEXT
from generator.validation.grounding.requests.asked_calls import (
    repeated_calls,
    unasked_deeds,
    without_consent,
    wrong_tools,
)
from generator.validation.grounding.requests.incomplete import blanks, cut_texts, shortened_lists
from generator.validation.grounding.requests.last_word import contradicted
from generator.validation.grounding.requests.lost_values import lost
from generator.validation.grounding.requests.omissions import in_other_units, left_open
from generator.validation.grounding.requests.wordings import rewordings
from generator.validation.grounding.swaps.findings import results_keep_their_calls, values_keep_their_roles
from generator.validation.grounding.swaps.results import told_of_other_rows
from generator.validation.rule import Check, Finding
from generator.validation.verdict import Severity, brief, weaker
from generator.validation.view import CallView, RecordView, ResultView, is_judged_abroad


def _arguments_are_grounded(record: RecordView) -> Iterator[Finding]:
    yield from blanks(record)
    yield from in_other_units(record)
    if record.grounded is None and has_verbatim_arguments(record):
        return
    for grounded in grounded_arguments(record):
        if grounded.grounding is None:
            leaf = grounded.leaf
            what = f"the key {brief(leaf.path[-1])}" if leaf.is_key else brief(leaf.value)
            yield Finding(grounded.pointer, f"nothing explains {what}: {_why(grounded)}", grounded.at_most)


def _why(grounded: Grounded) -> str:
    if grounded.misplaced:
        return grounded.misplaced
    return (
        "not the user's words so far, the system message, an earlier result or the schema (default, const, only choice)"
    )


def _metadata_are_found(record: RecordView) -> Iterator[Finding]:
    if "grounding" not in record.metadata or (record.grounded is None and has_verbatim_arguments(record)):
        return
    if record.metadata["grounding"] != as_metadata(grounded_arguments(record)):
        yield Finding("/metadata/grounding", "this is not where the arguments come from")


def _answers(record: RecordView) -> list[Answer]:
    """Return the answers that can be read whole."""
    return [answer for answer in answers(record) if is_readable(answer)]


def _told(find: Callable[[Answer], Iterator[str]], message: str) -> Callable[[RecordView], Iterator[Finding]]:
    def find_in_record(record: RecordView) -> Iterator[Finding]:
        for answer in _answers(record):
            if not has_verbatim_figures(answer):
                for said in dict.fromkeys(find(answer)):
                    yield Finding(answer.pointer, message.format(brief(said)))

    return find_in_record


def _numbers_are_told(record: RecordView) -> Iterator[Finding]:
    """Look for numbers from nowhere; in what others wrote, more is thought of that they may come from."""
    for answer in _answers(record):
        if has_verbatim_figures(answer):
            continue
        told: dict[str, Severity] = {}
        for number, word in ungrounded_numbers_with_words(answer):
            sure = "error" if record.generated else number_severity(number, word, answer)
            if sure is not None:
                told.setdefault(number, sure)
        for said, sure in told.items():
            yield Finding(answer.pointer, f"the number {brief(said)} is in no result and no request", sure)


_CAPITALS_ARE_NAMES = frozenset({"en", "es", "fr", "zh"})


def _names_are_told(record: RecordView) -> Iterator[Finding]:
    """Look for names by their capitals, in the languages of which is known what else has one."""
    told = _answers(record)
    yield from _addresses_are_told(told)
    for answer in told:
        found = dict.fromkeys(ungrounded_names(answer))
        names = found if found and answer.language in _CAPITALS_ARE_NAMES else {}
        for said in names:
            sure: Severity = "note" if not record.generated and is_known_thing(said, answer) else "error"
            yield Finding(answer.pointer, f"the name {brief(said)} is in no result and no request", sure)
        if strange := unknown_words(answer):
            yield from _misspelt(answer, strange, names)


def _addresses_are_told(told: list[Answer]) -> Iterator[Finding]:
    for answer in told:
        for said in dict.fromkeys(ungrounded_addresses(answer)):
            yield Finding(answer.pointer, f"the address {brief(said)} is in no result and no request")


def _misspelt(answer: Answer, strange: list[str], known: dict[str, None]) -> Iterator[Finding]:
    """Look for names at the beginnings of sentences as well, and in every language."""
    for said, name in misspelt_names(answer, strange):
        if said not in known:  # other languages have names of their own for places
            sure: Severity = "warning" if answer.language == "en" else "note"
            yield Finding(answer.pointer, f"the name {brief(said)} is in no result, which have {brief(name)}", sure)
    for said in unknown_subjects(answer, strange):
        yield Finding(answer.pointer, f"the name {brief(said)} is in no result and no request", "note")


def _things_are_kept_apart(record: RecordView) -> Iterator[Finding]:
    """Look at every answer, those that repeat each value to the letter as well: each value is true of something."""
    if not may_swap_values(record) or not record.is_within(LONGEST_TEXT):
        return
    for answer in answers(record):
        found = dict.fromkeys(swapped_values(answer))
        for said in found:
            yield Finding(answer.pointer, f"gives {brief(said)} to another of its things than the one it belongs to")
        for stray in () if found else dict.fromkeys(misattributed_numbers(answer)):
            if not (stray.is_small and record.generated):  # a small number may count anything
                told = f"tells {brief(stray.words)} of another of its things than the one it is of"
                yield Finding(answer.pointer, told, "warning" if stray.is_small else "error")


def _errors_are_told(record: RecordView) -> Iterator[Finding]:
    if is_judged_abroad(record) or not any(result.failed for result in record.results):
        return
    for answer in _answers(record):
        for result in untold_errors(answer):
            sure: Severity = "error" if record.generated or says_done(answer) else "warning"
            yield Finding(answer.pointer, f"glosses over the error of {_named(result)}: an error is told", sure)


def _calls_are_covered(record: RecordView) -> Iterator[Finding]:
    found = set()
    for answer, result in _uncovered(record):
        found.add(answer.pointer)
        sure: Severity = "note" if not record.generated and has_nothing_to_tell(result, answer) else "error"
        yield Finding(answer.pointer, f"says nothing of what became of {_named(result)}", sure)
    for answer in answers(record) if record.parallel_calls else ():
        if answer.pointer not in found and is_readable(answer):
            for result in omitted_calls(answer):
                if _need_be_told(result, ResultsTogether(answer), record):
                    told = f"says nothing of what {_named(result)} has brought, where it tells of the others"
                    yield Finding(answer.pointer, told, "warning")


def _uncovered(record: RecordView) -> Iterator[tuple[Answer, ResultView]]:
    doubtful = [answer for answer in answers(record) if _may_leave_out(answer)]
    if not doubtful or is_judged_abroad(record) or tells_of_each_call(record):
        return
    for answer in doubtful:
        together = ResultsTogether(answer)
        yield from ((answer, each) for each in uncovered_calls(answer) if _need_be_told(each, together, record))


def _may_leave_out(answer: Answer) -> bool:
    """Say quickly whether an answer may say nothing of a result."""
    return bool(answer.results) and is_readable(answer) and not repeats_each_call(answer)


def _need_be_told(result: ResultView, together: ResultsTogether, record: RecordView) -> bool:
    """Say whether a result is told neither in other words nor by what was done with it, in what others wrote."""
    return record.generated or not (is_paraphrased(result, together) or is_used_later(result, record))


def _named(result: ResultView) -> str:
    call = result.call
    return f"{brief(call.name)} at {call.pointer}" if isinstance(call, CallView) else result.message.pointer


def _last_word_counts(record: RecordView) -> Iterator[Finding]:
    yield from contradicted(record)
    yield from without_consent(record)


def _results_are_their_calls(record: RecordView) -> Iterator[Finding]:
    yield from results_keep_their_calls(record)
    if len(record.results) > 1:
        yield from told_of_other_rows(record)


def _nothing_is_lost(record: RecordView) -> Iterator[Finding]:
    yield from lost(record)
    yield from left_open(record)
    yield from (each for each in shortened_lists(record) if each.at_most != "note" or not record.generated)


def _texts_are_whole(record: RecordView) -> Iterator[Finding]:
    found = set()
    for each in rewordings(record):
        found.add(each.pointer)
        yield each
    yield from (each for each in cut_texts(record) if each.pointer not in found)


def _calls_are_asked_for(record: RecordView) -> Iterator[Finding]:
    """Look for calls that nobody wants; what is but unsure is told of what was not written here."""
    for each in chain(unasked_deeds(record), repeated_calls(record), wrong_tools(record)):
        if each.at_most != "note" or not record.generated:
            yield each


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


def unread_ends(record: RecordView) -> Iterator[Finding]:
    """Yield where reading ends before the record does, so that nobody takes the rest for checked.

    Texts of any length are searched to the letter and word for word. Numbers, days, times and negations are read as far
    as `LONGEST_TEXT` goes, and a value is looked for in the latest messages; what lies beyond is told here.
    """
    if len(record.text) > LONGEST_TEXT:
        yield from _texts(record)
    if len(record.messages) > MOST_SOURCES:
        yield from _messages(record)
    if record.grounded is not None and len(record.grounded) >= MOST_LEAVES // UNEXPLAINED:
        yield from _values(record, len(record.grounded))


def _texts(record: RecordView) -> Iterator[Finding]:
    long = [each for each in record.messages if isinstance(each.content, str) and len(each.content) > LONGEST_TEXT]
    for message in long:
        what = f"is longer than {LONGEST_TEXT:,} characters: its numbers, days and negations are not read to the end"
        yield Finding(f"{message.pointer}/content", what)
    if not long and record.results:
        yield Finding("/messages", f"are longer than {LONGEST_TEXT:,} characters together: which values belong to "
                      "which thing is not looked at")  # fmt: skip


def _messages(record: RecordView) -> Iterator[Finding]:
    for role in ("user", "tool"):
        held = [message for message in record.messages if message.role == role]
        if len(held) > MOST_SOURCES:
            what = f"are looked through for where a value comes from no further back than {MOST_SOURCES} of a role"
            yield Finding("/messages", f"{what}; there are {len(held):,} with the role {role}")


def _values(record: RecordView, read: int) -> Iterator[Finding]:
    held = sum(1 for call in record.calls for _ in leaves_of(call))
    if held > read:
        yield Finding("/messages", f"hold {held:,} values in calls, of which the first {read:,} are looked at")


CHECKS: dict[str, Check] = {
    "TC201": Check(_arguments_are_grounded, "calls"),
    "TC202": Check(_numbers_are_told),
    "TC203": Check(_told(ungrounded_days, "the date or time {} is in no result and no request")),
    "TC204": Check(_names_are_told),
    "TC205": Check(_errors_are_told, "results"),
    "TC206": Check(_calls_are_covered, "results"),
    "TC207": Check(_metadata_are_found),
    "TC208": Check(_things_are_kept_apart, "results"),
    "TC209": Check(values_keep_their_roles, "calls"),
    "TC210": Check(_results_are_their_calls, "results"),
    "TC216": Check(_outcomes_are_the_results, "results"),
    "TC217": Check(_relations_hold, "results"),
    "TC218": Check(_no_deed_is_claimed),
    "TC221": Check(_text_replies_do_what_they_can),
    "TC222": Check(wrong_languages),
    "TC219": Check(_languages_are_read),
    "TC213": Check(contradictions, "calls"),
    "TC214": Check(_texts_are_whole, "calls"),
    "TC215": Check(unread_ends),
    "TC211": Check(_last_word_counts, "calls"),
    "TC220": Check(_calls_are_asked_for, "calls"),
    "TC212": Check(_nothing_is_lost, "calls"),
}
"""The rules of grounding."""
