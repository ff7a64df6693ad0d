"""Heights tell which way out of a recursion there is."""

from __future__ import annotations

from generator.values.emptiness import INFINITE, Heights
from generator.values.hints import resolve_pointer


def test_heights_find_the_way_out_of_a_recursion() -> None:
    form = {
        "$defs": {
            "tree": {
                "anyOf": [
                    {"type": "object", "required": ["l"], "properties": {"l": {"$ref": "#/$defs/tree"}}},
                    {"type": "null"},
                ]
            },
            "endless": {"type": "object", "required": ["x"], "properties": {"x": {"$ref": "#/$defs/endless"}}},
        }
    }
    heights = Heights(form, lambda reference: resolve_pointer(form, reference))
    assert heights.of({"$ref": "#/$defs/tree"}) == 1
    assert heights.of({"$ref": "#/$defs/endless"}) == INFINITE
    assert heights.of({"type": "array", "items": {"$ref": "#/$defs/endless"}}) == 0
