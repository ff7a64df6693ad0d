"""The seam behind which every author stands."""

from __future__ import annotations

from typing import Protocol

from generator.records.calls import Draft, Exchange
from generator.scenarios.scenario import Scenario
from generator.validation.verdict import Violation


class NoDraft(Exception):
    """The author could not write this step well enough; the pipeline turns it into a rejection."""

    def __init__(self, rule: str, message: str, pointer: str = "") -> None:
        self.violation = Violation(rule=rule, pointer=pointer, message=message)
        super().__init__(message)


class Author(Protocol):
    """Writes one step of a scenario at a time."""

    name: str

    async def draft(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        """Write step number `len(history)` of the scenario, knowing what has happened so far.

        Raises:
            NoDraft: nothing good enough could be written; the scenario is planned again.
        """
        ...
