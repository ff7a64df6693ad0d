"""The order of turns: rules that speak of who speaks after whom, and of nothing else."""

from __future__ import annotations

from collections.abc import Iterator

from generator.validation.rule import Check, Finding, of_orders
from generator.validation.view import CALLS, Order

_NAMES = {CALLS: "a turn of calls", "system": "a system message", "user": "a user message",
          "assistant": "an assistant message", "tool": "a tool message"}  # fmt: skip
_ANSWERS = ("assistant", CALLS)


def _pairs(order: Order) -> Iterator[tuple[str, str, str]]:
    """Yield the pointer of each turn but the first, the turn before it and the turn; unknown turns are left out."""
    for index in range(1, len(order)):
        if order[index] in _NAMES and order[index - 1] in _NAMES:
            yield f"/messages/{index}", order[index - 1], order[index]


def _turns_follow_calls(order: Order) -> Iterator[Finding]:
    for pointer, before, turn in _pairs(order):
        if turn == "tool" and before not in ("tool", CALLS):
            yield Finding(pointer, f"a tool message follows calls or other results, not {_NAMES[before]}")
        elif before == CALLS and turn != "tool":
            yield Finding(pointer, f"calls are followed by their results, not by {_NAMES[turn]}")
        elif before == "tool" and turn in ("system", "user"):
            yield Finding(pointer, f"results are followed by the assistant, not by {_NAMES[turn]}")


def _system_comes_first(order: Order) -> Iterator[Finding]:
    for index, turn in enumerate(order):
        if turn == "system" and index > 0:
            yield Finding(f"/messages/{index}", "a record has at most one system message, which comes first")


def _turns_alternate(order: Order) -> Iterator[Finding]:
    for pointer, before, turn in _pairs(order):
        if turn == before == "user":
            yield Finding(pointer, "a user message follows another; templates demand turns")
        elif turn in _ANSWERS and before == "assistant":
            yield Finding(pointer, "an assistant message follows another; templates demand turns")


def _user_opens(order: Order) -> Iterator[Finding]:
    first = 1 if order[:1] == ("system",) else 0
    if order[first : first + 1] in (("assistant",), (CALLS,)):
        yield Finding(f"/messages/{first}", "the assistant speaks before the user has spoken")


def _assistant_closes(order: Order) -> Iterator[Finding]:
    if order and order[-1] in ("system", "user", "tool"):
        yield Finding(f"/messages/{len(order) - 1}", f"a record ends with the assistant, not with {_NAMES[order[-1]]}")


OPENAI_CHECKS: dict[str, Check] = {"OA010": of_orders(_turns_follow_calls)}
CHECKS: dict[str, Check] = {
    "TC007": of_orders(_system_comes_first),
    "TC008": of_orders(_turns_alternate),
    "TC009": of_orders(_user_opens),
    "TC010": of_orders(_assistant_closes),
}
