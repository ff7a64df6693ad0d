"""What a data set is expected to yield: a file that shows tools and yields no call was most likely not understood."""

from __future__ import annotations

from typing import Literal

from generator.validation.tally import Tally

Expected = Literal["some", "none", "any"]
EXPECTED: tuple[Expected, ...] = ("some", "none", "any")


def unmet(name: str, tally: Tally, expected: Expected) -> str:
    """Say in which way one input disappoints what is expected of its calls; "" where it does not.

    Records that say of themselves that their kind is one without calls are no disappointment.
    """
    if expected == "none" and tally.calls:
        return f"{name}: {_count(tally.calls, 'call')} read, where none was expected (--expect-calls none)"
    if expected == "some" and tally.silent and not tally.calls:
        shown = _count(tally.tools, "tool")
        return (
            f"{name}: {shown} shown in {_count(tally.silent, 'record')}, and not one call was read: "
            "either it is not understood, or it holds none; then say --expect-calls none"
        )
    return ""


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"


def account(tally: Tally) -> str:
    """Say what was read, and what was not."""
    read = [_count(tally.calls, "call"), _count(tally.results, "result"), _count(tally.tools, "tool")]
    columns = ", ".join(f"{name} ({count:,})" for name, count in sorted(tally.columns.items()))
    return f"read {', '.join(read)}" + (f"; not looked into: {columns}" if columns else "")
