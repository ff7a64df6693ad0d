"""Calls compared by what they mean: which are the same, which differ in what, which are missing and which needless.

Each of the calls made is paired with the one of the calls expected that it is meant for, their order being free; what
some have that others lack is told in the words that a person would use.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import orjson

from generator.grading.completions import Called, called, calls_in
from generator.grading.values import ValueReader, reader_of
from generator.jsontext import JsonObject, JsonValue
from generator.validation.verdict import brief

DifferenceSort = Literal["wrong", "missing", "needless"]
Members = dict[str, Hashable]
"""What each argument of a call means, by its name."""

_EXACT = 7
"""Calls of one tool on either side up to which every pairing is compared."""
_NEAR = 60
"""Calls of one tool up to which each is paired with the nearest that is left; beyond, in their order."""


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
    if times[wanted.name] == 1 and _is_for_another(pair, wanted):
        only = pair.differing[0]
        return f"{subject} was called for {only.actual}, not for {only.expected}"
    return f"{subject} {', and '.join(told_difference(each) for each in pair.differing[:_MOST_TOLD])}"


def _is_for_another(pair: Pair, wanted: Called) -> bool:
    """Say whether nothing differs but the name that the first argument gives."""
    only = pair.differing[0]
    is_first = len(pair.differing) == 1 and only.argument == next(iter(wanted.arguments or {}), None)
    return is_first and only.sort == "wrong" and _is_named(only.expected) and _is_named(only.actual)


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
        differing = [place for place in _places(name, expected, actual) if place[1] != place[2]]
        if len(differing) != 1:
            break
        name, expected, actual = differing[0]
    return name, expected, actual


def _places(name: str, expected: JsonValue, actual: JsonValue) -> list[tuple[str, JsonValue, JsonValue]]:
    """Return the members, or the entries, of two values beside each other; none where their shapes differ."""
    if isinstance(expected, dict) and isinstance(actual, dict) and expected.keys() == actual.keys():
        return [(f"{name}.{key}", expected[key], actual[key]) for key in expected]
    if isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        return [(f"{name}[{at}]", expected[at], actual[at]) for at in range(len(expected))]
    return []


def paired(
    expected: Sequence[tuple[str, Members | None]], actual: Sequence[tuple[str, Members | None]]
) -> list[tuple[int, int]]:
    """Return pairs of places, of calls of one tool, such that as many arguments as can be are the same.

    Calls that mean the same are paired first. Of up to 7 others of a tool every pairing is compared, of up to 60
    each takes the nearest that is left, and beyond they are taken in their order, so that any number of calls takes
    a time in proportion.
    """
    same, left_expected, left_actual = _same(expected, actual)
    wanted, given = _by_name(left_expected, expected), _by_name(left_actual, actual)
    for name, places in wanted.items():
        same += _nearest(places, given.get(name, []), expected, actual)
    return sorted(same)


def _same(
    expected: Sequence[tuple[str, Members | None]], actual: Sequence[tuple[str, Members | None]]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    waiting: dict[Hashable, list[int]] = defaultdict(list)
    for place in range(len(actual) - 1, -1, -1):
        waiting[_key(actual[place])].append(place)
    pairs: list[tuple[int, int]] = []
    left: list[int] = []
    for place, call in enumerate(expected):
        alike = waiting.get(_key(call)) if call[1] is not None else None
        if alike:
            pairs.append((place, alike.pop()))
        else:
            left.append(place)
    return pairs, left, sorted(place for places in waiting.values() for place in places)


def _key(call: tuple[str, Members | None]) -> Hashable:
    name, members = call
    return (name, None if members is None else frozenset(members.items()))


def _by_name(places: Iterable[int], calls: Sequence[tuple[str, Members | None]]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for place in places:
        found[calls[place][0]].append(place)
    return found


def _nearest(
    wanted: list[int],
    given: list[int],
    expected: Sequence[tuple[str, Members | None]],
    actual: Sequence[tuple[str, Members | None]],
) -> list[tuple[int, int]]:
    if not wanted or not given:
        return []
    if len(wanted) == 1 and len(given) == 1:
        return [(wanted[0], given[0])]
    if max(len(wanted), len(given)) > _NEAR:
        return list(zip(wanted, given, strict=False))

    def likeness(one: int, other: int) -> int:
        return common(expected[one][1], actual[other][1])

    if max(len(wanted), len(given)) <= _EXACT:
        return _best(wanted, given, likeness)
    return _greedy(wanted, given, likeness)


def common(wanted: Members | None, given: Members | None) -> int:
    """Return how alike two calls are: by the arguments that are the same, then by those that both have."""
    if wanted is None or given is None:
        return -1_000
    shared = [given[name] == reading for name, reading in wanted.items() if name in given]
    return 2 * len(shared) + sum(shared) - len(wanted) - len(given)


_Option = tuple[int, int, tuple[tuple[int, int], ...]]
"""What is taken then, as bits; the likeness that comes with it; the pair, if any."""


def _best(wanted: list[int], given: list[int], likeness: Callable[[int, int], int]) -> list[tuple[int, int]]:
    """Return the pairing of the greatest likeness, by the subsets of what is given; of equal ones the first."""
    best: dict[int, tuple[int, tuple[tuple[int, int], ...]]] = {0: (0, ())}
    spare = max(len(wanted) - len(given), 0)
    for one in wanted:
        following: dict[int, tuple[int, tuple[tuple[int, int], ...]]] = {}
        for taken, (total, pairs) in best.items():
            free = [at for at in range(len(given)) if not taken >> at & 1]
            options: list[_Option] = [(taken | 1 << at, likeness(one, given[at]), ((one, given[at]),)) for at in free]
            if spare:
                options.append((taken, 0, ()))
            for key, more, pair in options:
                if key not in following or total + more > following[key][0]:
                    following[key] = (total + more, pairs + pair)
        best = following
    _, (_, most_alike) = max(best.items(), key=lambda found: (found[0].bit_count(), found[1][0]))
    return list(most_alike)


def _greedy(wanted: list[int], given: list[int], likeness: Callable[[int, int], int]) -> list[tuple[int, int]]:
    ranked = sorted((-likeness(one, other), one, other) for one in wanted for other in given)
    ones: set[int] = set()
    others: set[int] = set()
    pairs = []
    for _, one, other in ranked:
        if one not in ones and other not in others:
            ones.add(one)
            others.add(other)
            pairs.append((one, other))
    return pairs


@dataclass(frozen=True, slots=True)
class ReadCalls:
    """Calls that were read once, to be compared any number of times."""

    calls: tuple[Called, ...]
    members: tuple[tuple[str, Members | None], ...]
    """The name of each call and what its arguments mean; None where they cannot be read."""


def compare_calls(expected: Any, actual: Any, tools: Iterable[Any] = (), *, ordered: bool = False) -> Comparison:
    """Compare the calls made with the calls expected by what they mean.

    Args:
        expected: calls in any usual shape: ours, OpenAI's with arguments as text, `{"name", "arguments"}`, or objects
            with such attributes; a message that holds them will do.
        actual: the calls made, likewise, of whatever JSON they are.
        tools: the tools shown, as records or requests show them, or `Tool`s: their schemas say which values mean the
            same. Without them numbers are compared as numbers and words as words, and nothing is known of defaults.
        ordered: whether the calls are to stand in the order expected.
    """
    readers = readers_of(tools)
    return compare_read(read_calls(calls_in(expected), readers), read_calls(calls_in(actual), readers), ordered=ordered)


def readers_of(tools: Iterable[Any]) -> dict[str, ValueReader]:
    """Return the reader of the arguments of each tool, by its name; what is no tool has none."""
    found: dict[str, ValueReader] = {}
    for tool in tools:
        name, parameters = _definition(tool)
        if isinstance(name, str) and name not in found:
            found[name] = reader_of(parameters)
    return found


def _definition(tool: Any) -> tuple[Any, Any]:
    if hasattr(tool, "model_dump") and not hasattr(tool, "parameters"):
        tool = tool.model_dump(exclude_none=True)
    if isinstance(tool, dict):
        function = tool.get("function")
        told: JsonObject = function if isinstance(function, dict) else tool
        schema = next((told[key] for key in ("parameters", "inputSchema", "input_schema") if key in told), None)
        return told.get("name"), schema
    return getattr(tool, "name", None), getattr(tool, "parameters", None)


_WITHOUT_SCHEMA = reader_of({})


def read_calls(given: Sequence[Any], readers: dict[str, ValueReader]) -> ReadCalls:
    """Read calls by the schemas of their tools."""
    calls = tuple([called(each) for each in given])
    return ReadCalls(calls, tuple([(call.name, _members(call, readers)) for call in calls]))


def _members(call: Called, readers: dict[str, ValueReader]) -> Members | None:
    if call.arguments is None:
        return None
    return readers.get(call.name, _WITHOUT_SCHEMA).members(call.arguments)


def compare_read(expected: ReadCalls, actual: ReadCalls, *, ordered: bool = False) -> Comparison:
    """Compare calls that were read."""
    places = paired(expected.members, actual.members)
    pairs = tuple([_pair(one, other, expected, actual) for one, other in places])
    wanted, made = {pair.expected for pair in pairs}, {pair.actual for pair in pairs}
    return Comparison(
        pairs,
        tuple([place for place in range(len(expected.calls)) if place not in wanted]),
        tuple([place for place in range(len(actual.calls)) if place not in made]),
        not ordered or all(a.actual < b.actual for a, b in pairwise(pairs)),
        expected.calls,
        actual.calls,
    )


def _pair(one: int, other: int, expected: ReadCalls, actual: ReadCalls) -> Pair:
    wanted, given = expected.members[one][1], actual.members[other][1]
    if wanted is None or given is None:
        problem = actual.calls[other].problem or expected.calls[one].problem
        return Pair(one, other, (), problem)
    if wanted == given:
        return Pair(one, other)
    return Pair(one, other, _differing(wanted, given, expected.calls[one].arguments, actual.calls[other].arguments))


def _differing(
    wanted: Members, given: Members, expected: JsonObject | None, actual: JsonObject | None
) -> tuple[Difference, ...]:
    asked, made = expected or {}, actual or {}
    found: list[Difference] = []
    for name, reading in wanted.items():
        if name not in given:
            found.append(Difference(name, "missing", asked.get(name)))
        elif given[name] != reading:
            sort: DifferenceSort = "wrong" if name in made else "missing"
            found.append(Difference(name, sort if name in asked else "needless", asked.get(name), made.get(name)))
    found += [Difference(name, "needless", None, made.get(name)) for name in given if name not in wanted]
    return tuple(found)
