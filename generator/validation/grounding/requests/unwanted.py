"""Unwanted: whether calls respect what the user does not want, has corrected or has taken back.

The last word counts. A value is contradicted where the last place at which the user says it lies within a denial, where
a correction of its own sort follows it that no call takes up, or where the wish it belongs to was taken back. What is
undone ("cancel order 55, I don't need it") and what a parameter takes because it is not wanted (`exclude`) is none.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.validation.grounding.arguments.leaves import Grounded
from generator.validation.grounding.arguments.schemas import schemas_at
from generator.validation.grounding.reading.clauses import denies
from generator.validation.grounding.reading.denial_words import Cues, cues_of, may_deny, tool_words
from generator.validation.grounding.reading.denials import DenialReading, Denied, Withdrawal, read_denials
from generator.validation.grounding.reading.languages import phrases
from generator.validation.grounding.reading.names import is_harmless
from generator.validation.grounding.reading.words import STOPWORDS, fold, stem, tokens_of, tokens_of_value
from generator.validation.grounding.requests.corrections import uncorrected
from generator.validation.grounding.requests.wishes import Mention, Wish, values_said, wishes_of
from generator.validation.grounding.results.status import words_of_looking
from generator.validation.rule import Finding
from generator.validation.verdict import Severity, brief, weaker
from generator.validation.view import CallView, RecordView


def contradicted(record: RecordView) -> Iterator[Finding]:
    """Yield the values and the calls that the user's last word is against."""
    if all(not may_deny(text) or read_denials(text).is_plain for text in record.requests):
        return
    for wish in wishes_of(record):
        if not all(reading.is_plain for reading in wish.readings.values()):
            yield from _contradicted(record, wish)


def _contradicted(record: RecordView, wish: Wish) -> Iterator[Finding]:
    found: set[str] = set()
    denies = any(each.denied or each.withdrawals or each.forbids_all for each in wish.readings.values())
    calls = wish.calls if denies else []  # most but correct, which speaks against no call as a whole
    said = {call.pointer: list(values_said(call, record, wish)) for call in calls}
    for call in calls:
        for finding in _against(call, said, wish):
            if finding.pointer not in found:
                found.add(finding.pointer)
                yield finding
    for finding in uncorrected(record, wish.readings, wish.calls):
        if finding.pointer not in found:
            yield finding


def _against(call: CallView, said: dict[str, list[Mention]], wish: Wish) -> Iterator[Finding]:
    """Yield what speaks against one call."""
    own = said[call.pointer]
    others = [each for pointer, mentions in said.items() if pointer != call.pointer for each in mentions]
    yield from _unmeant(call, own, others, wish)
    yield from _forbidden(call, own, others, wish)
    yield from _banned(call, wish)
    yield from _withdrawn(call, own, others, wish)


def _unmeant(call: CallView, own: list[Mention], others: list[Mention], wish: Wish) -> Iterator[Finding]:
    """Yield the values that the user says are not meant."""
    for mention in own:
        for denied in wish.readings[mention.message].denied:
            if (
                denied.sort != "thing"
                or not _is_nearest(mention, denied, [*own, *others])
                or _quotes(call, denied, wish, mention)
            ):
                continue
            if (
                takes_unwanted(mention.grounded)
                or _does(call, tokens_of(denied.cue))
                or _was_before(mention, denied, own, wish)
            ):
                continue
            if _is_looked_up(mention, denied, others, wish):
                continue
            is_aside = mention.is_repeated and not _stands_for_itself(denied, wish.readings[mention.message])
            yield _finding(mention, denied, "note" if is_aside else denied.at_most)


def _stands_for_itself(denied: Denied, reading: DenialReading) -> bool:
    """Say whether a denial takes back what was said before: a correction leads it in, or its sentence holds no more."""
    if any(each.start <= denied.at <= each.end for each in reading.corrections):
        return True
    cues = cues_of(reading.language)
    start, end = reading.sentence(denied.at)
    rest = [*tokens_of(reading.masked[start : denied.at]), *tokens_of(reading.masked[denied.end : end])]
    idle = cues.fillers | cues.leads | cues.between | cues.trailing
    return all(token in idle or token in denied.cue for token in rest)


def _lies_in(mention: Mention, denied: Denied) -> bool:
    return denied.start <= mention.start <= denied.last_start and mention.start < denied.end


def _is_nearest(mention: Mention, denied: Denied, said: list[Mention]) -> bool:
    """Say whether a value is the first that a denial reaches."""
    if not _lies_in(mention, denied):
        return False
    return mention.start <= min(each.end for each in said if each.message == mention.message and _lies_in(each, denied))


