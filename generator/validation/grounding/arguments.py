"""Arguments: every leaf of every call of a record, with where it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.call_view import CallView
from generator.validation.grounding.accounts import misplaced
from generator.validation.grounding.ladder import ground
from generator.validation.grounding.leaves import Grounded, Leaf, leaves_of
from generator.validation.grounding.sources import CONSTRUCTION, Grounding, Said, Source
from generator.validation.grounding.texts import ENOUGH
from generator.validation.view import RecordView

MOST_LEAVES = 2000
"""Leaves of one record that are looked at; no record that a person could read has more."""
UNEXPLAINED = 20
"""How many others a leaf counts for that nothing explains: every rung was climbed for it."""
MOST_SOURCES = 64
"""Earlier messages that a value is looked for in, the latest ones."""


def ground_arguments(record: RecordView, *, enough: float = ENOUGH) -> list[Grounded]:
    """Return every leaf of the arguments of every call with where it comes from, in the record's order.

    `enough` is the share of a string's words that must be said.
    """
    found = list(_each(record, enough))
    wrong = {each.pointer: why for each, why in misplaced(record, found)}
    if not wrong:
        return found
    return [
        each._replace(grounding=None, misplaced=wrong[each.pointer]) if each.pointer in wrong else each
        for each in found
    ]


def grounded_arguments(record: RecordView) -> list[Grounded]:
    """Return every leaf of a record's calls with where it comes from, found once per record."""
    if record.grounded is None:
        record.grounded = ground_arguments(record)
    return record.grounded


def _each(record: RecordView, enough: float) -> Iterator[Grounded]:
    indices = {id(tool): index for index, tool in reversed(list(enumerate(record.tools)))}
    left = MOST_LEAVES
    for turn, said in said_before_calls(record):
        for call in record.messages[turn].calls:
            index = indices.get(id(call.tool), 0)
            for leaf in leaves_of(call):
                grounding = _ground(leaf, call, index, said, enough) or _constructed(leaf, call, record, said)
                found = Grounded(call, leaf, grounding)
                left -= 1 if found.grounding is not None else UNEXPLAINED
                yield found
                if left <= 0:
                    return


def _ground(leaf: Leaf, call: CallView, tool_index: int, said: Said, enough: float) -> Grounding | None:
    value = leaf.path[-1] if leaf.is_key else leaf.value
    return ground(value, None if leaf.is_key else call.tool, leaf.path, tool_index, said, enough=enough)


def _constructed(leaf: Leaf, call: CallView, record: RecordView, said: Said) -> Grounding | None:
    """Return the words that the metadata name for an argument, where somebody said them before the call."""
    construction = record.metadata.get("construction")
    if not isinstance(construction, dict) or not leaf.path or not isinstance(call.id, str):
        return None
    named = construction.get(call.id)
    words = named.get(_own_name(leaf.path[0], record)) if isinstance(named, dict) else None
    if not isinstance(words, str) or not words.strip():
        return None
    source = next((each for each in said.sources if each.role == "user" and words in each.raw), None)
    return None if source is None else Grounding(CONSTRUCTION, source.where, words)


def _own_name(parameter: str | int, record: RecordView) -> JsonValue:
    """Return what a parameter is called without the record's mask."""
    mask = record.metadata.get("mask")
    names = mask.get("parameters") if isinstance(mask, dict) else None
    return names.get(parameter, parameter) if isinstance(names, dict) else parameter


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
