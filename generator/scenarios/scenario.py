"""What one record shall contain, before a word of it is written: who speaks, its blueprint, the whole scenario."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from random import Random

from generator.jsontext import JsonObject
from generator.records import SUCCESS, ToolResult
from generator.tools import Tool
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
    origins: tuple[str, ...] = ()
    """The parts of the domain that the wishes are taken from: `tools/NAME/ways/N`, `tasks/N`, `unserved/N`."""

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
    origins: tuple[str, ...] = ()
    """The parts of the domain that the wishes are taken from."""

    @property
    def calls(self) -> tuple[PlannedCall, ...]:
        """Every planned call, in order."""
        return tuple(call for step in self.steps for call in step.calls)


SITUATIONS = (
    "somebody in a hurry",
    "somebody who plans ahead",
    "somebody with something that comes up every week",
    "somebody with something they have never done before",
    "somebody who has put something off",
    "somebody who has just remembered something",
    "somebody who was asked for something a minute ago",
    "somebody who wants one thing done before the day is over",
    "somebody who does several things at once",
    "somebody who checks everything twice",
    "somebody who likes things in order",
    "somebody who is tidying up loose ends",
    "somebody who is back from a few days off",
    "somebody who gets ready for tomorrow",
    "somebody who talks to the assistant all day",
    "somebody who is new to the assistant",
)
"""None is a profession or a way of life: what somebody wants follows from the tools and what the assistant is told."""
REGISTERS = ("plain", "plain", "casual", "polite but matter-of-fact", "terse")

SYSTEM_TEXTS = (
    "You are a helpful assistant.",
    "You are a helpful assistant with access to tools. Use them when they help the user.",
    "You are an assistant who answers with the help of the available functions.",
    "Answer the user's requests. Call the functions you are given when they are needed, and only then.",
    "You are a careful assistant. Rely on the results of your tools and say so when something fails.",
    "Help the user. Keep answers short and to the point.",
)
_DATE_TEXTS = ("Today is {day}.", "The current date is {day}.", "Today's date: {day}.")


def draw_persona(random: Random) -> Persona:
    """Draw who speaks as the user."""
    return Persona(random.choice(SITUATIONS), random.choice(REGISTERS))


def tell_date(random: Random, day: date) -> str:
    """Return a sentence that tells the date."""
    return random.choice(_DATE_TEXTS).format(day=say_day(day))


_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def say_day(day: date) -> str:
    """Write a date as "Thursday, January 15, 2026", whatever the machine's locale."""
    return f"{_DAYS[day.weekday()]}, {_MONTHS[day.month - 1]} {day.day}, {day.year}"
