"""Record: one training example in the canonical shape (seeds/000, with shared choices for templates).

The strict model is built from documents that passed the validator; rules read the tolerant JSON instead.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from generator.boundary import BoundaryModel
from generator.jsontext import JsonObject

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
