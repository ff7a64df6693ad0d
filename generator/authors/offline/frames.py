"""Frames filled: hand-written sentences of a tool with the values of one call (syntax: `tools.frame_syntax`)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from random import Random

from generator.authors.offline.fields import Field, make_field
from generator.authors.offline.pieces import after_one
from generator.authors.offline.saying import Unsayable, Voice, say
from generator.authors.offline.words import article, upper_first
from generator.jsontext import JsonObject, JsonValue
from generator.tools.frame_syntax import Choice, Optional, Part, Slot, parse_frame
from generator.tools.tool import Tool

_ABSENT = object()
_SPACES = re.compile(r"\s+([,.?!;:])|\s{2,}")


class _Filling:
    """One frame on its way to a text: what has been said, and which arguments it covered."""

    def __init__(self, fields: Mapping[str, Field], arguments: JsonObject, voice: Voice) -> None:
        self.fields, self.arguments, self.voice = fields, arguments, voice
        self.text = ""
        self.covered: set[tuple[str, ...]] = set()

    def add(self, part: str) -> None:
        """Add words written by hand; a noun after the number one stands in the singular."""
        if self.text.endswith("\x01"):
            part = after_one(part)
        self.text = self.text.removesuffix("\x01") + part

    def add_slot(self, slot: Slot) -> bool:
        """Add a value; say whether there is one."""
        value = value_at(self.arguments, slot.path)
        if value is _ABSENT or value is None:
            return False
        if slot.when_true is not None:
            words = slot.when_true if value is True else slot.when_false
            if words is None or not isinstance(value, bool):
                return False
            self.add(words)
        else:
            if isinstance(value, bool):
                return False
            said = say(value, field_at(self.fields, slot.path), self.voice)
            self.text = _agreed(self.text.removesuffix("\x01"), said) + said + ("\x01" if value == 1 else "")
        self.covered.add(slot.path)
        return True

    def add_parts(self, parts: Iterable[Part]) -> bool:
        """Add parts; say whether all their slots have values."""
        for part in parts:
            if isinstance(part, str):
                self.add(part)
            elif isinstance(part, Slot):
                if not self.add_slot(part):
                    return False
            elif isinstance(part, Choice):
                if not self.add_parts(part.options[int(self.voice.stream.random() * len(part.options))]):
                    return False
            elif isinstance(part, Optional):
                before, covered = self.text, set(self.covered)
                if not self.add_parts(part.parts):
                    self.text, self.covered = before, covered
        return True


def fill_frames(tool: Tool, fields: Mapping[str, Field], arguments: JsonObject, voice: Voice) -> str:
    """Fill one of the tool's frames that say every argument; the empty string where none does.

    The frames are tried in an order drawn from the voice's stream.
    """
    for text in _shuffled(tool.frames.requests, voice.stream):
        filling = _Filling(fields, arguments, voice)
        try:
            fits = filling.add_parts(parse_frame(text))
        except Unsayable:
            continue
        if fits and covers(filling.covered, arguments):
            said = _SPACES.sub(lambda match: match[1] or " ", filling.text.removesuffix("\x01")).strip()
            return upper_first(said)
    return ""


def _shuffled(texts: tuple[str, ...], stream: Random) -> list[str]:
    order = list(texts)
    stream.shuffle(order)
    return order


def covers(paths: set[tuple[str, ...]], arguments: JsonObject) -> bool:
    """Say whether the paths reach every leaf of the arguments."""
    return all(_reached(leaf, paths) for leaf in leaf_paths(arguments, ()))


def _reached(leaf: tuple[str, ...], paths: set[tuple[str, ...]]) -> bool:
    return any(
        len(path) <= len(leaf) and all(mine in (theirs, "*") for mine, theirs in zip(path, leaf, strict=False))
        for path in paths
    )


def leaf_paths(value: JsonValue, path: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    """Yield the path of every leaf; an empty list or object is a leaf."""
    if isinstance(value, dict) and (value or path):
        if not value:
            yield path
        for key, entry in value.items():
            yield from leaf_paths(entry, (*path, key))
    elif isinstance(value, list) and value:
        for index, entry in enumerate(value):
            yield from leaf_paths(entry, (*path, str(index)))
    elif path:
        yield path


def value_at(value: JsonValue, path: tuple[str, ...]) -> JsonValue:
    """Return the value a slot's path leads to; a list of values for `*`; a sentinel where there is none."""
    for position, key in enumerate(path):
        if isinstance(value, dict):
            value = value.get(key, _ABSENT)
        elif isinstance(value, list) and key == "*":
            entries = [value_at(entry, path[position + 1 :]) for entry in value]
            return _ABSENT if not entries or any(entry is _ABSENT for entry in entries) else entries
        elif isinstance(value, list) and key.isdigit():
            value = value[int(key)] if int(key) < len(value) else _ABSENT
        else:
            return _ABSENT
        if value is _ABSENT:
            return _ABSENT
    return value


def field_at(fields: Mapping[str, Field], path: tuple[str, ...]) -> Field:
    """Return the field a slot's path leads to, made up from its last name where the schema is silent."""
    field = fields.get(path[0]) or make_field(path[0], {})
    for key in path[1:]:
        field = (field.element or field) if key == "*" or key.isdigit() else field.child(key)
    return field


def _agreed(before: str, said: str) -> str:
    """Let "a" or "an" before a value agree with its sound."""
    for ending in (" a ", " an "):
        if before.endswith(ending):
            return f"{before[: -len(ending)]} {article(said)} "
    if before in ("A ", "An "):
        return article(said).capitalize() + " "
    return before
