"""A search is given what to look for, and the limits that the user states."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.grounding.requests.omissions import left_open
from generator.validation.view import RecordView
from tests.test_validation_grounding_requests_last_word import record

Json = Any  # parsed JSON

NUMBERS = ("max_price", "max_minutes", "min_rating", "radius_km", "max_distance_km")
LEFT: list[tuple[str, str, Json]] = [
    ("Look for mails about the survey.", "search_emails", {}),
    ("Is there anything named risk-register?", "find_files", {}),
    ("Show me steam irons for up to 80 dollars.", "search_products", {"query": "steam irons"}),
    ("Steam irons for at most $80, please.", "search_products", {"query": "steam irons"}),
    ("A curry that takes no more than 30 minutes.", "find_recipes", {"query": "curry"}),
    ("Cafés rated at least 4 in town.", "find_places", {"query": "cafés"}),
    ("Zeig mir Bügeleisen bis zu 80 Euro.", "search_products", {"query": "Bügeleisen"}),
    ("Busca planchas de hasta 80 euros.", "search_products", {"query": "planchas"}),
]
IN_ORDER: list[tuple[str, str, Json]] = [
    ("List all my mails.", "search_emails", {}),
    ("Do you have any mails for me?", "search_emails", {}),
    ("What's my status?", "get_status", {}),
    ("Show me steam irons for up to 80 dollars.", "search_products", {"query": "steam irons", "max_price": 80}),
    ("Show me steam irons for under 80 dollars.", "search_products", {"query": "steam irons", "filter": "price<80"}),
    ("A hotel for up to 3 people in Rome.", "find_hotels", {"query": "Rome"}),
    ("Is the shop open up to 8 PM?", "find_shop", {"query": "shop"}),
    ("A curry for up to $30.", "find_recipes", {"query": "curry", "max_price": 30}),
]


def found(asked: str, name: str, arguments: Json) -> list[str]:
    """What is found of a call of a tool that takes limits and a text."""
    document = record(asked, (name, arguments))
    properties = document["tools"][0]["function"]["parameters"].setdefault("properties", {})
    properties.update({"query": {"type": "string"}, **{each: {"type": "number"} for each in NUMBERS}})
    return [each.message for each in left_open(RecordView(document, generated=False))]


@pytest.mark.parametrize(("asked", "name", "arguments"), LEFT)
def test_what_is_left_open_is_found(asked: str, name: str, arguments: Json) -> None:
    assert len(found(asked, name, arguments)) == 1


@pytest.mark.parametrize(("asked", "name", "arguments"), IN_ORDER)
def test_what_is_given_or_of_something_else_is_in_order(asked: str, name: str, arguments: Json) -> None:
    assert found(asked, name, arguments) == []
