"""Last word: whether calls respect what the user does not want, has corrected or has taken back.

The last word counts. A value is contradicted where the last place at which the user says it lies within a denial, where
a correction of its own sort follows it that no call takes up, or where the wish it belongs to was taken back. What is
undone ("cancel order 55, I don't need it") and what a parameter takes because it is not wanted (`exclude`) is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from operator import itemgetter

from generator.jsontext import JsonValue
from generator.validation.grounding.arguments.argument import Grounded, choices_at, schemas_at
from generator.validation.grounding.arguments.datetimes import ground_moment
from generator.validation.grounding.arguments.grounded import grounded_arguments
from generator.validation.grounding.arguments.sources import Said, Source
from generator.validation.grounding.reading import days
from generator.validation.grounding.reading.denial_words import Cues, cues_of, may_deny, tool_words
from generator.validation.grounding.reading.denials import (
    Correction,
    DenialReading,
    Denied,
    Withdrawal,
    denies,
    read_denials,
)
from generator.validation.grounding.reading.languages import is_harmless, phrases
from generator.validation.grounding.reading.quantities import Quantity
from generator.validation.grounding.reading.words import STOPWORDS, find_literal, fold, stem, tokens_of, tokens_of_value
from generator.validation.grounding.requests.wishes import Mention, Wish, grounding_in_words, values_said, wishes_of
from generator.validation.grounding.result_status import words_of_looking
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
    calls = wish.calls if any(map(_does_more_than_correct, wish.readings.values())) else []
    said = {call.pointer: list(values_said(call, record, wish)) for call in calls}
    for call in calls:
        for finding in _against(call, said, wish):
            if finding.pointer not in found:
                found.add(finding.pointer)
                yield finding
    for finding in uncorrected(record, wish.readings, wish.calls):
        if finding.pointer not in found:
            yield finding


def _does_more_than_correct(reading: DenialReading) -> bool:
    """Say whether a message denies or takes back anything; a correction speaks against no call as a whole."""
    return bool(reading.denied or reading.withdrawals or reading.forbids_all)


def _against(call: CallView, said: dict[str, list[Mention]], wish: Wish) -> Iterator[Finding]:
    """Yield what speaks against one call."""
    own = said[call.pointer]
    others = [each for pointer, mentions in said.items() if pointer != call.pointer for each in mentions]
    yield from _unmeant(own, others, wish)
    yield from _forbidden(call, own, others, wish)
    yield from _banned(call, wish)
    yield from _withdrawn(call, own, others, wish)


def _unmeant(own: list[Mention], others: list[Mention], wish: Wish) -> Iterator[Finding]:
    """Yield the values that the user says are not meant."""
    for mention in own:
        reading = wish.readings[mention.message]
        for denied in reading.denied:
            if denied.sort != "thing" or not _is_nearest(mention, denied, [*own, *others]):
                continue
            if not _is_in_its_place(mention, denied, own, others, wish):
                is_aside = mention.is_repeated and not _stands_for_itself(denied, reading)
                yield _finding(mention, denied, "note" if is_aside else denied.at_most)


def _is_in_its_place(mention: Mention, denied: Denied, own: list[Mention], others: list[Mention], wish: Wish) -> bool:
    """Say whether a denied value stands where such a one belongs: in a text, with what undoes it, or to be changed."""
    return (
        _quotes(mention.grounded.call, denied, wish, mention)
        or takes_unwanted(mention.grounded)
        or _does(mention.grounded.call, tokens_of(denied.cue))
        or _was_before(mention, denied, own, wish)
        or _is_looked_up(mention, denied, others, wish)
    )


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
            inside = _values_inside(denied, index, own) if denied.sort == "deed" else []
            is_reason = not denied.verb and any(map(undoes, wish.calls))
            if inside and not is_reason and not _quotes(call, denied, wish, inside[0]):
                at_most = _sureness(call, denied, own, inside, others, reading)
                if at_most is not None:
                    yield _finding(inside[0], denied, weaker(at_most, denied.at_most))


def _values_inside(denied: Denied, index: int, own: list[Mention]) -> list[Mention]:
    """Return the values that a denial of a message reaches, but for those that are given as what is not wanted."""
    reached = [each for each in own if each.message == index and _lies_in(each, denied)]
    return [each for each in reached if not takes_unwanted(each.grounded)]


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
    if _does(call, [denied.verb]):
        return "error"
    if undoes(call):
        return None
    cues = cues_of(reading.language)
    if denied.verb in cues.light or (not denied.verb and _stands_for_itself(denied, reading)):
        return "error"
    sure = _sureness_by_values(denied, own, inside, others)
    if sure is None or _refers_back(reading, denied, cues):
        return None
    return "warning" if denied.verb and _describes(call, denied.verb) else sure


def _sureness_by_values(
    denied: Denied, own: list[Mention], inside: list[Mention], others: list[Mention]
) -> Severity | None:
    """Return how sure it is that a denial is meant for a call, by what is said of that and of others."""
    is_whole = len(inside) == len(own)
    is_all = is_whole and any(not _lies_in(each, denied) for each in others)
    if all(each.is_repeated for each in inside) and not (is_all and len(inside) > 1):
        return None
    if is_all:
        return "error"
    return "warning" if is_whole and not denied.verb else "note"


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
    reading = wish.last
    for withdrawal in reading.withdrawals:
        at_most = _struck(call, own, others, withdrawal, wish)
        if at_most is not None and is_harmless(call.name) and _asks_after(call, withdrawal, reading):
            at_most = "note"  # what is looked up may be for what is asked instead
        if at_most is not None:
            yield Finding(call.pointer, f"is called for what the user takes back: {brief(withdrawal.cue)}", at_most)


def _struck(
    call: CallView, own: list[Mention], others: list[Mention], withdrawal: Withdrawal, wish: Wish
) -> Severity | None:
    """Return how sure it is that a withdrawal strikes a call; None where it does not.

    The wish told last is taken back for sure, and with it all that is said in one sentence. What stands before that may
    belong to it, or be another wish.
    """
    reading = wish.last
    is_alone = not reading.masked[: withdrawal.start].strip(" \n")
    if is_alone and undoes(call):
        return None
    if withdrawal.is_last:
        if is_alone:
            return "warning" if wish.asked and not _does(call, tokens_of(fold(wish.asked))) else "error"
        return _struck_as_the_last(own, others, withdrawal, wish)
    if not _is_taken_back_whole(call, own, withdrawal, wish):
        return None
    return "warning" if is_alone and wish.asked else "error"


def _struck_as_the_last(
    own: list[Mention], others: list[Mention], withdrawal: Withdrawal, wish: Wish
) -> Severity | None:
    """Return how sure it is that a withdrawal at the end of its message strikes a call, with other words before it."""
    first, _ = wish.last.sentences[0]
    if withdrawal.taken_from <= first or any(_is_gone(each, withdrawal, wish) for each in own):
        return "error"
    return None if any(_is_gone(each, withdrawal, wish) for each in others) else "warning"


def _is_taken_back_whole(call: CallView, own: list[Mention], withdrawal: Withdrawal, wish: Wish) -> bool:
    """Say whether all that is said of a call is taken back, and it is not what is asked for instead."""
    if not own or not all(_is_gone(each, withdrawal, wish) for each in own):
        return False
    return not undoes(call) and not _is_asked_instead(call, withdrawal, wish.last)


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


def _is_gone(mention: Mention, withdrawal: Withdrawal, wish: Wish) -> bool:
    if mention.message < wish.latest:
        return withdrawal.taken_from == withdrawal.start  # it begins its message, and takes back what was said before
    return withdrawal.taken_from <= mention.start < withdrawal.start


def _finding(mention: Mention, denied: Denied, at_most: Severity) -> Finding:
    value = brief(mention.grounded.leaf.value)
    return Finding(mention.grounded.pointer, f"gives {value}, of which the user says {brief(denied.cue)}", at_most)


_SHORT = 10
"""Words up to which a correction holds little else."""
_CLOCK = re.compile(r"\d\d?:\d\d(?::\d\d)?")


def uncorrected(record: RecordView, readings: Mapping[int, DenialReading], calls: list[CallView]) -> Iterator[Finding]:
    """Yield the values of calls that the user has corrected, where no call is given what was said instead."""
    for index, reading in readings.items():
        for place, correction in enumerate(reading.corrections):
            if _is_corrected_in_turn(reading, place):
                continue
            given = [each for each in grounded_arguments(record) if each.call in calls and not each.leaf.is_key]
            passage = Source(index, reading.text[correction.own : correction.end])
            earlier = [Source(at, other.text) for at, other in readings.items() if at < index]
            earlier.append(Source(index, reading.text[: correction.start]))
            yield from _passed_over(record, given, passage, earlier, correction, reading)


_BARE = re.compile(r"\D{0,12}\b\d{1,4}\b\D{0,40}")


def _is_corrected_in_turn(reading: DenialReading, place: int) -> bool:
    """Say whether the next correction replaces this one's number: "make it 8, nah, 7"."""
    both = reading.corrections[place : place + 2]
    return len(both) == len(_PAIR) and all(_BARE.fullmatch(reading.text[each.own : each.end]) for each in both)


