"""What descriptions tell: choices, examples, ranges; and values that keep to them."""

from __future__ import annotations

import re

import pytest

from generator.values import Context, synthesize_value
from generator.values.hints import (
    Hint,
    identified,
    resolve_pointer,
    sources_of,
    told_examples,
    told_options,
    told_range,
)
from tests.tables import each_row

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


@each_row(("description", "wanted"), CHOICES)
def test_a_closed_choice_is_read(description: str, wanted: list[str]) -> None:
    assert list(told_options(description)) == wanted


@pytest.mark.parametrize("description", NO_CHOICES)
def test_what_belongs_to_other_parameters_is_no_choice(description: str) -> None:
    assert list(told_options(description)) == []


def test_examples_end_with_their_sentence() -> None:
    told = list(told_examples("Six characters (e.g., 'f29513'). Required for 'create', optional for 'update'."))
    assert told == ["f29513"]
    assert list(told_examples("Exact element or expedited delivery")) == []
    assert list(told_examples("The color, e.g. ff0000 for red")) == ["ff0000"]
    assert list(told_examples("What to do, e.g. search for cats")) == ["search for cats"]


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


@each_row(
    "name",
    "city full_name company title query product movie book restaurant message topic subject description event".split(),
)
def test_a_thousand_values_do_not_repeat_a_few(name: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    assert len({synthesize_value(schema, seed=seed)[name] for seed in range(1000)}) >= 90


@pytest.mark.parametrize(
    ("description", "wanted"),
    [
        ("Unit for calculation, either metric or imperial. Default is metric", ["metric", "imperial"]),
        ("The system of units to be used, 'metric' or 'imperial'.", ["metric", "imperial"]),
        ("Preferred way of getting it - Instore, Online, or Both.", ["Instore", "Online", "Both"]),
        ("Plain text to look for. Provide either text or regex.", []),
    ],
)
def test_a_choice_in_passing_is_read(description: str, wanted: list[str]) -> None:
    assert list(told_options(description)) == wanted


def test_a_parenthesis_that_says_when_is_no_example() -> None:
    assert list(told_examples("Repository name (required for labels, assignees, milestones, branches)")) == []


@pytest.mark.parametrize(
    ("description", "pattern"),
    [
        ("Date of the concert in 'mm-yyyy' format.", r"(0[1-9]|1[0-2])-20\d\d"),
        ("Timestamp, formatted as 'YYYY-MM-DD HH:MM:SS'.", r"20\d\d-\d\d-\d\d \d\d:\d\d:\d\d"),
        ("Start, DD/MM/YYYY HH:MM", r"\d\d/\d\d/20\d\d \d\d:\d\d"),
        ("Day as yyyy/mm/dd", r"20\d\d/\d\d/\d\d"),
        ("Season in format 'YYYY-YYYY'.", r"(?!20\d\d-20\d\d-).*"),
    ],
)
def test_a_date_is_written_as_it_is_told(description: str, pattern: str) -> None:
    assert all(re.fullmatch(pattern, str(value)) for value in _values("date", description, "find_it", "Find it."))


def test_ids_begin_as_their_masked_example() -> None:
    values = _values(
        "threadId", "The node ID of the thread (e.g., PRRT_kwDOxxx)", "resolve_thread", "Resolve a thread."
    )
    assert all(re.fullmatch(r"PRRT_kwDO[A-Za-z0-9]{8,}", str(value)) for value in values)
    ids = _values("payment_id", "Such as 'credit_card_0000000' or 'paypal_0000000'.", "pay", "Pay.")
    assert all(re.fullmatch(r"(credit_card|paypal)_[1-9]{7}", str(value)) for value in ids)


def test_one_side_of_a_pair_in_the_name_is_taken() -> None:
    values = _values("sensing_vs_intuition", "Preference of the user.", "analyse", "Analyse a person.")
    assert set(values) == {"sensing", "intuition"}


@pytest.mark.parametrize(
    ("name", "description", "low", "high"),
    [
        ("speed_of_light", "The speed of light in m/s. Default value is 299792458 m/s.", 299792458, 299792458),
        ("permittivity_value", "Constant. Default is 8.854e-12.", 8.854e-12, 8.854e-12),
        ("tip_percentage", "The tip as a decimal.", 0.05, 0.3),
        ("round_off", "To how many decimals to round off.", 0, 6),
        ("zoom", "Map zoom level", 1, 20),
        ("end_year", "Last year for which the GDP is wanted.", 1990, 2026),
    ],
)
def test_a_number_fits_its_description(name: str, description: str, low: float, high: float) -> None:
    values = _values(name, description, "get_it", "Get it.", "number")
    assert all(isinstance(value, int | float) and low <= value <= high for value in values), values


@pytest.mark.parametrize(
    ("name", "description", "tool", "wanted"),
    [
        ("artist_name", "The name of the artist.", "get_sculpture_info", "Rodin"),
        ("genre", "Genre of the book", "find_book", "mystery"),
        ("address1", "The first line of the address, such as '123 Main St'.", "modify_address", ""),
        ("query", "The SQL query to run.", "run_query", "SELECT"),
        ("day", "Day of the week.", "get_museum_hours", "Monday"),
        ("trophy", "The trophy level.", "get_rewards", "gold"),
    ],
)
def test_a_trade_decides_what_a_name_means(name: str, description: str, tool: str, wanted: str) -> None:
    values = [str(value) for value in _values(name, description, tool, tool.replace("_", " "))]
    assert any(wanted in value for value in values), values
    if name == "address1":
        assert not any("," in value for value in values), values


def test_a_before_that_is_a_cursor_is_no_date() -> None:
    values = _values(
        "before", "Backward pagination cursor from the previous pageInfo.", "list_projects", "List projects."
    )
    assert not any(re.match(r"\d{4}-", str(value)) for value in values)


def test_tables_ranges_and_data_have_their_sizes() -> None:
    numbers = {"type": "array", "items": {"type": "number"}}
    schema = {
        "type": "object",
        "properties": {
            "table": {"type": "array", "items": numbers, "description": "A 2x3 contingency table."},
            "interval": {**numbers, "description": "The interval to look at."},
            "x": {**numbers, "description": "Array of the predictor variable."},
        },
        "required": ["table", "interval", "x"],
    }
    for seed in range(20):
        value = synthesize_value(schema, seed=seed)
        assert [len(row) for row in value["table"]] == [3, 3]
        assert len(value["interval"]) == 2 and value["interval"][0] <= value["interval"][1]
        assert len(value["x"]) >= 3


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
