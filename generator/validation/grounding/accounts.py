"""Accounts: which numbers of a request are used by its calls, and how often.

A number that is said once and given twice, while another number of the request is given nowhere, stands in the
wrong place: the swapped value is in the text, and yet is not what was said. Shared numbers alone ("both for 2
nights") and numbers that no call needs are no fault.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from generator.validation.grounding.leaves import Grounded
from generator.validation.grounding.sources import LITERAL
from generator.validation.grounding.words import LONGEST_TEXT
from generator.validation.view import RecordView

_SAID = re.compile(r"(?<![\w.])\d{1,18}(?:,\d{3})*(?:\.\d{1,18})?(?!\w*\d)")
_DIGITS = re.compile(r"\d{1,18}(?:\.\d{1,18})?")


def misplaced(record: RecordView, grounded: list[Grounded]) -> Iterator[tuple[Grounded, float]]:
    """Yield the numbers that are given more often than said, each with one that is said and given nowhere.

    Only records of one request and one turn of calls are looked at: later turns repeat and correct.
    """
    given = Counter(abs(float(each.leaf.value)) for each in grounded if _is_literal_number(each))
    if not any(map(_is_number, grounded)) or len(record.turns_of_calls) != 1:
        return
    if max(given.values(), default=0) < 2 and not any(_is_in_words(each) for each in grounded):
        return
    requests = [each.content for each in record.messages if each.role == "user"]
    if len(requests) != 1 or not isinstance(requests[0], str):
        return
    said = Counter(_number(match[0]) for match in _SAID.finditer(requests[0][:LONGEST_TEXT]))
    used = {_number(digits) for each in grounded for digits in _digits_of(each)}
    left = [number for number in said if number not in used]
    for each in reversed(grounded) if left else ():
        if left and _stands_in(each, given, said):
            yield each, left.pop()


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
    """Say whether the number is one that a text says in words: "two", "three"."""
    return _is_number(each) and each.grounding is not None and each.grounding.text.isalpha()


def _digits_of(each: Grounded) -> Iterator[str]:
    """Yield the numbers in a value and in the words that ground it: both count as used."""
    yield from _DIGITS.findall(str(each.leaf.value).replace(",", "")[:400])
    if each.grounding is not None:
        yield from _DIGITS.findall(each.grounding.text.replace(",", ""))
