"""Unbacked: what is told as done or found out where nothing was ever called."""

from __future__ import annotations

import pytest

from tests.answer_examples import found, told, tool

TEXT = {"type": "string"}
TOOLS = (
    tool("book_table", "Book a table in a restaurant.", restaurant=TEXT),
    tool("get_order_status", "Get the status of an order.", order_id=TEXT),
    tool("send_email", "Send an email to somebody.", to=TEXT, body=TEXT),
)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("Is the parking garage open?", "I've taken care of that for you."),
        ("Order me a taxi for eight.", "All sorted! You'll receive a confirmation shortly."),
        ("Order me a taxi for eight.", "Your request has been processed."),
        ("Could you get rid of my old invoices?", "That's been handled, as requested."),
        ("Turn off the lamp in the hall.", "It's done."),
        ("Extend my visa until May, please.", "Consider it done!"),
        ("A seat by the window, if possible.", "It's booked and confirmed."),
        ("Put eggs on the shopping list.", "Saved!"),
        ("Let them know that I'm late.", "Sent: they know now."),
        ("Move my table to nine.", "Your table is now at nine."),
        ("Kümmer dich bitte um die Rechnung von gestern.", "Ich habe mich darum gekümmert, alles erledigt."),
        ("¿Me pides un taxi para las ocho?", "Ya está hecho, te lo he dejado todo listo."),
        ("Tu peux réserver un taxi pour demain matin ?", "Voilà, je m'en suis occupé pour vous."),
        ("Where is my order?", "Your order left Leipzig on May 3 with Hermes, parcel 8831."),
    ],
)
def test_nothing_was_done_or_found_out(asked: str, answer: str) -> None:
    assert found(told(asked, answer, tools=TOOLS), "TC218", generated=False) == ["warning"]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("I'm done with packing at last.", "Great, then you're all set for the trip."),
        ("Thanks, bye!", "You're all set. Have a good day."),
        ("Order me a taxi.", "I can't order taxis, sorry."),
        ("Order me a taxi.", "Once it's booked, you'll get a confirmation."),
        ("Who wrote Faust?", "Johann Wolfgang von Goethe wrote it, in 1808."),
        ("How does an order work?", "Typically it takes 3 to 5 days with Hermes or DHL."),
        ("Book a table.", "At which restaurant?"),
        ("When was Rome founded?", "In 753 BC, by Romulus, as they say."),
    ],
)
def test_what_needs_no_call_may_be_told(asked: str, answer: str) -> None:
    assert found(told(asked, answer, tools=TOOLS), "TC218", generated=False) == []


def test_what_is_told_of_an_earlier_call_is_backed() -> None:
    document = told("Book a table.", "It's booked.", ("book_table", {}, {"status": "confirmed"}), tools=TOOLS)
    document["messages"] += [
        {"role": "user", "content": "All good?"},
        {"role": "assistant", "content": "Yes, all sorted."},
    ]
    assert found(document, "TC218", generated=False) == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Sure, I've emailed Dana that you'll be late.", ["warning"]),
        ("Of course: I've ordered a taxi for you.", ["warning"]),
        ("Yes, I've booked the table at Luna.", []),
        ("I've put it that way before.", []),
        ("I haven't ordered anything.", []),
    ],
)
def test_a_deed_of_a_later_turn_needs_a_call_as_well(answer: str, expected: list[str]) -> None:
    called = ("book_table", {"restaurant": "Luna"}, {"restaurant": "Luna", "status": "confirmed"})
    document = told("Book a table at Luna.", "It's booked.", called, tools=TOOLS[:2])
    document["messages"] += [
        {"role": "user", "content": "And what about the rest?"},
        {"role": "assistant", "content": answer},
    ]
    assert found(document, "TC218", generated=False) == expected
