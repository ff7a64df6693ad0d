"""Values mean what their names and descriptions say."""

from __future__ import annotations

import re
from collections import Counter

from generator.values import Context, synthesize_value
from generator.values.meanings.entities import known_place, places
from generator.values.meanings.pools import all_pools, rows
from generator.values.meanings.specials import pool_maker, specials
from tests.tables import each_row

SEEDS = range(25)


def field(name: str, description: str = "", kind: str = "string", tool: str = "", **more: object) -> list[object]:
    """Return the values a required field of this name gets over some seeds."""
    schema = {
        "type": "object",
        "properties": {name: {"type": kind, "description": description, **more}},
        "required": [name],
    }
    context = Context(name=tool)
    return [synthesize_value(schema, seed=seed, context=context)[name] for seed in SEEDS]


TEXTS: list[tuple[str, str, str, str]] = [
    # field, description, tool, what every value must fully match
    ("email", "", "", r"[a-z]+\.[a-z]+@[a-z.]*example\.(com|org|net)"),
    ("customer_email", "", "", r".+@.+"),
    ("created_at", "", "", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
    ("start_date", "", "", r"\d{4}-\d\d-\d\d"),
    ("when", "The date in DD/MM/YYYY format", "", r"\d\d/\d\d/\d{4}"),
    ("month", "The month in YYYY-MM", "", r"\d{4}-\d\d"),
    ("start_time", "Start in ISO 8601 format", "schedule_meeting", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"),
    ("time", "Time in HH:MM", "", r"\d\d:\d\d"),
    ("order_id", "", "", r"ORD-\d{5}"),
    ("user_id", "", "", r"usr_[a-z0-9]{8}"),
    ("order_id", "The order id, such as '#W0000000'", "", r"#W\d{7}"),
    ("uuid", "", "", r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    ("image_url", "", "", r"https://images\.example\.\w+/.+\.jpg"),
    ("homepage", "", "", r"https://.+"),
    ("site", "the web address", "", r"https://.+"),
    ("site", "site", "order_part", r"[^/:]+"),
    ("airport_code", "", "", r"[A-Z]{3}"),
    ("country_code", "", "", r"[A-Z]{2}"),
    ("country", "Two-letter ISO code", "", r"[A-Z]{2}"),
    ("state", "US state abbreviation", "", r"[A-Z]{2}"),
    ("location", "City and state, e.g. 'San Francisco, CA'", "", r"[^,]+, .+"),
    ("location", "latitude and longitude of the place", "", r"-?\d+\.\d+,-?\d+\.\d+"),
    ("phone_number", "", "", r"\+1-\d{3}-555-\d{4}"),
    ("commit_sha", "", "", r"[0-9a-f]{40}"),
    ("ip_address", "", "", r"192\.0\.2\.\d+"),
    ("version", "", "", r"\d+\.\d+\.\d+"),
    ("ticker", "", "", r"[A-Z]{1,5}"),
    ("currency", "", "", r"[A-Z]{3}"),
    ("timezone", "", "", r"[A-Z][A-Za-z]+/.+"),
    ("hex_color", "", "", r"#[0-9A-F]{6}"),
    ("units", "either 'metric' or 'imperial'", "", r"metric|imperial"),
    ("sort", "One of 'stars', 'forks', 'updated'", "", r"stars|forks|updated"),
    ("include_removed", "If true, removed years are returned", "", r"true|false"),
    ("sql", "", "", r"(SELECT|UPDATE) .+"),
    ("cron", "", "", r"\S+ \S+ \S+ \S+ \S+"),
]


@each_row(("name", "description", "tool", "form"), TEXTS)
def test_text_has_the_form_its_name_says(name: str, description: str, tool: str, form: str) -> None:
    for value in field(name, description, tool=tool):
        assert re.fullmatch(form, str(value)), value


SENSES: list[tuple[str, str, str, str]] = [
    ("title", "Title of the movie", "", "movie"),
    ("title", "Title of the book", "", "book"),
    ("title", "", "create_issue", "issue_title"),
    ("name", "The name of the artist", "", "artist"),
    ("home_team", "", "get_basketball_result", "nba_team"),
    ("team_name", "The soccer team", "", "soccer_team"),
    ("team_name", "The team in charge of the ticket", "", "team_of_company"),
    ("religion_name", "", "", "religion"),
    ("type", "Type of the instrument", "", "instrument"),
    ("key", "", "get_chord_progression", "musical_key"),
    ("body", "The body of the email", "", "email_body"),
    ("body", "The second celestial body", "", "planet"),
    ("model", "The car model", "", "car_model"),
    ("event_name", "The historical event", "", "historical_event"),
    ("preferred_cuisines", "", "", "cuisine"),
    ("maxIngredients", "", "", "ingredient"),
    ("colour", "", "", "color"),
    ("player1", "", "", "player"),
]


@each_row(("name", "description", "tool", "pool"), SENSES)
def test_text_has_the_sense_its_surroundings_tell(name: str, description: str, tool: str, pool: str) -> None:
    plain = {re.sub(r"\{[^}]*\}", "", entry)[:12] for entry in all_pools()[pool].entries}
    slotted = any("{" in entry for entry in all_pools()[pool].entries)
    for value in field(name, description, tool=tool):
        assert slotted or value in all_pools()[pool].entries, (value, plain)


NUMBERS: list[tuple[str, str, str, float, float]] = [
    ("age", "", "integer", 18, 75),
    ("latitude", "", "number", -90, 90),
    ("longitude", "", "number", -180, 180),
    ("price", "", "number", 1, 1000),
    ("percentage", "", "number", 0, 100),
    ("interest_rate", "", "number", 0.5, 15),
    ("interest_rate", "The rate as a decimal, e.g. 0.05", "number", 0.001, 0.2),
    ("year", "The year in which it was built", "integer", 1800, 2026),
    ("years", "Number of years", "integer", 1, 40),
    ("num_rooms", "", "integer", 1, 10),
    ("max_results", "", "integer", 1, 100),
    ("temperature", "", "number", -10, 40),
    ("temperature", "In Fahrenheit", "number", 30, 100),
    ("rating", "", "number", 1, 5),
    ("day_of_week", "A number between 1 and 7", "integer", 1, 7),
    ("port_number", "", "integer", 1024, 65535),
    ("height", "The height of the person in meters", "number", 1.4, 2.1),
    ("height", "The height of the person in centimeters", "integer", 140, 210),
    ("probability", "", "number", 0, 1),
    ("retries", "How often to retry", "integer", 1, 10),
    ("widgets", "", "integer", 1, 101),
]


@each_row(("name", "description", "kind", "low", "high"), NUMBERS)
def test_number_is_plausible_for_its_name(name: str, description: str, kind: str, low: float, high: float) -> None:
    for value in field(name, description, kind):
        assert isinstance(value, (int, float))
        assert low <= value <= high
        assert len(str(value)) <= 9, "no float noise"


def test_number_without_a_name_follows_its_default() -> None:
    assert all(250 <= float(str(value)) <= 1000 for value in field("zorp", kind="integer", default=500))


def test_examples_and_defaults_of_the_schema_are_used() -> None:
    assert set(map(str, field("zorp", examples=["alpha", "beta"]))) == {"alpha", "beta"}
    assert "zulu" in field("zorp", default="zulu")


@each_row(
    "name",
    ["city", "name", "query", "title", "product", "company", "message", "topic", "dish", "book", "task", "notes"],
)
def test_common_fields_are_diverse(name: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    counts = Counter(synthesize_value(schema, seed=seed)[name] for seed in range(300))
    assert len(counts) >= 12
    assert counts.most_common(1)[0][1] <= 45


def test_every_slot_of_every_pool_is_filled() -> None:
    schema = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
    assert synthesize_value(schema, seed=1)
    for name, pool in all_pools().items():
        assert pool.entries, name
        for entry in pool.entries:
            for slot in re.findall(r"\{([a-z_]+)\}", entry):
                assert slot in all_pools() or slot in _special_slots(), (name, slot)
    assert pool_maker("query")


def _special_slots() -> set[str]:
    from generator.values.meanings.specials import _SPECIAL

    return set(_SPECIAL)


def test_tables_are_sound() -> None:
    assert all(pool in all_pools() or pool[1:] in specials() for _, _, pool in rows("senses"))
    assert all(float(low) <= float(high) and float(step) > 0 for low, high, step, _ in rows("numbers"))
    assert specials()["city"]
    assert len({place.city for place in places()}) == len(places()) >= 150
    assert known_place("paris, France") is not None
    assert known_place("Nowhere") is None


def test_no_lorem_ipsum() -> None:
    text = " ".join(entry for pool in all_pools().values() for entry in pool.entries).lower()
    assert "lorem" not in text
    assert "ipsum" not in text