def _was_before(mention: Mention, denied: Denied, own: list[Mention], wish: Wish) -> bool:
    """Say whether a parameter takes what was before, beside another that takes what is meant instead."""
    name = str(mention.grounded.leaf.path[0])
    is_bare = denied.cue in cues_of(wish.readings[mention.message].language).bare
    if is_bare or tool_words().former.isdisjoint(tokens_of_value(name)):
        return False
    sentence = wish.readings[mention.message].sentence(mention.start)
    return any(
        each is not mention and each.message == mention.message and sentence[0] <= each.start <= sentence[1]
        for each in own
    )


def _is_looked_up(mention: Mention, denied: Denied, others: list[Mention], wish: Wish) -> bool:
    """Say whether another tool is given what is meant instead: the old thing is then looked up to be changed."""
    reading = wish.readings[mention.message]
    if denied.cue in cues_of(reading.language).bare:
        return False
    sentence = reading.sentence(denied.at)
    return any(
        each.message == mention.message and sentence[0] <= each.start <= sentence[1] and not _lies_in(each, denied)
        and each.grounded.call.name != mention.grounded.call.name
        for each in others
    )  # fmt: skip


def takes_unwanted(each: Grounded) -> bool:
    """Say whether a value stands in a parameter that takes what is not wanted, by its name or its description."""
    words = tool_words()
    if any(
        not words.excluding.isdisjoint(tokens_of_value(str(step))) for step in each.leaf.path if isinstance(step, str)
    ):
        return True
    if each.call.tool is None:
        return False
    descriptions = [schema.get("description") for _, schema in schemas_at(each.call.tool, each.leaf.path)]
    return any(isinstance(text, str) and not words.described.isdisjoint(tokens_of(fold(text))) for text in descriptions)


def _does(call: CallView, words: list[str]) -> bool:
    """Say whether a tool does by its name what some words say."""
    own = {stem(token) for token in tokens_of_value(call.name)}
    return any(stem(word) in own for word in words if len(word) > 2)


def _describes(call: CallView, verb: str) -> bool:
    """Say whether the first sentence of a tool's description speaks of a deed."""
    description = call.tool.function.get("description") if call.tool else None
    first = description.partition(". ")[0][:400] if isinstance(description, str) else ""
    return stem(verb) in map(stem, tokens_of(fold(first)))


def undoes(call: CallView) -> bool:
    """Say whether a tool undoes by its name: what is not wanted is what it takes."""
    return any(token.startswith(tool_words().undoing) for token in tokens_of_value(call.name))


def _quotes(call: CallView, denied: Denied, wish: Wish, mention: Mention) -> bool:
    """Say whether a call passes the denial on as part of a text, as a message does that the user dictates."""
    start, end = min(denied.at, mention.start), max(denied.at + len(denied.cue), mention.end)
    words = " ".join(tokens_of(wish.readings[mention.message].text[start:end]))
    return any(
        words in " ".join(tokens_of(fold(value)))
        for value in (call.arguments or {}).values()
        if isinstance(value, str) and len(value) > len(words)
    )


def _forbidden(call: CallView, own: list[Mention], others: list[Mention], wish: Wish) -> Iterator[Finding]:
    """Yield the first value of a call that does what the user says is not to be done."""
    for index, reading in wish.readings.items():
        for denied in reading.denied:
            inside = [each for each in own if each.message == index and _lies_in(each, denied)]
            inside = [each for each in inside if not takes_unwanted(each.grounded)]
            is_reason = not denied.verb and any(map(undoes, wish.calls))
            if denied.sort == "deed" and inside and not is_reason and not _quotes(call, denied, wish, inside[0]):
                at_most = _sureness(call, denied, own, inside, others, reading)
                if at_most is not None:
                    yield _finding(inside[0], denied, weaker(at_most, denied.at_most))


def _sureness(
    call: CallView,
    denied: Denied,
    own: list[Mention],
    inside: list[Mention],
    others: list[Mention],
    reading: DenialReading,
) -> Severity | None:
    """Return how sure it is that a call does what is not to be done; None where it is not.

    Sure it is where the tool does by its name what is denied, or where all that is said of the call lies in the denial
    and what is said of other calls does not.
    """
    if denied.verb and _does(call, [denied.verb]):
        return "error"
    cues = cues_of(reading.language)
    if undoes(call):
        return None
    if denied.verb in cues.light:
        return "error"
    is_all = len(inside) == len(own) and any(not _lies_in(each, denied) for each in others)
    is_repeated = all(each.is_repeated for each in inside)
    if not denied.verb and _stands_for_itself(denied, reading):
        return "error"
    if is_repeated and not (is_all and len(inside) > 1):
        return None
    if _refers_back(reading, denied, cues):
        return None
    if denied.verb and _describes(call, denied.verb):
        return "warning"
    if is_all:
        return "error"
    return "warning" if len(inside) == len(own) and not denied.verb else "note"


