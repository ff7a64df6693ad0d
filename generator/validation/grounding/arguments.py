"""Arguments: every leaf of every call of a record, with where it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from generator.validation.grounding.accounts import misplaced
from generator.validation.grounding.certainty import degree_of
from generator.validation.grounding.choices import ground_choice
from generator.validation.grounding.ladder import ground
from generator.validation.grounding.leaves import Grounded, Leaf, leaves_of, place_of
from generator.validation.grounding.sources import Grounding, Said, Source, source_of
from generator.validation.grounding.texts import ENOUGH
from generator.validation.grounding.vouched import vouched
from generator.validation.verdict import Severity
from generator.validation.view import NO_OBJECT, CallView, RecordView

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
        as_told = _as_told(record) if record.has_plain_arguments and "grounding" in record.metadata else []
        record.grounded = as_told or ground_arguments(record)
    return record.grounded


def _as_told(record: RecordView) -> list[Grounded]:
    """Return what the metadata tell of each leaf, where a short look has found that to be so; [] where one is not told.

    Of calls with one id they cannot tell each by itself.
    """
    told = record.metadata["grounding"]
    found: list[Grounded] = []
    for call in record.calls if len(record.calls_by_id) == len(record.calls) else ():
        entries = told.get(call.id, NO_OBJECT)
        for leaf in leaves_of(call):
            entry = entries.get(place_of(leaf))
            if entry is None:
                return []
            found.append(Grounded(call, leaf, Grounding(entry["rung"], entry["where"], entry["text"])))
    return found if len(found) < MOST_LEAVES else []


def _each(record: RecordView, enough: float) -> Iterator[Grounded]:
    indices = places_of_tools(record)
    left = MOST_LEAVES
    for turn, said in said_before_calls(record):
        for call in record.messages[turn].calls:
            index = indices.get(id(call.tool), 0)
            for leaf in leaves_of(call):
                grounding = explanation(leaf, call, index, said, record, enough=enough)
                sure: Severity = (
                    "error" if grounding is not None or record.generated else degree_of(leaf, call.tool, said, record)
                )
                found = Grounded(call, leaf, grounding, sure)
                left -= 1 if found.grounding is not None else UNEXPLAINED
                yield found
                if left <= 0:
                    return


def explanation(
    leaf: Leaf,
    call: CallView,
    tool_index: int,
    said: Said,
    record: RecordView,
    *,
    enough: float = ENOUGH,
    literally: bool = True,
) -> Grounding | None:
    """Return where a leaf of a call comes from; None where nothing explains it."""
    value = leaf.path[-1] if leaf.is_key else leaf.value
    tool = None if leaf.is_key else call.tool
    return (
        ground(value, tool, leaf.path, tool_index, said, enough=enough, literally=literally)
        or vouched(leaf, call, record, said)
        or _chosen(leaf, call, said)
    )


def places_of_tools(record: RecordView) -> dict[int, int]:
    """Return where each tool stands among those shown, by its identity."""
    return {id(tool): index for index, tool in reversed(list(enumerate(record.tools)))}


def _chosen(leaf: Leaf, call: CallView, said: Said) -> Grounding | None:
    """Take a choice at one of its words where nobody names the words that it comes from."""
    if call.tool is None or leaf.is_key or not isinstance(leaf.value, str):
        return None
    return ground_choice(leaf.value, call.tool, leaf.path, said)


def said_before_calls(record: RecordView) -> Iterator[tuple[int, Said]]:
    """Yield the index of each turn of calls with all that was said before it: users, results, the system."""
    spoken: list[Source] = []
    results: list[Source] = []
    system: list[Source] = []
    day = record.metadata.get("reference_date")
    for message in record.messages:
        role = message.role
        if message.calls:
            sources = (*spoken[: -MOST_SOURCES - 1 : -1], *results[: -MOST_SOURCES - 1 : -1], *system[:1])
            yield message.index, Said(sources, day)
        elif role == "assistant" or not isinstance(message.content, str):
            continue
        elif role == "user":
            spoken.append(source_of(record, message))
        elif role == "tool":
            results.append(source_of(record, message))
        elif role == "system":
            system.append(source_of(record, message))
