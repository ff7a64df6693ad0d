"""Sketch: what a blueprint has to work with, and Blueprint: what it returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Protocol

from generator.jsontext import JsonObject
from generator.scenarios.scenario import PlannedCall, Step
from generator.scenarios.stock import Stock
from generator.worlds.world import World


class PlanError(Exception):
    """This attempt cannot be planned; the scenario is planned again with the next attempt number."""


@dataclass(frozen=True, slots=True)
class Blueprint:
    """The tools shown, in their order, and the steps of the conversation."""

    shown: tuple[str, ...]
    steps: tuple[Step, ...]
    system: str | None = None
    """The text of the system message; None leaves it to the voice that was drawn."""
    states_date: bool = False
    """Whether that text tells the reference date."""
    claim: JsonObject = field(default_factory=dict)
    """What the kind claims of this record beyond its name, for its check."""
    world: World | None = None
    """The world before the first call."""


class PlanCall(Protocol):
    """Plans one call of a tool, by its key."""

    def __call__(
        self,
        key: str,
        *,
        fixed: JsonObject | None = None,
        include: frozenset[str] | None = None,
        outcome: str | None = None,
    ) -> PlannedCall:
        """Plan a call; `fixed` arguments are given, `include` names the optional ones, `outcome` its end.

        None leaves each to the plan of the visit.

        Raises:
            PlanError: no arguments can be found.
        """
        ...


@dataclass(frozen=True, slots=True)
class Sketch:
    """The stock, the leading tool, the record's random stream, and how calls are planned."""

    stock: Stock
    lead: str
    random: Random
    calls: Callable[[str, int], tuple[PlannedCall, ...]]
    """Plan a number of distinct calls of a tool, by its key; raises PlanError where it cannot."""
    call: PlanCall
    locale: str
    reference_date: date

    def shuffled(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return the keys in a random order, so that position says nothing about relevance."""
        mixed = list(keys)
        self.random.shuffle(mixed)
        return tuple(mixed)


def ask_and_answer(calls: tuple[PlannedCall, ...]) -> tuple[Step, ...]:
    """The steps of a single turn: the user asks and calls are made, then the assistant replies."""
    return (Step(request=True, calls=calls), Step(reply=True))
