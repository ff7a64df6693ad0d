"""Left out: answers that tell something of each call made at once but one."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answer_examples import found, told, tool

Json = Any  # parsed JSON
TEXT = {"type": "string"}
TOOLS = (tool("get_train", city=TEXT), tool("set_alarm", time=TEXT), tool("get_price", product=TEXT))
TRAIN = ("get_train", {"city": "Graz"}, {"city": "Graz", "train": "RJ 71", "leaves": "10:12", "state": "open"})
ALARM = ("set_alarm", {"time": "06:30"}, {"time": "06:30", "day": "2026-05-12", "state": "open"})
PRICE = ("get_price", {"product": "Kalby iron"}, {"product": "Kalby iron", "price": 30.9, "stock": 77})

NOTE = ("get_price", {"product": "Railjet"}, {"about": "old but clean"})


@pytest.mark.parametrize(
    ("calls", "answer", "expected"),
    [
        ((TRAIN, ALARM), "RJ 71 to Graz leaves at 10:12 and is open.", ["warning"]),
        ((TRAIN, ALARM), "It's set for 6:30 AM on May 12 and open.", ["warning"]),
        ((TRAIN, ALARM, PRICE), "RJ 71 leaves at 10:12, and the Kalby iron costs $30.90.", ["warning"]),
        ((TRAIN, ALARM), "RJ 71 leaves at 10:12, and you'll be woken at 6:30 AM.", []),
        ((TRAIN, PRICE), "Take RJ 71 to Graz, and pay about 31 dollars.", []),
        ((TRAIN, NOTE), "RJ 71 leaves at 10:12. Its carriages are old but clean.", []),
        ((TRAIN, NOTE), "RJ 71 leaves at 10:12.", ["warning"]),
        ((TRAIN, ALARM), "Both are done: RJ 71 to Graz is booked.", []),
    ],
)
def test_no_call_is_left_out(calls: tuple[tuple[str, Json, Json], ...], answer: str, expected: list[str]) -> None:
    document = told("Please see to these.", answer, *calls, tools=TOOLS)
    assert found(document, "TC206", generated=False) == expected
