"""What clarifying records claim: the assistant asks before it calls, the user answers, the call has both."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.jsontext import JsonObject, JsonValue
from generator.validation.kinds.topics import concepts, own_concepts
from generator.validation.kinds.turns import (
    NO,
    YES,
    KindCheck,
    Turn,
    asks,
    asks_for,
    asks_for_another,
    asks_which,
    is_code,
    objects,
    system_text,
    user_turns,
    wishes,
)
from generator.validation.kinds.values_in_text import (
    day_exists,
    is_worded_by_domain,
    leaves,
    properties_of,
    quotes,
    required_of,
    says,
    says_argument,
    tells,
    tells_any,
    unsaid,
    words_of,
)
from generator.validation.tool_view import ToolView
from generator.validation.view import CallView, RecordView, as_list, is_beyond_words, is_judged

_FEWEST_CHOICES = 2
_FEW = 4
"""A list of so many choices is told whole."""
_ISO_DAY = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_SLASHED = re.compile(r"(\d\d?)/(\d\d?)/(\d{4})")
_HOUR = re.compile(r"(\d\d?)(?::(\d\d))?")
_CLOCK = re.compile(r"(\d\d):(\d\d)(?::\d\d)?")
_CURRENCIES = {
    "dollar": "USD CAD AUD NZD HKD SGD TWD JMD BSD", "peso": "MXN ARS CLP COP PHP UYU CUP DOP",
    "franc": "CHF XOF XAF XPF BIF DJF GNF KMF RWF", "crown": "SEK NOK DKK CZK ISK", "krone": "NOK DKK",
    "rupee": "INR PKR LKR NPR MUR SCR", "pound": "GBP EGP LBP SYP SDG", "dinar": "KWD JOD TND DZD BHD IQD LYD RSD",
    "real": "BRL", "yuan": "CNY", "yen": "JPY",
}  # fmt: skip


def tells_what_is_possible(text: str, refused: JsonValue, schema: JsonObject) -> bool:
    """Say whether a text tells what a schema admits in place of a value: choices, the bound, the length of a month.

    Of a schema that limits in other ways it is enough to speak of the refused value.
    """
    choices = schema.get("enum")
    if isinstance(choices, list):
        told = sum(tells(text, choice) for choice in choices)
        return told >= (len(choices) if len(choices) <= _FEW else _FEWEST_CHOICES)
    if isinstance(refused, int | float) and not isinstance(refused, bool):
        return any(tells(text, bound) for bound in _broken_bounds(refused, schema) or [refused])
    if isinstance(refused, str) and (match := _ISO_DAY.fullmatch(refused)):
        return _tells_last_day(text, int(match[1]), int(match[2]))
    return tells(text, refused)


def _broken_bounds(refused: float, schema: JsonObject) -> list[JsonValue]:
    bounds = [schema.get(key) for key in ("maximum", "exclusiveMaximum") if _is_above(refused, schema.get(key))]
    return bounds + [schema.get(key) for key in ("minimum", "exclusiveMinimum") if _is_above(schema.get(key), refused)]


def _is_above(value: JsonValue, bound: JsonValue) -> bool:
    return isinstance(value, int | float) and isinstance(bound, int | float) and value >= bound


def _tells_last_day(text: str, year: int, month: int) -> bool:
    """Say whether a text tells on which day a month ends."""
    last = next((day for day in (31, 30, 29, 28) if 1 <= month <= 12 and day_exists(year, month, day)), 0)
    return re.search(rf"(?<!\d){last}(?!\d)", text) is not None


def may_mean(said: str, value: JsonValue) -> bool:
    """Say whether an expression can mean a value and leaves something of it open.

    "03/04/2026" is a day of March or April, "7" an hour of the morning or evening, "dollars" those of several
    countries, "Portland" every "Portland, ...".
    """
    if not isinstance(value, str):
        return False
    said = said.strip()
    if (day := _ISO_DAY.fullmatch(value)) and (slashed := _SLASHED.fullmatch(said)):
        return _is_day(int(slashed[1]), int(slashed[2]), int(slashed[3]), day)
    if (clock := _CLOCK.fullmatch(value)) and (hour := _HOUR.fullmatch(said)):
        return _is_hour(int(hour[1]), hour[2] or "00", clock)
    if value in _CURRENCIES.get(said.casefold().removesuffix("s"), "").split():
        return True
    return bool(said) and re.match(rf"{re.escape(said.casefold())}\W+\w", value.casefold()) is not None


def _is_day(first: int, second: int, year: int, day: re.Match[str]) -> bool:
    month, number = int(day[2]), int(day[3])
    return year == int(day[1]) and first != second and (month, number) in ((first, second), (second, first))


def _is_hour(hour: int, minutes: str, clock: re.Match[str]) -> bool:
    return 1 <= hour <= 12 and int(clock[1]) % 12 == hour % 12 and minutes == clock[2]


_TWO = 2
_LOCATING = frozenset("state country zip postal province county region".split())
"""Words of parameters that tell which of the places of one name it is."""


@dataclass(frozen=True, slots=True)
class Clarified:
    """A conversation of a wish, the assistant's words, the user's answer and one call."""

    known: str
    """What the system message and the first wish say."""
    first: str
    words: str
    second: str
    call: CallView
    arguments: JsonObject
    tool: ToolView


def clarified(record: RecordView) -> Clarified | str:
    """Read a record as such a conversation; a text where it is none, saying what it should be."""
    turns = wishes(record)
    if len(turns) != 2:
        return f"has two turns of the user, not {len(turns)}"
    first, second = turns
    if first.calls or len(first.answers) != 1:
        return "answers the first turn in words, without a call"
    if len(second.calls) != 1 or len(second.answers) != 1:
        return "makes exactly one call after the second turn, and answers"
    call = second.calls[0]
    if call.tool is None or call.arguments is None:
        return "calls a tool that is shown, with arguments"
    known = f"{system_text(record)}\n{first.text}"
    return Clarified(known, first.text, first.answers[0], second.text, call, call.arguments, call.tool)


def missing_parameter(record: RecordView) -> Iterator[str]:
    """The assistant asks for exactly the required parameters that the first turn does not tell."""
    talk = clarified(record)
    if isinstance(talk, str):
        yield talk
        return
    missing = _left_unsaid(record, talk)
    if not missing:
        yield "leaves a required parameter unsaid in the first turn"
    if record.claim.get("missing") != missing:
        yield f"claims what is missing, which is {', '.join(missing) or 'nothing'}"
    for name in missing:
        if tells_any(talk.first, talk.arguments[name]):
            yield f"says nothing of {name} in the first turn"
        if not says_argument(talk.second, name, talk.call, record):
            yield f"has {name} said in the second turn"
    if not asks(talk.words):
        yield "asks for what is missing"
    if not is_worded_by_domain(record):
        yield from _asks_for_exactly(talk, missing)


def _left_unsaid(record: RecordView, talk: Clarified) -> list[str]:
    """Return the required parameters that the first turn does not tell."""
    required = [name for name in required_of(talk.tool.parameters) if leaves(talk.arguments.get(name))]
    missing = [name for name in required if not says_argument(talk.known, name, talk.call, record)]
    if is_judged(record):  # what else is not said in so many words may be meant by others
        missing = [name for name in missing if name in as_list(record.claim.get("missing"))]
    return missing


def _asks_for_exactly(talk: Clarified, names: list[str]) -> Iterator[str]:
    """Complain where the assistant's words ask for something else than these parameters."""
    other = asks_for_another(talk.words, names, talk.tool.function)
    for name in names:
        is_meant = len(names) == 1 and not other and asks_which(talk.words)
        if not (is_meant or asks_for(talk.words, name, talk.tool.function)):
            yield f"asks for {name}"
    codes = filter(is_code, properties_of(talk.tool.parameters))
    if shown := next((name for name in codes if name in talk.words), ""):
        yield f"asks in plain words, not for `{shown}`"
    if other:
        yield f"asks for nothing but what is missing, so not for {other}"


