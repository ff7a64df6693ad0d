"""RecordView: a tolerant, read-only view of one record's JSON, so that a malformed record meets its rule.

Nothing here judges: what is not of the shape a rule expects is an empty value, and the raw JSON stays at hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import orjson

from generator.jsontext import JsonObject, JsonValue, pointer
from generator.tools.catalog import Catalog
from generator.validation.tool_view import FITTING, Judgement, ToolView, tool_view

LARGEST_INTEGER = 2**63 - 1
LEAST_INTEGER = -(2**63)
"""The range of ADM's INTEGER."""

_NO_OBJECT: JsonObject = {}


class Number(NamedTuple):
    """A number somewhere in the arguments of a call."""

    path: tuple[str | int, ...]
    value: int | float

    @property
    def pointer(self) -> str:
        """JSON pointer from the root of the arguments."""
        return pointer(self.path)


class CallView:
    """One entry of `tool_calls`, whatever JSON it is."""

    def __init__(self, turn: int, index: int, raw: JsonValue) -> None:
        self.turn = turn
        """Index of its message."""
        self.index = index
        """Index within its message."""
        self.raw = raw
        self.entry: JsonObject = raw if isinstance(raw, dict) else _NO_OBJECT
        self.id: JsonValue = self.entry.get("id")
        function = self.entry.get("function")
        self.has_function = isinstance(function, dict)
        self.function: JsonObject = function if isinstance(function, dict) else _NO_OBJECT
        name = self.function.get("name")
        self.name: str = name if isinstance(name, str) else ""
        self.given: JsonValue = self.function.get("arguments")
        """The arguments as they stand."""
        self.tool: ToolView | None = None
        """The shown tool it calls."""
        self.arguments: JsonObject | None = self.given if isinstance(self.given, dict) else None
        """The arguments as an object, read from a string where they are one; None where they are no object."""
        self.malformed = False
        """Whether the arguments are a string that is not JSON."""
        if isinstance(self.given, str):
            self._parse(self.given)

    def _parse(self, text: str) -> None:
        try:
            value = orjson.loads(text)
            orjson.dumps(value)  # refuses what nests deeper than a record may
        except (TypeError, ValueError):
            self.malformed = True
        else:
            self.arguments = value if isinstance(value, dict) else None

    @property
    def pointer(self) -> str:
        """JSON pointer of the call."""
        return f"/messages/{self.turn}/tool_calls/{self.index}"

    @property
    def arguments_pointer(self) -> str:
        """JSON pointer of its arguments."""
        return f"{self.pointer}/function/arguments"

    @cached_property
    def odd_integers(self) -> list[Number]:
        """Numbers where the schema wants an integer that are written with a fraction (5.0) or beyond 64 bits.

        Where it wants one, its own validator tells: it refuses the type of a true fraction put there.
        """
        if self.arguments is None or self.tool is None or self.tool.validator is None:
            return []
        odd = [number for number in _numbers(self.arguments) if _is_odd(number.value)]
        if not odd:
            return []
        refusing = self.tool.validator.type_problems(_with_fractions(self.arguments, odd))
        return [number for number in odd if number.pointer in refusing]

    @cached_property
    def judgement(self) -> Judgement:
        """What its tool's parameters refuse in its arguments."""
        if self.tool is None or self.arguments is None:
            return FITTING
        return self.tool.judge(self.arguments)


class MessageView:
    """One entry of `messages`, whatever JSON it is."""

    __slots__ = ("calls", "content", "entry", "index", "raw", "role")

    def __init__(self, index: int, raw: JsonValue) -> None:
        self.index = index
        self.raw = raw
        self.entry: JsonObject = raw if isinstance(raw, dict) else _NO_OBJECT
        role = self.entry.get("role")
        self.role: str = role if isinstance(role, str) else ""
        self.content: JsonValue = self.entry.get("content")
        calls = self.entry.get("tool_calls")
        self.calls: list[CallView] = (
            [CallView(index, number, call) for number, call in enumerate(calls)] if isinstance(calls, list) else []
        )

    @property
    def pointer(self) -> str:
        """JSON pointer of the message."""
        return f"/messages/{self.index}"

    @property
    def speaks(self) -> bool:
        """Whether it has text that is more than white space."""
        return isinstance(self.content, str) and bool(self.content.strip())


