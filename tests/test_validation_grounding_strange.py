"""Strange facts: statements of which nobody has said a word."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answer_examples import found, told, tool

Json = Any  # parsed JSON
Call = tuple[str, Json, Json]
HOTEL = ("book_hotel", {"hotel": "Astoria"}, {"hotel": "Astoria", "nights": 3, "price": 300, "code": "H-77"})
SHARES = ("get_price", {"symbol": "ACME"}, {"symbol": "ACME", "price": 41.2, "currency": "USD"})
DISH = ("find_recipe", {"dish": "dal"}, {"title": "Red lentil dal", "minutes": 35, "steps": ["Rinse the lentils"]})


def said(answer: str, call: Call, *, generated: bool = False) -> list[str]:
    """How sure the rule is of an answer to a call."""
    tools = (tool(call[0], "Do what it says.", **{name: {"type": "string"} for name in call[1]}),)
    return found(told("Please see to it.", answer, call, tools=tools), "TC216", generated=generated)


@pytest.mark.parametrize(
    ("call", "answer", "expected"),
    [
        (HOTEL, "The Astoria is booked, code H-77. Breakfast is great there. It overlooks the old harbor.", "warning"),
        (HOTEL, "The Astoria is booked for 3 nights. The hotel was renovated recently.", "note"),
        (HOTEL, "Booked: Astoria, H-77. There's a swimming pool on the roof.", "warning"),
        (HOTEL, "Booked: Astoria, 3 nights, and they serve vegan breakfast.", "warning"),
        (SHARES, "ACME stands at $41.20. Most brokers recommend selling.", "warning"),
        (SHARES, "ACME stands at $41.20. The company announced record profits.", "warning"),
        (DISH, "Red lentil dal takes 35 minutes. It freezes beautifully.", "note"),
        (DISH, "Red lentil dal takes 35 minutes. The recipe is a classic from Bengal's villages.", "note"),
    ],
)
def test_what_nobody_has_said_is_strange(call: Call, answer: str, expected: str) -> None:
    assert said(answer, call) == [expected]
    assert said(answer, call, generated=True) == ([expected] if expected == "warning" else [])


@pytest.mark.parametrize(
    ("call", "answer"),
    [
        (HOTEL, "The Astoria is booked for 3 nights, $300 in all. Enjoy your stay!"),
        (HOTEL, "The Astoria is booked. Let me know if you need a taxi or a parking lot."),
        (HOTEL, "The Astoria is booked. You can cancel for free until Friday."),
        (HOTEL, "The booking went through. I hope the weather holds."),
        (HOTEL, "It's booked, and the code is H-77."),
        (SHARES, "ACME stands at $41.20. It may well rise or fall tomorrow."),
        (SHARES, "ACME stands at $41.20. There's no news on dividends."),
        (DISH, "Red lentil dal takes 35 minutes. It looks good!"),
        (DISH, "It takes 35 minutes. The first step: rinse the lentils."),
    ],
)
def test_what_was_said_or_is_only_polite_is_not(call: Call, answer: str) -> None:
    assert said(answer, call) == []