_PAIR = range(2)


def _passed_over(
    record: RecordView,
    given: list[Grounded],
    passage: Source,
    earlier: list[Source],
    correction: Correction,
    reading: DenialReading,
) -> Iterator[Finding]:
    day = record.metadata.get("reference_date")
    system = [
        Source(0, each.content, "system")
        for each in record.messages[:1]
        if isinstance(each.content, str) and each.role == "system"
    ]
    before, after = Said((*reversed(earlier), *system), day), Said((passage, *system), day)
    cues = cues_of(reading.language)
    is_long = len(tokens_of(passage.folded)) > _SHORT
    at_most: Severity = "warning" if correction.cue in cues.weak or is_long else "error"
    for said in (_number, _choice, _moment):
        for each, instead in said(given, before, after):
            message = f"gives {brief(each.leaf.value)}, which the user corrects: {brief(instead)}"
            yield Finding(each.pointer, message, at_most)
    yield from _name(given, before, reading, correction, at_most)


def _number(given: list[Grounded], before: Said, after: Said) -> Iterator[tuple[Grounded, str]]:
    """Yield the numbers that another number of the same sort replaces."""
    passage = after.sources[0]
    numbers = [each for each in given if type(each.leaf.value) in (int, float)]
    if not numbers or not passage.quantities or any(_holds(passage, float(each.leaf.value)) for each in numbers):
        return
    fresh = _fresh(passage, given)
    for _, quantity, each in sorted(_said(numbers, before), key=itemgetter(0), reverse=True):
        match = _of_same_sort(quantity, fresh)
        if match is not None and not _is_of_a_moment(match, given, before):
            yield each, f"{match.value:g}"
            return


