"""Members of one object fit each other: ranges, places, persons, sums, counts, currencies, days."""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import pytest

from generator.jsontext import JsonObject, JsonValue
from generator.values import Context, synthesize_value
from generator.values.meanings.entities import known_place, places
from generator.values.meanings.pools import all_pools
from tests.tables import each_row

SEEDS = range(30)
RESULT = Context(purpose="result")
DAY = {"type": "string", "format": "date"}
MOMENT = {"type": "string", "format": "date-time"}
TEXT = {"type": "string"}
NUMBER = {"type": "number"}
WHOLE = {"type": "integer"}


def drawn(locale: str = "en_US", context: Context | None = None, **properties: dict[str, Any]) -> list[dict[str, Any]]:
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    return [synthesize_value(schema, seed=seed, context=context, locale=locale) for seed in SEEDS]


@each_row(
    ("low", "high", "schema"),
    [
        ("start_date", "end_date", DAY), ("startDate", "endDate", DAY), ("check_in", "check_out", DAY),
        ("departure_date", "return_date", DAY), ("created_at", "updated_at", MOMENT), ("starts_at", "ends_at", MOMENT),
        ("pickup_date", "dropoff_date", DAY), ("from_date", "to_date", DAY),
        ("price_min", "price_max", WHOLE), ("minimum", "maximum", NUMBER), ("lower_bound", "upper_bound", NUMBER),
        ("low", "high", NUMBER), ("start_year", "end_year", WHOLE), ("start_line", "end_line", WHOLE),
        ("check_in", "check_out", TEXT), ("departure_time", "arrival_time", TEXT), ("created_at", "updated_at", TEXT),
        ("start_date", "end_date", TEXT), ("min_price", "max_price", NUMBER), ("birth_date", "death_date", DAY),
        ("issue_date", "expiry_date", DAY), ("start_time", "end_time", TEXT),
        ("event_outcomes", "total_outcomes", WHOLE), ("red_balls", "total_balls", NUMBER),
    ],
)  # fmt: skip
def test_the_first_is_not_after_the_last(low: str, high: str, schema: dict[str, Any]) -> None:
    for properties in ({low: schema, high: schema}, {high: schema, low: schema}):
        for value in [*drawn(**properties), *drawn(context=RESULT, **properties)]:
            assert value[low] <= value[high], value


@pytest.mark.parametrize("locale", ["en_US", "de_DE", "ja_JP", "fr_FR", "pt_BR"])
def test_a_city_lies_in_its_country_with_its_postal_code(locale: str) -> None:
    for value in drawn(
        locale, city=TEXT, country=TEXT, postal_code=TEXT, timezone=TEXT, country_code=TEXT, latitude=NUMBER
    ):
        place = known_place(value["city"])
        assert place is not None
        known = [p for p in places() if p.city == value["city"]]
        assert (value["country"], value["postal_code"]) in [(p.country, p.postal) for p in known], value
        assert (value["timezone"], value["country_code"]) in [(p.timezone, p.country_code) for p in known], value
        assert value["latitude"] in [p.latitude for p in known], value


@pytest.mark.parametrize("locale", ["en_US", "de_DE", "es_ES"])
def test_a_person_has_one_name_in_every_field(locale: str) -> None:
    for value in drawn(
        locale, first_name=TEXT, last_name=TEXT, full_name=TEXT, email={"type": "string", "format": "email"}
    ):
        assert value["full_name"] == f"{value['first_name']} {value['last_name']}"
        if value["first_name"].isascii() and value["first_name"].isalpha():
            assert value["email"].startswith(value["first_name"].lower()), value


def test_a_total_is_quantity_times_price() -> None:
    for value in drawn(quantity=WHOLE, unit_price=NUMBER, total=NUMBER):
        assert value["total"] == pytest.approx(value["quantity"] * value["unit_price"])
    for value in drawn(context=RESULT, quantity=WHOLE, price=NUMBER, total=NUMBER):
        assert value["total"] == round(value["quantity"] * value["price"], 2)


@pytest.mark.parametrize("name", ["total", "count", "total_count", "item_count", "num_results"])
def test_a_count_is_the_length_of_its_list(name: str) -> None:
    for value in drawn(context=RESULT, items={"type": "array", "items": TEXT}, **{name: WHOLE}):
        assert value[name] == len(value["items"])


@pytest.mark.parametrize(
    ("locale", "currency"),
    [("de_DE", "EUR"), ("fi_FI", "EUR"), ("ja_JP", "JPY"), ("en_GB", "GBP"), ("pt_BR", "BRL"), ("pl_PL", "PLN")],
)
def test_a_currency_is_that_of_the_locale(locale: str, currency: str) -> None:
    assert {value["currency"] for value in drawn(locale, price=NUMBER, currency=TEXT)} == {currency}


def test_a_currency_is_that_of_the_place() -> None:
    for value in drawn(country=TEXT, city=TEXT, currency=TEXT):
        known = [place.currency for place in places() if place.city == value["city"]]
        assert value["currency"] in known, value


