"""Blueprint: what the plan of one record fixes, and PlanError for one that cannot be made."""

from __future__ import annotations

from dataclasses import dataclass, field

from generator.jsontext import JsonObject
from generator.scenarios.scenario import Step
from generator.worlds.world import World

NOT_PLANNED = "PL001"
"""The rule that an attempt without a plan breaks: no author was asked."""


class PlanError(Exception):
    """This attempt cannot be planned; the scenario is planned again with the next attempt number."""


@dataclass(frozen=True, slots=True)
class Blueprint:
    """The tools shown, in their order, the steps of the conversation, and the world that it begins with."""

    shown: tuple[str, ...]
    steps: tuple[Step, ...]
    world: World
    """The world before the first call."""
    system: str = ""
    """The text of the system message; "" for none."""
    states_date: bool = False
    """Whether that text tells the reference date."""
    claim: JsonObject = field(default_factory=dict)
    """What the kind claims of this record beyond its name, for its check."""
