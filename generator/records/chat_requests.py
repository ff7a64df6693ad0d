"""Chat completion requests: their parameters, and the conversation that they carry on (seeds/003, 6 and 7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from generator.records.chat_messages import ChatEntity, ChatMessage, ChatToolCall, Whole
from generator.records.chat_tools import ToolDefinition
from generator.schemas.validators import validator_for


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