def _fresh(passage: Source, given: list[Grounded]) -> list[Quantity]:
    """Return what a passage counts that stands in nothing given."""
    written = " ".join(str(each.leaf.value) for each in given)
    return [each for each in passage.quantities if _counts(each, passage) and not _is_in(each, written)]


def _is_of_a_moment(quantity: Quantity, given: list[Grounded], before: Said) -> bool:
    """Say whether a bare number is the hour or the day of what is given, where one was said: "at 7, make it 8"."""
    said = next((source for source in before.sources if source.role == "user"), None)
    if _unit(quantity.unit) or said is None or not _tells_a_moment(said):
        return False
    return any(number and quantity.value in (number, number - _HALF_DAY) for number in _hours_and_days(given))


def _tells_a_moment(source: Source) -> bool:
    return bool(source.clocks or source.hours or source.days or source.relative_day)


def _hours_and_days(given: list[Grounded]) -> Iterator[int]:
    """Yield the hours and the days of the month that texts given hold; 0 where a moment has but the other."""
    for each in given:
        if isinstance(each.leaf.value, str):
            for match in _HOUR_OR_DAY.finditer(each.leaf.value[:40]):
                yield from map(int, match.groups("0"))


_HOUR_OR_DAY = re.compile(r"\d{4}-\d\d-(\d\d)|(?<!\d)(\d{1,2}):\d\d")
_HALF_DAY = 12


