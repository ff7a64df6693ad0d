"""Scenario: what one record shall contain, before a word of it is written."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from generator.jsontext import JsonObject
from generator.records.calls import SUCCESS
from generator.tools.tool import Tool


@dataclass(frozen=True, slots=True)
class Persona:
    """Who speaks as the user, and how."""

    role: str
    register: str
    """`plain`, `casual`, `formal` or `terse`."""


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call the record shall contain, with the arguments the plan suggests and how the tool will answer."""

    tool: Tool
    arguments: JsonObject
    outcome: str = SUCCESS
    """`SUCCESS` or an error type of ADM."""


@dataclass(frozen=True, slots=True)
class Step:
    """One stretch of the conversation: the user speaks, calls are made, the assistant replies; each perhaps."""

    request: bool = False
    calls: tuple[PlannedCall, ...] = ()
    reply: bool = False


@dataclass(frozen=True, slots=True)
class Scenario:
    """The plan of one record.

    `seed` is the record's own (from the job's seed, index and attempt); `tools` are shown, in that order;
    `system` is the text of the system message, "" for none. Where `states_date` the system message tells the
    reference date, so that a date may be said without its year.
    """

    index: int
    attempt: int
    seed: int
    kind: str
    tools: tuple[Tool, ...]
    steps: tuple[Step, ...]
    persona: Persona
    locale: str
    reference_date: date
    system: str = ""
    states_date: bool = False

    @property
    def calls(self) -> tuple[PlannedCall, ...]:
        """Every planned call, in order."""
        return tuple(call for step in self.steps for call in step.calls)
