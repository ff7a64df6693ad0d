"""What descriptions tell of values: examples, options, ranges; and where a schema says more."""

from __future__ import annotations

import pytest

from generator.values.hints import Hint, identified, resolve_pointer, sources_of


def hint(description: str, **more: object) -> Hint:
    return Hint(({"description": description, **more},), ("field",))


@pytest.mark.parametrize(
    ("description", "examples"),
    [
        ("The city, e.g. 'San Francisco, CA'", ("San Francisco, CA",)),
        ("The city and state, e.g. Denver, CO", ("Denver, CO",)),
        ('A field such as "name" or "date".', ("name", "date")),
        ("Some interval, e.g. daily, weekly.", ("daily", "weekly")),
        ("Kind of paint (Oil, Acrylic, Chalk)", ("Oil", "Acrylic", "Chalk")),
        ("Nothing to see here.", ()),
        ("An it's-complicated apostrophe's story", ()),
    ],
)
def test_examples_are_read_from_descriptions(description: str, examples: tuple[str, ...]) -> None:
    assert hint(description).told_examples == examples


@pytest.mark.parametrize(
    ("description", "options"),
    [
        ("Unit, either 'metric' or 'imperial'.", ("metric", "imperial")),
        ("One of 'a', 'b' and 'c'", ("a", "b", "c")),
        ("Style: '12h' or '24h'", ("12h", "24h")),
        ("e.g. 'one thing'", ()),
    ],
)
def test_options_are_read_from_descriptions(description: str, options: tuple[str, ...]) -> None:
    assert hint(description).told_options == options


@pytest.mark.parametrize(
    ("description", "span"),
    [("between 1 and 7", (1, 7)), ("on a scale of 0 to 10", (0, 10)), ("from 5 down", None), ("(0-100)", (0, 100))],
)
def test_ranges_are_read_from_descriptions(description: str, span: tuple[float, float] | None) -> None:
    assert hint(description).told_range == span


def test_sources_follow_references_and_branches_without_end() -> None:
    root = {"$defs": {"a": {"anyOf": [{"title": "here"}, {"$ref": "#/$defs/a"}]}}}
    assert [source.get("title") for source in sources_of([{"$ref": "#/$defs/a"}], root)] == [None, None, "here", None]


def test_pointers_and_names_resolve() -> None:
    root = {"$defs": {"a/b": {"$anchor": "x", "allOf": [{"const": 1}]}}}
    assert resolve_pointer(root, "#/$defs/a~1b/allOf/0") == {"const": 1}
    assert resolve_pointer(root, "#/nowhere") is None
    assert resolve_pointer(root, "https://example.com/x") is None
    assert identified(root)["#x"] is root["$defs"]["a/b"]
