"""Asking back: questions for what the user has said."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answer_examples import found, told, tool

Json = Any  # parsed JSON
TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
WEATHER = tool("get_weather", "Get the weather.", city=TEXT, unit={"type": "string", "enum": ["celsius", "fahrenheit"]})
FLIGHTS = tool(
    "search_flights", "Search flights.", origin=TEXT, destination=TEXT, departure_date=TEXT, passengers=WHOLE
)
CANCEL = tool("cancel_reservation", "Cancel a restaurant reservation.", reservation_id=TEXT)
TABLE = tool("book_table", "Book a table.", restaurant=TEXT, party_size=WHOLE, date=TEXT, time=TEXT)
PING = tool("ping_host", "Ping a machine.", ip=TEXT, mode={"type": "string", "enum": ["brief", "thorough"]})
USER = tool("get_user", "Look up a user.", user_id=TEXT)


@pytest.mark.parametrize(
    ("asked", "answer", "tools"),
    [
        ("What's the weather in Paris?", "Sure! Which city would you like the weather for?", (WEATHER,)),
        ("What's the weather in Paris in celsius?", "In which unit?", (WEATHER,)),
        ("Cancel my reservation RS-3301", "Could you please provide the reservation ID?", (CANCEL, WEATHER)),
        ("Flights from Rome to Oslo on March 3", "On what date would you like to depart?", (FLIGHTS,)),
        ("Flights from Rome to Oslo for 2 passengers", "How many passengers?", (FLIGHTS,)),
        ("Look up the user with id 8837123", "Please tell me the user ID.", (USER,)),
        ("Book a table at 19:30 tomorrow at Luigi's", "What time should I book it for?", (TABLE,)),
        ("Book a table at 7 pm on 2026-05-03", "For which date?", (TABLE,)),
        ("Ping 172.16.9.3 briefly", "Which IP shall I ping, and how many times?", (PING,)),
        ("¿Me dices qué tiempo hace hoy en Lima?", "¿Qué pongo para la «city»?", (WEATHER,)),
    ],
)
def test_what_was_said_is_not_asked_for(asked: str, answer: str, tools: tuple[Json, ...]) -> None:
    assert found(told(asked, answer, tools=tools), "TC221", generated=False) == ["warning"]


def test_what_was_said_at_first_is_not_asked_for_later() -> None:
    document = told("For 4 passengers, please, from Rome", "Where to?", tools=(FLIGHTS,))
    more = [{"role": "user", "content": "Oslo"}, {"role": "assistant", "content": "How many passengers are there?"}]
    document["messages"] += more
    assert found(document, "TC221", generated=False) == ["warning"]


def test_one_of_two_questions_may_be_needless() -> None:
    answer = "Which mode shall it have, and what is its IP?"
    assert found(told("Do a thorough ping of our router", answer, tools=(PING,)), "TC221", generated=False) == ["note"]


def test_a_name_may_be_that_of_something_else() -> None:
    document = told("I'd like a table for Mr Smith", "At which restaurant?", tools=(TABLE,))
    assert found(document, "TC221", generated=False) == ["note"]


@pytest.mark.parametrize(
    ("asked", "answer", "tools"),
    [
        ("Book a table at Luigi's tomorrow", "For what time?", (TABLE,)),
        ("Book a table at Luigi's at 7 pm", "What date and time?", (TABLE,)),
        ("What's the weather like?", "For which city?", (WEATHER,)),
        ("Find flights to Oslo on March 3", "Which city are you flying from?", (FLIGHTS, WEATHER)),
        ("Find flights to Oslo on March 3", "What is your return date?", (FLIGHTS,)),
        ("Cancel my reservation at Luigi's", "What's the reservation ID?", (CANCEL,)),
        ("Cancel order 5512345, please", "I couldn't find it. What's the reservation ID?", (CANCEL,)),
        ("Weather in Paris?", "Do you mean Paris in France, or which city?", (WEATHER,)),
    ],
)
def test_what_was_not_said_is_asked_for(asked: str, answer: str, tools: tuple[Json, ...]) -> None:
    assert found(told(asked, answer, tools=tools), "TC221", generated=False) == []


@pytest.mark.parametrize("part", ["Aa ", "1 ", '"a', "A-", "in A", "1-", "a@"])
def test_odd_requests_are_read_in_bounded_time(part: str) -> None:
    document = told(part * 4000, "Which city, date, time and user id?", tools=(WEATHER, TABLE, USER))
    assert found(document, "TC101", generated=False) == []
