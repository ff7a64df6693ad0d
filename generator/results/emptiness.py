"""Emptiness: results of a search that finds nothing."""

from __future__ import annotations

from generator.jsontext import JsonValue
from generator.results.coherence import count_entries, main_list
from generator.schemas.validators import validator_for
from generator.tools.tool import Tool


def emptied(value: JsonValue, tool: Tool) -> JsonValue:
    """Return a result with its list emptied and its total at 0; as it is where its schema does not admit that."""
    key = main_list(value)
    bare: JsonValue = [] if isinstance(value, list) else value
    if key is not None:
        bare = count_entries({**value, key: []})
    return bare if validator_for(tool.result_schema).is_valid(bare) else value