def _refers_back(reading: DenialReading, denied: Denied, cues: Cues) -> bool:
    """Say whether something else is wished of the thing: "don't cancel order 55, just show it"."""
    before, after = reading.masked[: denied.at], reading.masked[denied.end :]
    return not cues.anaphors.isdisjoint(tokens_of(before)) or not cues.anaphors.isdisjoint(tokens_of(after))


def _banned(call: CallView, wish: Wish) -> Iterator[Finding]:
    """Yield a call of which the user says, naming no thing, that it is not to be made: "don't cancel it yet"."""
    reading = wish.last
    for denied in reading.denied:
        if denied.reaches_nothing and _does(call, [denied.verb]):
            after = [stem(token) for token in tokens_of(reading.masked[denied.end :])]
            at_most: Severity = "note" if stem(denied.verb) in after else "error"
            yield Finding(call.pointer, f"is called, and the user says {brief(denied.cue)}", at_most)
    if reading.forbids_all:
        yield Finding(call.pointer, "is called, and the user says to do nothing", "warning")


def _withdrawn(call: CallView, own: list[Mention], others: list[Mention], wish: Wish) -> Iterator[Finding]:
    """Yield a call whose wish was taken back."""
    index, reading = next(reversed(wish.readings.items()))
    for withdrawal in reading.withdrawals:
        at_most = _struck(call, own, others, withdrawal, wish, index)
        if at_most is not None and is_harmless(call.name) and _asks_after(call, withdrawal, reading):
            at_most = "note"  # what is looked up may be for what is asked instead
        if at_most is not None:
            yield Finding(call.pointer, f"is called for what the user takes back: {brief(withdrawal.cue)}", at_most)


def _struck(
    call: CallView, own: list[Mention], others: list[Mention], withdrawal: Withdrawal, wish: Wish, index: int
) -> Severity | None:
    """Return how sure it is that a withdrawal strikes a call; None where it does not.

    The wish told last is taken back for sure, and with it all that is said in one sentence. What stands before that may
    belong to it, or be another wish.
    """
    reading = wish.readings[index]
    is_alone = not reading.masked[: withdrawal.start].strip(" \n")
    is_answer = is_alone and bool(wish.asked)
    if is_alone and undoes(call):
        return None
    if withdrawal.is_last:
        if is_alone:
            return "warning" if is_answer and not _does(call, tokens_of(fold(wish.asked))) else "error"
        if withdrawal.taken_from <= reading.sentences[0][0] or any(_is_gone(each, withdrawal, index) for each in own):
            return "error"
        return None if any(_is_gone(each, withdrawal, index) for each in others) else "warning"
    gone = [each for each in own if _is_gone(each, withdrawal, index)]
    if not own or len(gone) < len(own) or undoes(call) or _is_asked_instead(call, withdrawal, reading):
        return None
    return "warning" if is_answer else "error"


def _asks_after(call: CallView, withdrawal: Withdrawal, reading: DenialReading) -> bool:
    """Say whether something is wished after a withdrawal alone: "it's mia@x.org, never mind, just tell me what I paid".

    What stands before it wishes nothing where it holds no more than what the call is given, and small words.
    """
    before, after = reading.masked[: withdrawal.start], reading.masked[withdrawal.end :]
    cues, given = cues_of(reading.language), fold(call.text)
    idle = cues.fillers | cues.leads | cues.between | STOPWORDS
    if any(token not in idle and token not in given for token in tokens_of(before)):
        return False
    return "?" in after or phrases(reading.language, "asking", "instead").found_in(after)


def _is_asked_instead(call: CallView, withdrawal: Withdrawal, reading: DenialReading) -> bool:
    """Say whether a call looks up what is asked of the same thing afterwards: "never mind; who teaches it?"."""
    name = tokens_of_value(call.name)
    before = frozenset(map(stem, tokens_of(reading.masked[withdrawal.taken_from : withdrawal.start])))
    rest = reading.masked[withdrawal.end :]
    after = tokens_of(rest)
    if not name or name[0] not in words_of_looking() or stem(name[0]) in before:
        return False
    if denies(rest, reading.language) or reading.clause(max(withdrawal.start - 1, 0)).asks:
        return False  # "is it open? Never mind, I don't need it any more"
    return not cues_of(reading.language).anaphors.isdisjoint(after) or _does(call, after)


def _is_gone(mention: Mention, withdrawal: Withdrawal, index: int) -> bool:
    if mention.message < index:
        return withdrawal.taken_from == withdrawal.start  # it begins its message, and takes back what was said before
    return withdrawal.taken_from <= mention.start < withdrawal.start


def _finding(mention: Mention, denied: Denied, at_most: Severity) -> Finding:
    value = brief(mention.grounded.leaf.value)
    return Finding(mention.grounded.pointer, f"gives {value}, of which the user says {brief(denied.cue)}", at_most)
