"""What records without a call claim."""

from __future__ import annotations

from collections.abc import Iterator

from generator.validation.kinds.check import KindCheck
from generator.validation.view import RecordView


def irrelevance(record: RecordView) -> Iterator[str]:
    """Tools are shown, none is called, the assistant answers in words."""
    if not record.tools:
        yield "shows tools"
    if record.calls:
        yield "makes no call"
    if not record.messages or not record.messages[-1].speaks:
        yield "ends with words"


CHECKS: dict[str, KindCheck] = {"irrelevance": irrelevance}
