"""Polarity: answers that deny what the results affirm."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answer_examples import found, told, tool
from tests.tables import each_row

Json = Any  # parsed JSON
Call = tuple[str, Json, Json]
FLIGHT = (
    "get_flight",
    {"flight": "LH44"},
    {"flight": "LH44", "status": "on time", "departure": "09:40", "gate": "B12"},
)
BOOKED = (
    "book_appointment",
    {"client": "Ann"},
    {"id": "AP-7", "day": "2026-05-12", "time": "14:30", "doctor": "Dr. Weiss"},
)
TRAINS = (
    "list_trains",
    {"to": "Graz"},
    {
        "trains": [
            {"train": "RJ 71", "leaves": "10:12", "price": 29},
            {"train": "RJ 73", "leaves": "12:12", "price": 39},
        ]
    },
)
STATE = (
    "get_subscription",
    {"id": "S-1"},
    {"id": "S-1", "state": "active", "renews_on": "2026-09-01", "auto_renew": False},
)
SENT = ("send_invoice", {"id": "I-9"}, {"id": "I-9", "status": "sent", "to": "a@b.example"})
WEATHER = ("get_weather", {"city": "Bern"}, {"city": "Bern", "conditions": "cloudy", "temperature": 12})
HOURS = (
    "get_hours",
    {"museum": "Louvre"},
    {"days": [{"date": "2026-05-03", "open": False}, {"date": "2026-05-04", "open": True}]},
)
ORDERS = (
    "list_orders",
    {},
    {"orders": [{"id": "W-1", "status": "shipped"}, {"id": "W-2", "status": "delivered"}]},
)


def said(answer: str, call: Call) -> list[str]:
    """How sure the rule is of an answer to a call."""
    tools = (tool(call[0], "Do what it says.", **{name: {"type": "string"} for name in call[1]}),)
    return found(told("Please see to it.", answer, call, tools=tools), "TC216", generated=False)


@each_row(
    ("call", "answer", "expected"),
    [
        (FLIGHT, "LH44 is not on time; it leaves at 9:40 AM from B12.", "warning"),
        (FLIGHT, "LH44 does not leave at 9:40 AM.", "note"),
        (BOOKED, "Your appointment is not on May 12 at 2:30 PM with Dr. Weiss.", "warning"),
        (BOOKED, "Your appointment isn't on Tuesday, May 12.", "warning"),
        (BOOKED, "I haven't booked the appointment with Dr. Weiss for May 12.", "warning"),
        (TRAINS, "RJ 71 does not leave at 10:12 and costs 29 euros.", "note"),
        (STATE, "Your subscription is not active.", "warning"),
        (STATE, "Subscription S-1 isn't currently active, and renews on September 1.", "warning"),
        (SENT, "I didn't send invoice I-9.", "warning"),
        (WEATHER, "It isn't cloudy in Bern, with 12 degrees.", "warning"),
        (WEATHER, "It's not 12 degrees in Bern.", "warning"),
        (ORDERS, "W-2 is not delivered.", "warning"),
    ],
)
def test_what_a_result_affirms_is_not_denied(call: Call, answer: str, expected: str) -> None:
    assert said(answer, call) == [expected]


@each_row(
    ("call", "answer"),
    [
        (WEATHER, "It's cloudy, but not cold: 12 degrees."),
        (WEATHER, "It's cloudy in Bern and not raining, 12 degrees."),
        (STATE, "It is active, but does not renew automatically on September 1."),
        (STATE, "No, your subscription is not canceled: it is active."),
        (TRAINS, "No train leaves before 10; the first is not until 10:12."),
        (TRAINS, "RJ 73 is not the cheapest; RJ 71 costs 29."),
        (TRAINS, "You don't need to change trains at 10:12."),
        (TRAINS, "I haven't booked anything yet: RJ 71 leaves at 10:12."),
        (FLIGHT, "LH44 is on time and leaves at 9:40 AM, not from A4 but from B12."),
        (BOOKED, "Booked for May 12 at 2:30 PM. If that does not suit you, tell me."),
        (BOOKED, "Booked for May 12. Don't forget your insurance card."),
        (BOOKED, "Dr. Weiss was not free at 3 PM, so it is on May 12 at 2:30 PM."),
        (SENT, "Sent to a@b.example. I did not send the other ones."),
        (ORDERS, "W-1 is not delivered yet; W-2 is."),
        (ORDERS, "W-1 is not delivered; W-2 is."),
        (HOURS, "The Louvre is not open on May 3."),
    ],
)
def test_what_no_result_affirms_may_be_denied(call: Call, answer: str) -> None:
    assert said(answer, call) == []


@pytest.mark.parametrize("part", ["not ", "isn't 1, ", "not on May 1 ", 'not "', "not at 9:40 am "])
def test_odd_denials_are_read_in_bounded_time(part: str) -> None:
    said(part * 2000, BOOKED)
