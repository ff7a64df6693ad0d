"""Values beside the names of other parameters, and values of forms that other parameters want."""

from __future__ import annotations

import pytest

from tests.test_validation_grounding_swaps_pairs import Json, exchanged, findings


@pytest.mark.parametrize(
    ("asked", "arguments"),
    [
        ("A triangle with a base of 10 and a height of 5.", {"base": 10, "height": 5}),
        ("It has 180 hits and 600 at-bats; print 3 decimals.", {"hits": 180, "decimals": 3}),
        ("Title: The Old House. Author: Ann Lee.", {"title": "The Old House", "author": "Ann Lee"}),
        ('Write a mail with the subject "Hello" and the body "See you"', {"subject": "Hello", "body": "See you"}),
        ("Breite 30, Höhe 40", {"breite": 30, "hohe": 40}),
    ],
)
def test_values_headed_by_each_others_names_are_an_error(asked: str, arguments: Json) -> None:
    assert findings(asked, arguments) == []
    assert [severity for severity, _ in findings(asked, exchanged(arguments))] == ["error"]


def test_the_words_of_descriptions_count_for_numbers() -> None:
    described = {"v": "Speed in meters.", "t": "Time in seconds."}
    asked = "It moves 20 meters in 5 seconds."
    assert findings(asked, {"v": 20, "t": 5}, described=described) == []
    assert findings(asked, {"v": 5, "t": 20}, described=described) == [("warning", "v")]


@pytest.mark.parametrize(
    ("asked", "arguments"),
    [
        ("Lend me 12,000 dollars for 5 years.", {"amount": 12000, "years": 5}),
        ("The title is Dune, by Frank Herbert, the author.", {"title": "Dune", "author": "Frank Herbert"}),
    ],
)
def test_one_value_that_is_headed_is_a_warning(asked: str, arguments: Json) -> None:
    assert findings(asked, arguments) == []
    assert [severity for severity, _ in findings(asked, exchanged(arguments))] == ["warning"]


@pytest.mark.parametrize(
    ("asked", "arguments"),
    [
        ("The base and height are 6 and 10.", {"base": 6, "height": 10}),
        ("A room at the Hilton Hotel in Rome", {"hotel": "Hilton Hotel", "city": "Rome"}),
        ("The city guide of Rome, about hotels", {"topic": "hotels", "city": "Rome"}),
        ("5 base 5 height", {"base": 5, "height": 6}),
        ("base 10, then base 5, height 10", {"base": 5, "height": 10}),
    ],
)
def test_nothing_is_said_where_names_do_not_head(asked: str, arguments: Json) -> None:
    assert findings(asked, arguments) == []


@pytest.mark.parametrize(
    ("arguments", "severity"),
    [
        ({"full_name": "Ann Lee", "phone": "555-0131"}, "error"),
        ({"name": "Ann Lee", "email": "ann@x.example"}, "error"),
        ({"phone": "555-0131", "email": "ann@x.example"}, "error"),
        ({"city": "Graz", "postcode": "8010"}, "error"),
        ({"stadt": "Graz", "plz": "8010"}, "error"),
        ({"address": {"city": "Graz", "zip_code": "8010"}}, "error"),
        ({"note": "call her", "email": "ann@x.example"}, "warning"),
        ({"homepage_url": "https://x.example/a", "note": "nice"}, "warning"),
    ],
)
def test_forms_in_each_others_place_are_found(arguments: Json, severity: str) -> None:
    assert findings("Save it.", arguments) == []
    nested = "address" in arguments
    turned = {"address": exchanged(arguments["address"])} if nested else exchanged(arguments)
    assert [found for found, _ in findings("Save it.", turned)] == [severity]


@pytest.mark.parametrize(
    "arguments",
    [
        {"name": "R2D2", "phone": "unknown"},
        {"email": "Ann", "note": "she has no address"},
        {"email": "me", "to": "bob"},
        {"name": "42", "id": "Ann"},
        {"phone": "my brother's", "amount": "500000"},
        {"user_id": "ann", "sha": "a1b2c3"},
        {"city": "T2P 1J9", "postcode": "Calgary"},
    ],
)
def test_what_may_be_of_any_form_is_left_alone(arguments: Json) -> None:
    assert findings("Save it.", arguments) == []
