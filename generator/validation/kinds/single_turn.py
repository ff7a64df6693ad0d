"""What single turns claim: one request, one or several calls at once."""

from __future__ import annotations

from collections.abc import Iterator

from generator.validation.kinds.turns import KindCheck
from generator.validation.view import MessageView, RecordView


def simple(record: RecordView) -> Iterator[str]:
    """One tool is shown, one call made."""
    if len(record.tools) != 1:
        yield f"shows exactly one tool, not {len(record.tools)}"
    yield from _one_call(record)


def multiple(record: RecordView) -> Iterator[str]:
    """Several tools are shown, one call made."""
    if len(record.tools) < 2:
        yield f"shows several tools, not {len(record.tools)}"
    yield from _one_call(record)


def parallel(record: RecordView) -> Iterator[str]:
    """One tool is called several times in one turn."""
    turn = _only_turn(record)
    if turn is None or len(turn.calls) < 2:
        yield "makes several calls, all in one turn"
    elif len({call.name for call in turn.calls}) != 1:
        yield "calls one tool several times, not several tools"


def parallel_multiple(record: RecordView) -> Iterator[str]:
    """Several tools are called in one turn."""
    turn = _only_turn(record)
    if turn is None or len({call.name for call in turn.calls}) < 2:
        yield "calls several tools, all in one turn"


def _one_call(record: RecordView) -> Iterator[str]:
    if len(record.calls) != 1:
        yield f"makes exactly one call, not {len(record.calls)}"


def _only_turn(record: RecordView) -> MessageView | None:
    turns = record.turns_of_calls
    return turns[0] if len(turns) == 1 else None


CHECKS: dict[str, KindCheck] = {
    "simple": simple,
    "multiple": multiple,
    "parallel": parallel,
    "parallel_multiple": parallel_multiple,
}
