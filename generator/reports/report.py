"""What a report on violations is: text made while they are found, so that no number of them fills the memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from generator.validation.lines import Located
from generator.validation.standard import RESULT_RULES
from generator.validation.tally import Tally


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is known when everything was read."""

    tally: Tally
    unchecked: tuple[str, ...] = ()
    """The inputs whose results were not checked against schemas, as no catalog was at hand."""
    held_back: int = 0
    """Violations that were found and not reported one by one."""
    exit_code: int = 0
    failure: str = ""
    """Why not everything could be read; "" where it was."""
    unmet: tuple[str, ...] = ()
    """The inputs that did not yield the calls that are expected of them, each in words."""


class Report(Protocol):
    """Writes what was found; each method yields lines without their ends."""

    def begin(self) -> Iterator[str]:
        """Yield what comes before any violation."""
        ...

    def add(self, source: str, located: Sequence[Located]) -> Iterator[str]:
        """Take violations of one input, in their order, and yield what is written of them at once."""
        ...

    def end(self, verdict: Verdict) -> Iterator[str]:
        """Yield what comes last."""
        ...


class Limit:
    """Lets the first violations through and counts the rest."""

    def __init__(self, most: int | None) -> None:
        self._room = most
        self.held_back = 0

    def admit(self, located: list[Located]) -> list[Located]:
        """Return those that are still within the limit."""
        if self._room is None or len(located) <= self._room:
            self._room = None if self._room is None else self._room - len(located)
            return located
        admitted = located[: self._room]
        self.held_back += len(located) - len(admitted)
        self._room = 0
        return admitted


def summary_line(verdict: Verdict) -> str:
    """Say in one line how many records passed."""
    tally = verdict.tally
    return (
        f"{tally.records:,} records, {tally.passed:,} passed, {tally.errors:,} errors, {tally.warnings:,} warnings"
        + (f", {tally.notes:,} notes" if tally.notes else "")
        + (f"; read as {', '.join(f'{name} ({count:,})' for name, count in sorted(tally.formats.items()))}"
           if tally.formats else "")
    )  # fmt: skip


def not_checked(verdict: Verdict) -> str:
    """Say what was not checked, or nothing."""
    if not verdict.unchecked:
        return ""
    names = ", ".join(verdict.unchecked)
    return f"NOT CHECKED: results by their schemas ({', '.join(RESULT_RULES)}) of {names}; give --tools"
