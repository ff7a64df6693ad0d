"""Rewards of turns in which the record calls: right calls with right arguments, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from generator.grading.called import Called
from generator.grading.calls import compare_read, read_calls
from generator.grading.comparison import Comparison, Difference, Pair, ordinal, told_difference
from generator.grading.completions import Completion
from generator.grading.preparing import PreparedTurn
from generator.grading.reasons import Reason, Reward, reward_of

OF_NAME = 0.4
"""The share of a call's worth that its name has; the rest is that of its arguments."""
_UNREADABLE = 0.1
_OUT_OF_SCHEMA = 0.7
"""What is left of a call whose arguments its tool refuses."""
_WITH_CLAIM = 0.8
_MOST_REASONS = 200
"""Reasons that are told; whoever makes thousands of calls is told of the first."""


def reward_calls(prepared: PreparedTurn, completion: Completion) -> Reward:
    """Return what calls are worth in a turn in which the record calls.

    Each call expected is worth the same: two fifths for its name, the rest in equal parts for its arguments, those
    that are needless counted among them. Needless calls count as further ones that are worth nothing.
    """
    if not completion.calls:
        return _without_calls(prepared, completion)
    actual = read_calls(completion.calls, prepared.readers)
    comparison = compare_read(prepared.expected, actual)
    reasons = list(_reasons(comparison, prepared))
    worth = _worth(reasons, len(prepared.expected.calls) + len(comparison.needless))
    if completion.problem:
        reasons.append(Reason("unreadable", "outcome", "", "", 0.5, completion.problem))
        worth *= 0.5
    return reward_of(worth, reasons[:_MOST_REASONS])


def _worth(reasons: list[Reason], calls: int) -> float:
    scores = sum(reason.score for reason in reasons if reason.part == "call")
    return scores / calls if calls else 0.0


def _without_calls(prepared: PreparedTurn, completion: Completion) -> Reward:
    code, message = "no_call", "says something where a call is needed"
    if completion.problem:
        code, message = "unreadable", completion.problem
    elif not completion.text:
        code, message = "empty_answer", "says and calls nothing"
    elif completion.text.rstrip().endswith(("?", "？")):
        code, message = "asked_instead", "asks where all that a call needs is known"
    reasons = [Reason(code, "outcome", "", "", 0.0, message)]
    for place, call in enumerate(prepared.expected.calls[:_MOST_REASONS]):
        reasons.append(Reason("missing_call", "call", call.name, "", 0.0, f"{call.name} was not called", place))
    return reward_of(0.0, reasons)


def _reasons(comparison: Comparison, prepared: PreparedTurn) -> Iterator[Reason]:
    for pair in comparison.pairs:
        yield from _of_pair(pair, comparison, prepared)
    for place in comparison.missing:
        name = comparison.expected[place].name
        yield Reason("missing_call", "call", name, "", 0.0, f"{name} was not called", place)
    for place in comparison.needless:
        yield needless_call(comparison.actual[place], place, prepared)


def needless_call(call: Called, place: int, prepared: PreparedTurn) -> Reason:
    """Tell of a call that the record does not make."""
    if not call.name:
        return Reason("malformed_call", "call", "", "", 0.0, f"a call cannot be read: {call.problem}", place)
    if call.name not in prepared.views:
        return Reason("unknown_tool", "call", call.name, "", 0.0, f"there is no tool {call.name!r:.80}", place)
    return Reason("needless_call", "call", call.name, "", 0.0, f"{call.name} was called needlessly", place)


def _of_pair(pair: Pair, comparison: Comparison, prepared: PreparedTurn) -> Iterator[Reason]:
    wanted, made = comparison.expected[pair.expected], comparison.actual[pair.actual]
    name, place = wanted.name, pair.expected
    if pair.problem:
        told = f"{name} was called, but {pair.problem}"
        yield Reason("malformed_arguments", "call", name, "", _UNREADABLE, told, place)
        return
    asked = _names(wanted, pair)
    differing = {each.argument: each for each in pair.differing}
    right = sum(1 for argument in asked if argument not in differing)
    share = right / len(asked) if asked else 1.0
    score = OF_NAME + (1 - OF_NAME) * share
    refused = "" if made.arguments == wanted.arguments else _refused(made, prepared)
    if refused:
        yield Reason("invalid_arguments", "call", name, "", score * _OUT_OF_SCHEMA, f"{name} refuses {refused}", place)
    elif differing:
        told = f"the {ordinal(place)} call has another meaning" if len(comparison.expected) > 1 else "it differs"
        yield Reason(
            "differing_call", "call", name, "", score, f"{name} is right, its arguments are not: {told}", place
        )
    else:
        yield Reason("right_call", "call", name, "", 1.0, f"{name} is called as it should be", place)
    for argument in asked:
        yield _of_argument(name, argument, differing.get(argument), place)


def _names(wanted: Called, pair: Pair) -> list[str]:
    """Return the arguments that are looked at: those of the record, and those in which the call made differs."""
    return list(dict.fromkeys([*(wanted.arguments or ()), *(each.argument for each in pair.differing)]))


def _of_argument(name: str, argument: str, difference: Difference | None, place: int) -> Reason:
    if difference is None:
        return Reason("right_argument", "argument", name, argument, 1.0, f"{argument} is right", place)
    told = f"{name} {told_difference(difference)}"
    return Reason(f"{difference.sort}_argument", "argument", name, argument, 0.0, told, place)


def _refused(made: Called, prepared: PreparedTurn) -> str:
    """Return what the parameters of a tool refuse in arguments; "" where they take them."""
    view = prepared.views.get(made.name)
    if view is None or made.arguments is None:
        return ""
    try:
        if view.takes(made.arguments):
            return ""
        judged = view.judge(made.arguments)
    except (TypeError, ValueError, RecursionError):
        return "arguments that are no JSON"
    problems = [*judged.refused, *judged.undeclared, *judged.formats]
    return f"{problems[0].pointer or 'its arguments'}: {problems[0].message:.200}" if problems else ""