def invalid_value(record: RecordView) -> Iterator[str]:
    """The first turn says a value that the schema refuses; the assistant says what is possible; the user picks that."""
    talk = clarified(record)
    if isinstance(talk, str):
        yield talk
        return
    name, refused = record.claim.get("parameter"), record.claim.get("refused")
    if not isinstance(name, str) or name not in talk.arguments or refused is None:
        yield "claims the parameter and the value that its schema refuses"
        return
    if talk.tool.takes({**talk.arguments, name: refused}):
        yield f"says a value of {name} that the schema refuses, and {refused!r} is admitted"
    if not tells(talk.first, refused):
        yield f"has {refused!r} said in the first turn"
    if not is_worded_by_domain(record):
        yield from _is_objected_to(talk, name, refused)
    if not says_argument(talk.second, name, talk.call, record):
        yield f"calls with the {name} of the second turn"
    yield from _invents_nothing(talk, name, record)
    if tells(talk.second, refused):
        yield f"gives {refused!r} up in the second turn"


def _is_objected_to(talk: Clarified, name: str, refused: JsonValue) -> Iterator[str]:
    if not asks(talk.words):
        yield "asks what it should be instead"
    if not objects(talk.words):
        yield f"points out that {refused!r} is not possible"
    schema = properties_of(talk.tool.parameters).get(name)
    if not tells_what_is_possible(talk.words, refused, schema if isinstance(schema, dict) else {}):
        yield f"says what is possible for {name}"


