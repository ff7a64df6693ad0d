"""Siding: whether an answer tells what a call asked for where its result says another thing under the same name.

A tool may well change what it was given, and then the answer tells what the result says. An answer that tells the value
of the call and not that of the result has not read the result, or the result is not that of the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.grounding.answers import Answer
from generator.validation.grounding.choices import choices_at
from generator.validation.grounding.reading.days import month_number
from generator.validation.grounding.reading.words import find_literal, find_number, fold, tokens_of_value
from generator.validation.grounding.successes import Claim
from generator.validation.grounding.vouched import is_code
from generator.validation.tool_view import ToolView

_DAY = re.compile(r"\d{4}-(\d\d)-(\d\d)")
_TIME = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")
_NAME = re.compile(r"[A-Z][^\W\d_A-Z]{2,40}(?: [A-Z][^\W\d_A-Z]{2,40}){0,4}")


_RECKONED = frozenset("value amount result total text content output data message".split())
"""Names under which a tool gives back what it made of what it was given."""


def sided(answer: Answer) -> Iterator[Claim]:
    """Yield what an answer tells as its call asked, where the result tells another thing."""
    for result in answer.results:
        call, told = result.call, result.value
        if call is None or not call.arguments or not isinstance(told, dict) or result.failed:
            continue
        for name in call.arguments.keys() & told.keys():
            mine, theirs = call.arguments[name], told[name]
            if mine == theirs or name in _RECKONED or not _are_two(mine, theirs, call.tool, name):
                continue
            if _tells(answer, mine) and not _tells(answer, theirs) and not _is_elsewhere(answer, mine):
                yield Claim(f"{name}: {theirs}, not {mine}", "warning")
                return


def _are_two(mine: JsonValue, theirs: JsonValue, tool: ToolView | None, name: str) -> bool:
    """Say whether two values of one name are two things, and not one in two forms."""
    if isinstance(mine, bool) or isinstance(theirs, bool):
        return False
    if isinstance(mine, int | float) and isinstance(theirs, int | float):
        return min(mine, theirs) >= _SMALLEST and abs(mine - theirs) >= 1
    if not isinstance(mine, str) or not isinstance(theirs, str):
        return False
    for form in (_DAY, _TIME):
        if form.fullmatch(mine):
            return form.fullmatch(theirs) is not None
    first, second = fold(mine), fold(theirs)
    if first in second or second in first:
        return False
    choices = choices_at(tool, (name,)) if tool is not None else ()
    if mine in choices and theirs in choices:
        return True
    if is_code(mine) and is_code(theirs):
        return True
    named = _NAME.fullmatch(mine) is not None and _NAME.fullmatch(theirs) is not None
    return named and first[0] != second[0] and not {*tokens_of_value(mine)} & {*tokens_of_value(theirs)}


_SMALLEST = 5


def _tells(answer: Answer, value: JsonValue) -> bool:
    """Say whether an answer tells a value."""
    if not isinstance(value, str):
        return find_number(answer.folded.replace(",", ""), f"{value:g}") >= 0
    if day := _DAY.fullmatch(value):
        wanted = int(day[1]), int(day[2])
        days = ((month_number(each["m1"] or each["m2"]), int(each["d1"] or each["d2"])) for each in answer.days
                if not each["iso"])  # fmt: skip
        return wanted in days or value in answer.text
    if time := _TIME.fullmatch(value):
        wanted = int(time[1]) % 12, int(time[2])
        return wanted in ((int(each[1] or each[4]) % 12, int(each[2] or 0)) for each in answer.clocks)
    words = " ".join(tokens_of_value(value)) if "_" in value else fold(value)
    return len(words) > 2 and find_literal(answer.folded, words) >= 0


def _is_elsewhere(answer: Answer, value: JsonValue) -> bool:
    """Say whether a result of the turn has the value all the same, so that it may be told of something else."""
    text = str(value)
    return any(text in str(result.message.content) for result in answer.results)
