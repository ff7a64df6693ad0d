"""Chat completion responses, whole and in chunks, with their choices and usage (seeds/003, 8 to 10)."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from generator.records.chat_messages import ChatEntity, ChatMessage, Whole

Count = Annotated[Whole, Field(ge=0)]
Finish = Literal["stop", "tool_calls", "length"]
ResponseId = Annotated[str, Field(pattern=r"^chatcmpl-\S+\z")]
ModelName = Annotated[str, Field(pattern=r"\S")]


class Usage(ChatEntity):
    """How many tokens a request and its response took (seeds/003, 10)."""

    prompt_tokens: Count
    completion_tokens: Count
    total_tokens: Count

    @model_validator(mode="after")
    def _adds_up(self) -> Self:
        if self.total_tokens != self.prompt_tokens + self.completion_tokens:
            raise ValueError("`total_tokens` is the sum of `prompt_tokens` and `completion_tokens`")
        return self


class Choice(ChatEntity):
    """One answer of a whole response (seeds/003, 9)."""

    index: Count
    message: ChatMessage
    finish_reason: Finish

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        if "delta" in (self.model_extra or {}):
            raise ValueError("a choice outside a stream has a `message`, no `delta`")
        if self.message.role != "assistant":
            raise ValueError("the message of a response is the assistant's")
        if (self.finish_reason == "tool_calls") != bool(self.message.tool_calls):
            raise ValueError("`finish_reason` is tool_calls where there are calls, and only there")
        return self


class ChatCompletionResponse(ChatEntity):
    """A whole response (seeds/003, 8)."""

    id: ResponseId
    object: Literal["chat.completion"]
    created: Count
    model: ModelName
    choices: Annotated[tuple[Choice, ...], Field(strict=False)]
    usage: Usage | None = None

    @model_validator(mode="after")
    def _tells_apart(self) -> Self:
        indexes = [choice.index for choice in self.choices]
        if len(set(indexes)) < len(indexes):
            raise ValueError("the choices of a response have different indexes")
        calls = [call.id for choice in self.choices for call in choice.message.tool_calls or ()]
        if len(self.choices) == 1 and len(set(calls)) < len(calls):
            raise ValueError("a call id is unique")
        return self


class CallDelta(ChatEntity):
    """A part of a call: the first has its id, type and name, each may add to the arguments."""

    index: Count
    id: str | None = None
    type: str | None = None
    function: dict[str, Any] | None = None


class ChatDelta(ChatEntity):
    """What a chunk adds to a message."""

    role: str | None = None
    content: str | None = None
    tool_calls: Annotated[tuple[CallDelta, ...], Field(strict=False)] | None = None


class ChunkChoice(ChatEntity):
    """One choice of a chunk (seeds/003, 9): `finish_reason` is null in all but the last."""

    index: Count
    delta: ChatDelta
    finish_reason: Finish | None

    @model_validator(mode="after")
    def _has_no_message(self) -> Self:
        if "message" in (self.model_extra or {}):
            raise ValueError("a choice of a stream has a `delta`, no `message`")
        return self


class ChatCompletionChunk(ChatEntity):
    """One chunk of a streamed response (seeds/003, 8)."""

    id: ResponseId
    object: Literal["chat.completion.chunk"]
    created: Count
    model: ModelName
    choices: Annotated[tuple[ChunkChoice, ...], Field(strict=False)]
    usage: Usage | None = None
