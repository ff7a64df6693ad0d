"""Siding: answers that tell what a call asked for where its result says another thing."""

from __future__ import annotations

from typing import Any

from generator.validation import check
from tests.answer_examples import found, told, tool
from tests.tables import each_row

Json = Any  # parsed JSON
TEXT = {"type": "string"}
ROOM = {"type": "string", "enum": ["kitchen", "guest room", "hall"]}
TOOLS = (tool("look", "Look it up.", city=TEXT, day=TEXT, time=TEXT, room=ROOM, seats={"type": "integer"}, value=TEXT),)


@each_row(
    ("given", "brought", "answer", "expected"),
    [
        ({"city": "Austin"}, {"city": "Kyoto", "sky": "clear"}, "It's clear in Austin.", True),
        ({"room": "guest room"}, {"room": "kitchen", "degrees": 20}, "20 degrees in the guest room.", True),
        ({"day": "2026-05-12"}, {"day": "2026-05-14", "ok": True}, "It's on May 12.", True),
        ({"time": "18:00"}, {"time": "19:30"}, "It's at 6 PM.", True),
        ({"seats": 40}, {"seats": 45}, "There are 40 seats now.", True),
        ({"city": "Austin"}, {"city": "Kyoto", "sky": "clear"}, "It's clear in Kyoto.", False),
        ({"city": "New York"}, {"city": "New York City", "sky": "clear"}, "It's clear in New York.", False),
        ({"city": "Munich"}, {"city": "Munchen", "sky": "clear"}, "It's clear in Munich.", False),
        ({"day": "2026-05-12"}, {"day": "2026-05-14"}, "Not May 12, but May 14.", False),
        ({"city": "Austin"}, {"city": "Kyoto", "from": "Austin"}, "From Austin it's far.", False),
        ({"value": "Austin"}, {"value": "Nitsua"}, "Austin backwards.", False),
        ({"time": "18:00"}, {"time": "6 PM"}, "It's at 6 PM.", False),
    ],
)
def test_an_answer_tells_what_the_result_says(given: Json, brought: Json, answer: str, expected: bool) -> None:
    document = told("Please look.", answer, ("look", given, brought), tools=TOOLS)
    assert ("warning" in found(document, "TC216", generated=False)) is expected


def test_of_several_the_first_argument_is_told() -> None:
    """A set of names has another order in each process, and would make another finding of the same record."""
    given = {"city": "Austin", "room": "guest room", "day": "2026-05-12", "time": "18:00", "seats": 40}
    brought = {"seats": 45, "time": "19:30", "day": "2026-05-14", "room": "kitchen", "city": "Kyoto"}
    answer = "There are 40 seats in the guest room in Austin on May 12 at 6 PM."
    document = told("Please look.", answer, ("look", given, brought), tools=TOOLS)
    (said,) = [each.message for each in check(document) if each.rule == "TC216"]
    assert "city: Kyoto, not Austin" in said