class ResultView:
    """A tool message with what its content says, and the call it answers."""

    def __init__(self, message: MessageView, call: CallView | None, status: JsonValue) -> None:
        self.message = message
        self.call = call
        """The call whose id it names, where there is one."""
        self.status = status
        """Its status by the metadata; None where the metadata have none."""

    @cached_property
    def value(self) -> JsonValue:
        """The content as JSON; the text itself where it is not JSON."""
        content = self.message.content
        try:
            return orjson.loads(content) if isinstance(content, str) else content
        except ValueError:
            return content

    @cached_property
    def is_json(self) -> bool:
        """Whether the content is the text of a JSON value."""
        content = self.message.content
        return isinstance(content, str) and (self.value is not content)

    @property
    def error(self) -> JsonObject | None:
        """The error object where the content is `{"error": {...}}` with a message or a type; else None."""
        value = self.value
        if not isinstance(value, dict) or len(value) != 1:
            return None
        error = value.get("error")
        return error if isinstance(error, dict) and ("message" in error or "type" in error) else None

    @property
    def failed(self) -> bool:
        """Whether it reports an error: by its status, else by its shape."""
        return self.status != "SUCCESS" if isinstance(self.status, str) else self.error is not None


class RecordView:
    """One record, whatever JSON it is."""

    def __init__(self, document: JsonValue, *, catalog: Catalog | None = None, generated: bool = True) -> None:
        self.document = document
        self.catalog = catalog
        self.generated = generated
        """Whether it is held to the rules of what toolgen writes."""
        self.is_object = isinstance(document, dict)
        self.entry: JsonObject = document if isinstance(document, dict) else _NO_OBJECT
        messages = self.entry.get("messages")
        self.has_messages = isinstance(messages, list)
        self.messages = (
            [MessageView(index, raw) for index, raw in enumerate(messages)] if isinstance(messages, list) else []
        )
        tools = self.entry.get("tools")
        self.shows_tools = isinstance(tools, list)
        self.tools: list[ToolView] = [tool_view(raw) for raw in tools] if isinstance(tools, list) else []
        self.tools_by_name = {tool.name: tool for tool in reversed(self.tools)}
        metadata = self.entry.get("metadata")
        self.metadata: JsonObject = metadata if isinstance(metadata, dict) else _NO_OBJECT
        statuses = self.metadata.get("statuses")
        self.statuses: JsonObject | None = statuses if isinstance(statuses, dict) else None
        self.calls = list(self._calls())
        self.calls_by_id = {call.id: call for call in reversed(self.calls) if isinstance(call.id, str)}
        self.results = [self._result(message) for message in self.messages if message.role == "tool"]

    def _calls(self) -> Iterator[CallView]:
        for message in self.messages:
            for call in message.calls:
                call.tool = self.tools_by_name.get(call.name) if call.name else None
                yield call

    def _result(self, message: MessageView) -> ResultView:
        call_id = message.entry.get("tool_call_id")
        if not isinstance(call_id, str):
            return ResultView(message, None, None)
        return ResultView(message, self.calls_by_id.get(call_id), (self.statuses or _NO_OBJECT).get(call_id))

    def first_tool(self, name: str) -> int:
        """Return the index of the first tool of that name."""
        return next(index for index, tool in enumerate(self.tools) if tool.name == name)

    @property
    def turns_of_calls(self) -> list[MessageView]:
        """The messages that call."""
        return [message for message in self.messages if message.calls]

    @cached_property
    def text(self) -> str:
        """All that is said, called and answered, for a first look at what occurs anywhere."""
        said = [message.content for message in self.messages if isinstance(message.content, str)]
        return "\n".join([*said, *(call_text(call) for call in self.calls)])


def _numbers(root: JsonObject) -> Iterator[Number]:
    """Yield every number inside, booleans left out."""
    waiting: list[tuple[tuple[str | int, ...], JsonValue]] = [((), root)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(((*path, key), child) for key, child in value.items())
        elif isinstance(value, list):
            waiting.extend(((*path, index), child) for index, child in enumerate(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield Number(path, value)


def _is_odd(value: float) -> bool:
    return not LEAST_INTEGER <= value <= LARGEST_INTEGER or (isinstance(value, float) and value.is_integer())


def _with_fractions(arguments: JsonObject, numbers: list[Number]) -> JsonObject:
    """Copy the arguments with a fraction in the place of each of the numbers."""
    copy: JsonObject = orjson.loads(orjson.dumps(arguments))
    for number in numbers:
        holder: JsonValue = copy
        for step in number.path[:-1]:
            holder = holder[step]
        holder[number.path[-1]] = 0.5
    return copy


def call_text(call: CallView) -> str:
    """Return the arguments of a call as text."""
    if isinstance(call.given, str):
        return call.given
    try:
        return orjson.dumps(call.given).decode()
    except (TypeError, ValueError):
        return ""
