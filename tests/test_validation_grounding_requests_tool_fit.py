"""Tool fit: calls of the wrong tool, deeds that nobody asks for, and what is asked for and left undone."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.grounding.requests.tool_fit import unasked_deeds
from generator.validation.view import RecordView
from tests.answer_examples import found, told, tool
from tests.test_validation_grounding_requests_unwanted import record

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
        ("12 litres for bed B4. I've ordered the fennel seeds myself.", "Bed B4 got its 12 litres."),
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


UNASKED = [
    ("What's on my calendar tomorrow?", "delete_event", "get_event"),
    ("Show me order 5521.", "cancel_order", "get_order"),
    ("Please get me a table for four at Nobu.", "cancel_table", "book_table"),
    ("Play the new album by Rosalía.", "remove_album", "play_album"),
    ("Please remove the 7 AM alarm.", "duplicate_alarm", "remove_alarm"),
    ("Turn the volume up to 60.", "clear_volume", "set_volume"),
    ("Subscribe me to the Monday letter.", "unsubscribe_letter", "subscribe_letter"),
    ("Wie wird das Wetter in Graz?", "delete_weather", "get_weather"),
    ("¿Qué tiempo hace en Lugo?", "delete_weather", "get_weather"),
    ("Quel temps fait-il à Lyon ?", "delete_weather", "get_weather"),
    ("帮我查一下北京的天气。", "delete_weather", "get_weather"),
]
ASKED = [
    ("Cancel order 5521.", "cancel_order", "get_order"),
    ("The alarm at seven can go.", "delete_alarm", "set_alarm"),
    ("I can't make it to the dentist on Monday.", "cancel_appointment", "get_appointment"),
    ("We don't need the table at Nobu any longer.", "cancel_table", "book_table"),
    ("Get rid of that old playlist.", "delete_playlist", "get_playlist"),
    ("I sold the car.", "remove_car", "add_car"),
    ("Take milk off the list.", "remove_item", "add_item"),
    ("Make me another one like task 12.", "duplicate_task", "create_task"),
    ("Termin 12 bitte absagen.", "cancel_appointment", "get_appointment"),
    ("Ya no quiero el pedido 12.", "cancel_order", "get_order"),
    ("Je ne veux plus de la commande 12.", "cancel_order", "get_order"),
    ("订单12我不要了。", "cancel_order", "get_order"),
    ("How is the weather?", "delete_cache", "get_weather"),
]


def unasked(asked: str, name: str, *shown: str) -> list[str | None]:
    """How sure the examiner is of a call of a tool beside which others are shown."""
    document = record(asked, (name, {"thing": "it"}))
    first = document["tools"][0]
    document["tools"] += [{**first, "function": {**first["function"], "name": each}} for each in shown]
    return [each.at_most for each in unasked_deeds(RecordView(document, generated=False))]


@pytest.mark.parametrize(("asked", "name", "other"), UNASKED)
def test_what_nobody_asks_to_take_away_is_found(asked: str, name: str, other: str) -> None:
    assert unasked(asked, name, other) == ["warning"]


@pytest.mark.parametrize(("asked", "name", "other"), ASKED)
def test_what_is_asked_for_in_any_words_is_in_order(asked: str, name: str, other: str) -> None:
    assert unasked(asked, name, other) == []


def test_a_tool_for_the_same_thing_has_to_be_shown() -> None:
    assert unasked("How is the weather?", "delete_weather") == []


def test_the_contrary_of_another_call_is_found() -> None:
    asked = "Set up a schedule that switches the lights off at ten."
    document = record(asked, ("create_schedule", {"time": "22:00"}), ("delete_schedule", {"time": "22:00"}))
    (found,) = unasked_deeds(RecordView(document, generated=False))
    assert found.pointer == "/messages/1/tool_calls/1"