def _holds(source: Source, value: float) -> bool:
    return value in source.numbers or any(
        abs(each.value - value) < 1e-6 for found in source.conversions.values() for each, _ in found
    )


def _counts(quantity: Quantity, source: Source) -> bool:
    """Say whether a quantity counts something, and is no part of a day, a time of day or a code."""
    number = quantity.text.split()[0] if quantity.text[:1].isdigit() else quantity.text
    at = find_literal(source.folded, number)
    if at < 0 or _NTH.match(quantity.text):
        return False
    before, after = source.folded[max(0, at - 12) : at].split(), source.folded[at + len(number) :]
    following = tokens_of(after[:12])
    beside = [*before[-1:], *following[:1]]
    is_of_day = after.startswith(":") or not _HALVES.isdisjoint(following[:1])
    return not (is_of_day or any(word[:3] in days.MONTH_LETTERS for word in beside))


def _is_in(quantity: Quantity, written: str) -> bool:
    return f"{quantity.value:g}" in re.findall(r"\d+(?:\.\d+)?", written)


def _said(numbers: list[Grounded], before: Said) -> Iterator[tuple[tuple[int, int], Quantity, Grounded]]:
    """Yield what counts the numbers in what was said before, with where."""
    for source in before.sources:
        if source.role == "user":
            for quantity in source.quantities:
                for each in numbers:
                    if quantity.value == float(each.leaf.value) and _counts(quantity, source):
                        yield (source.index, source.folded.rfind(quantity.text)), quantity, each


def _of_same_sort(one: Quantity, others: list[Quantity]) -> Quantity | None:
    """Return the first quantity that counts the same as another one, as far as their units tell."""
    unit = _unit(one.unit)
    for other in others:
        theirs = _unit(other.unit)
        if unit.startswith(theirs) or theirs.startswith(unit):
            return other
    return None


def _unit(unit: str) -> str:
    return "" if unit in STOPWORDS or not unit[:1].isalpha() else stem(unit)


def _choice(given: list[Grounded], before: Said, after: Said) -> Iterator[tuple[Grounded, str]]:
    """Yield the choices that another choice of the same parameter replaces."""
    passage = after.sources[0]
    used = {fold(str(each.leaf.value)) for each in given}
    for each in given:
        if _was_chosen(each, passage, before):
            for other in choices_at(each.call.tool, each.leaf.path) if each.call.tool is not None else ():
                if fold(other) not in used and _says(passage, other):
                    yield each, other
                    break


def _was_chosen(each: Grounded, passage: Source, before: Said) -> bool:
    """Say whether a text given was said before a passage, and the passage does not say it once more."""
    value = each.leaf.value
    if not isinstance(value, str) or grounding_in_words(each) is None or _says(passage, value):
        return False
    return any(_says(source, value) for source in before.sources if source.role == "user")


def _says(source: Source, choice: str) -> bool:
    words = _words_of_choice(choice)
    return bool(words) and f" {words} " in source.words.spaced


@lru_cache(maxsize=4096)
def _words_of_choice(choice: str) -> str:
    return " ".join(tokens_of(fold(choice.replace("_", " "))))


