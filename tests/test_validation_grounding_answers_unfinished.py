"""Unfinished answers: what follows results and does not tell them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answer_examples import found, told, tool

Json = Any  # parsed JSON
Call = tuple[str, Json, Json]
TEXT = {"type": "string"}
TOOLS = (
    tool("get_weather", "Get the weather.", city=TEXT),
    tool("book_table", "Book a table.", restaurant=TEXT, time=TEXT),
)
WEATHER = ("get_weather", {"city": "Lisbon"}, {"city": "Lisbon", "sky": "sunny", "degrees": 15})
TABLE = ("book_table", {"restaurant": "Luna", "time": "19:00"}, {"restaurant": "Luna", "code": "BK-771", "ok": True})
NOTHING = ("get_weather", {"city": "Lisbon"}, {"days": []})


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (WEATHER, "The weather in {city} is {sky}."),
        (WEATHER, "The weather in [City] is sunny, 15 degrees."),
        (WEATHER, "Hello [your name], it's sunny in Lisbon."),
        (WEATHER, "In Lisbon it's <sky> with 15 degrees."),
        (WEATHER, "In Lisbon it's undefined with 15 degrees."),
        (WEATHER, "In Lisbon it's sunny and the"),
        (WEATHER, '{"city": "Lisbon", "sky": "sunny", "degrees": 15}'),
        (WEATHER, "Let me check the weather in Lisbon for you."),
        (WEATHER, "I'll look up the weather in Lisbon right away."),
        (WEATHER, "I'm sorry, but I can't access the weather."),
        (TABLE, "Shall I book the table at Luna for 7 PM?"),
        (TABLE, "Would you like me to book a table there?"),
        (TABLE, "I will now book a table at Luna."),
    ],
)
def test_an_answer_tells_its_results(call: Call, answer: str) -> None:
    document = told("Please see to it: Lisbon, or Luna for 7 PM.", answer, call, tools=TOOLS)
    assert "warning" in found(document, "TC216", generated=False)


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (WEATHER, "It's sunny in Lisbon with 15 degrees [1]."),
        (WEATHER, "It's sunny in Lisbon. [More](https://example.org/lisbon)"),
        (WEATHER, "Let me see: it's sunny in Lisbon."),
        (WEATHER, "It's sunny in Lisbon. Shall I check Porto as well?"),
        (WEATHER, "It's sunny there, 15 degrees, nothing to put a coat on"),
        (NOTHING, "I can't see any weather for Lisbon."),
        (NOTHING, "Let me look again tomorrow: there's nothing."),
        (TABLE, "Booked, the code is BK-771. Shall I book a taxi too?"),
        (TABLE, "Shall I book another table at Luna?"),
    ],
)
def test_what_tells_them_may_offer_more(call: Call, answer: str) -> None:
    document = told("Please see to it: Lisbon, or Luna for 7 PM.", answer, call, tools=TOOLS)
    assert found(document, "TC216", generated=False) == []
