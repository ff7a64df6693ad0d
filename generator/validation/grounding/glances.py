"""Glances: whether anything of a request may be lost, found out by looking for its words elsewhere in the record.

Most records repeat each name, each number and each quote of the request in a call, and say no word of a parameter that
no call is given: a short look finds that out. What is not plain here may be in order as well, and is looked at in full.
"""

from __future__ import annotations

import calendar
import re
from functools import lru_cache
from typing import NamedTuple

from generator.validation.grounding.days import MONTH_LETTERS
from generator.validation.grounding.places import schemas_at
from generator.validation.grounding.words import find_literal, fold, tokens_of_value
from generator.validation.tool_view import ToolView
from generator.validation.view import CallView, RecordView

_TELLING = re.compile(r"\d.*\d.*\d|\d\.\d|[@\"“„«「/\\$€£¥_]|(?<!\w)'|'(?!\w)|\d[A-Za-z]|[A-Za-z]-?\d")
_AROUND = ".,;:!?\"'“”„«»()[]$€£¥¿¡*%"
_STOPS = frozenset(".,?!:;")
_ENDS = frozenset('.!?:"”*•-–—…')
_DAYS = frozenset(
    name for names in (calendar.month_name, calendar.month_abbr, calendar.day_name, calendar.day_abbr) for name in names
)
_SMALL = frozenset({"I", "I'm", "I'd", "I've", "I'll", "I’m", "I’d", "I’ve", "I’ll", "AM", "PM", "OK"})
_CLOCK = re.compile(r"\d{1,2}:\d\d(?:[ap]m)?")
_LONGEST_GAP = 100
_OFTEN = 60
"""Places of a word in a text, of which not all are looked at."""


class Doubts(NamedTuple):
    """What may be wrong with what the requests of a record state."""

    loses: bool
    """Whether anything may be taken up by nobody."""
    omits: bool
    """Whether a call may leave a parameter out that is spoken of."""


def doubts_of(record: RecordView) -> Doubts:
    """Say what may be wrong with what the requests of a record state."""
    requests = [each.content for each in record.messages if each.role == "user" and isinstance(each.content, str)]
    rest = "\n".join(rest_of(record))
    folded = [fold(text) for text in requests]
    omits = _may_omit(record, folded)
    loses = any(_stands_alone(text, rest) for text in requests) or _may_skip(record, requests)
    return Doubts(loses or (omits and _may_choose(record, folded)), omits)


def rest_of(record: RecordView) -> list[str]:
    """Return all that was not said by the user or the system, and what the tools are called."""
    texts = [
        message.content
        for message in record.messages
        if isinstance(message.content, str) and message.role not in ("user", "system")
    ]
    return [*texts, *[call.text for call in record.calls], *record.tools_by_name]


def _stands_alone(text: str, rest: str) -> bool:
    """Say whether a word of a request that stands out occurs nowhere else: a name, a number, a code, a quote."""
    last = "."
    for word in text.split():
        if word.isalpha():
            stands_out = word[0].isupper() and last[-1] not in _ENDS and word not in _DAYS and word not in _SMALL
        elif word[0].isupper():
            stands_out = last[-1] not in _ENDS and not _is_small(word)
        elif word[-1] in _STOPS and word[:-1].isalpha():
            stands_out = False
        else:
            stands_out = _TELLING.search(word) is not None and _CLOCK.fullmatch(word.strip(_AROUND)) is None
        if (
            stands_out
            and (core := word.strip(_AROUND).removesuffix("'s")) not in rest
            and core.replace(",", "") not in rest
        ):
            return True
        last = word
    return False


def _is_small(word: str) -> bool:
    core = word.strip(_AROUND)
    return core in _DAYS or core in _SMALL


class _Speaking(NamedTuple):
    """What speaks of a parameter in a request."""

    name: str
    choices: tuple[str, ...]
    """Folded words that it may be given."""
    takes_days: bool
    units: tuple[str, ...]
    """Letters with which its unit begins, where it counts."""
    takes_addresses: bool


def _may_choose(record: RecordView, folded: list[str]) -> bool:
    """Say whether a request has any choice that a call may be given, or a call a list of things."""
    for call in record.calls:
        for name, value in (call.arguments or {}).items() if call.tool is not None else ():
            if isinstance(value, list):
                return True
            choices = _choices_at(call.tool, name) if call.tool is not None and isinstance(value, str) else ()
            if any(_says(text, choice) for text in folded for choice in choices):
                return True
    return False


