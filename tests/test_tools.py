"""Tool and Catalog: what identifies them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.domains.catalog import Catalog
from generator.schemas.steps import name_in_words
from generator.tools import Tool, is_valid_name, map_names
from tests.tables import each_row


def tool(name: str = "f", **more: object) -> Tool:
    fields = {"description": "F.", "parameters": {"type": "object", "properties": {}}, "result_schema": {}}
    return Tool(name=name, result_origin="domain", **{**fields, **more})  # type: ignore[arg-type]  # fields by name


def test_a_changed_copy_is_shown_and_identified_anew() -> None:
    one = tool()
    other = one.model_copy(update={"name": "g", "toolset": "t"}) if one.fingerprint and one.key else one
    assert other.shown["function"]["name"] == "g"
    assert other.fingerprint == tool("g").fingerprint != one.fingerprint
    assert other.key == "t\x1fg"


def test_strict_is_shown_where_it_was_said() -> None:
    assert "strict" not in tool().shown["function"]
    assert tool(strict=False).shown["function"]["strict"] is False


def test_the_fingerprint_is_of_what_a_record_shows() -> None:
    assert tool(result_schema={"type": "string"}, source="x").fingerprint == tool().fingerprint
    assert tool(description="G.").fingerprint != tool().fingerprint


def test_the_digest_is_of_the_tools_and_not_of_their_order_or_place() -> None:
    one, two = tool("a"), tool("b")
    digest = Catalog(tools=(one, two)).digest
    assert Catalog(tools=(two, one.model_copy(update={"source": "elsewhere"}))).digest == digest
    assert Catalog(tools=(one,)).digest != digest
    assert Catalog(tools=(one, tool("b", result_schema={"type": "string"}))).digest != digest


def test_equal_definitions_share_their_first_tool() -> None:
    one, again = tool("a", toolset="x"), tool("a", toolset="y")
    catalog = Catalog(tools=(one, again))
    assert catalog.by_fingerprint == {one.fingerprint: one}
    assert catalog.toolsets == {"x": (one,), "y": (again,)}


@pytest.mark.parametrize("name", ["a", "_", "get_weather", "Get-Weather2", "a" * 64])
def test_valid_names(name: str) -> None:
    assert is_valid_name(name)
    assert map_names([name]) == {name: name}


@each_row("name", ["", "2a", "-a", "a.b", "a b", "é", "a\n", "a" * 65, None, 7])
def test_invalid_names(name: object) -> None:
    assert not is_valid_name(name)


@pytest.mark.parametrize(
    ("original", "mapped"),
    [
        ("math.sum", "math_sum"),
        ("café au lait", "cafe_au_lait"),
        ("2get", "_2get"),
        ("-go-", "_go-"),
        ("a..b//c", "a_b_c"),
        ("get@data!", "get_data"),
        ("Straße", "Stra_e"),
    ],
)
def test_a_name_becomes_the_nearest_valid_one(original: str, mapped: str) -> None:
    assert map_names([original]) == {original: mapped}


def test_names_without_a_latin_letter_are_told_apart() -> None:
    mapped = map_names(["погода", "天気", "..."])
    assert len(set(mapped.values())) == 3
    assert all(name.startswith("tool_") for name in mapped.values())


def test_long_names_keep_their_start() -> None:
    mapped = map_names(["x" * 70, "x" * 71])
    assert len(set(mapped.values())) == 2
    assert all(name.startswith("x" * 55 + "_") and len(name) == 64 for name in mapped.values())


def test_a_valid_name_keeps_its_name_and_others_give_way() -> None:
    assert map_names(["a.b", "a b", "a_b"]) == {"a_b": "a_b", "a b": "a_b_2", "a.b": "a_b_3"}


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text("aB2._- é天\n", min_size=1, max_size=80), max_size=8, unique=True), st.randoms())
def test_mapping_is_valid_injective_and_independent_of_order(names: list[str], random: object) -> None:
    mapped = map_names(names)
    assert list(mapped) == sorted(names) or set(mapped) == set(names)
    assert all(is_valid_name(name) for name in mapped.values())
    assert len(set(mapped.values())) == len(names)
    shuffled = list(names)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis types its randoms as object
    assert map_names(shuffled) == mapped


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("get_user_id", "get user id"),
        ("getUserID", "get user ID"),
        ("X-RapidAPI-Key", "x rapid API key"),
        ("HTTPServer2", "HTTP server 2"),
        ("größe", "größe"),
        ("$", "$"),
    ],
)
def test_names_in_words(name: str, words: str) -> None:
    assert name_in_words(name) == words
