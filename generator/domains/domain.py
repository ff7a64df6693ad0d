"""Domain: what is known about a toolset beyond its schemas, as its domain file holds it.

Everything here is data. Texts are templates (`generator.worlds.templates`), values are written in the vocabulary of
`generator.worlds.values`, fields and draws in that of `generator.worlds.sources`, effects in that of
`generator.worlds.effects`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from generator.boundary import BoundaryModel
from generator.jsontext import JsonObject, JsonValue
from generator.schemas.adm import ErrorType

Texts = tuple[Annotated[str, Field(max_length=4_000)], ...]
Condition = list[JsonValue]
Origin = Literal["written", "model", "derived"]


class Part(BoundaryModel):
    """One part of a domain file: closed to unknown keys, each of which is told with the nearest known one."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, use_attribute_docstrings=True)


class Find(Part):
    """The call that finds a row whose id nobody told; `$it` is that row."""

    call: str
    """The tool that looks it up."""
    arguments: JsonObject = Field(default_factory=dict)
    """Its arguments. An id of another row in them is looked up first in its turn."""


class Known(Part):
    """How the id of a row comes to be known, as weights."""

    find: float = Field(default=6, ge=0)
    """Looked up by `find`, since people say what a thing is called and not its id."""
    typed: float = Field(default=3, ge=0)
    """Typed by the user, in the words of `say_id`."""
    told: float = Field(default=4, ge=0)
    """Told by the system message, in the words of `told`."""


class Entity(Part):
    """One kind of thing that the tools are about."""

    key: str = "id"
    """The field that identifies a row."""
    parent: str = Field(default="", alias="in")
    """The entity that each row belongs to: `$loan.member` is the row above."""
    rows: int | tuple[int, int] = (3, 6)
    """How many rows a record's world has, for each row of the parent if there is one: a number, or from and to."""
    data: tuple[JsonObject, ...] = ()
    """Rows whose fields belong together: each row of the world takes another one of them."""
    new: JsonObject = Field(default_factory=dict)
    """What a row made by `create` has where the effect sets nothing: values, such as null or `$now`, by field."""
    fields: dict[str, JsonValue] = Field(default_factory=dict)
    """Where the value of each further field comes from: a source. Later fields may use earlier ones as `$name`."""
    say: Texts = ()
    """How people refer to a row, without its id: templates over its fields."""
    say_id: Texts = ()
    """How they refer to it by its id."""
    known: Known = Known()
    """How the ids of its rows come to be known; the weights may stay as they are."""
    find: Find | None = None
    """The look-up that finds a row by what people call it."""
    told: Texts = ()
    """Sentences of a system message that tell every row with its id: `<rows: {name} ({id})>`."""
    views: dict[str, JsonValue] = Field(default_factory=dict)
    """How results show a row: `$it|full` takes the view `full`. Without any, a row is shown with all plain fields."""


class Wording(Part):
    """A value, the words that say it, and what it means of a row."""

    value: JsonValue
    """The value, as a call gives it."""
    say: Texts = Field(min_length=1)
    """How people say it; one is drawn."""
    means: list[JsonValue] = Field(default_factory=list)
    """Conditions that a row fulfils which the value asks for."""


class Reply(Part):
    """A reply that holds only under a condition."""

    when: Condition
    """Conditions over the result, `$r`, and the draws."""
    say: Texts = Field(min_length=1)
    """The texts; one is drawn."""


Replies = dict[str, tuple[str | Reply, ...]]
"""By outcome: `ok`, `empty` (success with an empty list), or an error type of ADM."""


class Ask(Part):
    """The same wish with something missing, which the assistant asks for."""

    missing: tuple[str, ...] = Field(min_length=1, max_length=4)
    """Required arguments that the request leaves out."""
    requests: Texts = Field(min_length=1)
    """Requests that leave these out."""
    questions: Texts = Field(min_length=1)
    """How the assistant asks for what is missing."""
    answers: Texts = Field(min_length=1)
    """What the user answers, over the draws of the way."""


class Invalid(Part):
    """The same wish with a value that the schema refuses, which the assistant objects to."""

    argument: str
    """The argument that gets such a value."""
    draw: dict[str, JsonValue]
    """Draws that take the place of the way's, so that the argument has a value its schema refuses."""
    requests: Texts = ()
    """None: those of the way."""
    questions: Texts = Field(min_length=1)
    """What the assistant says: what is not possible, what is, and what it should be instead."""
    answers: Texts = Field(min_length=1)
    """What the user picks instead, over the way's own draws."""


