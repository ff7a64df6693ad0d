"""A number of a call is in the unit in which the user says it, or converted."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.grounding.requests.omissions import in_other_units, left_open
from generator.validation.view import RecordView
from tests.tables import each_row
from tests.test_validation_grounding_requests_last_word import record

Json = Any  # parsed JSON

OTHERWISE: list[tuple[str, Json, Json]] = [
    ("Remind me in 20 hours to flip the mattress", {"minutes": 20}, {}),
    ("Reserve the meeting room for two hours", {"duration_minutes": 2}, {}),
    ("Ship a 12 oz mug to Leeds", {"item": "mug", "city": "Leeds", "weight_grams": 12}, {}),
    ("How many calories in 300 grams of rice?", {"food": "rice", "amount": 300}, {"amount": "Amount in ounces"}),
    ("The wall is 12 feet wide, paint needed?", {"width": 12}, {"width": "Width of the wall in meters"}),
    ("Set the oven to 350 degrees fahrenheit", {"temperature": 350}, {"temperature": "Temperature in Celsius"}),
    ("set the thermostat to 68°F", {"temperature_celsius": 68}, {}),
    ("Find gyms within 5 miles of Oslo", {"city": "Oslo", "radius_km": 5}, {}),
    ("Store these backups for 6 months", {"retention_days": 6}, {}),
    ("I'm 6 months old... my baby is 6 months old, dose?", {"age_years": 6}, {}),
    ("Start a timer for 90 seconds", {"minutes": 90}, {}),
    ("Set the cache ttl to 5 minutes", {"ttl_seconds": 5}, {}),
    ("allocate 512 MB for the worker", {"memory_gb": 512}, {}),
    ("convert: my car did 60 miles per hour", {"speed_kmh": 60}, {}),
    ("Weigh in: 180 pounds today", {"weight": 180, "unit": "kg"}, {}),
    ("Log a run of 10 miles in 95 minutes", {"distance": 10, "distance_unit": "km", "minutes": 95}, {}),
    ("Mach den Timer auf 3 Stunden", {"duration_minutes": 3}, {}),
    ("Reserva el coche durante 2 semanas", {"days": 2}, {}),
    ("Je veux louer un vélo pendant 4 heures", {"duration_days": 4}, {}),
    ("帮我订3周的酒店", {"nights": 3}, {}),
    ("Loan of 20000 over five years", {"amount": 20000, "term_months": 5}, {}),
    ("Book the sauna for 45 minutes", {"duration": "45 hours"}, {}),
    ("drink 2 liters of water", {"amount_ml": 2}, {}),
    ("Plant the bulbs 6 inches deep", {"depth_cm": 6}, {}),
    ("Snooze this for a dozen hours", {"minutes": 12}, {}),
    ("I need the cabin for 2 weeks from Jan 2", {"nights": 2, "from": "2026-01-02"}, {}),
    ("Ship the 12 ounce mug to Leeds.", {"parcel": {"weight_grams": 12}}, {}),
]
RIGHT: list[tuple[str, Json, Json]] = [
    ("Remind me in 20 hours to flip the mattress", {"minutes": 1200}, {}),
    ("Book for 2 hours, so 120 minutes", {"duration_minutes": 120}, {}),
    ("The drive takes 5 hours; what's the weather for the next 5 days?", {"days": 5}, {}),
    ("Hotel for 5 days please", {"nights": 5}, {}),
    ("A 10k run please", {"distance_km": 10}, {}),
    ("Set it to 20 degrees", {"temperature_celsius": 20}, {}),
    ("Will it rain within an hour?", {"days": 1}, {}),
    ("Weigh 5, in kg, I mean 5 pounds? no: 5 kilos", {"weight_kg": 5}, {}),
    ("We've got a week. First 3 nights in Rome; 3 weeks later back", {"nights": 3}, {}),
    ("Convert 5 miles to kilometers", {"value": 5, "from_unit": "miles", "to_unit": "kilometers"}, {}),
    ("5 miles in km", {"distance": 5, "unit_from": "mi", "unit_to": "km"}, {}),
    ("Repeat every 2 weeks", {"interval": 2, "interval_unit": "weeks"}, {}),
    ("Pay 5 pounds to Ann for 5 kg of apples", {"amount": 5, "weight_kg": 5}, {}),
    ("£5 for a 5 pound bag", {"amount_gbp": 5}, {}),
    ("5 feet 11 inches tall and 80 kg", {"height_cm": 180.34, "weight_kg": 80}, {}),
    ("Stop at 5pm in 2 hours", {"hours": 2}, {}),
    ("45 hours a week at 20 dollars an hour", {"hours": 45, "rate": 20}, {}),
    ("The meeting in 30 days: 30 minutes", {"duration_minutes": 30}, {}),
    ("between 30 and 60 minutes", {"min_minutes": 30, "max_minutes": 60}, {}),
    ("Interest of 5% over 5 years", {"rate_percent": 5, "years": 5}, {}),
    ("a 26 year old, 26 months in service", {"age_years": 26, "service_months": 26}, {}),
]


def found(asked: str, arguments: Json, descriptions: Json) -> list[str]:
    """What is found of a call with these arguments, whose parameters are described so."""
    function = {"name": "do_it", "parameters": schema(arguments, descriptions)}
    call = {"id": "abcdefgh1", "type": "function", "function": {"name": "do_it", "arguments": arguments}}
    messages = [
        {"role": "user", "content": asked},
        {"role": "assistant", "content": "", "tool_calls": [call]},
    ]
    document = {"messages": messages, "tools": [{"type": "function", "function": function}]}
    return [each.pointer for each in in_other_units(RecordView(document, generated=False))]


def schema(value: Json, descriptions: Json) -> Json:
    """A schema of a value."""
    if isinstance(value, dict):
        properties = {name: schema(each, {}) for name, each in value.items()}
        for name, description in descriptions.items():
            properties[name]["description"] = description
        return {"type": "object", "properties": properties}
    return {"type": "string" if isinstance(value, str) else "number"}


@each_row(("asked", "arguments", "descriptions"), OTHERWISE)
def test_a_number_said_in_another_unit_is_found(asked: str, arguments: Json, descriptions: Json) -> None:
    assert found(asked, arguments, descriptions)


@each_row(("asked", "arguments", "descriptions"), RIGHT)
def test_what_is_said_in_the_unit_or_converted_is_in_order(asked: str, arguments: Json, descriptions: Json) -> None:
    assert found(asked, arguments, descriptions) == []


RequestsOmissionsJson = Any  # parsed JSON

NUMBERS = ("max_price", "max_minutes", "min_rating", "radius_km", "max_distance_km")
LEFT: list[tuple[str, str, RequestsOmissionsJson]] = [
    ("Look for mails about the survey.", "search_emails", {}),
    ("Is there anything named risk-register?", "find_files", {}),
    ("Show me steam irons for up to 80 dollars.", "search_products", {"query": "steam irons"}),
    ("Steam irons for at most $80, please.", "search_products", {"query": "steam irons"}),
    ("A curry that takes no more than 30 minutes.", "find_recipes", {"query": "curry"}),
    ("Cafés rated at least 4 in town.", "find_places", {"query": "cafés"}),
    ("Zeig mir Bügeleisen bis zu 80 Euro.", "search_products", {"query": "Bügeleisen"}),
    ("Busca planchas de hasta 80 euros.", "search_products", {"query": "planchas"}),
]
IN_ORDER: list[tuple[str, str, RequestsOmissionsJson]] = [
    ("List all my mails.", "search_emails", {}),
    ("Do you have any mails for me?", "search_emails", {}),
    ("What's my status?", "get_status", {}),
    ("Show me steam irons for up to 80 dollars.", "search_products", {"query": "steam irons", "max_price": 80}),
    ("Show me steam irons for under 80 dollars.", "search_products", {"query": "steam irons", "filter": "price<80"}),
    ("A hotel for up to 3 people in Rome.", "find_hotels", {"query": "Rome"}),
    ("Is the shop open up to 8 PM?", "find_shop", {"query": "shop"}),
    ("A curry for up to $30.", "find_recipes", {"query": "curry", "max_price": 30}),
]


def requests_omissions_found(asked: str, name: str, arguments: RequestsOmissionsJson) -> list[str]:
    """What is found of a call of a tool that takes limits and a text."""
    document = record(asked, (name, arguments))
    properties = document["tools"][0]["function"]["parameters"].setdefault("properties", {})
    properties.update({"query": {"type": "string"}, **{each: {"type": "number"} for each in NUMBERS}})
    return [each.message for each in left_open(RecordView(document, generated=False))]


@pytest.mark.parametrize(("asked", "name", "arguments"), LEFT)
def test_what_is_left_open_is_found(asked: str, name: str, arguments: RequestsOmissionsJson) -> None:
    assert len(requests_omissions_found(asked, name, arguments)) == 1


@pytest.mark.parametrize(("asked", "name", "arguments"), IN_ORDER)
def test_what_is_given_or_of_something_else_is_in_order(
    asked: str, name: str, arguments: RequestsOmissionsJson
) -> None:
    assert requests_omissions_found(asked, name, arguments) == []
