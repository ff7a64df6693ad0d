"""Arguments: every leaf of every call of a record, with where it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from generator.jsontext import JsonValue, pointer
from generator.validation.call_view import CallView
from generator.validation.grounding.ladder import ground
from generator.validation.grounding.places import Path, declared_at
from generator.validation.grounding.sources import Grounding, Said, Source
from generator.validation.view import RecordView

MOST_LEAVES = 2000
"""Leaves of one record that are looked at; no record that a person could read has more."""
MOST_SOURCES = 64
"""Earlier messages that a value is looked for in, the latest ones."""


class Leaf(NamedTuple):
    """One value of a call: a string, number, boolean or null, or a key that its schema does not name."""

    path: Path
    value: JsonValue
    is_key: bool = False


class Grounded(NamedTuple):
    """A leaf of a call and where it comes from, None where nothing explains it."""

    call: CallView
    leaf: Leaf
    grounding: Grounding | None

    @property
    def pointer(self) -> str:
        """JSON pointer of the leaf from the root of the record."""
        return self.call.arguments_pointer + pointer(self.leaf.path)


def ground_arguments(record: RecordView) -> Iterator[Grounded]:
    """Yield every leaf of the arguments of every call with where it comes from, in the record's order."""
    indices = {id(tool): index for index, tool in reversed(list(enumerate(record.tools)))}
    left = MOST_LEAVES
    for turn, said in said_before_calls(record):
        for call in record.messages[turn].calls:
            index = indices.get(id(call.tool), 0)
            for leaf in leaves_of(call):
                left -= 1
                if left < 0:
                    return
                yield Grounded(call, leaf, _ground(leaf, call, index, said))


def _ground(leaf: Leaf, call: CallView, tool_index: int, said: Said) -> Grounding | None:
    value = leaf.path[-1] if leaf.is_key else leaf.value
    return ground(value, None if leaf.is_key else call.tool, leaf.path, tool_index, said)


def said_before_calls(record: RecordView) -> Iterator[tuple[int, Said]]:
    """Yield the index of each turn of calls with all that was said before it: users, results, the system."""
    spoken: list[Source] = []
    results: list[Source] = []
    system: list[Source] = []
    day = record.metadata.get("reference_date")
    for message in record.messages:
        if message.calls:
            sources = (*reversed(spoken[-MOST_SOURCES:]), *reversed(results[-MOST_SOURCES:]), *system[:1])
            yield message.index, Said(sources, day)
        elif isinstance(message.content, str):
            held = {"user": spoken, "tool": results, "system": system}.get(message.role)
            if held is not None:
                held.append(Source(message.index, message.content, message.role))


def leaves_of(call: CallView) -> Iterator[Leaf]:
    """Yield the leaves of a call's arguments in their order."""
    waiting: list[tuple[Path, JsonValue]] = [((), call.arguments)] if call.arguments else []
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            yield from _keys(call, path, value)
            waiting.extend(((*path, key), child) for key, child in reversed(value.items()))
        elif isinstance(value, list):
            waiting.extend(((*path, index), value[index]) for index in range(len(value) - 1, -1, -1))
        elif value != "":
            yield Leaf(path, value)


def _keys(call: CallView, path: Path, value: dict[str, JsonValue]) -> Iterator[Leaf]:
    """Yield the keys that the schema does not name: the author chose them, and so they are values."""
    if call.tool is not None and not value.keys() <= (declared := declared_at(call.tool, path)):
        yield from (Leaf((*path, key), child, True) for key, child in value.items() if key not in declared)