class Ambiguous(Part):
    """The same wish said so that it can be read in two ways, and the assistant asks which."""

    argument: str = ""
    """The argument that is left open; empty where it is open which tool is meant."""
    readings: tuple[JsonValue, ...] = ()
    """The values that what is said can mean."""
    said: str = ""
    """What is said of it, in the words of the request."""
    tool: str = ""
    """The other tool that may be meant."""
    requests: Texts = Field(min_length=1)
    """Requests that leave it open."""
    questions: Texts = Field(min_length=1)
    """How the assistant asks which is meant."""
    answers: Texts = Field(min_length=1)
    """What the user answers, over the draws of the way."""


class Recover(Part):
    """A wish with a way out, taken when the first call fails."""

    draw: dict[str, JsonValue] = Field(default_factory=dict)
    """Draws beside the way's own."""
    first: JsonObject
    """Arguments of the first call that differ from the way's; it fails over them."""
    requests: Texts = Field(min_length=1)
    """Requests that say both."""
    replies: Texts = Field(min_length=1)
    """Replies to the second result that say which value was taken."""


class Profile(Part):
    """The same wish with values that the system message tells of the user."""

    arguments: JsonObject
    """Arguments that the profile fills, over `$me` or the way's draws."""
    labels: dict[str, str]
    """By argument, the words that stand for it in the request: "home city"."""
    told: Texts = Field(min_length=1)
    """Sentences of the system message that tell these values."""
    requests: Texts = Field(min_length=1)
    """Requests that say the labels in place of the values."""


class Parallel(Part):
    """Several such wishes at once."""

    many: tuple[int, int] = (2, 4)
    """How many at once: from and to."""
    same: tuple[str, ...] = ()
    """Draws that all of them share."""
    requests: Texts = Field(min_length=1)
    """Templates that loop over `each`: `<each: {l.book.title}>`."""
    replies: Texts = ()
    """Templates over `each`, where `r` is the result of each: `<each: {r.title} is due on {r.due|day}>`."""


class Way(Part):
    """One way in which people want something of a tool: a subset of its arguments and the words for it."""

    draw: dict[str, JsonValue] = Field(default_factory=dict)
    """What is chosen first, in this order; a row with `where` is the precondition that makes the call sensible."""
    arguments: JsonObject = Field(default_factory=dict)
    """The arguments of the call: values over the draws, as `$loan.id`."""
    requests: Texts = Field(min_length=1)
    """What the user says: templates that say every argument, by the draws: `Renew {loan} by {days} days.`"""
    replies: Replies = Field(default_factory=dict)
    """Beside those of the tool."""
    ask: tuple[Ask, ...] = ()
    """The same wish with something missing."""
    confirm: Texts = ()
    """How the assistant asks before it does this."""
    parallel: Parallel | None = None
    """Several such wishes at once."""
    follow_ups: Texts = ()
    """Requests of a later turn that refer to the row of the turn before with a word such as "it"."""
    corrections: dict[str, Texts] = Field(default_factory=dict)
    """By draw: how a user takes it back when asked back: "Sorry, make that {days} days.", where `was` was said."""
    invalid: tuple[Invalid, ...] = ()
    """The same wish with a value that the schema refuses."""
    ambiguous: tuple[Ambiguous, ...] = ()
    """The same wish said so that it can be read in two ways."""
    recover: tuple[Recover, ...] = ()
    """A wish with a way out, for when the first call fails."""
    profile: tuple[Profile, ...] = ()
    """The same wish with values that the system message tells."""
    empty: dict[str, JsonValue] | None = None
    """Draws that take the place of the way's so that nothing is found."""
    weight: float = Field(default=1, gt=0)
    """How often it is taken, beside the other ways."""
    reads: bool = False
    """Whether it changes nothing, of a tool that does change something in other ways."""


class Example(Part):
    """A worked example of a computing tool."""

    arguments: JsonObject
    """The arguments of a call."""
    result: JsonValue
    """What the tool gives back for them."""


