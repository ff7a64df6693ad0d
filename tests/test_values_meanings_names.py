"""Names of fields are split into words, and words are singular or plural."""

from __future__ import annotations

import pytest

from generator.values.hints import is_plural, singular, split_name


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
