"""CallView: a tolerant, read-only view of one call, with what its tool's parameters say of its arguments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import orjson

from generator.jsontext import JsonObject, JsonValue, may_hold_long_numbers, pointer, read_integers, within_64_bits
from generator.validation.tool_view import FITTING, Judgement, ToolView

LARGEST_INTEGER = 2**63 - 1
LEAST_INTEGER = -(2**63)
"""The range of ADM's INTEGER."""

NO_OBJECT: JsonObject = {}
"""Stands for an object where there is none; never changed."""


class Number(NamedTuple):
    """A number somewhere in the arguments of a call."""

    path: tuple[str | int, ...]
    value: float

    @property
    def pointer(self) -> str:
        """JSON pointer from the root of the arguments."""
        return pointer(self.path)


class CallView:
    """One entry of `tool_calls`, whatever JSON it is."""

    __slots__ = (
        "_text", "arguments", "entry", "function", "given", "has_function", "id", "index", "judgement", "malformed",
        "name", "odd_integers", "raw", "tool", "turn",
    )  # fmt: skip

    def __init__(self, turn: int, index: int, raw: JsonValue) -> None:
        self.turn = turn
        """Index of its message."""
        self.index = index
        """Index within its message."""
        self.raw = raw
        self._text: str | None = None
        self.entry: JsonObject = raw if isinstance(raw, dict) else NO_OBJECT
        self.id: JsonValue = self.entry.get("id")
        function = self.entry.get("function")
        self.has_function = isinstance(function, dict)
        self.function: JsonObject = function if isinstance(function, dict) else NO_OBJECT
        name = self.function.get("name")
        self.name: str = name if isinstance(name, str) else ""
        self.given: JsonValue = self.function.get("arguments")
        """The arguments as they stand."""
        self.arguments: JsonObject | None = self.given if isinstance(self.given, dict) else None
        """The arguments as an object, read from a string where they are one; None where they are no object."""
        self.malformed = False
        """Whether the arguments are a string that is not JSON."""
        self.tool: ToolView | None = None
        """The shown tool it calls."""
        self.judgement: Judgement = FITTING
        """What that tool's parameters refuse in the arguments."""
        self.odd_integers: list[Number] = []
        """Numbers where the schema wants an integer that are written with a fraction (5.0) or beyond 64 bits."""
        if isinstance(self.given, str):
            self._parse(self.given)

    def _parse(self, text: str) -> None:
        try:
            value = orjson.loads(text)
            if may_hold_long_numbers(text):
                value = within_64_bits(read_integers(text))
            orjson.dumps(value)  # refuses what nests deeper than a record may
        except (TypeError, ValueError, RecursionError):
            self.malformed = True
        else:
            self.arguments = value if isinstance(value, dict) else None

    def link(self, tool: ToolView | None) -> None:
        """Join the call with the tool it calls."""
        self.tool = tool
        if tool is not None and self.arguments is not None:
            self.judgement = tool.judge(self.arguments)
            if _holds_odd_number(self.arguments):
                self.odd_integers = _odd_integers(tool, self.arguments)

    @property
    def pointer(self) -> str:
        """JSON pointer of the call."""
        return f"/messages/{self.turn}/tool_calls/{self.index}"

    @property
    def arguments_pointer(self) -> str:
        """JSON pointer of its arguments."""
        return f"{self.pointer}/function/arguments"

    @property
    def text(self) -> str:
        """The arguments as text."""
        if self._text is None:
            self._text = _text_of(self.given)
        return self._text


def _text_of(given: JsonValue) -> str:
    if isinstance(given, str):
        return given
    try:
        return orjson.dumps(given).decode()
    except (TypeError, ValueError):
        return ""


def _odd_integers(tool: ToolView, arguments: JsonObject) -> list[Number]:
    """Return the odd numbers at places where the schema wants an integer.

    Which places those are its own validator tells: it refuses the type of a true fraction put there.
    """
    if tool.validator is None:
        return []
    odd = [number for number in _numbers(arguments) if _is_odd(number.value)]
    try:
        refusing = tool.validator.type_problems(_with_fractions(arguments, odd))
    except TypeError:  # an integer that JSON's writers refuse; the rule of storable documents reports it
        return []
    return [number for number in odd if number.pointer in refusing]


def _is_odd(value: JsonValue) -> bool:
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) and not LEAST_INTEGER <= value <= LARGEST_INTEGER


def _holds_odd_number(root: JsonObject) -> bool:
    """Say whether any number inside is odd; most arguments hold none, and need no second look."""
    waiting: list[JsonValue] = list(root.values())
    for value in waiting:
        kind = type(value)
        if kind is str:
            continue
        if kind is int or kind is float:
            if _is_odd(value):
                return True
        elif kind is dict:
            waiting.extend(value.values())
        elif kind is list:
            waiting.extend(value)
    return False


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


def _with_fractions(arguments: JsonObject, numbers: list[Number]) -> JsonObject:
    """Copy the arguments with a fraction in the place of each of the numbers."""
    copy: JsonObject = orjson.loads(orjson.dumps(arguments))
    for number in numbers:
        holder: JsonValue = copy
        for step in number.path[:-1]:
            holder = holder[step]
        holder[number.path[-1]] = 0.5
    return copy
