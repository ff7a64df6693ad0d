"""What a tool does, read from its name and description."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.tools.operations import (
    FAMILIES,
    description_sentence,
    name_words,
    past,
    plural,
    read_operation,
    singular,
    snake,
)

READ: list[tuple[str, str, str, tuple[str, ...], bool]] = [
    ("get_weather", "Get the weather.", "get", ("weather",), False),
    ("list_issues", "List issues in a repository.", "search", ("issue",), True),
    ("restaurant.find_nearby", "Locate nearby restaurants.", "search", ("restaurant",), True),
    ("restaurant_search.find_closest", "Locate the closest restaurant.", "search", ("restaurant",), False),
    ("hotel.book", "Book a hotel room.", "book", ("hotel",), False),
    ("library.find_book", "Find a book.", "search", ("book",), True),
    ("cancelOrder", "Cancels an order.", "delete", ("order",), False),
    ("flight_search", "Find flights.", "search", ("flight",), True),
    ("currency_conversion", "Convert a value.", "convert", ("currency",), False),
    ("math.gcd", "Calculates the greatest common divisor.", "compute", ("gcd",), False),
    ("get_user_by_id", "Get a user.", "get", ("user",), False),
    ("spotify.play", "Play songs.", "play", ("spotify",), False),
    ("merge_pull_request", "Merge a pull request.", "update", ("pull", "request"), False),
    ("transfer_to_human_agents", "Transfer the user.", "run", (), False),
    ("transfer_funds", "Transfer funds.", "pay", ("fund",), False),
    ("", "", "get", (), False),
]


@pytest.mark.parametrize(("name", "description", "family", "things", "many"), READ, ids=[row[0] for row in READ])
def test_a_name_tells_the_family_and_the_thing(
    name: str, description: str, family: str, things: tuple[str, ...], many: bool
) -> None:
    operation = read_operation(name, description)
    assert (operation.family, operation.many) == (family, many)
    assert operation.things[-len(things) :] == things if things else operation.things == ()


@pytest.mark.parametrize(
    ("many", "one"),
    [("cities", "city"), ("boxes", "box"), ("news", "news"), ("status", "status"), ("movies", "movie"),
     ("people", "person"),      ("addresses", "address"), ("gas", "gas"), ("orders", "order"),
      ("analysis", "analysis"), ("is", "is")],
)  # fmt: skip
def test_nouns_have_a_singular(many: str, one: str) -> None:
    assert singular(many) == one


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("city", "cities"),
        ("box", "boxes"),
        ("news", "news"),
        ("address", "addresses"),
        ("person", "people"),
        ("day", "days"),
    ],
)
def test_nouns_have_a_plural(one: str, many: str) -> None:
    assert plural(one) == many


@pytest.mark.parametrize(
    ("verb", "participle"),
    [
        ("cancel", "cancelled"),
        ("merge", "merged"),
        ("apply", "applied"),
        ("set", "set"),
        ("add", "added"),
        ("pay", "paid"),
        ("drag", "dragged"),
        ("open", "opened"),
        ("rerun", "queued"),
    ],
)
def test_verbs_have_a_participle(verb: str, participle: str) -> None:
    assert past(verb) == participle


def test_names_of_any_style_are_the_same_words() -> None:
    assert name_words("getUserByID2") == ["get", "user", "by", "id", "2"]
    assert snake("maxResults") == snake("max-results") == "max_results"
    assert snake("日本") == "日本"


def test_a_preamble_about_the_family_of_tools_is_left_out() -> None:
    text = "This tool belongs to the math API, which adds. Tool description: Add two numbers. Fast."
    assert description_sentence(text) == "Add two numbers."


@given(st.text(max_size=60), st.text(max_size=200))
def test_any_text_is_read(name: str, description: str) -> None:
    operation = read_operation(name, description)
    assert operation.family in FAMILIES and operation.words
    assert operation.thing


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("open_bank_account", "create"),
        ("open_file", "get"),
        ("resume_line", "toggle"),
        ("resume_song", "play"),
        ("deny_credit_limit_increase", "update"),
    ],
)
def test_a_verb_says_what_its_thing_makes_of_it(name: str, family: str) -> None:
    assert read_operation(name, "").family == family
