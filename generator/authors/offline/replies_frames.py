"""Reply frames filled: hand-written answers of a tool with the values of one result.

The syntax is that of request frames (`tools.frame_syntax`). A slot's path is looked up in the result first, then in
the arguments; `{flights.count}` is the length of a list, `{flights.*.airline}` that value of every element, joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from random import Random

from generator.authors.offline.replies_values import is_money, say_figure, say_money, say_value
from generator.authors.offline.words import join_and, singular, upper_first
from generator.jsontext import JsonObject, JsonValue
from generator.tools.frame_syntax import Choice, FrameError, Optional, Part, Slot, parse_frame
from generator.tools.tool import Tool

_ABSENT = object()
_NOUN = re.compile(r" ([a-z]+)")
_SPACES = re.compile(r"\s+([,.?!;:])|\s{2,}")


def fill_reply_frame(
    tool: Tool, arguments: JsonObject, content: JsonValue, stream: Random, taken: set[str] | None = None
) -> str:
    """Fill one of the tool's reply frames; the empty string where none has all its values.

    The frames are tried in an order drawn from the stream; one that was used before (`taken`) only if no other fits.
    """
    if not tool.frames.replies or not isinstance(content, dict | list):
        return ""
    taken = taken if taken is not None else set()
    start = int(stream.random() * len(tool.frames.replies))
    order = [*tool.frames.replies[start:], *tool.frames.replies[:start]]
    for frame in sorted(order, key=taken.__contains__):
        try:
            parts = parse_frame(frame)
        except FrameError:
            continue  # the loader has reported it: a tool with a broken frame is served by its other frames
        text = _fill(parts, arguments, content, stream)
        if text:
            taken.add(frame)
            return upper_first(_SPACES.sub(lambda match: match[1] or " ", text).strip())
    return ""


def _fill(parts: Iterable[Part], arguments: JsonObject, content: JsonValue, stream: Random) -> str:
    """Fill parts; the empty string where a slot has no value."""
    text = ""
    for part in parts:
        if isinstance(part, str):
            said = part
            if text.endswith("\x01"):
                text, said = text[:-1], _after_one(part)
        elif isinstance(part, Optional):
            said = _fill(part.parts, arguments, content, stream)
            if said and text.endswith("\x01"):
                text = text[:-1]
        elif isinstance(part, Choice):
            said = _fill(part.options[int(stream.random() * len(part.options))], arguments, content, stream)
            if not said:
                return ""
        else:
            said = _say_slot(part, arguments, content, after=text[-1:])
            if not said:
                return ""
        text += said
    return text.replace("\x01", "")


def _say_slot(slot: Slot, arguments: JsonObject, content: JsonValue, *, after: str) -> str:
    value, beside = _look_up(content, slot.path)
    if value is _ABSENT:
        value, beside = _look_up(arguments, slot.path)
    if value is _ABSENT or value is None:
        return ""
    if slot.when_true is not None:
        return (slot.when_true if value is True else slot.when_false or "") if isinstance(value, bool) else ""
    if isinstance(value, bool):
        return ""
    key = _key_of(slot.path)
    if isinstance(value, int | float) and after in ("$", "€", "£"):
        return say_money(value, "")
    if isinstance(value, list) and "*" in slot.path:
        return join_and([say_value(key, entry, {}) for entry in value]) if len(value) < 8 else ""
    if isinstance(value, int | float) and not is_money(key):
        return say_figure(value) + ("\x01" if value == 1 else "")
    if isinstance(value, int | float):
        return say_money(value, "")
    return say_value(key, value, beside)


def _key_of(path: tuple[str, ...]) -> str:
    return next((key for key in reversed(path) if key != "*" and not key.isdigit()), "")


def _look_up(value: JsonValue, path: tuple[str, ...]) -> tuple[JsonValue, JsonObject]:
    """Return the value at a path with the object that holds it; a sentinel where there is none."""
    holder: JsonObject = {}
    for position, key in enumerate(path):
        if isinstance(value, Mapping):
            holder = dict(value) if position == len(path) - 1 else holder
            value = value.get(key, _ABSENT)
        elif isinstance(value, list) and key == "count":
            return (len(value) or _ABSENT), holder
        elif isinstance(value, list) and key == "*":
            entries = [_look_up(entry, path[position + 1 :])[0] for entry in value]
            return (entries if entries and _ABSENT not in entries and None not in entries else _ABSENT), holder
        elif isinstance(value, list) and key.isdigit():
            value = value[int(key)] if int(key) < len(value) else _ABSENT
        else:
            return _ABSENT, holder
        if value is _ABSENT:
            return _ABSENT, holder
    return value, holder


def _after_one(words: str) -> str:
    """Put the noun that follows the number one in the singular."""
    match = _NOUN.match(words)
    if match is None or match[1] in ("is", "was", "as", "has"):
        return words
    return f" {singular(match[1])}{words[match.end() :]}"
