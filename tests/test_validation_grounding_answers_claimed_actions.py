"""Deeds and facts that an answer claims where nothing was called."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answer_examples import found, told, tool
from tests.tables import each_row

TOOLS = (tool("book_table", "Book a table."), tool("get_weather", "Get the weather."))


@pytest.mark.parametrize(
    ("asked", "answer", "expected"),
    [
        ("Book a table at Luna.", "I've booked a table at Luna for you.", "error"),
        ("Book a table at Luna.", "Done, you can go there at eight.", "error"),
        ("Book a table at Luna.", "Your table at Luna has been booked.", "error"),
        ("Please get me a table at Luna.", "I have just set it all up with them.", "warning"),
        ("Reserva una mesa en Luna, por favor.", "Ya he reservado la mesa en Luna para ti.", "warning"),
        ("Bitte buch mir einen Tisch im Luna.", "Ich habe den Tisch im Luna für dich gebucht.", "warning"),
        ("帮我在Luna订一张桌子。", "我已经为您预订了Luna的桌子。", "warning"),
        ("Book a table at Luna.", "Your code is BK48213.", "warning"),
    ],
)
def test_a_deed_without_a_call_is_claimed(asked: str, answer: str, expected: str) -> None:
    assert found(told(asked, answer, tools=TOOLS), "TC218") == [expected]
    assert found(told(asked, answer, tools=TOOLS), "TC218", generated=False) == ["warning"]


@each_row(
    ("asked", "answer"),
    [
        ("Book a table at Luna.", "For how many people shall I book it?"),
        ("Book a table at Luna.", "I haven't booked anything yet: at what time?"),
        ("Book a table at Luna.", "Once I've booked the table, I'll tell you."),
        ("Book a table at Luna.", "I can't book tables there."),
        ("Write a poem on tables.", "I've written one for you: tables, tables."),
        ("My table was booked by Anna.", "Then your table is booked indeed, enjoy it."),
        ("Translate it, please.", "I've translated it: ¿dónde está la mesa?"),
        ("Thanks!", "You're welcome, I've enjoyed it."),
        ("No, leave it.", "OK, I've left everything as it is."),
        ("What do you know of COVID-19?", "COVID-19 came up in 2019."),
    ],
)
def test_what_words_alone_can_do_is_no_claim(asked: str, answer: str) -> None:
    assert found(told(asked, answer, tools=TOOLS), "TC218") == []
    assert found(told(asked, answer, tools=TOOLS), "TC218", generated=False) == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("It's 13.5°C and sunny in Rome right now.", ["warning"]),
        ("It rains in Rome from 5 PM.", ["warning"]),
        ("In Rome it's usually about 13.5°C in March.", []),
        ("I can look that up: shall I?", []),
        ("It is nice in Rome.", []),
    ],
)
def test_a_fact_that_only_a_call_can_bring_is_from_nowhere(answer: str, expected: list[str]) -> None:
    document = told("How is the weather in Rome?", answer, tools=TOOLS)
    assert found(document, "TC218", generated=False) == expected


def test_a_deed_of_an_earlier_call_may_be_told_again() -> None:
    document = told("Book a table.", "It's booked.", ("book_table", {}, {"status": "confirmed"}), tools=TOOLS)
    document["messages"] += [
        {"role": "user", "content": "Did you book the table?"},
        {"role": "assistant", "content": "Yes, I've booked it."},
    ]
    assert found(document, "TC218") == []


TEXT = {"type": "string"}
UNBACKED_TOOLS = (
    tool("book_table", "Book a table in a restaurant.", restaurant=TEXT),
    tool("get_order_status", "Get the status of an order.", order_id=TEXT),
    tool("send_email", "Send an email to somebody.", to=TEXT, body=TEXT),
)


@each_row(
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
    assert found(told(asked, answer, tools=UNBACKED_TOOLS), "TC218", generated=False) == ["warning"]


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
    assert found(told(asked, answer, tools=UNBACKED_TOOLS), "TC218", generated=False) == []


def test_what_is_told_of_an_earlier_call_is_backed() -> None:
    document = told("Book a table.", "It's booked.", ("book_table", {}, {"status": "confirmed"}), tools=UNBACKED_TOOLS)
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
    document = told("Book a table at Luna.", "It's booked.", called, tools=UNBACKED_TOOLS[:2])
    document["messages"] += [
        {"role": "user", "content": "And what about the rest?"},
        {"role": "assistant", "content": answer},
    ]
    assert found(document, "TC218", generated=False) == expected


Json = Any  # parsed JSON
FURTHER_TEXT = {"type": "string"}
ORDER = ("track_order", {"order_id": "A-881"}, {"order_id": "A-881", "status": "in transit", "carrier": "Hermes"})
MOVED = (
    "update_meeting",
    {"meeting": "Budget", "start": "15:00"},
    {"meeting": "Budget", "start": "15:00", "attendees": ["Ann Bell"]},
)
ITEM = ("create_item", {"list": "groceries", "item": "milk"}, {"list": "groceries", "items": 7})
POSTED = ("post_message", {"channel": "core", "text": "Standup in 5"}, {"ok": True})


@each_row(
    ("call", "answer"),
    [
        (ORDER, "It's in transit with Hermes. I have notified the courier that you're waiting."),
        (ORDER, "Order A-881 is in transit. I also went ahead and renewed your insurance."),
        (ORDER, "It's on its way with Hermes, and I've booked you a taxi."),
        (ORDER, "It's in transit. I've added a reminder to your calendar as well."),
        (MOVED, "The budget meeting starts at 15:00 now. I've texted the details to Ann Bell as well."),
        (MOVED, "The budget meeting is at 15:00 now, and I've emailed everybody."),
        (MOVED, "Done, it starts at 15:00. A confirmation email has been sent to you."),
        (MOVED, "I've moved the meeting to 15:00 and ordered coffee for the room."),
        (ITEM, "Milk is on the list. I've also paid your water bill."),
        (ITEM, "Milk is on the list. Additionally, I've subscribed you to the newsletter."),
    ],
)
def test_a_deed_that_no_call_has_done_is_claimed(call: tuple[str, Json, Json], answer: str) -> None:
    tools = (tool(call[0], "Do what it says.", **dict.fromkeys(call[1], FURTHER_TEXT)),)
    document = told("Please see to it.", answer, call, tools=tools)
    assert found(document, "TC216", generated=False) == ["warning"]


@each_row(
    ("call", "answer"),
    [
        (ORDER, "It's in transit with Hermes. I've listed the stops below."),
        (ORDER, "It was sent on Monday, and is in transit."),
        (ORDER, "It's in transit. Once it has been delivered, you'll get a notice."),
        (ORDER, "I've checked order A-881: it's in transit. Shall I have somebody notified?"),
        (ORDER, "I haven't notified anybody, as it is in transit."),
        (MOVED, "I've rescheduled the Budget meeting to 15:00. Ann Bell will be there as well."),
        (MOVED, "I've set it to 15:00."),
        (MOVED, "I've put the new time first: 15:00."),
        (ITEM, "I've added milk to your groceries. I've also put it at the top of the groceries list."),
        (ITEM, "Saved: milk is on the list, with 6 others."),
        (POSTED, 'I\'ve sent "Standup in 5" to the core channel.'),
        (POSTED, "Done, I've notified everybody in core."),
    ],
)
def test_what_was_done_may_be_told_in_other_words(call: tuple[str, Json, Json], answer: str) -> None:
    tools = (tool(call[0], "Do what it says.", **dict.fromkeys(call[1], FURTHER_TEXT)),)
    document = told("Please see to it.", answer, call, tools=tools)
    assert found(document, "TC216", generated=False) == []