class ToolDomain(Part):
    """What is known of one tool."""

    can: str = ""
    """What it does, after "I can": `renew a loan`."""
    effect: tuple[JsonObject, ...] = ()
    """What a call does to the world, step by step."""
    result: JsonValue = None
    """What a call gives back: a value over the arguments and what the effect bound."""
    examples: tuple[Example, ...] = ()
    """Worked examples; a way draws one with `{example: true}`."""
    asks_first: bool | None = None
    """Whether it is never called without the user's explicit yes after they were told the details; each way then has
    `confirm`. None: as the domain says."""
    near: tuple[str, ...] = ()
    """Tools that are easily taken for this one."""
    replies: Replies = Field(default_factory=dict)
    """Replies that serve every way."""
    ways: tuple[Way, ...] = ()
    """The ways in which people want something of it: at least one for each set of arguments that they would give."""


class TaskCall(Part):
    """One call of a task; its result is `$r1`, `$r2` ... in the order of the calls."""

    call: str
    """The tool."""
    arguments: JsonObject = Field(default_factory=dict)
    """Its arguments: values over the draws and the results before: `$r1.loans.0.id`."""
    when: Condition = Field(default_factory=list)
    """The call is made where this holds: of earlier results."""
    confirm: Texts = ()
    """How the assistant asks before this call, where the tool `asks_first`. None: in the words of a way of the tool."""


class TaskTurn(Part):
    """One message of the user and what it leads to."""

    requests: Texts = Field(min_length=1)
    """What the user says in this turn."""
    calls: tuple[TaskCall | tuple[TaskCall, ...], ...] = ()
    """Calls one after the other; a list among them is made at once."""
    replies: tuple[str | Reply, ...] = Field(min_length=1)
    """What the assistant says behind its calls, over `{r1}`, `{r2}` ...; or after none."""


class Task(Part):
    """A task of two to six calls, over one or several turns."""

    draw: dict[str, JsonValue] = Field(default_factory=dict)
    """What is chosen first, as in a way."""
    turns: tuple[TaskTurn, ...] = Field(min_length=1, max_length=6)
    """The messages of the user, one after the other, each with its calls and its reply."""


class Unserved(Part):
    """A wish near this domain that none of its tools can serve."""

    draw: dict[str, JsonValue] = Field(default_factory=dict)
    """What is chosen first, as in a way."""
    requests: Texts = Field(min_length=1)
    """What the user asks for."""
    replies: Texts = Field(min_length=1)
    """How the assistant says that no tool does that."""


class Outage(Part):
    """A failure that has nothing to do with the state of the world, and may strike any call."""

    type: ErrorType
    """The type of the error."""
    message: str = Field(min_length=1)
    """What the tool answers."""
    replies: Texts = Field(min_length=1)
    """How the assistant says so: that it did not work, why, and what can be done."""


class Domain(Part):
    """What is known about one toolset."""

    schema_: str = Field(default="", alias="$schema")
    """Where editors find the format's JSON Schema; not read here."""
    domain: Literal[1] = 1
    """The version of this format."""
    name: str = ""
    """Taken from the file's name."""
    origin: Origin = "written"
    """Who wrote it."""
    about: str = ""
    """What the tools are about, in a line."""
    me: str = ""
    """The entity whose only row is the user: `$me`."""
    context: Texts = ()
    """Texts of system messages."""
    pools: dict[str, tuple[JsonValue, ...]] = Field(default_factory=dict)
    """Lists of values to draw from, forty and more each where they can be."""
    asks_first: bool = False
    """Whether every tool that changes something `asks_first`, unless it says otherwise."""
    entities: dict[str, Entity] = Field(default_factory=dict)
    """The kinds of things that the tools are about."""
    wordings: dict[str, tuple[Wording, ...]] = Field(default_factory=dict)
    """By name: values with the words that people say for them."""
    tools: dict[str, ToolDomain] = Field(default_factory=dict)
    """What is known of each tool."""
    tasks: tuple[Task, ...] = ()
    """What people do with several calls: over several turns, or where a later call takes what an earlier one gave."""
    unserved: tuple[Unserved, ...] = ()
    """Wishes near these tools that none of them serves."""
    outages: tuple[Outage, ...] | None = None
    """Failures that may strike any call. None: a remote service's (unavailable, too many requests); `[]`: there are
    none, as of tools that work on this machine alone."""
    rules: Texts = ()
    """What holds between arguments: `book_room.check_in < book_room.check_out`, `renew_loan.days > 0`."""
    policies: Texts = ()
    """What the assistant must keep to, in words; effects enforce what can be enforced."""
