"""Rows: ids that calls take from a list of results, against the row that the request speaks of."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.answer_examples import found, tool
from tests.record_examples import FIRST, SECOND, call, result

Json = Any  # parsed JSON
BOATS = [
    {"boat_id": "B-3", "name": "Sea Breeze", "price": 210, "state": "free"},
    {"boat_id": "B-5", "name": "Old Heron", "price": 180, "state": "reserved"},
    {"boat_id": "B-9", "name": "Marigold", "price": 240, "state": "free"},
]


def hired(asked: str, boat: str) -> Json:
    """A record in which boats are looked up, and one is hired."""
    listed = json.dumps({"boats": BOATS})
    return {
        "messages": [
            {"role": "user", "content": asked},
            {"role": "assistant", "content": "", "tool_calls": [call(FIRST, "list_boats", {})]},
            result(FIRST, "list_boats", listed),
            {"role": "assistant", "content": "", "tool_calls": [call(SECOND, "hire_boat", {"boat_id": boat})]},
            result(SECOND, "hire_boat", '{"hired": true}'),
            {"role": "assistant", "content": "The boat is hired."},
        ],
        "tools": [tool("list_boats"), tool("hire_boat", boat_id={"type": "string"})],
    }


@pytest.mark.parametrize(
    ("asked", "boat"),
    [
        ("Please hire the Old Heron for us.", "B-3"),
        ("I'd like to have marigold tomorrow.", "B-5"),
        ("Hire the cheapest boat that you have.", "B-9"),
        ("Take the most expensive one, we celebrate.", "B-3"),
    ],
)
def test_the_id_of_another_row_is_likely_wrong(asked: str, boat: str) -> None:
    assert found(hired(asked, boat), "TC209", generated=False) == ["warning"]


@pytest.mark.parametrize(
    ("asked", "boat"),
    [
        ("Please hire the Old Heron for us.", "B-5"),
        ("Hire the cheapest boat that you have.", "B-5"),
        ("Hire us any boat.", "B-9"),
        ("Any boat but not the Old Heron.", "B-3"),
        ("The other one than the Marigold, please.", "B-3"),
        ("The Old Heron is reserved, so take B-3.", "B-3"),
        ("A free one.", "B-3"),
    ],
)
def test_the_id_of_the_row_that_is_meant_or_of_any_is_none(asked: str, boat: str) -> None:
    assert found(hired(asked, boat), "TC209", generated=False) == []
