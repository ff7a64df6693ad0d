"""Records: the messages of one conversation with the tools it shows, and the drafts, calls and results behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from generator.boundary import BoundaryModel
from generator.jsontext import JsonObject, JsonValue, dump_compact

SUCCESS = "SUCCESS"
"""The status of a result that carries a value; any other status is an error type."""


class Evidence(BoundaryModel):
    """Where an argument of a call comes from, as its author says: unverified."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    argument: str
    """The argument's name, or a JSON pointer to a part of it ("/stops/0/city")."""
    said: str = ""
    """The very words of a user, the system message or a result; "" for a value that the schema gives by itself."""


class LaterEvidence(Evidence):
    """Where an argument of a call comes from that follows when those of the draft are answered."""

    call: int
    """Which of the calls that follow, from 1."""


class DraftCall(BoundaryModel):
    """A call as an author proposes it: unverified, without an id."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    arguments: JsonObject = Field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()


class Draft(BoundaryModel):
    """What an author proposed for one step: texts and calls, unverified.

    `request` is the user's text where the user speaks in this step, `reply` the assistant's text where the
    step ends with one. Keys a model adds are ignored.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    request: str | None = None
    calls: tuple[DraftCall, ...] = ()
    later: tuple[LaterEvidence, ...] = ()
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of one call: ADM's union (seeds/004, 4.5). `error_type` None means SUCCESS with `content`."""

    name: str
    content: JsonValue = None
    error_type: str | None = None
    error_message: str = ""

    @property
    def status(self) -> str:
        """`SUCCESS`, or the error type."""
        return SUCCESS if self.error_type is None else self.error_type

    @property
    def message_text(self) -> str:
        """The tool message's content: compact JSON of the value, or `{"error": {"type", "message"}}`."""
        if self.error_type is None:
            return dump_compact(self.content)
        return dump_compact({"error": {"type": self.error_type, "message": self.error_message}})


@dataclass(frozen=True, slots=True)
class Exchange:
    """One step that has happened: the draft, and one result for each of its calls, in their order."""

    draft: Draft
    results: tuple[ToolResult, ...] = ()


FORMAT_VERSION = "1.0"


class Function(BoundaryModel):
    """The function a call invokes; arguments are an object (seeds/000, rule 1)."""

    name: str
    arguments: JsonObject


class ToolCall(BoundaryModel):
    """A call with its id of nine characters (seeds/000, rule 2)."""

    id: Annotated[str, Field(pattern=r"^[a-zA-Z0-9]{9}\z")]
    type: Literal["function"]
    function: Function


class SystemMessage(BoundaryModel):
    """The system message; a record has at most one, first."""

    role: Literal["system"]
    content: str


class UserMessage(BoundaryModel):
    """What the user says."""

    role: Literal["user"]
    content: str


class AssistantMessage(BoundaryModel):
    """What the assistant says or calls; `content` is "" on a turn of calls."""

    role: Literal["assistant"]
    content: str
    tool_calls: tuple[ToolCall, ...] | None = Field(default=None, min_length=1)


class ToolMessage(BoundaryModel):
    """What a tool answered; `content` is text, usually compact JSON."""

    role: Literal["tool"]
    tool_call_id: Annotated[str, Field(pattern=r"^[a-zA-Z0-9]{9}\z")]
    name: str
    content: str


Message = Annotated[SystemMessage | UserMessage | AssistantMessage | ToolMessage, Field(discriminator="role")]


class ShownFunction(BoundaryModel):
    """The definition of a tool as the model sees it."""

    name: str
    description: str
    parameters: JsonObject
    strict: bool | None = None


class ShownTool(BoundaryModel):
    """A tool in a record's `tools`."""

    type: Literal["function"]
    function: ShownFunction


class Metadata(BoundaryModel):
    """Where a record comes from and what it claims to be; further keys are kept."""

    model_config = ConfigDict(frozen=True, extra="allow")

    id: str
    index: int
    attempt: int
    kind: str
    seed: int
    author: str
    format_version: str
    toolgen_version: str
    catalog: str
    """Digest of the catalog the record was made with (`catalog.json` of the run)."""
    reference_date: str
    locale: str
    statuses: dict[str, str]
    """The status of each call by its id: `SUCCESS` or an error type."""


class Record(BoundaryModel):
    """One conversation with the tools it shows; made from a document that passed every rule."""

    messages: tuple[Message, ...]
    tools: tuple[ShownTool, ...]
    metadata: Metadata | None = None

    def to_dict(self) -> JsonObject:
        """Return the record as its JSON document, without keys that have no value."""
        return self.model_dump(mode="json", exclude_none=True)
