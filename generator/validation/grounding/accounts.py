"""Accounts: what a request says against what its calls are given.

A number that is said once and given twice, while another number of the request is given nowhere, stands in the
wrong place: the swapped value is in the text, and yet is not what was said. So does a value that makes one call
the same as another, where nobody asked for the same thing twice. Shared numbers alone ("both for 2 nights") and
numbers that no call needs are no fault.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.grounding.leaves import Grounded
from generator.validation.grounding.places import Path, ground_in_schema
from generator.validation.grounding.reading import reading_of
from generator.validation.grounding.sources import LITERAL
from generator.validation.grounding.words import LONGEST_TEXT, fold
from generator.validation.view import CallView, RecordView

_SAID = re.compile(r"(?<![\w.:^])\d{1,18}(?:,\d{3})*(?:\.\d{1,18})?(?!\w*\d)(?!\))")
"""Numbers of a request: no powers (m/s^2), minutes (22:00) or numbers of its points: 1), 2)."""
_DIGITS = re.compile(r"\d{1,18}(?:\.\d{1,18})?")
_SMALL = range(11)
_AGAIN = re.compile(r"\b(?:twice|thrice|again|another|repeat\w*|times|one more|each|same)\b")


def misplaced(record: RecordView, grounded: list[Grounded]) -> Iterator[tuple[Grounded, str]]:
    """Yield the values that the request explains but that stand in the wrong place, each with why.

    Only records of one request and one turn of calls are looked at: later turns repeat and correct.
    """
    if not record.calls or record.calls[0].turn != record.calls[-1].turn:
        return
    turns = record.turns_of_calls
    requests = [each.content for each in record.messages if each.role == "user"]
    if len(turns) == len(requests) == 1 and isinstance(requests[0], str):
        yield from _numbers(requests[0], grounded)
        if len(turns[0].calls) > 1:
            yield from _repeated(requests[0], grounded, turns[0].calls)


def _repeated(request: str, grounded: list[Grounded], calls: tuple[CallView, ...]) -> Iterator[tuple[Grounded, str]]:
    """Yield the last value of each call that is the same as an earlier one."""
    seen: dict[tuple[str, str], CallView] = {}
    for call in calls:
        first = seen.setdefault((call.name, call.text), call)
        if first is not call and not _AGAIN.search(fold(request[:LONGEST_TEXT])):
            own = [each for each in grounded if each.call is call and each.grounding is not None]
            if own:
                yield own[-1], f"with it the call is that at {first.pointer} again, which nobody asks for"


def _numbers(request: str, grounded: list[Grounded]) -> Iterator[tuple[Grounded, str]]:
    """Yield the numbers that are given more often than said, while others that are said are given nowhere."""
    given = Counter([abs(float(each.leaf.value)) for each in grounded if _is_literal_number(each)])
    if max(given.values(), default=0) < 2 and not any(map(_is_in_words, grounded)):
        return
    said = Counter(_number(match[0]) for match in _SAID.finditer(request[:LONGEST_TEXT]))
    used = {_number(digits) for each in grounded for digits in _digits_of(each)}
    left = [number for number in said if number not in used]
    corrections = reading_of(request[:LONGEST_TEXT]).corrections if left else []
    if corrections:  # what was said before the last word may be given nowhere
        last = fold(request[:LONGEST_TEXT])[corrections[-1].own :]
        left = [number for number in left if number in {_number(match[0]) for match in _SAID.finditer(last)}]
    shared = _shared(grounded) if left else frozenset()
    for each in reversed(grounded) if left else ():
        if left and each.leaf.path not in shared and _stands_in(each, given, said) and not _is_default(each):
            yield each, f"the request says it less often than it is given, and its {left.pop():g} is given nowhere"


def _is_default(each: Grounded) -> bool:
    """Say whether the schema itself gives the value."""
    tool = each.call.tool
    return tool is not None and ground_in_schema(each.leaf.value, tool, each.leaf.path, 0) is not None


_FEWEST_SHARING = 3


def _shared(grounded: list[Grounded]) -> frozenset[Path]:
    """Return the places at which several calls have one value: what a request says once for all of them."""
    values: dict[Path, list[tuple[str, JsonValue]]] = {}
    for each in grounded:
        values.setdefault(each.leaf.path, []).append((each.call.name, each.leaf.value))
    return frozenset(
        path
        for path, held in values.items()
        if len({repr(value) for _, value in held}) == 1
        and (len(held) >= _FEWEST_SHARING or len({name for name, _ in held}) > 1)
    )


def _stands_in(each: Grounded, given: Counter[float], said: Counter[float]) -> bool:
    """Say whether a number is given once more than it is said, or taken from words that count something else."""
    if _is_literal_number(each):
        number = abs(float(each.leaf.value))
        given[number] -= 1
        return given[number] >= said.get(number, 99)
    return _is_in_words(each)


def _number(digits: str) -> float:
    return float(digits.replace(",", ""))


def _is_number(each: Grounded) -> bool:
    return type(each.leaf.value) in (int, float) and each.grounding is not None


def _is_literal_number(each: Grounded) -> bool:
    return _is_number(each) and each.grounding is not None and each.grounding.rung == LITERAL


def _is_in_words(each: Grounded) -> bool:
    """Say whether the number is a small one that a text says in words: "two", which may count anything."""
    return (
        _is_number(each) and each.leaf.value in _SMALL and each.grounding is not None and each.grounding.text.isalpha()
    )


def _digits_of(each: Grounded) -> Iterator[str]:
    """Yield the numbers in a value, in the words that ground it and in its name (`year2`): all count as used."""
    yield from _DIGITS.findall(" ".join(step for step in each.leaf.path if isinstance(step, str)))
    yield from _DIGITS.findall(str(each.leaf.value).replace(",", "")[:400])
    if each.grounding is not None:
        yield from _DIGITS.findall(each.grounding.text.replace(",", ""))
