"""The places of a call's arguments: which entries of a list meet the same schemas, and the texts below a value."""

from __future__ import annotations

from generator.validation.grounding.arguments.argument import (
    Leaf,
    ground_in_schema,
    place_in_schema,
    schemas_at,
    texts_below,
)
from generator.validation.tool_view import ToolView

POSITIONS = [{"const": "first"}, {"type": "object", "properties": {"unit": {"default": "km"}}}]
LISTED = {"type": "array", "prefixItems": POSITIONS, "items": {"enum": ["far"]}}
TOOL = ToolView(
    {
        "type": "function",
        "function": {
            "name": "measure",
            "parameters": {"type": "object", "properties": {"at": LISTED, "seen": {"default": ["here", "there"]}}},
        },
    }
)


def test_entries_behind_the_positions_are_one_place() -> None:
    assert [place_in_schema(TOOL, ("at", index)) for index in (0, 1, 2, 900_000)] == [
        ("at", 0),
        ("at", 1),
        ("at", 2),
        ("at", 2),
    ]
    assert place_in_schema(TOOL, ("at",)) == ("at",)


def test_each_position_meets_its_own_schema() -> None:
    path = ("properties", "at")
    found = [schemas_at(TOOL, ("at", index)) for index in (0, 1, 2, 900_000)]
    assert found[0] == (((*path, "prefixItems", 0), POSITIONS[0]),)
    assert found[1] == (((*path, "prefixItems", 1), POSITIONS[1]),)
    assert found[2] == found[3] == (((*path, "items"), LISTED["items"]),)


def test_a_value_is_found_in_the_default_of_the_list_around_it_at_its_own_index() -> None:
    assert ground_in_schema("there", TOOL, ("seen", 1), 0) is not None
    assert ground_in_schema("there", TOOL, ("seen", 0), 0) is None
    assert ground_in_schema("km", TOOL, ("at", 1, "unit"), 0) is not None
    assert ground_in_schema("far", TOOL, ("at", 900_000), 0) is not None
    assert ground_in_schema("km", TOOL, ("at", 3), 0) is None


def test_the_texts_below_a_value_are_told_in_their_order_without_empty_ones() -> None:
    value = ["a", {"b": "", "c": ["d", 7, None]}, "e"]
    assert list(texts_below(("x",), value)) == [
        Leaf(("x", 0), "a"),
        Leaf(("x", 1, "c", 0), "d"),
        Leaf(("x", 2), "e"),
    ]
    assert list(texts_below(("x",), "")) == []
