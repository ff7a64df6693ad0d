"""Values mean what their names and descriptions say, and members of one object agree."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date

import pytest

from generator.errors import UsageError
from generator.values import Context, synthesize_value
from generator.values.meanings.entities import known_place, places
from generator.values.meanings.pools import all_pools, rows
from generator.values.meanings.specials import pool_maker, specials

RESULT = Context(purpose="result")
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


@pytest.mark.parametrize(("name", "description", "tool", "form"), TEXTS)
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


@pytest.mark.parametrize(("name", "description", "tool", "pool"), SENSES)
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


@pytest.mark.parametrize(("name", "description", "kind", "low", "high"), NUMBERS)
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


@pytest.mark.parametrize(
    "name",
    ["city", "name", "query", "title", "product", "company", "message", "topic", "dish", "book", "task", "notes"],
)
def test_common_fields_are_diverse(name: str) -> None:
    schema = {"type": "object", "properties": {name: {"type": "string"}}, "required": [name]}
    counts = Counter(synthesize_value(schema, seed=seed)[name] for seed in range(300))
    assert len(counts) >= 12
    assert counts.most_common(1)[0][1] <= 45


def _object(kind: str = "string", **kinds: str) -> dict[str, object]:
    properties = {name: {"type": of} for name, of in kinds.items()}
    return {"type": "object", "properties": properties, "required": list(properties)}


def test_city_and_what_belongs_to_it_agree() -> None:
    schema = _object(
        postal_code="string", country="string", city="string", timezone="string", currency="string", latitude="number"
    )
    by_city = {place.city: place for place in places()}
    for seed in SEEDS:
        value = synthesize_value(schema, seed=seed)
        where = by_city[value["city"]]
        assert (value["country"], value["postal_code"], value["timezone"]) == (
            where.country,
            where.postal,
            where.timezone,
        )
        assert value["latitude"] == where.latitude


def test_origin_and_destination_are_two_places() -> None:
    schema = _object(origin="string", destination="string")
    for seed in SEEDS:
        value = synthesize_value(schema, seed=seed)
        assert value["origin"] != value["destination"]


def test_person_has_one_name_and_address() -> None:
    schema = _object(first_name="string", last_name="string", email="string", full_name="string")
    for seed in SEEDS:
        value = synthesize_value(schema, seed=seed)
        assert value["full_name"] == f"{value['first_name']} {value['last_name']}"
        assert value["email"].split("@")[0].endswith(re.sub("[^a-z]", "", value["last_name"].lower())[-3:]) or (
            not value["last_name"].isascii()
        )


def test_name_and_address_of_a_nested_person_agree() -> None:
    schema = {
        "type": "object",
        "properties": {"customer": _object(name="string", email="string")},
        "required": ["customer"],
    }
    for seed in SEEDS:
        customer = synthesize_value(schema, seed=seed, context=RESULT)["customer"]
        assert customer["email"].startswith(re.sub("[^a-z]", "", customer["name"].split()[0].lower()))


@pytest.mark.parametrize(
    ("low", "high", "kind"),
    [
        ("start_date", "end_date", "string"),
        ("check_in", "check_out", "string"),
        ("min_price", "max_price", "number"),
        ("price_min", "price_max", "integer"),
        ("created_at", "updated_at", "string"),
        ("start_year", "end_year", "integer"),
        ("departure_time", "arrival_time", "string"),
    ],
)
def test_pairs_are_in_order(low: str, high: str, kind: str) -> None:
    for seed in SEEDS:
        for context in (Context(), RESULT):
            value = synthesize_value(_object(**{low: kind, high: kind}), seed=seed, context=context)
            assert value[low] <= value[high]


def test_total_is_quantity_times_price_and_count_is_the_length() -> None:
    schema = _object(quantity="integer", price="number", total="number", items="array", item_count="integer")
    for seed in SEEDS:
        value = synthesize_value(schema, seed=seed, context=RESULT)
        assert value["total"] == round(value["quantity"] * value["price"], 2)
        assert value["item_count"] == len(value["items"])


def test_result_echoes_what_is_known() -> None:
    schema = {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "country": {"type": "string"},
            "days": {"type": "array", "minItems": 2, "items": _object(unit="string", id="string")},
        },
        "required": ["city", "country", "days"],
    }
    context = Context(purpose="result", known={"city": "Lisbon", "unit": "celsius", "id": "X1"})
    for seed in SEEDS:
        value = synthesize_value(schema, seed=seed, context=context)
        assert (value["city"], value["country"]) == ("Lisbon", "Portugal")
        assert {day["unit"] for day in value["days"]} == {"celsius"}
        assert all(day["id"] != "X1" for day in value["days"]), "the id of the call is not that of every element"


def test_known_value_that_does_not_fit_is_left_aside() -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 3}}, "required": ["city"]}
    value = synthesize_value(schema, seed=1, context=Context(purpose="result", known={"city": "Lisbon"}))
    assert len(value["city"]) <= 3


def test_dates_are_near_the_reference_date() -> None:
    for reference in (date(1999, 12, 31), date(2026, 1, 15), date(9999, 12, 31)):
        context = Context(reference_date=reference)
        for seed in SEEDS:
            value = synthesize_value(_object(departure_date="string"), seed=seed, context=context)
            day = date.fromisoformat(value["departure_date"])
            assert abs((day - reference).days) <= 80
            assert day >= reference


@pytest.mark.parametrize("locale", ["en_US", "de_DE", "ja_JP", "pt_BR"])
def test_names_follow_the_locale(locale: str) -> None:
    schema = _object(full_name="string", email="string", phone="string", city="string")
    value = synthesize_value(schema, seed=4, locale=locale)
    assert all(value.values())
    assert value["email"].isascii()
    assert synthesize_value(schema, seed=4, locale=locale) == value


def test_an_unknown_locale_is_the_operators_mistake() -> None:
    with pytest.raises(UsageError, match="xx_XX"):
        synthesize_value(_object(full_name="string"), seed=1, locale="xx_XX")


def test_every_slot_of_every_pool_is_filled() -> None:
    schema = _object(query="string")
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