def _invents_nothing(talk: Clarified, name: str, record: RecordView) -> Iterator[str]:
    """Complain where another argument than the one that is settled was said in neither turn."""
    for each in unsaid(f"{talk.known}\n{talk.second}", talk.call, record, but=name):
        yield f"calls with nothing that nobody said, as {each}"


def ambiguous(record: RecordView) -> Iterator[str]:
    """What the first turn says can mean two values; the assistant asks which, the user says it, the call has it."""
    talk = clarified(record)
    if isinstance(talk, str):
        yield talk
    elif record.claim.get("tools") is not None:
        yield from _between_tools(record, talk)
    else:
        yield from _between_readings(record, talk)


def _between_readings(record: RecordView, talk: Clarified) -> Iterator[str]:
    """Complain where the first turn does not leave open which of two values is meant, or the second does."""
    name, said, readings = (record.claim.get(key) for key in ("parameter", "said", "readings"))
    if not (isinstance(name, str) and isinstance(said, str) and isinstance(readings, list)) or len(readings) < 2:
        yield "claims the parameter, what is said of it and the two values that this can mean"
        return
    if name not in talk.arguments or talk.arguments[name] not in readings:
        yield f"calls with one of the readings of {name}"
        return
    if not is_worded_by_domain(record):
        yield from _is_ambiguous(talk, name, said, readings)
    yield from _is_settled(talk, name, readings)
    yield from _invents_nothing(talk, name, record)


def _is_settled(talk: Clarified, name: str, readings: list[JsonValue]) -> Iterator[str]:
    """Complain where the assistant does not ask between the readings, or the user does not choose the one called."""
    if not asks(talk.words) or not all(tells(talk.words, reading) for reading in readings):
        yield "asks between the readings"
    chosen = [reading for reading in readings if _chooses(talk.second, reading, readings)]
    if any(reading != talk.arguments[name] for reading in chosen):
        yield "chooses one reading in the second turn"
    if talk.arguments[name] not in chosen:
        yield f"calls with the {name} of the second turn"


