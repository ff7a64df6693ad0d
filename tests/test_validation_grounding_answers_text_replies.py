"""Declining: refusals, without a call, of what a shown tool does."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answer_examples import found, told, tool
from tests.tables import each_row

TEXT = {"type": "string"}
TOOLS = (
    tool("get_weather", "Get the current weather for a city.", city=TEXT),
    tool("search_flights", "Search flights between two airports on a date.", origin=TEXT, destination=TEXT),
    tool("cancel_reservation", "Cancel a restaurant reservation.", reservation_id=TEXT),
    tool("translate_text", "Translate a text to another language.", text=TEXT, target_language=TEXT),
    tool("mow_lawn", "Start the robot.", zone=TEXT, height={"type": "number"}),
    tool("stock_price", "Retrieve the current stock price of a company.", symbol=TEXT),
)


@each_row(
    ("asked", "answer"),
    [
        ("What's the weather in Paris?", "I'm sorry, I don't have access to weather data."),
        ("What's the weather in Paris?", "I'm afraid I cannot check the weather for you."),
        ("Could you cancel my reservation RS-33?", "Cancelling reservations is not something I can do."),
        ("Please translate 'good morning' into Japanese", "Sorry, translating isn't something I'm able to do."),
        ("Find me flights from Rome to Oslo on Friday", "Regrettably, I lack the ability to look for flights."),
        ("Find me flights from Rome to Oslo on Friday", "I'm just a language model and can't search flights."),
        ("What is the stock price of Apple?", "I apologize, but I don't have the capability to fetch stock prices."),
        ("Is it raining in Lima? What's the weather like?", "I have no tool for that."),
        ("Mow zone 3 down to 4 cm", "I can't mow any grass from here, sorry."),
        ("Translate the text on the label for me", "I'm not able to read foreign text or labels."),
        ("Cancel reservation 553", "That's not something I'm set up to do."),
    ],
)
def test_what_a_shown_tool_does_is_not_declined(asked: str, answer: str) -> None:
    assert found(told(asked, answer, tools=TOOLS), "TC221", generated=False) == ["warning"]


@each_row(
    ("asked", "answer"),
    [
        ("Book me a flight to Rome", "I'm sorry, but I can't book flights."),
        ("Order a pizza for me", "I'm not able to order pizza. My function allows me to get the weather."),
        ("Cancel my flight, please", "I'm sorry, I can't cancel flights."),
        ("What was the stock price of Apple in 1998?", "I can only see current prices, not those of 1998."),
        ("Book a table for two at Luigi's", "Sorry, I can't make reservations."),
        ("Cancel my reservation at Luigi's", "I can't cancel it yet: I need the reservation number."),
        ("Change my reservation to eight", "I'm unable to change reservations."),
        ("What will the weather be in Paris next week?", "I can't forecast the weather."),
        ("Mow the neighbour's meadow too", "I can't mow meadows."),
        ("Hi, how are you?", "I'm fine. I can't complain."),
        ("What's the weather in Paris?", "I can't see that for Paris; I can show you Lyon or Nice."),
    ],
)
def test_what_no_shown_tool_does_may_be_declined(asked: str, answer: str) -> None:
    assert found(told(asked, answer, tools=TOOLS), "TC221", generated=False) == []


def test_a_tool_that_is_called_later_was_not_to_be_had() -> None:
    document = told("What's the weather in Paris?", "Here it is.", ("get_weather", {}, {"sky": "clear"}), tools=TOOLS)
    refusal = {"role": "assistant", "content": "Sorry, I can't do that."}
    document["messages"][1:1] = [refusal, {"role": "user", "content": "You can now."}]
    assert found(document, "TC221", generated=False) == []


Json = Any  # parsed JSON
ANSWERS_QUESTIONS_TEXT, WHOLE = {"type": "string"}, {"type": "integer"}
WEATHER = tool(
    "get_weather",
    "Get the weather.",
    city=ANSWERS_QUESTIONS_TEXT,
    unit={"type": "string", "enum": ["celsius", "fahrenheit"]},
)
FLIGHTS = tool(
    "search_flights",
    "Search flights.",
    origin=ANSWERS_QUESTIONS_TEXT,
    destination=ANSWERS_QUESTIONS_TEXT,
    departure_date=ANSWERS_QUESTIONS_TEXT,
    passengers=WHOLE,
)
CANCEL = tool("cancel_reservation", "Cancel a restaurant reservation.", reservation_id=ANSWERS_QUESTIONS_TEXT)
TABLE = tool(
    "book_table",
    "Book a table.",
    restaurant=ANSWERS_QUESTIONS_TEXT,
    party_size=WHOLE,
    date=ANSWERS_QUESTIONS_TEXT,
    time=ANSWERS_QUESTIONS_TEXT,
)
PING = tool(
    "ping_host", "Ping a machine.", ip=ANSWERS_QUESTIONS_TEXT, mode={"type": "string", "enum": ["brief", "thorough"]}
)
USER = tool("get_user", "Look up a user.", user_id=ANSWERS_QUESTIONS_TEXT)


@each_row(
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
