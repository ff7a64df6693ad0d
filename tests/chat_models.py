"""Models of what OpenAI's protocol sends, another reading of its document than that of the rules (seeds/003).

Entities keep the keys they do not know: a request may carry parameters of a newer version.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

import orjson
from pydantic import BeforeValidator, ConfigDict, Field, field_validator, model_validator

from generator.boundary import BoundaryModel
from generator.jsontext import JsonObject
from generator.schemas.strict import strict_notes
from generator.schemas.validators import schema_problems, validator_for


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


class ToolFunction(ChatEntity):
    """A function with its signature (seeds/003, 5)."""

    name: FunctionName
    description: str | None = None
    parameters: JsonObject
    strict: bool | None = False

    @field_validator("parameters")
    @classmethod
    def _parameters_are_object_schema(cls, parameters: JsonObject) -> JsonObject:
        problems = schema_problems(parameters)
        if problems:
            raise ValueError(f"no valid JSON Schema at {problems[0].pointer or '/'}: {problems[0].message}")
        if parameters.get("type") != "object":
            raise ValueError('the parameters of a tool have the type "object"')
        return parameters

    @model_validator(mode="after")
    def _is_strict_where_it_says_so(self) -> Self:
        notes = list(strict_notes(self.parameters)) if self.strict else []
        if notes:
            raise ValueError(f"{notes[0].pointer or '/'}: {notes[0].message}")
        return self


class ToolDefinition(ChatEntity):
    """A function that the assistant may call (seeds/003, 4)."""

    type: Literal["function"]
    function: ToolFunction


class StreamOptions(ChatEntity):
    """What a stream carries beside the answer (seeds/003, 6)."""

    include_usage: bool = False


class ChosenFunction(ChatEntity):
    """The function that has to be called."""

    name: Annotated[str, Field(min_length=1)]


class ToolChoice(ChatEntity):
    """A `tool_choice` that names a function."""

    type: Literal["function"]
    function: ChosenFunction


class ChatCompletionRequest(ChatEntity):
    """A request for the next message (seeds/003, 7); parameters it does not know are kept."""

    model: Annotated[str, Field(pattern=r"\S")]
    messages: Annotated[tuple[ChatMessage, ...], Field(min_length=1, strict=False)]
    stream: bool | None = False
    max_tokens: Annotated[Whole, Field(gt=0)] | None = None
    temperature: Annotated[float, Field(ge=0)] | None = 1.0
    top_p: Annotated[float, Field(ge=0, le=1)] | None = 1.0
    stop: str | Annotated[tuple[str, ...], Field(strict=False)] | None = None
    tools: Annotated[tuple[ToolDefinition, ...], Field(strict=False)] | None = None
    tool_choice: Literal["auto", "none", "required"] | ToolChoice | None = None
    parallel_tool_calls: bool | None = None
    stream_options: StreamOptions | None = None
    reasoning_effort: Any = None
    """Low, medium or high; accepted for compatibility, not judged."""

    @model_validator(mode="after")
    def _is_consistent(self) -> Self:
        problem = next(_problems(self), None)
        if problem is not None:
            raise ValueError(problem)
        return self


def _problems(request: ChatCompletionRequest) -> Iterator[str]:
    tools = request.tools or ()
    names = [tool.function.name for tool in tools]
    if len(set(names)) < len(names):
        yield "the names of functions are unique within `tools`"
    if isinstance(request.tool_choice, ToolChoice) and request.tool_choice.function.name not in names:
        yield f"`tool_choice` names {request.tool_choice.function.name!r}, which is none of the tools"
    if request.stream_options is not None and request.stream is not True:
        yield "`stream_options` are given, but `stream` is not true"
    strict = any(tool.function.strict for tool in tools)
    parallel = any(len(message.tool_calls or ()) > 1 for message in request.messages)
    if strict and (parallel or request.parallel_tool_calls):
        yield "`parallel_tool_calls` is false where a tool is strict"
    if parallel and request.parallel_tool_calls is False:
        yield "several calls in a turn, but `parallel_tool_calls` is false"
    yield from order_problems(request.messages)
    yield from _link_problems(request.messages)
    if request.tools is not None:
        yield from _call_problems(request.messages, tools)


_NEXT = {"calls": ("tool",), "tool": ("tool", "assistant", "calls")}
"""What may follow a turn of calls and a result (seeds/003, 1, state transitions)."""


def order_problems(messages: Sequence[ChatMessage]) -> Iterator[str]:
    """Yield where a message does not follow from the one before it."""
    for index, (before, message) in enumerate(pairwise(messages), 1):
        allowed = _NEXT.get(before.turn)
        if (allowed and message.turn not in allowed) or (not allowed and message.role == "tool"):
            yield f"messages {index}: a {message.role} message does not follow {before.turn}"


def _link_problems(messages: Sequence[ChatMessage]) -> Iterator[str]:
    made: set[str] = set()
    answered: set[str] = set()
    for message in messages:
        for call in message.tool_calls or ():
            if call.id in made:
                yield f"the call id {call.id!r} is used by an earlier call"
            made.add(call.id)
        if message.tool_call_id is not None:
            if message.tool_call_id not in made:
                yield f"no earlier call has the id {message.tool_call_id!r}"
            if message.tool_call_id in answered:
                yield f"the call {message.tool_call_id!r} is answered twice"
            answered.add(message.tool_call_id)


def _calls(messages: Sequence[ChatMessage]) -> Iterator[ChatToolCall]:
    for message in messages:
        yield from message.tool_calls or ()


def _call_problems(messages: Sequence[ChatMessage], tools: Sequence[ToolDefinition]) -> Iterator[str]:
    shown = {tool.function.name: tool.function for tool in tools}
    for call in _calls(messages):
        function = shown.get(call.function.name)
        if function is None:
            yield f"unknown_tool_call: {call.function.name!r} is none of the tools"
            continue
        problems = validator_for(function.parameters).problems(call.function.parsed)
        if any(problem.keyword != "format" for problem in problems):
            yield f"invalid_tool_arguments: {call.function.name!r} refuses: {problems[0].message}"


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
