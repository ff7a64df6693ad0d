"""English at the level of words and verbs."""

import pytest

from generator.authors.offline.verbs import base_form, is_third_person, sort_of, wordings_of
from generator.authors.offline.words import (
    article,
    is_plural,
    join_and,
    lower_first,
    plural,
    singular,
    split_identifier,
    spoken,
    upper_first,
)


@pytest.mark.parametrize(
    ("identifier", "words"),
    [
        ("maxTemp", ("maximum", "temperature")),
        ("user_id", ("user", "id")),
        ("HTTPServerURL", ("http", "server", "url")),
        ("side1", ("side", "1")),
        ("X-RapidAPI-Key", ("x", "rapid", "api", "key")),
        ("$vectorSearch", ("vector", "search")),
        ("größe", ("größe",)),
        ("", ("",)),
        ("$", ("$",)),
    ],
)
def test_splits_identifiers(identifier, words):
    assert split_identifier(identifier) == words


def test_speaks_acronyms():
    assert spoken(("user", "id")) == "user ID"
    assert spoken(("item", "ids")) == "item IDs"


@pytest.mark.parametrize(
    ("many", "one"),
    [
        ("nights", "night"), ("cities", "city"), ("boxes", "box"), ("people", "person"), ("children", "child"),
        ("series", "series"), ("bus", "bus"), ("glass", "glass"), ("analysis", "analysis"), ("movies", "movie"),
    ],
)  # fmt: skip
def test_singular(many, one):
    assert singular(many) == one


@pytest.mark.parametrize(
    ("one", "many"), [("night", "nights"), ("city", "cities"), ("child", "children"), ("box", "boxes")]
)
def test_plural(one, many):
    assert plural(one) == many
    assert is_plural(many)
    assert not is_plural(one)


@pytest.mark.parametrize(
    ("phrase", "word"),
    [
        ("economy room", "an"), ("hour", "an"), ("unit", "a"), ("European city", "a"), ("SMS", "an"),
         ("8-hour shift", "an"),
        ("18", "an"), ("one-way trip", "a"), ("uninstalled app", "an"), ("house", "a"), ("URL", "a"), ('"apple"', "an"),
    ],
)  # fmt: skip
def test_articles_follow_the_sound(phrase, word):
    assert article(phrase) == word


def test_joins():
    assert join_and([]) == ""
    assert join_and(["a"]) == "a"
    assert join_and(["a", "b"]) == "a and b"
    assert join_and(["a", "b", "c"]) == "a, b and c"
    assert join_and(["a", "b", "c"], oxford=True) == "a, b, and c"


def test_first_letters():
    assert lower_first("Book it") == "book it"
    assert lower_first("I'd like it") == "I'd like it"
    assert lower_first("NASA is here") == "NASA is here"
    assert upper_first("book it") == "Book it"
    assert upper_first("ana@example.com is mine") == "ana@example.com is mine"


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("Retrieves", "retrieve"), ("calculates", "calculate"), ("searches", "search"), ("applies", "apply"),
        ("deleting", "delete"), ("planning", "plan"), ("Get", "get"), ("weather", ""), ("", ""), ("this", ""),
    ],
)  # fmt: skip
def test_base_forms(form, base):
    assert base_form(form) == base


def test_sorts_and_wordings_of_verbs():
    assert (sort_of("get"), sort_of("calculate"), sort_of("list"), sort_of("book")) == (
        "inform",
        "compute",
        "search",
        "act",
    )
    assert is_third_person("Retrieves")
    assert not is_third_person("retrieve")
    assert "reserve" in wordings_of("book")
    assert wordings_of("unstar") == ("unstar",)