def _moment(given: list[Grounded], before: Said, after: Said) -> Iterator[tuple[Grounded, str]]:
    """Yield the days and the times of day that another one replaces."""
    passage = after.sources[0]
    for pattern, says in ((days.ISO_DAY, _says_day), (_CLOCK, _says_clock)):
        own = _written_as(pattern, given)
        instead = says(passage) if own else ""
        if not instead or any(ground_moment(fold(each.leaf.value), after) for each in own):
            continue
        said_before = [each for each in own if ground_moment(fold(each.leaf.value), before)]
        if said_before:
            yield said_before[-1], instead


def _written_as(pattern: re.Pattern[str], given: list[Grounded]) -> list[Grounded]:
    """Return the texts given that have a form."""
    return [each for each in given if isinstance(each.leaf.value, str) and pattern.fullmatch(each.leaf.value)]


def _says_day(source: Source) -> str:
    """Return the words for a day in a passage; "" where there are none."""
    said = next((each.text for each in source.days), "")
    return said or source.relative_day or _in_digits(source)


_HALVES = frozenset({"am", "pm", "a", "p", "oclock", "o"})
_NTH = re.compile(r"(?<!\w)\d{1,2}(?:st|nd|rd|th)(?!\w)")


def _in_digits(source: Source) -> str:
    match = _NTH.search(source.folded)
    return match[0] if match else ""


def _says_clock(source: Source) -> str:
    return next(iter(source.clocks.values()), "")


_NAME = re.compile(r"[A-Z\u00c0-\u00de][^\W_]+(?:[ '-][A-Z\u00c0-\u00de][^\W_]+){0,4}|\d+(?:\s[A-Z][a-z]+){1,4}")


def _name(
    given: list[Grounded],
    before: Said,
    reading: DenialReading,
    correction: Correction,
    at_most: Severity,
) -> Iterator[Finding]:
    """Yield the last name given that was said before a correction which holds another name and nothing else."""
    own = reading.raw[correction.own : correction.end]
    names = _names_alone(own, reading.language)
    if not names:
        return
    written = " ".join(tokens_of(fold(" ".join(each.call.text for each in given))))
    if any(token in written for name in names for token in tokens_of(fold(name))[:1]):
        return
    # "to Jane, no SMS" speaks of another thing
    is_negated = correction.cue in cues_of(reading.language).negating and own[:1].isspace()
    said_before = _names_before(given, before, names[0] if is_negated else "")
    if said_before:
        message = f"gives {brief(said_before[-1].leaf.value)}, which the user corrects: {brief(names[0])}"
        yield Finding(said_before[-1].pointer, message, at_most)


def _names_alone(text: str, language: str) -> list[str]:
    """Return the names of a text that holds them and small words alone; [] for any other text."""
    names = _NAME.findall(text)
    if not names:
        return []
    cues = cues_of(language)
    idle = cues.between | cues.fillers | cues.leads
    names = [name for name in names if fold(name) not in idle]
    if language == "de":  # whose nouns have capitals
        names = [name for name in names if " " in name]
    return names if idle.issuperset(tokens_of(fold(_without(text, names)))) else []


def _names_before(given: list[Grounded], before: Said, like: str) -> list[Grounded]:
    """Return the names given that were said before; those of the make of another name alone, where one is told."""
    named = [each for each in given if _is_name(each.leaf.value)]
    alike = [each for each in named if not like or _make(str(each.leaf.value)) == _make(like)]
    return [each for each in alike if any(_holds_name(source, each) for source in before.sources)]


def _make(name: str) -> tuple[bool, bool]:
    """Return whether a name has figures, and whether it is written in capitals alone, as abbreviations are."""
    return any(map(str.isdigit, name)), name.isupper()


def _without(text: str, names: list[str]) -> str:
    for name in names:
        text = text.replace(name, " ")
    return text


def _is_name(value: JsonValue) -> bool:
    return isinstance(value, str) and _NAME.search(value) is not None


def _holds_name(source: Source, each: Grounded) -> bool:
    tokens = tokens_of(fold(str(each.leaf.value)))
    return source.role == "user" and tokens[0] in source.words.tokens_set
