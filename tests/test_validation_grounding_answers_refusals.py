"""Declining: refusals, without a call, of what a shown tool does."""

from __future__ import annotations

import pytest

from tests.answer_examples import found, told, tool

TEXT = {"type": "string"}
TOOLS = (
    tool("get_weather", "Get the current weather for a city.", city=TEXT),
    tool("search_flights", "Search flights between two airports on a date.", origin=TEXT, destination=TEXT),
    tool("cancel_reservation", "Cancel a restaurant reservation.", reservation_id=TEXT),
    tool("translate_text", "Translate a text to another language.", text=TEXT, target_language=TEXT),
    tool("mow_lawn", "Start the robot.", zone=TEXT, height={"type": "number"}),
    tool("stock_price", "Retrieve the current stock price of a company.", symbol=TEXT),
)


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
