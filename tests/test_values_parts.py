"""The parts values are made of: words, numbers within bounds, texts for patterns, hints, pools, heights."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import GaveUp
from generator.schemas.canonical import canonical_form, find_contradiction
from generator.values.draw import Context, Draw
from generator.values.emptiness import INFINITE, Heights
from generator.values.hints import Hint, identified, is_plural, resolve_pointer, singular, sources_of, split_name
from generator.values.meanings.numbers import bounds_of, draw_within
from generator.values.meanings.specials import fill
from generator.values.merging import merged
from generator.values.patterns.texts import PatternTexts, fitted
from generator.values.plan import Plan


def drawing(seed: int = 1) -> Draw:
    return Draw(Random(seed), Context(), "en_US")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("maxResultsCount", ("max", "results", "count")),
        ("X-RapidAPI-Key", ("x", "rapid", "api", "key")),
        ("$vectorSearch", ("vector", "search")),
        ("city1", ("city", "1")),
        ("ISBN13", ("isbn", "13")),
        ("created_at", ("created", "at")),
        ("", ()),
        ("日本", ()),
    ],
)
def test_names_are_split_into_words(name: str, words: tuple[str, ...]) -> None:
    assert split_name(name) == words


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("cities", "city"),
        ("boxes", "box"),
        ("status", "status"),
        ("people", "person"),
        ("tags", "tag"),
        ("bus", "bus"),
        ("gas", "gas"),
    ],
)
def test_singular(plural: str, one: str) -> None:
    assert singular(plural) == one
    assert is_plural(plural) == (plural != one)


@settings(max_examples=300, deadline=None)
@given(
    low=st.one_of(st.none(), st.integers(-1000, 1000)),
    span=st.integers(0, 500),
    grid=st.sampled_from([None, 0.01, 0.1, 0.25, 1, 3, 7.5]),
    whole=st.booleans(),
    seed=st.integers(0, 99),
)
def test_number_lies_within_its_bounds(low: int | None, span: int, grid: float | None, whole: bool, seed: int) -> None:
    node = {} if low is None else {"minimum": low, "maximum": low + span}
    node |= {} if grid is None else {"multipleOf": grid}
    bounds = bounds_of(node, whole=whole)
    step = bounds.grid or Fraction(0)
    value = draw_within(bounds, drawing(seed), None, whole=whole)
    if low is None or span > step:
        assert bounds.admits(value)
        if grid:
            assert (value / grid).is_integer() if isinstance(value, float) else True


def test_wanted_range_is_kept_where_the_bounds_allow() -> None:
    bounds = bounds_of({"minimum": 50}, whole=True)
    values = {draw_within(bounds, drawing(seed), (50, 100, 10), whole=True) for seed in range(40)}
    assert values <= {50, 60, 70, 80, 90, 100}
    assert draw_within(bounds_of({"minimum": 500}, whole=True), drawing(), (1, 5, 1), whole=True) >= 500


PATTERNS = [
    r"^[A-Z]{2}-\d+$",
    r"^(ab|c)+$",
    r"^\+?[1-9]\d{1,14}$",
    r"^(?:[01]\d|2[0-3]):[0-5]\d$",
    r"^[^\s@]+@[^\s@]+\.[a-z]{2,}$",
    r"^(a)(b)\2\1$",
    r"^(?<year>\d{4})-\k<year>$",
    r"^\u0041\x42\cJ?$",
    r"a{2,}b?",
    r"^$",
    r"^[\w.-]+$",
    r"^.{5}$",
    r"\.(jpg|png)$",
    r"^[-a-z]]$",
    r"^x{a}$",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_text_matches_its_pattern(pattern: str) -> None:
    expression = re.compile(pattern.replace("(?<y", "(?P<y").replace(r"\k<year>", "(?P=year)").replace(r"\cJ", "\n"))
    for seed in range(20):
        text = PatternTexts(pattern).make(Random(seed), 0, None)
        assert expression.search(text), text


def test_text_of_a_pattern_has_the_wanted_length() -> None:
    for length in (3, 9, 25):
        texts = [PatternTexts(r"^[a-z]+\d$").make(Random(seed), length, length + 30) for seed in range(10)]
        assert all(length <= len(text) <= length + 30 for text in texts)


@pytest.mark.parametrize("pattern", ["(a", "[a", "a)", "(" * 100 + ")" * 100, "a" * 25_000, r"\xzz"])
def test_pattern_that_cannot_be_read_is_given_up(pattern: str) -> None:
    with pytest.raises(GaveUp):
        PatternTexts(pattern)


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


def test_canonical_form_proves_and_declines() -> None:
    assert canonical_form({"allOf": [{"type": "string"}, {"type": "integer"}]}) is False
    assert canonical_form({"type": "integer", "minimum": 1})["minimum"] == 1
    many = {"allOf": [{"anyOf": [{"required": [f"a{i}"]}, {"required": [f"b{i}"]}]} for i in range(40)]}
    assert canonical_form(many) is None
    assert find_contradiction({"type": "string"}) is None


def test_merging_without_the_library_is_by_keyword() -> None:
    plan = Plan({}, {})
    wide = [{"anyOf": [{"required": [f"{a}{i}"]} for a in "ab"]} for i in range(40)]
    whole = merged(
        plan, [{"minimum": 1, "required": ["x"], "allOf": wide}, {"minimum": 3, "required": ["y"], "maximum": 9}]
    )
    assert (whole["minimum"], whole["maximum"], whole["required"]) == (3, 9, ["x", "y"])


def test_texts_are_fitted_to_their_bounds() -> None:
    assert fitted("one two three", 0, 9, drawing()) == "one two"
    assert len(fitted("ab", 10, 12, drawing())) == 10
    assert len(fitted("", 5_000, None, drawing())) == 5_000


def test_slots_are_filled_and_unknown_ones_kept() -> None:
    text = fill("{person} pays {3-3} {a|a} in {city}, {unknown}", drawing())
    assert re.fullmatch(r"\S+ \S+ pays 3 a in .+, \{unknown\}", text)


def test_picking_avoids_repetition_within_a_value() -> None:
    draw = drawing()
    assert len({draw.pick(tuple("abcdefgh"), "letters") for _ in range(4)}) >= 3


def test_budget_ends_in_giving_up() -> None:
    draw = drawing()
    with pytest.raises(GaveUp, match="nodes"):
        draw.spend(10**9)
