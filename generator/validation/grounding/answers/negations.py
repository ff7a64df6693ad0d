"""Negations: whether an answer denies what results affirm, or tells the contrary of what was done.

A negation denies what stands after it in its clause: a state that a result has ("is not confirmed"), a deed that a tool
has done ("I haven't saved it"), or several values of one thing of a result at once. What limits ("not before", "not
yet") or repeats a flag that is false, a lack or an earlier state denies nothing that a result affirms. Contrary deeds
are known by their verbs: booked for canceled, and canceled for booked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.answers.answer import Answer
from generator.validation.grounding.answers.outcomes import Claim
from generator.validation.grounding.reading.days import MONTH_LETTERS
from generator.validation.grounding.reading.denial_words import tool_words
from generator.validation.grounding.reading.denials import Clause, clauses_of, denies, is_left_open, sentences_of
from generator.validation.grounding.reading.languages import english, english_words, entries, phrases, signs_of
from generator.validation.grounding.reading.words import (
    STOPWORDS,
    find_literal,
    find_number,
    fold,
    stem,
    tokens_of,
    tokens_of_value,
)
from generator.validation.grounding.result_status import forms_of_verb, looks_up, verbs_of
from generator.validation.view import ResultView


class _Denied(NamedTuple):
    """What a negation reaches."""

    start: int
    """Where it stands in the answer."""
    text: str
    """From behind the negation to the end of the clause."""
    words: list[str]
    clause: str
    """What stands before it in its clause, with that."""


def negated_results(answer: Answer) -> Iterator[Claim]:
    """Yield what an answer denies that the results affirm."""
    if answer.language != "en" or not answer.results or not _may_deny(answer.folded):
        return
    if _may_pass_on_denial(answer):
        return
    things = _things(answer)
    lacking = _lacking(answer)
    if not things or not lacking.isdisjoint(_flags()):
        return
    for denied in _denials(answer.folded):
        if lacking.isdisjoint(map(stem, tokens_of(denied.clause))):
            found = _affirmed(denied, things, answer)
            if found is not None:
                yield found
                return


def _affirmed(denied: _Denied, things: list[_Thing], answer: Answer) -> Claim | None:
    """Return what is denied and the results affirm."""
    return _state(denied, things) or _deed(denied, answer) or _values(denied, things, answer)


@cache
def _flags() -> frozenset[str]:
    return frozenset(map(stem, (*entries("en", "results", "flags"), *entries("en", "results", "deed_flags"))))


def _may_deny(folded: str) -> bool:
    return "n't " in folded or " not " in folded


_DENIAL_IN_RESULT = re.compile(
    r"(?<!\w)(?:not|no|never|n't|none|cannot|unavailable|denied|rejected|failed)(?!\w)", re.I
)


def _may_pass_on_denial(answer: Answer) -> bool:
    """Say whether any result denies something in words, or tells that its call did not work."""
    if any(result.failed or _holds_denial(result.message.content) for result in answer.results):
        return True
    return any(verdict is not None and not verdict.worked for verdict in answer.statuses)


def _holds_denial(content: JsonValue) -> bool:
    return not isinstance(content, str) or _DENIAL_IN_RESULT.search(content) is not None


_NEGATION = re.compile(r"(?<!\w)(?:not|(?:is|are|was|were|has|have|had|do|does|did|wo|ca|would)n't)\s")
_JOINT = r"\s[-–—]\s|\s(?:but|because|although|though|so|while|which|and i|and it)\s"
_END = re.compile(rf"[;!?\n()]|,(?! (?:{'|'.join(MONTH_LETTERS)}))|:(?!\d)|\.(?!\d)|{_JOINT}")
_MOST = 12


def _denials(folded: str) -> Iterator[_Denied]:
    """Yield the negations of an answer that stand by themselves: no question, no quotation, no limit."""
    left = _MOST
    for sentence in sentences_of(folded):
        for match in _NEGATION.finditer(sentence.text):
            left -= 1
            rest = sentence.text[match.end() :]
            end = _END.search(rest)
            text = rest[: end.start()] if end else rest
            words = tokens_of(text)
            if left < 0:
                return
            if not (sentence.asks or _is_limited(words, rest) or _is_quoted(sentence, match.start())):
                before = _END.split(sentence.text[: match.start()])[-1]
                yield _Denied(sentence.start + match.end(), text, words, f"{before} {text}")


def _is_quoted(sentence: Clause, at: int) -> bool:
    return sentence.text.count('"', 0, at) % 2 == 1


def _is_limited(words: list[str], rest: str) -> bool:
    limits, leading = english_words("polarity", "limits"), english_words("polarity", "leading_limits")
    return not words or words[0] in leading or not limits.isdisjoint(words) or " but " in rest[:120]


class _Thing(NamedTuple):
    """An object of a result with its own values."""

    texts: list[str]
    """Folded texts, as they stand there."""
    numbers: list[float]
    names: list[str]
    """Those of the texts that are written with a capital or a figure: they name something."""


_MOST_THINGS, _MOST_OBJECTS = 60, 400


def _things(answer: Answer) -> list[_Thing]:
    """Return the first objects of the results."""
    return [_thing(value) for value in islice(_objects_in(answer.results), _MOST_THINGS)]


def _objects_in(results: list[ResultView]) -> Iterator[JsonObject]:
    """Yield the objects of each result, the outer ones first; of a long list those at its beginning alone."""
    for result in results:
        waiting: list[JsonValue] = [result.value]
        for value in waiting:
            if isinstance(value, list):
                waiting += value[:40]
            elif isinstance(value, dict):
                waiting += value.values()
                yield value


def _thing(value: JsonObject) -> _Thing:
    texts: list[str] = []
    numbers: list[float] = []
    names: list[str] = []
    former = tool_words().former | {"previous", "from", "old"}
    for key, inner in value.items():
        if former.isdisjoint(tokens_of_value(key)):
            for leaf in inner if isinstance(inner, list) else [inner]:
                if isinstance(leaf, str) and 1 < len(leaf) <= _LONGEST:
                    texts.append(fold(leaf).replace("_", " "))
                    names += texts[-1:] if not leaf.islower() or _CODE.search(leaf) else []
                elif type(leaf) in (int, float):
                    numbers.append(float(leaf))
    return _Thing(texts, numbers, names)


_LONGEST = 120


def _lacking(answer: Answer) -> frozenset[str]:
    """Return the stems of the names of what the results say is false, empty or none."""
    objects = islice(_objects_in(answer.results), _MOST_OBJECTS)
    names = [key for value in objects for key, inner in value.items() if inner in (False, None, "", [], {})]
    return frozenset(stem(token) for key in names for token in tokens_of_value(key))


def _state(denied: _Denied, things: list[_Thing]) -> Claim | None:
    """Return the state that stands right behind the negation, where each thing that may be meant has it."""
    said = [word for word in denied.words[:_NEAR] if word not in english_words("polarity", "auxiliary")]
    text = " ".join(said)
    for thing in things:
        for value in thing.texts:
            if not (value.isascii() and value.replace(" ", "").isalpha() and len(value) > 2):
                continue
            if f"{text} ".startswith(f"{value} ") and _is_meant(thing, value, things, denied):
                return Claim(f"not {value}", "warning")
    return None


_NEAR = 8
_CODE = re.compile(r"\d")


def _is_meant(thing: _Thing, value: str, things: list[_Thing], denied: _Denied) -> bool:
    """Say whether a thing is the only one that may be meant: all have the value, or it is named."""
    others = _without(value, thing, things)
    if not others:
        return True
    names = [text for text in thing.texts if text != value and len(text) > 2]
    return any(
        find_literal(denied.clause, name) >= 0 and not any(name in other.texts for other in others) for name in names
    )


def _without(value: str, thing: _Thing, things: list[_Thing]) -> list[_Thing]:
    """Return the other things with texts that lack a value; what an earlier result tells of the same thing is past."""
    codes = {text for text in thing.texts if _CODE.search(text)}
    later = things[things.index(thing) + 1 :]
    return [
        each
        for each in things
        if each.texts and value not in each.texts and (codes.isdisjoint(each.texts) or each in later)
    ]


def _deed(denied: _Denied, answer: Answer) -> Claim | None:
    """Return the deed right behind the negation that a tool has done."""
    verb = next((word for word in denied.words[:3] if word not in english_words("polarity", "between")), "")
    if len(verb) < _SHORTEST_VERB:
        return None
    told = zip(answer.results, answer.statuses, strict=True)
    doing = [result for result, verdict in told if not looks_up(result) and (verdict or not _has_state(result.value))]
    if any(forms_of_verb(verb) & _first_verb(result.tool_name) for result in doing):
        return Claim(f"not {denied.text.strip()[:60]}", "warning")
    return None


_SHORTEST_VERB = 3


def _has_state(value: JsonValue) -> bool:
    """Say whether a result tells a state, which may be that of a failure."""
    return isinstance(value, dict) and any(key.casefold() in entries("en", "results", "states") for key in value)


@cache
def _first_verb(name: str) -> frozenset[str]:
    tokens = tokens_of_value(name)[:8]
    return frozenset({stem(tokens[0]), stem(tokens[-1])}) & verbs_of(name) if tokens else frozenset()


def _values(denied: _Denied, things: list[_Thing], answer: Answer) -> Claim | None:
    """Return what is denied where it tells several values of one thing, or a day, a time or a number right away."""
    message = f"not {denied.text.strip()[:60]}"
    near, direct, verbal = _near(denied)
    for thing in things:
        named = list(_named(denied, thing))
        counted = list(_counted(denied, thing, answer))
        if _reaches(near, counted) or _reaches(direct, named):
            return Claim(message, "warning")
        if denied.words[0] in english("claims", "deeds") and (named or counted):
            return Claim(message, "note")
        if counted and (len(named) + len(counted) > 1 or _reaches(verbal, counted)):
            return Claim(message, "note")
    return None


def _reaches(reach: int, places: list[int]) -> bool:
    """Say whether a negation that reaches so far does so to any of the places."""
    return any(at <= reach for at in places)


def _named(denied: _Denied, thing: _Thing) -> Iterator[int]:
    """Yield where a clause tells the names of a thing."""
    for text in dict.fromkeys(thing.names):
        at = find_literal(denied.text, text) if len(text) > 2 else -1
        if at >= 0:
            yield at


def _near(denied: _Denied) -> tuple[int, int, int]:
    """Return how far a negation reaches: over all little words, over articles alone, and over a verb as well."""
    at, direct, near = 0, 0, -1
    for match in _WORD.finditer(denied.text):
        if match[0] not in english_words("polarity", "between") and match[0] not in STOPWORDS:
            if near >= 0 or match[0].isdigit():
                break
            near = match.start()
        if match[0] in english_words("polarity", "articles") and direct == at:
            direct = match.end() + 1
        at = match.end() + 1
    return (near if near >= 0 else at), direct, at


_WORD = re.compile(r"\w+")


def _counted(denied: _Denied, thing: _Thing, answer: Answer) -> Iterator[int]:
    """Yield where a clause tells the days, times and numbers of a thing."""
    for text in dict.fromkeys(thing.texts):
        at = _moment(denied, text, answer)
        if at >= 0:
            yield at
    for number in dict.fromkeys(thing.numbers):
        at = find_number(denied.text, f"{number:g}") if number >= _SMALLEST else -1
        if at >= 0:
            yield at


_SMALLEST = 10
_ISO = re.compile(r"\d{4}-(\d\d)-(\d\d)")
_CLOCK = re.compile(r"(?:.*[t ])?([01]\d|2[0-3]):([0-5]\d)(?::\d\d)?z?")


def _moment(denied: _Denied, text: str, answer: Answer) -> int:
    """Return where a clause tells the day or the time that a text writes; -1 where it does not."""
    if len(answer.text) != len(answer.folded) or not text[:1].isdigit():
        return -1
    reach = range(denied.start, denied.start + len(denied.text))
    return next((at - denied.start for at in _places_of(text, answer) if at in reach), -1)


def _places_of(text: str, answer: Answer) -> Iterator[int]:
    """Yield where an answer tells the day, and then where it tells the time, that a text writes."""
    if day := _ISO.match(text):
        yield from answer.places_of_day(int(day[1]), int(day[2]))
    if clock := _CLOCK.fullmatch(text):
        yield from answer.places_of_clock(int(clock[1]), int(clock[2]))


MAKING, UNMAKING = "making", "unmaking"
_POLES = (MAKING, UNMAKING)


def reversed_deeds(answer: Answer) -> Iterator[Claim]:
    """Yield the deed that an answer tells where its calls did the contrary, and only that."""
    pole = _only_pole(answer) if answer.results else ""
    if not pole or any(result.failed or _is_called_so(result, pole) or _refuses(result) for result in answer.results):
        return
    done = frozenset().union(*map(_directions_of, answer.results))
    if not done or pole in done:
        return
    words = _told(answer, pole)
    if words:
        yield Claim(words)


def _only_pole(answer: Answer) -> str:
    """Return the pole that the words for deeds in an answer are of; "" where it has none, or those of both."""
    language = answer.language
    if not language or not signs_of(language, "poles", *_POLES).may_be_in(answer.folded, answer.words):
        return ""
    told = [pole for pole in _POLES if phrases(language, "poles", pole).found_in(answer.folded, answer.words)]
    return told[0] if len(told) == 1 else ""


def _is_called_so(result: ResultView, pole: str) -> bool:
    """Say quickly whether a call is of a pole by its tool's name alone."""
    return result.call is not None and pole in _poles_of_name(result.call.name)


