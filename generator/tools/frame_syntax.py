r"""The syntax of request frames: sentences written by hand for one tool.

    Book a {room_type} room in {city}[ for {guests} guests][, {breakfast?with breakfast|without breakfast}].

| written | means |
|---|---|
| `{city}` | the argument `city` as a person would say it: dates in words, lists joined, enum values in words |
| `{budget.min}`, `{legs.0.city}` | a value inside an object or a list |
| `{guests.*.name}` | that value of every element, joined: "Ana, Ben and Cleo" |
| `{breakfast?with breakfast\|without breakfast}` | words for a boolean: when true, then when false |
| `{breakfast?with breakfast}` | the same without words for false: the frame does not fit when it is false |
| `[ for {guests} guests]` | used where every slot in it has a value, left out otherwise; not nested |
| `(Book\|Reserve)` | one of these, drawn for each record; may hold slots, not `[...]`; without a bar it is text |

A frame fits a call when all its slots outside `[...]` have values and every argument given is said by a slot.
"1 nights" becomes "1 night" and "a economy" becomes "an economy" when the frame is filled.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from generator.jsontext import JsonObject, JsonValue
from generator.tools.tool import Frames

MAX_FRAME = 1_000
"""Characters a frame may have."""
_SLOT = re.compile(r"([^\s{}\[\]?|.]+(?:\.[^\s{}\[\]?|.]+)*)(?:\?([^{}|]*)(?:\|([^{}|]*))?)?")


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one value; `when_true` and `when_false` are the words of a boolean, None where there are none."""

    path: tuple[str, ...]
    when_true: str | None = None
    when_false: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several wordings."""

    options: tuple[tuple[str | Slot, ...], ...]


@dataclass(frozen=True, slots=True)
class Optional:
    """A part that is used only where all its slots have values."""

    parts: tuple[str | Slot | Choice, ...]


Part: TypeAlias = "str | Slot | Choice | Optional"


class FrameError(ValueError):
    """A frame that does not follow the syntax; the message says what and where."""


@lru_cache(maxsize=4096)
def parse_frame(text: str) -> tuple[Part, ...]:
    """Parse a request frame.

    Raises:
        FrameError: unbalanced or nested brackets, an empty or malformed slot.
    """
    if len(text) > MAX_FRAME:
        raise FrameError(f"longer than {MAX_FRAME} characters")
    parts: list[Part] = []
    position = 0
    while position < len(text):
        if text[position] != "[":
            end = text.find("[", position)
            end = len(text) if end < 0 else end
            if "]" in text[position:end]:
                raise FrameError("']' without '['")
            parts.extend(_parse_flat(text[position:end]))
            position = end
            continue
        end = text.find("]", position)
        if end < 0:
            raise FrameError("'[' is never closed")
        inside = text[position + 1 : end]
        if "[" in inside:
            raise FrameError("'[...]' inside '[...]'")
        parts.append(Optional(tuple(_parse_flat(inside))))
        position = end + 1
    return tuple(parts)


def _parse_flat(text: str) -> Iterator[str | Slot | Choice]:
    """Parse text without optional parts."""
    position = 0
    while position < len(text):
        start = text.find("(", position)
        end = text.find(")", start)
        if start < 0 or end < 0:
            break
        if "|" in _without_slots(text[start:end]):
            yield from _parse_slots(text[position:start])
            yield Choice(tuple(tuple(_parse_slots(option)) for option in _split_options(text[start + 1 : end])))
        else:
            yield from _parse_slots(text[position : end + 1])
        position = end + 1
    yield from _parse_slots(text[position:])


def _without_slots(text: str) -> str:
    return re.sub(r"\{[^{}]*\}", "", text)


def _split_options(text: str) -> list[str]:
    """Split at the bars that are not inside a slot."""
    options, depth, current = [], 0, ""
    for char in text:
        depth += (char == "{") - (char == "}")
        if char == "|" and depth == 0:
            options.append(current)
            current = ""
        else:
            current += char
    return [*options, current]


def _parse_slots(text: str) -> Iterator[str | Slot]:
    position = 0
    while position < len(text):
        start = text.find("{", position)
        if start < 0:
            start = len(text)
        if "}" in text[position:start]:
            raise FrameError("'}' without '{'")
        if start > position:
            yield text[position:start]
        if start == len(text):
            return
        end = text.find("}", start)
        if end < 0:
            raise FrameError("'{' is never closed")
        match = _SLOT.fullmatch(text[start + 1 : end])
        if match is None:
            raise FrameError(f"'{text[start : end + 1]}' is no slot")
        yield Slot(tuple(match[1].split(".")), match[2], match[3])
        position = end + 1


def slots_of(parts: tuple[Part, ...]) -> Iterator[Slot]:
    """Yield every slot of a parsed frame, those of optional parts and choices included."""
    for part in parts:
        if isinstance(part, Slot):
            yield part
        elif isinstance(part, Optional):
            yield from slots_of(part.parts)
        elif isinstance(part, Choice):
            for option in part.options:
                yield from slots_of(option)


def frame_problems(frames: Frames, parameters: JsonObject) -> list[tuple[str, str]]:
    """Say what is wrong with a tool's request frames: pairs of a JSON pointer inside the frames and a message.

    Args:
        frames: the tool's frames.
        parameters: its parameters in the working form (an object schema with `properties`).
    """
    problems: list[tuple[str, str]] = []
    for index, text in enumerate(frames.requests):
        where = f"/requests/{index}"
        try:
            parts = parse_frame(text)
        except FrameError as error:
            problems.append((where, f"{error} in {text!r}"))
            continue
        for slot in slots_of(parts):
            problem = _slot_problem(slot, parameters)
            if problem:
                problems.append((where, f"{problem} in {text!r}"))
    return problems


def _slot_problem(slot: Slot, parameters: JsonObject) -> str:
    """Return what is wrong with a slot, or the empty string."""
    name = ".".join(slot.path)
    if slot.path[0] not in parameters.get("properties", {}):
        return f"'{{{name}}}' names no parameter of the tool"
    schema = schema_at(parameters, slot.path)
    boolean = isinstance(schema, dict) and schema.get("type") == "boolean"
    if boolean and slot.when_true is None:
        return f"'{{{name}}}' is a boolean: say it as '{{{name}?words if true|words if false}}'"
    if slot.when_true is not None and isinstance(schema, dict) and schema.get("type") not in (None, "boolean"):
        return f"'{{{name}?...}}' is for booleans only"
    return ""


def schema_at(schema: JsonValue, path: tuple[str, ...]) -> JsonValue:
    """Return the sub-schema that a slot's path leads to, or None where the schema does not say."""
    for key in path:
        if not isinstance(schema, dict):
            return None
        inside = key == "*" or key.isdigit()
        schema = schema.get("items") if inside else schema.get("properties", {}).get(key)
    return schema
