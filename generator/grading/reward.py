"""Rewards: what an answer of a model to a turn of a record is worth, from 0 to 1, and why.

Where the record calls, an answer is worth as much as its calls are right, with right arguments, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

from generator.grading.calls import (
    Comparison,
    Difference,
    Pair,
    ReadCalls,
    compare_read,
    ordinal,
    read_calls,
    told_difference,
)
from generator.grading.completions import Called, Completion, called, completion_of
from generator.grading.preparing import PreparedTurn, prepared_turn
from generator.grading.reasons import Part, Reason, Reward, reward_of
from generator.jsontext import JsonObject
from generator.records import Record

__all__ = ["Part", "Reason", "Reward", "reward"]

_MOST_INSTEAD = 50
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
    if not completion.text and not completion.problem and _are_the_same(actual, prepared.expected):
        return _right_calls(prepared)
    comparison = compare_read(prepared.expected, actual)
    reasons = list(_reasons(comparison, prepared))
    worth = _worth(reasons, len(prepared.expected.calls) + len(comparison.needless))
    if completion.problem:
        reasons.append(Reason("unreadable", "outcome", "", "", 0.5, completion.problem))
        worth *= 0.5
    if completion.text:
        beside = list(prepared.spoken.beside_calls(completion.text))
        worth *= prod(reason.score for reason in beside)
        reasons = [*beside, *reasons]
    return reward_of(worth, reasons[:_MOST_REASONS])


def _right_calls(prepared: PreparedTurn) -> Reward:
    """Return the reward of the calls that the record itself makes, which is told once."""
    if prepared.right_calls is None:
        comparison = compare_read(prepared.expected, prepared.expected)
        prepared.right_calls = reward_of(1.0, list(_reasons(comparison, prepared))[:_MOST_REASONS])
    return prepared.right_calls


def _are_the_same(actual: ReadCalls, expected: ReadCalls) -> bool:
    """Say whether calls are those of the record to the letter and in its order, as most right ones are."""
    return actual.members == expected.members and all(
        one.arguments is not None and one.arguments == other.arguments
        for one, other in zip(actual.calls, expected.calls, strict=True)
    )


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
    share = (len(asked) - len(differing)) / len(asked) if asked else 1.0
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
        validators = [each for each in (view.validator, view.closed_validator) if each is not None]
        problem = next(filter(None, (each.first_problem(made.arguments) for each in validators)), None)
    except (TypeError, ValueError, RecursionError):
        return "arguments that are no JSON"
    return f"{problem.pointer or 'its arguments'}: {problem.message:.200}" if problem else "its arguments"


def reward(record: Record | JsonObject | str, turn: int, answer: Any) -> Reward:
    """Return what an answer is worth as an assistant turn of a record: 1.0 where it is as good as the record's own.

    Calls are compared by what they mean, in any order. A text is as good where it tells the facts of the record's own
    answer, in whichever words, and none that the results do not bear. Whatever else is worth less, and the reasons say
    why: by call, argument and outcome.

    Args:
        record: a `Record`, its document, or the JSON text of it; other formats are read as `toolgen validate` does.
        turn: which of its assistant messages is answered, from 0.
        answer: an assistant message in any usual shape, or the raw text of a model with its calls in it. What is
            no answer is worth nothing; nothing that a model writes raises an error.

    Raises:
        UsageError: the record is none, or has no such turn.
    """
    return graded(prepared_turn(record, turn), completion_of(answer))


def graded(prepared: PreparedTurn, completion: Completion) -> Reward:
    """Return what a completion is worth as a prepared turn."""
    if completion.problem and not completion.calls and not completion.text:
        return reward_of(0.0, [Reason("no_answer", "outcome", "", "", 0.0, completion.problem)])
    if prepared.expected.calls:
        return reward_calls(prepared, completion)
    if completion.calls:
        return _called_instead(prepared, completion)
    if completion.problem:
        return reward_of(0.0, [Reason("malformed_call", "outcome", "", "", 0.0, completion.problem)])
    if not completion.text.strip():
        return reward_of(0.0, [Reason("empty_answer", "outcome", "", "", 0.0, "says and calls nothing")])
    return prepared.spoken.reward(completion.text)


def _called_instead(prepared: PreparedTurn, completion: Completion) -> Reward:
    told = "calls again, where the results are to be told" if prepared.after_results else "calls where it must not"
    reasons = [Reason("called_instead", "outcome", "", "", 0.0, told)]
    for place, call in enumerate(completion.calls[:_MOST_INSTEAD]):
        reasons.append(needless_call(called(call), place, prepared))
    return reward_of(0.0, reasons)
