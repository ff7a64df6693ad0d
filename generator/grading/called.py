"""Calls as they are given, in whichever of the usual shapes, read as a name and arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import orjson

from generator.jsontext import JsonObject, JsonValue, read_exactly
from generator.validation.line_text import repeated_keys

_NAMES = ("name", "tool_name", "tool")
_ARGUMENTS = ("arguments", "args", "input", "parameters", "kwargs")
_LONGEST = 2_000_000
"""Characters of arguments given as text; longer ones are not read."""


@dataclass(frozen=True, slots=True)
class Called:
    """A call as it was read."""

    name: str
    """The name of the tool; "" where the call has none."""
    arguments: JsonObject | None
    """The arguments as an object; None where they are none, and `problem` says why."""
    problem: str = ""


def called(call: Any) -> Called:
    """Read a call: ours or OpenAI's, a mapping of name and arguments, or an object with such attributes.

    Arguments may be an object or its text. What is no call is read as one without a name; nothing is raised.
    """
    function = _part(call, ("function",))
    holder = call if function is None or isinstance(function, str) else function
    name = function if isinstance(function, str) else _part(holder, _NAMES)
    if not isinstance(name, str) or not name:
        return Called("", None, "it names no tool")
    return _with_arguments(name, _part(holder, _ARGUMENTS))


def _part(holder: Any, names: Sequence[str]) -> Any:
    """Return what an object or a mapping has under the first of some names that it has; None for nothing."""
    if isinstance(holder, Mapping):
        return next((holder[name] for name in names if holder.get(name) is not None), None)
    if holder is None or isinstance(holder, str | bytes | int | float | list | tuple):
        return None
    found = (getattr(holder, name, None) for name in names)
    return next((part for part in found if part is not None and not callable(part)), None)


def _with_arguments(name: str, given: Any) -> Called:
    if type(given) is dict:
        return Called(name, given)
    if given is None:
        return Called(name, {})
    if isinstance(given, Mapping):
        return Called(name, dict(given))
    if isinstance(given, str):
        return _from_text(name, given)
    return Called(name, None, "its arguments are no object")


def _from_text(name: str, text: str) -> Called:
    if len(text) > _LONGEST:
        return Called(name, None, f"its arguments are longer than {_LONGEST:,} characters")
    if not text.strip():
        return Called(name, {})  # some servers write nothing where there is nothing to give
    try:
        value = read_exactly(text)
        if text.count(":") > 1 and (repeated := _repeated(text, value)):
            return Called(name, None, f"its arguments name the key {repeated!r} twice")
    except (ValueError, TypeError, RecursionError):  # lone surrogates and what nests too deeply are no JSON either
        return Called(name, None, "its arguments are not the text of JSON")
    return Called(name, value) if isinstance(value, dict) else Called(name, None, "its arguments are no object")


def _repeated(text: str, value: JsonValue) -> str:
    """Return a key that is named twice; "" where there is none."""
    found = repeated_keys(text.encode(), orjson.dumps(value))
    return found[0].key if found else ""


def calls_in(given: Any) -> list[Any]:
    """Return the calls of whatever holds them: a list, a message, one call; none of what holds none."""
    if given is None:
        return []
    if isinstance(given, list | tuple):
        return list(given)
    if isinstance(given, Mapping) and "tool_calls" in given:
        return calls_in(given["tool_calls"])
    held = None if isinstance(given, Mapping) else getattr(given, "tool_calls", None)
    return calls_in(held) if held is not None else [given]
