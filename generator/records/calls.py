"""Drafts, calls and results: what authors propose and what tools answer."""

from __future__ import annotations

from dataclasses import dataclass

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
