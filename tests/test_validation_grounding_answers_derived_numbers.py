"""Derived: numbers of an answer that follow from what was said; of the others, those that something speaks against."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.validation import check
from tests.record_examples import FIRST, SECOND, call, result
from tests.tables import each_row

Json = Any  # parsed JSON


def degrees(asked: str, made: list[tuple[str, Json, Json]], told: str) -> list[str]:
    """Return how sure the findings about numbers, dates and calls left out are, in a record that is read."""
    ids = (FIRST, SECOND)
    calls = [call(ids[at], name, arguments) for at, (name, arguments, _) in enumerate(made)]
    results = [
        result(ids[at], name, value if isinstance(value, str) else json.dumps(value))
        for at, (name, _, value) in enumerate(made)
    ]
    tools = [
        {"type": "function", "function": {"name": name, "description": "Does it.", "parameters": {"type": "object"}}}
        for name in dict.fromkeys(name for name, _, _ in made)
    ]
    messages = [
        {"role": "user", "content": asked},
        {"role": "assistant", "content": "", "tool_calls": calls},
        *results,
        {"role": "assistant", "content": told},
    ]
    found = check({"messages": messages, "tools": tools}, generated=False)
    return [each.severity for each in found if each.rule in ("TC202", "TC203", "TC206")]


DERIVED = [
    ("What does the roof cost?", {"quote": 48213.4}, "The roof comes to roughly $48,000."),
    ("Wie groß ist der Wald?", {"hectares": 7318}, "Der Wald ist rund 7.300 Hektar groß."),
    ("How many people live there?", {"population": 8336817}, "About 8.3 million people live there."),
    ("Wie hoch ist der Umsatz?", {"revenue": 23410000000}, "Der Umsatz liegt bei 23,4 Milliarden Euro."),
    ("What was I charged?", {"amount_cents": 7249, "paid": True}, "You were charged $72.49."),
    ("I have $900 for the couch.", {"couch": "Arvo", "price": 745}, "The Arvo is $745, $155 under your limit."),
    ("What are they?", {"lamp": 84.5, "shade": 31.25}, "The lamp is $84.50 and the shade $31.25, $115.75 in total."),
    ("What is the yearly fee?", {"annual_fee": 258.0}, "It is $258 a year, so $21.50 a month."),
    ("How did sales do?", {"before": 1250, "after": 1500}, "Sales went from 1,250 to 1,500, up 20%."),
    ("What is that in pesos?", {"price_usd": 320, "rate": 17.25}, "It costs $320, that is 5,520 pesos."),
    ("When does it sail?", {"leaves": "2025-03-04", "lands": "2025-03-21"}, "It sails March 4 and is 17 days at sea."),
    ("How far is it?", {"distance": 84, "unit": "km"}, "It is 84 km away, about 52 miles."),
    ("Save Ana's number, 55 1234 5678.", {"id": "c7", "number": "+525512345678"}, "Saved: +52 55 1234 5678."),
    ("When is it?", {"title": "Review", "start": "2025-05-06T14:00", "end": "2025-05-06T16:00"}, "Review, 2 to 4 PM."),
]


@each_row(("asked", "value", "told"), DERIVED)
def test_what_follows_from_what_was_said_is_right(asked: str, value: Json, told: str) -> None:
    assert degrees(asked, [("look_up", {}, value)], told) == []


OPPOSED = [
    ("How warm is it?", {"city": "Oslo", "degrees": 14}, "It is 19 degrees in Oslo."),
    ("What does it cost?", {"item": "desk", "price": 349.0}, "The desk costs $379."),
    ("What did I pay?", {"paid": 62.18, "shop": "Bakker"}, "You paid $62.81 at Bakker."),
    ("What are they?", {"lamp": 84.5, "shade": 31.25}, "The lamp is $84.50 and the shade $31.25, $125.75 in total."),
    ("How many points?", {"member": "Ida", "points": 960}, "Ida has about 600 points."),
    ("Which order is it?", {"order_id": "W1305605", "state": "sent"}, "Order W1305065 was sent."),
    ("¿Cuándo es?", {"evento": "Feria", "fecha": "2025-06-12"}, "La Feria es el 21 de junio."),
    ("Who scored?", [{"name": "Ann", "score": 41}, {"name": "Bob", "score": 57}], "Ann has 41 and Bob 75."),
    ("Run the tests", "31 passed, 2 failed in 4.1s", "35 tests passed and 2 failed."),
]


@pytest.mark.parametrize(("asked", "value", "told"), OPPOSED)
def test_what_stands_for_another_number_is_a_warning(asked: str, value: Json, told: str) -> None:
    assert "warning" in degrees(asked, [("look_up", {}, value)], told)


UNSURE = [
    ("Is 91 prime?", {"number": 91, "is_prime": False}, "No, 91 is no prime: it is 7 x 13."),
    ("What's my BMI?", {"bmi": 25.83}, "Your BMI is 25.8; overweight begins at 25."),
    ("Who wrote it?", {"author": "Mary Shelley"}, "Mary Shelley wrote it in 1818."),
]


@pytest.mark.parametrize(("asked", "value", "told"), UNSURE)
def test_what_nothing_speaks_against_is_a_note(asked: str, value: Json, told: str) -> None:
    assert set(degrees(asked, [("look_up", {}, value)], told)) == {"note"}


OTHERWISE: list[tuple[str, list[tuple[str, Json, Json]], str]] = [
    ("Wie viel sind 40 Pfund?", [("convert", {"amount": 40}, {"value": 1047.25})], "Das sind 1.047,25 Kronen."),
    ("以太坊多少钱?", [("get_price", {"symbol": "ETH"}, {"price": "3120.00"})], "以太坊现价约为3,120美元。"),
    (
        "Move the review to three.",
        [
            (
                "update_event",
                {"event_id": "r7", "start": "2025-05-06T15:00", "end": "2025-05-06T16:30"},
                {"updated": True},
            )
        ],
        "It now runs from 3 to 4:30 PM.",
    ),
    (
        "Whose are 0301 and 0302?",
        [("lookup", {"code": "0301"}, {"owner": "Vera"}), ("lookup", {"code": "0302"}, {"error": "timeout"})],
        "The first belongs to Vera. The other one timed out, so I can't tell.",
    ),
]


@pytest.mark.parametrize(("asked", "made", "told"), OTHERWISE)
def test_what_is_told_in_other_words_is_covered(asked: str, made: list[tuple[str, Json, Json]], told: str) -> None:
    assert "warning" not in degrees(asked, made, told)


def test_a_call_that_nothing_is_said_of_is_a_warning() -> None:
    made: list[tuple[str, Json, Json]] = [
        ("get_weather", {"city": "Turku"}, {"degrees": 4}),
        ("get_weather", {"city": "Oulu"}, {"degrees": -6}),
    ]
    assert "warning" in degrees("Weather in Turku and Oulu?", made, "In Turku it is 4 degrees.")
