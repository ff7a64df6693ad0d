"""Outcome: what became of one scenario index."""

from __future__ import annotations

from dataclasses import dataclass

from generator.backends.spent import NOTHING, Spent
from generator.validation.verdict import Rejection


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one scenario index: its record, or none, and every attempt that was rejected on the way."""

    index: int
    attempt: int
    """The last attempt that was made."""
    kind: str
    line: bytes | None
    """The record as a line of JSONL with its newline; None where every attempt was rejected."""
    key: bytes
    """Identifies the user's request: equal keys are duplicates. Empty where there is no record."""
    shown: tuple[str, ...]
    """Names of the tools shown."""
    statuses: tuple[tuple[str, str], ...]
    """Tool name and status of each call, in order."""
    rejections: tuple[Rejection, ...] = ()
    spent: Spent = NOTHING
    """What all attempts together have cost."""
    coverage: tuple[tuple[str, str], ...] = ()
    """What the record uses of its tools, as topics of the tally and names."""
