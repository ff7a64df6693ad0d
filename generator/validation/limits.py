"""Limits: how large a record may be, so that checking it takes seconds whatever it holds."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.rule import Finding

MOST_MESSAGES = 10_000
MOST_CALLS = 5_000
MOST_LOOKED_THROUGH = 200_000_000
"""Characters that are looked through for what calls and answers tell: each looks through all that was said before."""

SMALL = 2 * MOST_CALLS
"""Bytes of a record's JSON: no shorter one is too large, since a call or a message takes two bytes or more.

Nor are more characters looked through in it than n * n / 8, a quarter of the limit.
"""


def oversized(document: JsonValue) -> Iterator[Finding]:
    """Yield one finding where a record is larger than what is checked; else none."""
    messages = document.get("messages") if isinstance(document, dict) else None
    if not isinstance(messages, list):
        return
    if len(messages) > MOST_MESSAGES:
        yield Finding("/messages", f"{len(messages):,} messages are too many for a record; {MOST_MESSAGES:,} are read")
        return
    calls = said = looked_through = 0
    for message in messages:
        if isinstance(message, dict):
            made = _calls_in(message)
            calls += made
            if made or message.get("role") == "assistant":
                looked_through += said * max(made, 1)
            said += _characters(message.get("content"))
    if calls > MOST_CALLS:
        yield Finding("/messages", f"{calls:,} calls are too many for a record; {MOST_CALLS:,} are read")
    elif looked_through > MOST_LOOKED_THROUGH:
        what = f"{len(messages):,} messages with {calls:,} calls and {said:,} characters"
        most = f"{MOST_LOOKED_THROUGH:,} characters are looked through for what calls and answers tell"
        yield Finding("/messages", f"{what} are too many for a record, {looked_through:,} to look through; {most}")


def _calls_in(message: dict[str, JsonValue]) -> int:
    calls = message.get("tool_calls")
    return len(calls) if isinstance(calls, list) else 0


def _characters(content: JsonValue) -> int:
    return len(content) if isinstance(content, str) else 0
