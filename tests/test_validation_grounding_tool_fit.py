"""Tool fit: parts of requests that name what a shown tool does, where another one or none is called."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answer_examples import found, told, tool

Json = Any  # parsed JSON
TEXT = {"type": "string"}
GREENHOUSE = (
    tool("water_bed", "Water one bed of the greenhouse.", bed=TEXT, litres={"type": "number"}),
    tool("open_vents", "Open the roof.", share={"type": "number"}),
    tool("order_seeds", "Order from the nursery.", plant=TEXT, packets={"type": "number"}),
)
WATERED = ("water_bed", {"bed": "B4", "litres": 12}, {"bed": "B4", "litres": 12})
LOANS = (
    tool("extend_loan", "More time for a book.", book=TEXT, weeks={"type": "number"}),
    tool("return_book", "Bring a book back.", book=TEXT),
)


@pytest.mark.parametrize(
    "asked",
    [
        "Water bed B4 with 12 litres and open the vents halfway, it is hot in there.",
        "Bed B4 needs 12 litres. Also order eight packets of fennel seeds.",
        "12 litres for bed B4 please. Could you order new chard seeds as well?",
    ],
)
def test_a_wish_that_another_tool_serves_is_not_dropped(asked: str) -> None:
    document = told(asked, "Bed B4 got its 12 litres.", WATERED, tools=GREENHOUSE)
    assert "warning" in found(document, "TC212", generated=False)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Water bed B4 with 12 litres.", "Bed B4 got its 12 litres."),
        ("Water bed B4 with 12 litres, but don't open the vents in there.", "Bed B4 got its 12 litres."),
        ("Water bed B4 with 12 litres, and open nothing in there.", "Bed B4 got its 12 litres."),
        ("Water bed B4 with 12 litres, and open the vents.", "Bed B4 got 12 litres; how far shall I open the vents?"),
        ("12 litres for bed B4. If it rains on the weekend, order fennel.", "Bed B4 got its 12 litres."),
    ],
)
def test_what_is_denied_told_of_or_conditional_is_none(asked: str, answer: str) -> None:
    assert found(told(asked, answer, WATERED, tools=GREENHOUSE), "TC212", generated=False) == []


@pytest.mark.parametrize("asked", ["Extend Dune for me.", "I need Dune for longer, can you extend it?"])
def test_the_tool_that_is_spoken_of_is_the_one_to_call(asked: str) -> None:
    document = told(asked, "All done.", ("return_book", {"book": "Dune"}, {"ok": True}), tools=LOANS)
    assert found(document, "TC220", generated=False) == ["warning"]


@pytest.mark.parametrize(
    "asked",
    [
        "Return Dune.",
        "I'm through with Dune.",
        "Don't extend Dune, I have read it.",
        "Bring Dune back, I can't extend it.",
    ],
)
def test_who_speaks_of_neither_or_denies_the_other_may_get_this_one(asked: str) -> None:
    document = told(asked, "All done.", ("return_book", {"book": "Dune"}, {"ok": True}), tools=LOANS)
    assert found(document, "TC220", generated=False) == []
