"""What records claim whose values are not said as they are called."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.kinds.check import KindCheck
from generator.validation.kinds.expressions import meaning, stated_date
from generator.validation.kinds.turns import Turn, says, system_text
from generator.validation.kinds.wishes import wishes
from generator.validation.view import RecordView, is_abroad

_FEWEST_TOOLS, _MOST_TOOLS = 20, 60
_LONG_CONTEXT = 4_000


def canonicalization(record: RecordView) -> Iterator[str]:
    """An expression stands in the request, and the call has what it means on the date the system message states."""
    name, said = _claimed(record, "parameter"), _claimed(record, "said")
    turn = _calling_turn(record)
    if not isinstance(name, str) or not isinstance(said, str) or turn is None:
        yield "names the parameter and the expression, and calls"
        return
    today = stated_date(system_text(record))
    if today is None:
        yield "states the date in its system message"
        return
    if not says(turn.text, said):
        yield f"says {said!r}"
    value = _argument(turn, name)
    if not _is_same(value, meaning(said, today)):
        yield f"calls with what {said!r} means on {today.isoformat()}, which {value!r} is not"
    if says(turn.text, value):
        yield f"leaves {value!r} to be understood from {said!r}"


def _is_same(value: JsonValue, meant: JsonValue) -> bool:
    """Say whether two values are equal; true is no number."""
    return meant is not None and not isinstance(value, bool) and value == meant


def profile(record: RecordView) -> Iterator[str]:
    """Values of the call stand in the system message, and the user refers to them without saying them."""
    claimed = _claimed(record, "profile")
    turn = _calling_turn(record)
    if not isinstance(claimed, dict) or not claimed or turn is None:
        yield "names the parameters that the profile fills, and calls"
        return
    context = system_text(record)
    for name, label in claimed.items():
        value = _argument(turn, name)
        if value is None or not says(context, value):
            yield f"takes {name} from the system message"
        if says(turn.text, value):
            yield f"does not say {name} again"
        is_said = isinstance(label, str) and label.casefold() in turn.text.casefold()
        if not (is_said or is_abroad(record)):
            yield f"refers to the {label}"


def long_context(record: RecordView) -> Iterator[str]:
    """A value of the call stands in a long context."""
    size = len(system_text(record))
    if size < _LONG_CONTEXT:
        yield f"has a context of at least {_LONG_CONTEXT:,} characters, not {size:,}"
    yield from profile(record)


def many_tools(record: RecordView) -> Iterator[str]:
    """Twenty to sixty tools are shown, one call made."""
    if not _FEWEST_TOOLS <= len(record.tools) <= _MOST_TOOLS:
        yield f"shows {_FEWEST_TOOLS} to {_MOST_TOOLS} tools, not {len(record.tools)}"
    if len(record.calls) != 1:
        yield f"makes exactly one call, not {len(record.calls)}"


def _calling_turn(record: RecordView) -> Turn | None:
    return next((turn for turn in wishes(record) if turn.calls), None)


def _argument(turn: Turn, name: str) -> JsonValue:
    arguments = turn.calls[0].arguments
    return arguments.get(name) if isinstance(arguments, dict) else None


def _claimed(record: RecordView, key: str) -> JsonValue:
    claim = record.metadata.get("claim")
    return claim.get(key) if isinstance(claim, dict) else None


CHECKS: dict[str, KindCheck] = {
    "canonicalization": canonicalization,
    "profile": profile,
    "long_context": long_context,
    "many_tools": many_tools,
}