def _chooses(text: str, reading: JsonValue, readings: list[JsonValue]) -> bool:
    """Say whether a text tells a reading, or as much of it as no other has: the "Maine" of "Portland, Maine"."""
    if tells(text, reading):
        return True
    others = frozenset[str]().union(*(words_of(str(other)) for other in readings if other != reading))
    own = words_of(str(reading)) - others
    return isinstance(reading, str) and bool(own) and own <= words_of(text)


def _is_ambiguous(talk: Clarified, name: str, said: str, readings: list[JsonValue]) -> Iterator[str]:
    if len(set(map(str, readings))) < len(readings):
        yield f"has different readings of {name}"
    if not says(talk.first, said):
        yield f"says {said!r} in the first turn"
    if "," in str(readings[0]) and words_of(" ".join(talk.arguments.keys() - {name})) & _LOCATING:
        yield f"leaves open which {name} is meant, with no country or state beside it"
    for reading in readings:
        if not talk.tool.takes({**talk.arguments, name: reading}):
            yield f"has readings of {name} that the schema admits, not {reading!r}"
        if not may_mean(said, reading):
            yield f"says what can mean each of the readings, not {reading!r}"
        if tells(talk.known, reading):
            yield f"leaves open which {name} is meant"


def _between_tools(record: RecordView, talk: Clarified) -> Iterator[str]:
    """Complain where the first turn does not leave open which of two tools is meant, or the second does."""
    other = _claimed_beside(talk.tool, record)
    if other is None:
        yield "claims two shown tools, one of which is called in the end"
    elif not is_worded_by_domain(record):
        if not other.takes(talk.arguments):
            yield f"calls with what {other.name} would take as well"
        yield from _asks_between(talk, other)
        if not all(tells(talk.known, value) for value in talk.arguments.values() if leaves(value)):
            yield "calls with nothing that nobody said"
    elif not asks(talk.words):
        yield "asks which of the two is meant"


def _claimed_beside(tool: ToolView, record: RecordView) -> ToolView | None:
    """Return the other one of the two shown tools that are claimed, one of which is this; None where they are not."""
    names = as_list(record.claim.get("tools"))
    others = [name for name in map(str, names) if name != tool.name]
    return record.tools_by_name.get(others[0]) if len(names) == _TWO and len(others) == 1 else None


def _asks_between(talk: Clarified, other: ToolView) -> Iterator[str]:
    """Complain where the words do not tell the two tools apart, or tell them too early or too late."""
    mine, theirs = own_concepts(talk.tool, other), own_concepts(other, talk.tool)
    if not (concepts(talk.tool.name) & mine and concepts(other.name) & theirs):
        yield f"claims two tools that do different things, not {talk.tool.name} and {other.name}"
    if concepts(talk.first) & (mine | theirs):
        yield f"leaves open whether {talk.tool.name} or {other.name} is meant"
    if not asks(talk.words) or not (concepts(talk.words) & mine and concepts(talk.words) & theirs):
        yield f"asks between what {talk.tool.name} and {other.name} do"
    if not concepts(talk.second) & mine or concepts(talk.second) & theirs:
        yield f"chooses what {talk.tool.name} does in the second turn"


_DEMAND = re.compile(
    r"\b(?:confirm\w*|permission|approv\w*|go-ahead|wait for a yes|consent|ask (?:the user )?(?:first|before))\b", re.I
)
_LEFT = re.compile(
    r"\b(?:nothing|haven't|have not|won't|will not|didn't|did not|not (?:been )?(?:changed|done|made|sent|booked)|left"
    r"|leave|cancel(?:l?ed)?|as it is)\b",
    re.I,
)


def confirm_before_write(record: RecordView) -> Iterator[str]:
    """The system message demands a confirmation; it is asked for in words; the call follows a yes, none a no."""
    if not _DEMAND.search(system_text(record)):
        yield "has a system message that demands a confirmation"
    turns = user_turns(record)
    if len(turns) != 2:
        yield f"has two messages of the user, the wish and the answer, not {len(turns)}"
        return
    wish, answer = turns
    yield from _asked_first(record, wish, answer)
    agreed = _agreed(record, answer)
    if agreed is None:
        yield "has a user who says yes or no"
    elif agreed:
        yield from _does_what_was_asked(record, wish, answer)
    elif answer.calls:
        yield "calls nothing after a no"
    elif not (is_beyond_words(record) or any(_LEFT.search(said) for said in answer.answers)):
        yield "says that nothing was done"


