"""What conversations claim: several wishes, references, changes of mind, words that a context explains."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from generator.jsontext import JsonValue
from generator.validation.kinds.turns import KindCheck, Turn, UnderWay, system_text, wishes
from generator.validation.kinds.values_in_text import (
    leaves,
    properties_of,
    says,
    tells,
)
from generator.validation.view import CallView, RecordView, is_abroad, is_beyond_words

_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTHS = "january february march april may june july august september october november december".split()
_NUMBERS = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen twenty".split()
    )
}
_TENS = {
    word: ten * 10 for ten, word in enumerate("ten twenty thirty forty fifty sixty seventy eighty ninety".split(), 1)
}
_FIXED_DAYS = {"today": 0, "tomorrow": 1, "the day after tomorrow": 2, "yesterday": -1, "a week from today": 7}
_COUNTED = re.compile(r"(?:in )?([a-z]+|[0-9]{1,3}) (day|week)s?(?: from (?:today|now))?")
_CLOCK = re.compile(
    r"(?:(half past|(?:a )?quarter past|(?:a )?quarter to) )?([a-z]+|[0-9]{1,2})(?: o'clock)?"
    r" in the (morning|afternoon|evening)"
)
_SHIFTS = {"half past": 30, "quarter past": 15, "quarter to": -15}
_STATED = re.compile(rf"\b({'|'.join(_MONTHS)}) ([0-9]{{1,2}}), ([0-9]{{4}})\b", re.IGNORECASE)
_ISO = re.compile(r"\b([0-9]{4})-([0-9]{2})-([0-9]{2})\b")
_THOUSANDS = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,2})?) ?k")


def stated_date(text: str) -> date | None:
    """Return the one date that a text states in full; None where it states none, several, or no real one."""
    found = {(int(year), _MONTHS.index(month.lower()) + 1, int(day)) for month, day, year in _STATED.findall(text)}
    found |= {(int(year), int(month), int(day)) for year, month, day in _ISO.findall(text)}
    if len(found) != 1:
        return None
    try:
        return date(*found.pop())
    except ValueError:
        return None


def meaning(said: str, today: date) -> JsonValue:
    """Return the value that an expression means on a day: YYYY-MM-DD, HH:MM or a number; None where it is none."""
    text = " ".join(said.casefold().split())
    for read in (_day, _clock_or_none, _number):
        value = read(text, today)
        if value is not None:
            return value
    return None


def _day(text: str, today: date) -> JsonValue:
    days = _FIXED_DAYS.get(text)
    which, _, weekday = text.partition(" ")
    if days is None and which in ("next", "this") and weekday in _WEEKDAYS:
        days = _days_to(which, _WEEKDAYS.index(weekday), today.weekday())
    if days is None:
        days = _counted_days(text)
    return None if days is None else (today + timedelta(days=days)).isoformat()


def _days_to(which: str, weekday: int, today: int) -> int | None:
    """Count the days to a weekday; None where "this" or "next" could mean two days."""
    ahead = (weekday - today) % 7 or 7
    within_this_week = weekday > today
    return ahead if within_this_week is (which == "this") else None


def _counted_days(text: str) -> int | None:
    """Return the days of "in two weeks" and "3 days from now"; None where they are not counted so."""
    match = _COUNTED.fullmatch(text)
    if match is None or text.startswith("in ") == ("from" in text):
        return None
    count = int(match[1]) if match[1].isdigit() else _NUMBERS.get(match[1])
    return None if count is None else count * (7 if match[2] == "week" else 1)


def _clock_or_none(text: str, today: date) -> JsonValue:
    if text in ("noon", "midnight"):
        return "12:00" if text == "noon" else "00:00"
    match = _CLOCK.fullmatch(text)
    if match is None:
        return None
    hour = int(match[2]) if match[2].isdigit() else _NUMBERS.get(match[2], 0)
    if not 1 <= hour <= 12:
        return None
    minutes = (hour % 12 + (0 if match[3] == "morning" else 12)) * 60
    minutes += _SHIFTS.get((match[1] or "").removeprefix("a "), 0)
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def _number(text: str, today: date) -> JsonValue:
    if match := _THOUSANDS.fullmatch(text):
        return round(float(match[1]) * 1000)
    if text in ("a dozen", "half a dozen", "a hundred", "a thousand"):
        return {"a dozen": 12, "half a dozen": 6, "a hundred": 100, "a thousand": 1000}[text]
    head, _, hundred = text.partition(" ")
    if hundred in ("hundred", "thousand") and head in _NUMBERS:
        return _NUMBERS[head] * (100 if hundred == "hundred" else 1000)
    return _NUMBERS.get(text, _TENS.get(text))


_LONG_CONTEXT = 4_000


def canonicalization(record: RecordView) -> Iterator[str]:
    """An expression stands in the request, and the call has what it means on the date the system message states."""
    name, said = record.claim.get("parameter"), record.claim.get("said")
    turn = _calling_turn(record)
    if not isinstance(name, str) or not isinstance(said, str) or turn is None:
        yield "names the parameter and the expression, and calls"
        return
    today = stated_date(system_text(record))
    if today is None:
        yield "states the date in its system message"
        return
    if not says(turn.text, said):
        yield f"says {said!r}"
    value = turn.argument(name)
    if not _is_same(value, meaning(said, today)):
        yield f"calls with what {said!r} means on {today.isoformat()}, which {value!r} is not"
    if says(turn.text, value):
        yield f"leaves {value!r} to be understood from {said!r}"


def _is_same(value: JsonValue, meant: JsonValue) -> bool:
    """Say whether two values are equal; true is no number."""
    return meant is not None and not isinstance(value, bool) and value == meant


def profile(record: RecordView) -> Iterator[str]:
    """Values of the call stand in the system message, and the user refers to them without saying them."""
    claimed = record.claim.get("profile")
    turn = _calling_turn(record)
    if not isinstance(claimed, dict) or not claimed or turn is None:
        yield "names the parameters that the profile fills, and calls"
        return
    context = system_text(record)
    for name, label in claimed.items():
        value = turn.argument(name)
        if value is None or not says(context, value):
            yield f"takes {name} from the system message"
        if says(turn.text, value):
            yield f"does not say {name} again"
        if not (is_abroad(record) or _holds_label(turn.text, label)):
            yield f"refers to the {label}"


def _holds_label(text: str, label: JsonValue) -> bool:
    return isinstance(label, str) and label.casefold() in text.casefold()


def long_context(record: RecordView) -> Iterator[str]:
    """A value of the call stands in a long context."""
    size = len(system_text(record))
    if size < _LONG_CONTEXT:
        yield f"has a context of at least {_LONG_CONTEXT:,} characters, not {size:,}"
    yield from profile(record)


def _calling_turn(record: RecordView) -> Turn | None:
    return next((turn for turn in wishes(record) if turn.calls), None)


_FEWEST_TURNS, _MOST_TURNS = 2, 6
_REFERRING = re.compile(
    r"\b(?:it|its|that|this|these|those|them|they|him|his|her|hers|their|theirs|the|there|here|same|again|also|too"
    r"|what about|how about|and|one|first|second|third|last|latter|former|so|do)\b",
    re.IGNORECASE,
)
_SWITCHING = re.compile(
    r"\b(?:actually|forget|never mind|nevermind|second thought|skip|scratch|drop|instead|don\'t|wait|leave)\b",
    re.IGNORECASE,
)


def multi_turn(record: RecordView) -> Iterator[str]:
    """The user speaks two to six times; at least two turns lead to calls."""
    turns = wishes(record)
    if not _FEWEST_TURNS <= len(turns) <= _MOST_TURNS:
        yield f"has two to six turns of the user, not {len(turns)}"
    if sum(bool(turn.calls) for turn in turns) < _FEWEST_TURNS:
        yield "calls in at least two of its turns"


def coreference(record: RecordView) -> Iterator[str]:
    """A later turn calls with a value that it does not say and an earlier message holds."""
    turns = wishes(record)
    later = [turn for number, turn in enumerate(turns) if _refers_back(turn, turns[:number])]
    if not any(is_beyond_words(record) or _REFERRING.search(turn.text) for turn in later):
        yield "has a turn that refers to a value of an earlier one instead of saying it"


def coreference_under_way(record: RecordView, coming: frozenset[str]) -> Iterator[str]:
    """A later turn refers with a word; when all is called, to a value that it does not say."""
    later = wishes(record)[1:]
    if later and not any(is_beyond_words(record) or _REFERRING.search(turn.text) for turn in later):
        yield "has a turn that refers to what was said before instead of saying it"
    elif later and not coming:
        yield from coreference(record)


def _refers_back(turn: Turn, earlier: list[Turn]) -> bool:
    """Say whether a turn calls with what it does not say and what was told before."""
    unsaid = [leaf for call in turn.calls for leaf in _own_leaves(call) if not tells(turn.text, leaf)]
    before = "\n".join(each.all_text for each in earlier)
    return any(says(before, leaf) for leaf in unsaid)


def _own_leaves(call: CallView) -> Iterator[JsonValue]:
    """Yield what is given in a call beyond the defaults of its schema, which nobody need say."""
    declared = properties_of(call.tool.parameters if call.tool else None)
    for name, value in (call.arguments or {}).items():
        schema = declared.get(name)
        if not (isinstance(schema, dict) and value in (schema.get("default"), schema.get("const"))):
            yield from leaves(value)


def intent_switch(record: RecordView) -> Iterator[str]:
    """A wish that a shown tool serves is dropped in words, and never called; another one is."""
    name, arguments = record.claim.get("dropped"), record.claim.get("arguments")
    if not isinstance(name, str) or name not in record.tools_by_name:
        yield "shows the tool whose wish is dropped, and names it"
        return
    if any(call.name == name for call in record.calls):
        yield f"never calls {name}, whose wish is dropped"
    if not record.calls:
        yield "calls for the wish that stays"
    told = _before_the_drop(wishes(record), in_words=not is_beyond_words(record))
    if told is None:
        yield "drops the first wish in words"
    elif not all(says(told, leaf) for leaf in leaves(arguments) if _is_plain(leaf)):
        yield "says the dropped wish before it is dropped"


def _before_the_drop(turns: list[Turn], *, in_words: bool) -> str | None:
    """Return what was said before the wish was dropped, by a word for it or, if it need be none, in the last turn."""
    text = "\n".join(turn.text for turn in turns)
    cues = [match.start() for match in _SWITCHING.finditer(text)]
    if cues:
        return text[: max(cues)]
    return None if in_words else "\n".join(turn.text for turn in turns[:-1])


def _is_plain(leaf: JsonValue) -> bool:
    """Say whether a value is one that a text holds as it stands: a word or a short number, no date and no choice."""
    if isinstance(leaf, str):
        return leaf[:1].isalpha() and "_" not in leaf and not leaf.isupper()
    return isinstance(leaf, int) and not isinstance(leaf, bool) and 1 < leaf < 1000


UNDER_WAY: dict[str, UnderWay] = {"coreference": coreference_under_way}


CHECKS: dict[str, KindCheck] = {
    "multi_turn": multi_turn,
    "coreference": coreference,
    "intent_switch": intent_switch,
    "canonicalization": canonicalization,
    "profile": profile,
    "long_context": long_context,
}
