"""Explaining: a record's groundings as its metadata hold them."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue
from generator.validation.grounding.arguments import grounded_arguments
from generator.validation.grounding.leaves import Grounded, entry_of, place_of
from generator.validation.view import RecordView


def explain(document: JsonValue) -> JsonObject:
    """Return where each argument of a record comes from: `{call id: {JSON pointer into the arguments: ...}}`.

    Each entry has its `rung` (literal, normalised, overlap, schema, construction or
    asserted), `where` (a JSON pointer into the
    record) and the `text` that is said there. Values that nothing explains are left out.
    """
    return explain_view(RecordView(document))


def explain_view(record: RecordView) -> JsonObject:
    """Return the groundings of a record that is looked at already; see `explain`."""
    return told(grounded_arguments(record))


def told(grounded: list[Grounded]) -> JsonObject:
    """Return groundings as the metadata of a record hold them."""
    found: JsonObject = {}
    for each in grounded:
        if each.grounding is not None and isinstance(each.call.id, str):
            found.setdefault(each.call.id, {})[place_of(each.leaf)] = entry_of(each.grounding)
    return found