def _agreed(record: RecordView, answer: Turn) -> bool | None:
    """Say whether the user agrees, by their words, or by what follows where lists of words do not count.

    None where they count, and tell neither a yes nor a no.
    """
    if NO.search(answer.text):
        return False
    if YES.search(answer.text):
        return True
    return bool(answer.calls) if is_beyond_words(record) else None


def _does_what_was_asked(record: RecordView, wish: Turn, answer: Turn) -> Iterator[str]:
    """Check that a yes leads to the calls that were asked about, with what was said before it."""
    if not answer.calls:
        yield "calls once the user has agreed"
    told = "\n".join([system_text(record), wish.text, *wish.answers])
    for call in answer.calls:
        for name, value in (call.arguments or {}).items():
            if not quotes(told, name, call, record):
                for leaf in leaves(value):
                    if not tells(told, leaf):
                        yield f"calls {call.name} with what was asked about, not with {str(leaf)[:60]!r}"


def _asked_first(record: RecordView, wish: Turn, answer: Turn) -> Iterator[str]:
    """Check that the wish leads to a question about it, and to no call."""
    if wish.calls:
        yield "makes no call before the user has agreed"
    if not wish.answers or not asks(wish.answers[-1]):
        yield "asks whether to go ahead"
        return
    name = record.claim.get("asked_about")
    later = [call.name for call in answer.calls]
    if isinstance(name, str) and (name not in record.tools_by_name or (later and name not in later)):
        yield f"asks about {name}, a shown tool, and calls no other"
    spoken = words_of(wish.answers[-1])
    if not len(spoken & words_of(wish.text)) > 1:
        yield "repeats in its question what the user wants"


_CORRECTING = re.compile(
    r"\b(?:actually|sorry|wait|meant|mistake|wrong|instead|rather|correction|scratch|hang on|redo|no|not|but)\b",
    re.IGNORECASE,
)


def argument_shift(record: RecordView) -> Iterator[str]:
    """A value is said, the assistant asks back, the user says another; the one call has the other and not the first."""
    name, before = record.claim.get("parameter"), record.claim.get("before")
    turns = wishes(record)
    if not isinstance(name, str) or before is None:
        yield "names the parameter that is corrected and its first value"
        return
    if len(turns) != 2 or turns[0].calls or not turns[0].answers or len(turns[-1].calls) != 1:
        yield "is a wish, words of the assistant without a call, a correction, and one call"
        return
    if not is_worded_by_domain(record) and not asks(turns[0].answers[-1]):
        yield "asks back before the call"
    yield from _is_corrected(record, name, before)


def _is_corrected(record: RecordView, name: str, before: JsonValue) -> Iterator[str]:
    """Complain where the first wish does not say the value that is corrected, or the last word does not win."""
    wish, correction = wishes(record)
    value = correction.argument(name)
    if value in (None, before) or str(value).casefold() == str(before).casefold():
        yield f"calls with another {name} in the end than the one said first"
    if not tells(wish.text, before):
        yield f"says the first value of {name} in its first turn"
    if says(wish.text, value):
        yield f"says the value of {name} that wins in its last turn alone"
    corrects = is_beyond_words(record) or _CORRECTING.search(correction.text)
    if not corrects or not says_argument(correction.text, name, correction.calls[0], record):
        yield f"corrects {name} in its last turn"


CHECKS: dict[str, KindCheck] = {
    "missing_parameter": missing_parameter,
    "invalid_value": invalid_value,
    "ambiguous": ambiguous,
    "confirm_before_write": confirm_before_write,
    "argument_shift": argument_shift,
}
