"""Rewards: what an answer of a model to a turn of a record is worth, from 0 to 1, and why."""

from __future__ import annotations

from typing import Any

from generator.grading.call_rewards import needless_call, reward_calls
from generator.grading.called import called
from generator.grading.completions import Completion, completion_of
from generator.grading.preparing import PreparedTurn, prepared_turn
from generator.grading.reasons import Part, Reason, Reward, reward_of
from generator.jsontext import JsonObject
from generator.records import Record

__all__ = ["Part", "Reason", "Reward", "reward"]

_MOST_REASONS = 50


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
    for place, call in enumerate(completion.calls[:_MOST_REASONS]):
        reasons.append(needless_call(called(call), place, prepared))
    return reward_of(0.0, reasons)
