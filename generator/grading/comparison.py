"""Comparisons: what some calls have that others lack, and the words in which a person would tell it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import orjson

from generator.grading.called import Called
from generator.jsontext import JsonValue
from generator.validation.verdict import brief

DifferenceSort = Literal["wrong", "missing", "needless"]


class Difference(NamedTuple):
    """An argument that two calls do not have in common."""

    argument: str
    sort: DifferenceSort
    expected: JsonValue = None
    """The value expected; None where none is."""
    actual: JsonValue = None
    """The value given; None where none is."""


class Pair(NamedTuple):
    """A call expected and the call that was made for it, by their places."""

    expected: int
    actual: int
    differing: tuple[Difference, ...] = ()
    """The arguments that differ; none where the two calls mean the same."""
    problem: str = ""
    """Why the arguments of the call made cannot be read; "" where they can."""

    @property
    def equal(self) -> bool:
        """Whether the two mean the same."""
        return not self.differing and not self.problem


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the calls made differ from the calls expected."""

    pairs: tuple[Pair, ...]
    missing: tuple[int, ...]
    """Places of the calls expected that were not made."""
    needless: tuple[int, ...]
    """Places of the calls made that were not expected."""
    in_order: bool = True
    """Whether the calls stand in the order expected, where an order was asked for."""
    expected: tuple[Called, ...] = field(default=(), repr=False)
    actual: tuple[Called, ...] = field(default=(), repr=False)

    @property
    def equal(self) -> bool:
        """Whether the calls made mean the same as the calls expected."""
        return not self.missing and not self.needless and self.in_order and all(pair.equal for pair in self.pairs)

    @property
    def text(self) -> str:
        """The difference as a person would explain it; "" where there is none."""
        return "" if self.equal else _explained(self)


_MOST_TOLD = 12
"""Differences that are told one by one."""
_LONGEST_TOLD = 80
_LEAD = 12
"""Letters that are shown before the place at which two long texts part."""
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def _explained(comparison: Comparison) -> str:
    told = list(dict.fromkeys(_sentences(comparison)))
    if len(told) > _MOST_TOLD:
        told = [*told[:_MOST_TOLD], f"and {len(told) - _MOST_TOLD:,} more differences"]
    return "; ".join(told)


def _sentences(comparison: Comparison) -> Iterator[str]:
    times = Counter(call.name for call in comparison.expected)
    for pair in comparison.pairs:
        if not pair.equal:
            yield _of_pair(pair, comparison, times)
    for place in comparison.missing:
        yield _of_missing(place, comparison, times)
    for place in comparison.needless:
        yield _of_needless(comparison.actual[place], times)
    if not comparison.in_order:
        made = sorted(comparison.pairs, key=lambda pair: pair.actual)[:_MOST_TOLD]
        asked = ", ".join(_call(comparison.expected[pair.expected], times) for pair in comparison.pairs[:_MOST_TOLD])
        given = ", ".join(_call(comparison.actual[pair.actual], times) for pair in made)
        yield f"the calls were made in the order {given}, not {asked}"


def _of_pair(pair: Pair, comparison: Comparison, times: Counter[str]) -> str:
    wanted = comparison.expected[pair.expected]
    subject = wanted.name
    if times[wanted.name] > 1:
        before = sum(1 for call in comparison.expected[: pair.expected] if call.name == wanted.name)
        subject = f"the {ordinal(before)} call of {wanted.name}"
    if pair.problem:
        return f"{subject} cannot be read: {pair.problem}"
    only = pair.differing[0]
    first = next(iter(wanted.arguments or {}), None)
    is_main = len(pair.differing) == 1 and only.sort == "wrong" and only.argument == first and times[wanted.name] == 1
    if is_main and _is_named(only.expected) and _is_named(only.actual):
        return f"{subject} was called for {only.actual}, not for {only.expected}"
    return f"{subject} {', and '.join(told_difference(each) for each in pair.differing[:_MOST_TOLD])}"