@lru_cache(maxsize=4096)
def _choices_at(tool: ToolView, name: str) -> tuple[str, ...]:
    """Return the choices of a parameter, folded, whatever its default is."""
    listed = [schema.get("enum") for _, schema in schemas_at(tool, (name,))]
    choices = [each for options in listed if isinstance(options, list) for each in options if isinstance(each, str)]
    return tuple(fold(each.replace("_", " ")) for each in choices)


def _says(folded: str, choice: str) -> bool:
    """Say whether a folded text has a choice as words of its own, or too often to tell."""
    return choice in folded and (find_literal(folded, choice) >= 0 or folded.count(choice) > _OFTEN)


def _may_omit(record: RecordView, requests: list[str]) -> bool:
    """Say whether a request has words of a parameter that a call is not given, or of another choice than is given."""
    folded = "\n".join(requests)
    for call in record.calls:
        if call.tool is None or call.arguments is None:
            continue
        for each in _speaking(call.tool):
            if each.name not in call.arguments:
                if each.takes_days and _has_any(folded, MONTH_LETTERS):
                    return True
                if (each.takes_addresses and "@" in folded) or (each.units and _has_any(folded, each.units)):
                    return True
            if each.choices and _has_any(folded, each.choices) and _offers_another(each, folded, record, requests):
                return True
    return False


def _has_any(text: str, parts: tuple[str, ...]) -> bool:
    return any(map(text.__contains__, parts))


def _offers_another(each: _Speaking, folded: str, record: RecordView, requests: list[str]) -> bool:
    given = {fold(str(call.arguments.get(each.name))) for call in record.calls if call.arguments}
    others = [
        choice
        for choice in each.choices
        if choice in folded and choice.replace(" ", "_") not in given and choice not in given
    ]
    return any(_says(text, choice) for choice in others for text in requests)


COUNTING = frozenset({"count", "number", "num", "total"})
"""Last words of parameters that count what their first word says: `guest_count`."""


def units_of(words: list[str]) -> set[str]:
    """Return the words of a parameter's name that may be the unit of its number: a price "per night" is in none."""
    if "per" in words:
        return set()
    return {*words[-1:], *(words[:1] if words and words[-1] in COUNTING else ())}


@lru_cache(maxsize=4096)
def _speaking(tool: ToolView) -> tuple[_Speaking, ...]:
    """Return what speaks of each parameter of a tool, where anything does."""
    parameters = tool.parameters if isinstance(tool.parameters, dict) else {}
    properties = parameters.get("properties")
    found = []
    for name in properties if isinstance(properties, dict) else ():
        for _, schema in schemas_at(tool, (name,)):
            options = schema.get("enum")
            choices = tuple(
                fold(each.replace("_", " "))
                for each in (options if isinstance(options, list) else ())
                if isinstance(each, str) and len(each) > 2 and each != schema.get("default")
            )
            words = tokens_of_value(name)
            counts = schema.get("type") in ("integer", "number")
            units = tuple(f" {word[:5]}" for word in units_of(words)) if counts else ()
            days = schema.get("format") in ("date", "date-time") or (schema.get("type") == "string" and "date" in words)
            addresses = schema.get("format") == "email" or "email" in words
            if choices or units or days or addresses:
                found.append(_Speaking(name, choices, days, units, addresses))
    return tuple(found)


def _may_skip(record: RecordView, requests: list[str]) -> bool:
    """Say whether a thing may stand in a list between the values of two calls."""
    if not record.parallel_calls:
        return False
    text = requests[-1] if requests else ""
    for one, other in zip(record.calls, record.calls[1:], strict=False):
        if (
            one.name == other.name
            and text.count(",")
            and any(_lie_apart(value, other, name, text) for name, value in (one.arguments or {}).items())
        ):
            return True
    return False


def _lie_apart(value: object, other: CallView, name: str, text: str) -> bool:
    theirs = (other.arguments or {}).get(name)
    if not (isinstance(value, str) and isinstance(theirs, str)) or value == theirs:
        return False
    folded = text.casefold()
    start, end = sorted((folded.find(value.casefold()), folded.find(theirs.casefold())))
    gap = folded[start:end]
    return start >= 0 and len(gap) < _LONGEST_GAP + len(value) and gap.count(",") + gap.count(" and ") > 1
