"""Emptiness: results of a search that finds nothing."""

from __future__ import annotations

from generator.jsontext import JsonObject, JsonValue
from generator.results.coherence import is_total
from generator.schemas.validators import validator_for
from generator.tools.tool import Tool


def emptied(value: JsonValue, tool: Tool) -> JsonValue:
    """Return a result with its list emptied and its totals at 0; as it is where its schema does not admit that."""
    if isinstance(value, list):
        bare: JsonValue = []
    elif isinstance(value, dict):
        bare = _without_entries(value)
    else:
        return value
    return bare if validator_for(tool.result_schema).is_valid(bare) else value


def _without_entries(value: JsonObject) -> JsonObject:
    return {name: [] if isinstance(told, list) else 0 if is_total(name) else told for name, told in value.items()}