def _refuses(result: ResultView) -> bool:
    """Say whether a call has a flag of a deed that is false, and so does the contrary: `enable: false`."""
    arguments = result.call.arguments if result.call is not None else None
    refused = [fold(name) for name, value in (arguments or {}).items() if value is False]
    every = (
        frozenset().union(*(english("poles", pole) | english("poles", f"{pole}_calls") for pole in _POLES))
        if refused
        else frozenset()
    )
    return any(name in every for name in refused)


@lru_cache(maxsize=4096)
def _poles_of_name(name: str) -> frozenset[str]:
    verbs = frozenset(tokens_of_value(name))
    return frozenset(pole for pole in (MAKING, UNMAKING) if verbs & english("poles", f"{pole}_calls"))


def _directions_of(result: ResultView) -> frozenset[str]:
    """Return of which poles a call is, by its tool's name, its arguments and the state that its result tells."""
    call = result.call
    if call is None:
        return frozenset()
    verbs = frozenset() if looks_up(result) else frozenset(tokens_of_value(call.name))
    texts = [str(value) for value in (call.arguments or {}).values()]
    state = result.value.get("status") if isinstance(result.value, dict) else None
    words = frozenset(tokens_of(fold(" ".join([*texts, str(state)]))))
    return frozenset(
        pole
        for pole in (MAKING, UNMAKING)
        if verbs & english("poles", f"{pole}_calls")
        or words & (english("poles", pole) | english("poles", f"{pole}_calls"))
    )


