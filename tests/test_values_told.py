"""What descriptions tell: choices, examples, ranges; and values that keep to them."""

from __future__ import annotations

import pytest

from generator.values import Context, synthesize_value
from generator.values.told import told_examples, told_options, told_range

CHOICES = [
    ("What to do: one of\n- 'add' - add it\n- 'remove' - take it off", ["add", "remove"]),
    ("Kind of account. Must be one of: 'checking' (personal), 'savings' (personal), 'business'",
     ["checking", "savings", "business"]),
    ("Speed of delivery: STANDARD, EXPEDITED, or RUSH", ["STANDARD", "EXPEDITED", "RUSH"]),
    ('The mode to set. [Enum]: ["engage", "release"]', ["engage", "release"]),
    ("The base currency. [Enum]: USD, EUR, JPY", ["USD", "EUR", "JPY"]),
    ("Kind of limit: 'atm' for withdrawals, 'purchase' for daily purchases", ["atm", "purchase"]),
    ("Mode ('l' for lines, 'w' for words)", ["l", "w"]),
    ("Side of the order (Buy/Sell).", ["Buy", "Sell"]),
    ("Options are: economy, business, first.", ["economy", "business", "first"]),
    ("It can be length, width or diagonal.", ["length", "width", "diagonal"]),
    ("either 'metric' or 'imperial'", ["metric", "imperial"]),
    ("Price range in format ['low', 'mid', 'high'].", ["low", "mid", "high"]),
]  # fmt: skip

NO_CHOICES = [
    "Content. Required for 'add', 'reply', and 'update' methods.",
    "Color without '#' prefix (e.g., 'f29513'). Required for 'create', optional for 'update'.",
    "Exact element reference, or a unique element selector",
    "Where to go to (either after_id OR before_id should be given)",
    "Supported by the vendor, the client and others",
]


@pytest.mark.parametrize(("description", "wanted"), CHOICES)
def test_a_closed_choice_is_read(description: str, wanted: list[str]) -> None:
    assert list(told_options(description)) == wanted


@pytest.mark.parametrize("description", NO_CHOICES)
def test_what_belongs_to_other_parameters_is_no_choice(description: str) -> None:
    assert list(told_options(description)) == []


def test_examples_end_with_their_sentence() -> None:
    told = list(told_examples("Six characters (e.g., 'f29513'). Required for 'create', optional for 'update'."))
    assert told == ["f29513"]
    assert list(told_examples("Exact element or expedited delivery")) == []


def test_ranges() -> None:
    assert told_range("between 1 and 7") == (1, 7)
    assert told_range("Score, 0.0-1.0 (inclusive)") == (0, 1)
    assert told_range("between 0 (not pressed) and 1 (fully pressed)") == (0, 1)
    assert told_range("since 2024-01-15") is None


def _values(name: str, description: str, tool: str, about: str, kind: str = "string") -> list[object]:
    schema = {"type": "object", "properties": {name: {"type": kind, "description": description}}, "required": [name]}
    context = Context(name=tool, description=about)
    return [synthesize_value(schema, seed=seed, context=context)[name] for seed in range(40)]


def test_repository_paths_are_relative() -> None:
    paths = _values("path", "Path of the file", "create_or_update_file", "Write a file in a GitHub repository")
    assert not any(str(path).startswith("/") for path in paths)
    assert len(set(paths)) > 10


def test_browser_windows_have_the_size_of_screens() -> None:
    about = "Resize the browser window"
    assert all(800 <= int(w) <= 1920 for w in _values("width", "Width of the window", "resize", about, "number"))  # type: ignore[call-overload]  # numbers
    assert all(600 <= int(h) <= 1080 for h in _values("height", "Height of the window", "resize", about, "number"))  # type: ignore[call-overload]  # numbers


def test_a_transfer_to_a_person_tells_a_problem_of_the_customer() -> None:
    summaries = _values("summary", "A summary of the user's issue.", "transfer_to_human_agents", "Transfer the user")
    assert len(set(summaries)) > 8
    assert all(len(str(text).split()) >= 8 for text in summaries)


@pytest.mark.parametrize(
    ("name", "description", "low", "high"),
    [
        ("gb_amount", "Amount of data to add in gigabytes.", 1, 20),
        ("amount", "Number of shares to trade", 1, 200),
        ("fuelAmount", "The amount of fuel to fill in gallons", 1, 20),
        ("new_limit", "The requested new limit amount in dollars", 500, 10_000),
        ("positive_score", "The score, ranging from 0.0 to 1.0.", 0, 1),
    ],
)
def test_numbers_follow_what_is_measured(name: str, description: str, low: float, high: float) -> None:
    assert all(low <= value <= high for value in _values(name, description, "do_it", "", "number"))  # type: ignore[operator]  # numbers


def test_ids_in_a_list_follow_the_example_and_differ() -> None:
    items = {"type": "array", "items": {"type": "string"}, "description": "The item ids, each such as '1008292230'."}
    schema = {"type": "object", "properties": {"item_ids": items}, "required": ["item_ids"]}
    for seed in range(30):
        ids = synthesize_value(schema, seed=seed)["item_ids"]
        assert len(set(ids)) == len(ids)
        assert all(len(each) == 10 and each.isdecimal() for each in ids)


def test_both_ends_of_a_journey_differ() -> None:
    code = {"type": "string", "description": "The 3 letter code of the airport"}
    schema = {
        "type": "object",
        "properties": {"travel_from": code, "travel_to": code},
        "required": ["travel_from", "travel_to"],
    }
    drawn = [synthesize_value(schema, seed=seed) for seed in range(30)]
    assert all(len(value["travel_from"]) == 3 for value in drawn)
    assert sum(value["travel_from"] == value["travel_to"] for value in drawn) <= 1


def test_an_untold_object_has_the_members_its_name_suggests() -> None:
    schema = {"type": "object", "properties": {"origin": {"type": "object"}}, "required": ["origin"]}
    origin = synthesize_value(schema, seed=3)["origin"]
    assert -90 <= origin["latitude"] <= 90
    assert -180 <= origin["longitude"] <= 180


@pytest.mark.parametrize(
    "name",
    "city full_name company title query product movie book restaurant message topic subject description event".split(),
)
def test_a_thousand_values_do_not_repeat_a_few(name: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    assert len({synthesize_value(schema, seed=seed)[name] for seed in range(1000)}) >= 90
