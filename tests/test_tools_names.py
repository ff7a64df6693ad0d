"""Names that every consumer takes, reversible and without collisions."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.schemas.texts import name_in_words
from generator.tools.names import is_valid_name, map_names


@pytest.mark.parametrize("name", ["a", "_", "get_weather", "Get-Weather2", "a" * 64])
def test_valid_names(name: str) -> None:
    assert is_valid_name(name)
    assert map_names([name]) == {name: name}


@pytest.mark.parametrize("name", ["", "2a", "-a", "a.b", "a b", "é", "a\n", "a" * 65, None, 7])
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
