"""Turns: what users said since the turn of calls before, and what was heard before altogether."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.validation.call_view import CallView
from generator.validation.grounding.sources import Source
from generator.validation.view import RecordView


class Heard(NamedTuple):
    """A turn of calls, and what it follows."""

    calls: tuple[CallView, ...]
    requests: tuple[Source, ...]
    """What users said since the last turn of calls that they spoke after, the latest first."""
    earlier: tuple[Source, ...]
    """Everything that users said and results told before that, the latest first."""

    @property
    def sources(self) -> tuple[Source, ...]:
        """All of it."""
        return (*self.requests, *self.earlier)


def turns_heard(record: RecordView) -> Iterator[Heard]:
    """Yield each turn of calls that follows something a user said."""
    requests: list[Source] = []
    earlier: list[Source] = []
    has_called = False
    for message in record.messages:
        if message.calls:
            has_called = True
            if requests:
                yield Heard(message.calls, tuple(reversed(requests)), tuple(reversed(earlier)))
        elif not isinstance(message.content, str):
            continue
        elif message.role == "user":
            if has_called:
                earlier += requests
                requests = []
                has_called = False
            requests.append(Source(message.index, message.content))
        elif message.role in ("tool", "system"):
            earlier.append(Source(message.index, message.content, message.role))