@pytest.mark.parametrize("year", [1999, 2026, 2041])
def test_days_are_near_the_day_of_the_job(year: int) -> None:
    reference = date(year, 6, 1)
    context = Context(reference_date=reference)
    for value in drawn(context=context, departure_date=DAY, created_at=MOMENT, event_date=DAY, today=DAY):
        days = [abs((date.fromisoformat(told[:10]) - reference).days) for told in value.values()]
        assert max(days) <= 210, value
        assert value["today"] == reference.isoformat()


def test_a_result_repeats_what_the_call_gave() -> None:
    context = Context(purpose="result", known={"city": "Oslo", "days": 3})
    for value in drawn(context=context, city=TEXT, days=WHOLE, country=TEXT):
        assert (value["city"], value["days"], value["country"]) == ("Oslo", 3, "Norway")


def test_teams_of_one_object_play_one_sport() -> None:
    pools = [set(all_pools()[name].entries) for name in ("soccer_team", "nba_team", "nfl_team", "mlb_team")]
    played = [
        {sport for sport, pool in enumerate(pools) if {value["team_1"], value["team_2"]} <= pool}
        for value in drawn(team_1=TEXT, team_2=TEXT)
    ]
    assert all(played) and len(set().union(*played)) > 1


def test_lists_side_by_side_are_equally_long() -> None:
    ids = {"type": "array", "items": TEXT}
    assert all(len(value["item_ids"]) == len(value["new_item_ids"]) for value in drawn(item_ids=ids, new_item_ids=ids))
    apart = drawn(item_ids=ids, new_item_ids={**ids, "minItems": 4}, tags=ids)
    assert all(len(value["new_item_ids"]) >= 4 for value in apart)
    assert any(len(value["item_ids"]) != len(value["tags"]) for value in apart)


@pytest.mark.parametrize(("when", "named"), [("datetime", "day_of_week"), ("date", "weekday")])
def test_the_day_of_the_week_is_that_of_the_date(when: str, named: str) -> None:
    for value in drawn(context=RESULT, **{when: TEXT, named: TEXT}):
        assert value[named] == date.fromisoformat(value[when][:10]).strftime("%A")


STATUS: JsonObject = {"type": "string", "enum": ["available", "pending", "sold"]}


def _statuses(schema: JsonObject, known: JsonObject) -> set[JsonValue]:
    whole: JsonObject = {"type": "object", "properties": {"status": schema}, "required": ["status"]}
    context = Context(purpose="result", known=known)
    return {synthesize_value(whole, seed=seed, context=context)["status"] for seed in range(60)}


@pytest.mark.parametrize(
    ("schema", "known", "found"),
    [
        (STATUS, {"status": "sold"}, {"sold"}),
        (STATUS, {"status": ["sold", "pending"]}, {"sold", "pending"}),
        (STATUS, {"status": ["sold", "unknown"]}, {"sold"}),
        (STATUS, {"status": "unknown"}, {"available", "pending", "sold"}),
        (STATUS, {}, {"available", "pending", "sold"}),
        ({"const": "done"}, {"status": "sold"}, {"done"}),
        ({"enum": [1, 2]}, {"status": True}, {1, 2}),
        ({"type": "string"}, {"status": "sold"}, {"sold"}),
    ],
)
def test_a_choice_echoes_what_was_asked_for(schema: JsonObject, known: JsonObject, found: set[JsonValue]) -> None:
    assert _statuses(schema, known) == found


def test_origin_and_destination_are_two_places() -> None:
    for value in drawn(origin=TEXT, destination=TEXT):
        assert value["origin"] != value["destination"]


def test_name_and_address_of_a_nested_person_agree() -> None:
    person = {"type": "object", "properties": {"name": TEXT, "email": TEXT}, "required": ["name", "email"]}
    for value in drawn(context=RESULT, customer=person):
        customer = value["customer"]
        assert customer["email"].startswith(re.sub("[^a-z]", "", customer["name"].split()[0].lower()))


def test_result_echoes_what_is_known() -> None:
    day = {"type": "object", "properties": {"unit": TEXT, "id": TEXT}, "required": ["unit", "id"]}
    context = Context(purpose="result", known={"city": "Lisbon", "unit": "celsius", "id": "X1"})
    for value in drawn(context=context, city=TEXT, country=TEXT, days={"type": "array", "minItems": 2, "items": day}):
        assert (value["city"], value["country"]) == ("Lisbon", "Portugal")
        assert {day["unit"] for day in value["days"]} == {"celsius"}
        assert all(day["id"] != "X1" for day in value["days"]), "the id of the call is not that of every element"


def test_known_value_that_does_not_fit_is_left_aside() -> None:
    context = Context(purpose="result", known={"city": "Lisbon"})
    assert all(len(value["city"]) <= 3 for value in drawn(context=context, city={**TEXT, "maxLength": 3}))


def test_a_departure_is_not_before_the_day_of_the_job() -> None:
    for reference in (date(1999, 12, 31), date(2026, 1, 15), date(9999, 12, 31)):
        context = Context(reference_date=reference)
        for value in drawn(context=context, departure_date=TEXT):
            day = date.fromisoformat(value["departure_date"])
            assert abs((day - reference).days) <= 80
            assert day >= reference
