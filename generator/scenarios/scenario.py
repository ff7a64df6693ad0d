"""What one record shall contain, before a word of it is written: the blueprint of its kind, and the whole scenario."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from generator.jsontext import JsonObject
from generator.records.calls import SUCCESS, ToolResult
from generator.tools.tool import Tool
from generator.worlds.world import World


@dataclass(frozen=True, slots=True)
class Persona:
    """Who speaks as the user, and how."""

    role: str
    """In what situation somebody is who wants what the record is about; it suits any task."""
    register: str
    """In what tone they speak, in all of their messages."""


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call the record shall contain, with the arguments the plan suggests and what the tool will answer."""

    tool: Tool
    arguments: JsonObject
    outcome: str = SUCCESS
    """`SUCCESS` or an error type of ADM."""
    answer: ToolResult | None = None
    """What the world answers to this very call; None where the plan was made without a world."""
    evidence: tuple[tuple[str, str], ...] = ()
    """Arguments that the domain puts into words, each with the words that were said for it."""
    struck: bool = False
    """Whether an outage takes the place of what the world would answer."""
    question: str = ""
    """What the assistant asks before it makes the call; "" where it needs no yes."""


@dataclass(frozen=True, slots=True)
class Step:
    """One stretch of the conversation: the user speaks, calls are made, the assistant replies; each perhaps.

    A reply follows the user or the results of an earlier step, never calls of its own step, since it is drafted
    before they are answered.
    """

    request: bool = False
    calls: tuple[PlannedCall, ...] = ()
    reply: bool = False
    act: str = ""
    """What the step is for, in the words of its kind's family ("ask", "supply", "change" ...); "" where it is plain."""
    about: tuple[PlannedCall, ...] = ()
    """Calls its texts speak of and which are not made in it: still incomplete, refused, or made before."""
    parameters: tuple[str, ...] = ()
    """The parameters the act turns on: missing, refused, changed ones."""
    request_text: str = ""
    """What the user says in the words of the domain; "" where an author finds the words."""
    reply_text: str = ""
    """What the assistant says in the words of the domain."""


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
    world: World
    """The world before the first call."""
    system: str = ""
    states_date: bool = False
    masked: bool = False
    """Whether the names of tools and parameters are scrambled in the record."""
    judged: bool = False
    """Whether a second opinion judges the record, so that no list of words need settle what its wording claims."""
    free: bool = False
    """Whether whoever writes it finds the values of its calls, in the world, rather than takes those of the plan."""
    claim: JsonObject = field(default_factory=dict)
    """What the kind claims of this record beyond its name, for its check; it goes into the metadata."""

    @property
    def calls(self) -> tuple[PlannedCall, ...]:
        """Every planned call, in order."""
        return tuple(call for step in self.steps for call in step.calls)


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
