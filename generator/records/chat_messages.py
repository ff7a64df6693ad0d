"""Chat messages and their calls as OpenAI's protocol writes them (seeds/003, 1 to 3).

Entities of that document keep the keys they do not know: a request may carry parameters of a newer version.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import orjson
from pydantic import BeforeValidator, ConfigDict, Field, field_validator, model_validator

from generator.boundary import BoundaryModel
from generator.jsontext import JsonObject


class ChatEntity(BoundaryModel):
    """The base of these entities: frozen, no value read as another type, unknown keys kept."""

    model_config = ConfigDict(frozen=True, extra="allow", strict=True)


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, float) and value.is_integer() else value


Whole = Annotated[int, BeforeValidator(_whole)]
"""An integer; 5.0 is read as 5."""
FunctionName = Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]+\z")]


class FunctionInvocation(ChatEntity):
    """The function that is called, with its arguments as JSON text (seeds/003, 3)."""

    name: FunctionName
    arguments: str

    @field_validator("arguments")
    @classmethod
    def _arguments_are_object(cls, text: str) -> str:
        try:
            value = orjson.loads(text)
            orjson.dumps(value)  # what nests too deeply to be written is no argument
        except (ValueError, TypeError) as error:
            raise ValueError("malformed_tool_arguments: the arguments are a string that is not JSON") from error
        if not isinstance(value, dict):
            raise ValueError("invalid_tool_arguments: the arguments of a call are the text of an object")
        return text

    @property
    def parsed(self) -> JsonObject:
        """The arguments as an object."""
        value: JsonObject = orjson.loads(self.arguments)
        return value


class ChatToolCall(ChatEntity):
    """One call with its id (seeds/003, 2)."""

    id: Annotated[str, Field(pattern=r"^call_[a-zA-Z0-9]+\z")]
    type: Literal["function"]
    function: FunctionInvocation


class ChatMessage(ChatEntity):
    """One message (seeds/003, 1)."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str | None = None
    tool_calls: Annotated[tuple[ChatToolCall, ...], Field(strict=False)] | None = None
    tool_call_id: str | None = None
    name: str | None = None

    @property
    def turn(self) -> str:
        """Its role, or `calls` for an assistant's turn of calls."""
        return "calls" if self.tool_calls else self.role

    @model_validator(mode="after")
    def _keeps_to_its_role(self) -> Self:
        if self.tool_calls is not None and self.role != "assistant":
            raise ValueError(f"only an assistant calls tools, not a {self.role} message")
        if (self.tool_call_id is not None) != (self.role == "tool"):
            raise ValueError("a tool message names the call it answers, and no other message does")
        if self.content is None and not self.tool_calls:
            raise ValueError("only a turn of calls may have no content")
        return self