def told_difference(difference: Difference) -> str:
    """Tell of an argument that differs what the call has and what was asked, the call being the subject."""
    name, sort = difference.argument, difference.sort
    if sort == "missing":
        return f"lacks {name}, which should be {_shown(difference.expected)}"
    if sort == "needless":
        return f"has {name} {_shown(difference.actual)}, which was not asked for"
    where, expected, actual = _innermost(name, difference.expected, difference.actual)
    given, asked = _apart(actual, expected)
    return f"has {where} {given} where {asked} was asked"


def _apart(actual: JsonValue, expected: JsonValue) -> tuple[str, str]:
    """Show two values so that their difference can be seen: texts quoted beside numbers, long ones where they part."""
    if isinstance(actual, str) and isinstance(expected, str):
        pairs = zip(actual, expected, strict=False)
        alike = next((place for place, (one, other) in enumerate(pairs) if one != other), 0)
        if max(len(actual), len(expected)) > _LONGEST_TOLD // 2 and alike > _LEAD:
            return brief("..." + actual[alike - _LEAD :]), brief("..." + expected[alike - _LEAD :])
    elif isinstance(actual, str) != isinstance(expected, str):
        return _quoted(actual), _quoted(expected)
    return _shown(actual), _shown(expected)


def _quoted(value: JsonValue) -> str:
    return brief(value) if isinstance(value, str) else _shown(value)


def _call(call: Called, times: Counter[str]) -> str:
    return f"{call.name} with {_with(call)}" if times[call.name] > 1 and call.arguments else call.name


def _of_missing(place: int, comparison: Comparison, times: Counter[str]) -> str:
    call = comparison.expected[place]
    same = [other for other, each in enumerate(comparison.expected) if _is_same(each, call)]
    if len(same) > 1:
        made = len(same) - len(set(same) & set(comparison.missing))
        done = f"was called {_times(made)}, not" if made else "was not called, and is asked for"
        return f"{_call(call, times)} {done} {_times(len(same))}"
    if times[call.name] == 1 or not call.arguments:
        return f"{call.name or 'a call'} was not called"
    return f"{call.name} was not called with {_with(call)}"


def _is_same(one: Called, other: Called) -> bool:
    return one.name == other.name and one.arguments == other.arguments


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count:,} times")


def _of_needless(call: Called, times: Counter[str]) -> str:
    if not call.name:
        return f"a call cannot be read: {call.problem}"
    if not times[call.name]:
        return f"{call.name} was called, though it was not asked for"
    return f"{call.name} was called once too often" + (f", with {_with(call)}" if call.arguments else "")


def _with(call: Called) -> str:
    given = list((call.arguments or {}).items())
    told = ", ".join(f"{name} {_shown(value)}" for name, value in given[:4])
    return told + (f" and {len(given) - 4} more arguments" if len(given) > 4 else "")


def ordinal(place: int) -> str:
    """Return which one of several a 0-based place is, in words as far as people say them."""
    return _ORDINALS[place] if place < len(_ORDINALS) else f"{place + 1}th"


def _is_named(value: JsonValue) -> bool:
    """Say whether a value is a name that stands in a sentence without marks around it."""
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_TOLD // 2:
        return False
    return value[0].isupper() and value.isprintable()


def _shown(value: JsonValue) -> str:
    """Show a value in a sentence, bare where it is a number or one word."""
    if isinstance(value, str) and value.isalnum() and len(value) <= _LONGEST_TOLD // 2:
        return value
    if not isinstance(value, dict | list):
        return brief(value)
    try:
        text = orjson.dumps(value).decode()
    except (TypeError, ValueError):
        return brief(value)
    return text if len(text) <= _LONGEST_TOLD else f"{text[:_LONGEST_TOLD]}..."


def _innermost(name: str, expected: JsonValue, actual: JsonValue) -> tuple[str, JsonValue, JsonValue]:
    """Follow two values of one shape to the only place at which they differ; as far as there is only one."""
    for _ in range(_LONGEST_TOLD):
        if isinstance(expected, dict) and isinstance(actual, dict) and expected.keys() == actual.keys():
            places = [(f"{name}.{key}", expected[key], actual[key]) for key in expected]
        elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
            places = [(f"{name}[{at}]", expected[at], actual[at]) for at in range(len(expected))]
        else:
            break
        differing = [place for place in places if place[1] != place[2]]
        if len(differing) != 1:
            break
        name, expected, actual = differing[0]
    return name, expected, actual
