"""The seam behind which a second opinion on a record stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from generator.backends.spent import NOTHING, Spent
from generator.jsontext import JsonObject
from generator.records.calls import Exchange
from generator.scenarios.scenario import Scenario
from generator.validation.verdict import Violation


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a second opinion was: how it was asked, what it found wrong, and what it cost."""

    asked: tuple[str, ...] = ()
    """`blind`, `judge`, both or none."""
    violations: tuple[Violation, ...] = ()
    spent: Spent = NOTHING


NO_OPINION = Opinion()


class Reviewer(Protocol):
    """Says whether a record that passed every rule holds."""

    async def opinion(
        self, scenario: Scenario, history: tuple[Exchange, ...], document: JsonObject, grounding: JsonObject
    ) -> Opinion:
        """Return the opinion on a record; nobody is asked where nothing asks for one."""
        ...