_STATE = re.compile(r"(?<!\w)(?:is|are|was|were|it's|they're)\s(?:[a-z]{1,12}\s)?$")
"""Before the word of a state, which may be that of a thing looked up: "the museum is closed"."""


def _told(answer: Answer, pole: str) -> str:
    """Return the deed of a pole that the answer tells as done and that nothing in its turn speaks of."""
    known = phrases(answer.language, "poles", pole)
    before = fold("\n".join([answer.asked, *(str(result.message.content) for result in answer.results)]))
    has_looked = any(map(looks_up, answer.results))
    for clause in clauses_of(answer.folded, answer.language):
        for match in known.places_in(clause.text):
            heard = match[0] in before or _is_passed_on(match[0], answer)
            heard = heard or (has_looked and _STATE.search(clause.text[: match.start()]) is not None)
            if not (heard or denies(clause.text, answer.language) or is_left_open(clause, answer.language)):
                return clause.text.strip()[:80]
    return ""


def _is_passed_on(deed: str, answer: Answer) -> bool:
    """Say whether a text that a call passes on has a word for a deed: who sends a cancellation has cancelled."""
    beginnings = {deed[:_BEGINNING], deed.replace("ge", "", 1)[:_BEGINNING]}
    values = (
        value for each in answer.results if each.call is not None for value in (each.call.arguments or {}).values()
    )
    texts = [
        fold(value[:_LONGEST_READ]) for value in values if isinstance(value, str) and value.count(" ") >= _FEWEST_SPACES
    ]
    return any(token[:_BEGINNING] in beginnings for text in texts for token in tokens_of(text))


_BEGINNING, _LONGEST_READ, _FEWEST_SPACES = 5, 4000, 3
