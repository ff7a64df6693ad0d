"""Further deeds: what is told as done besides, and no call has done."""

from __future__ import annotations

from typing import Any

import pytest

from tests.answer_examples import found, told, tool

Json = Any  # parsed JSON
TEXT = {"type": "string"}
ORDER = ("track_order", {"order_id": "A-881"}, {"order_id": "A-881", "status": "in transit", "carrier": "Hermes"})
MOVED = (
    "update_meeting",
    {"meeting": "Budget", "start": "15:00"},
    {"meeting": "Budget", "start": "15:00", "attendees": ["Ann Bell"]},
)
ITEM = ("create_item", {"list": "groceries", "item": "milk"}, {"list": "groceries", "items": 7})
POSTED = ("post_message", {"channel": "core", "text": "Standup in 5"}, {"ok": True})


@pytest.mark.parametrize(
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
    tools = (tool(call[0], "Do what it says.", **dict.fromkeys(call[1], TEXT)),)
    document = told("Please see to it.", answer, call, tools=tools)
    assert found(document, "TC216", generated=False) == ["warning"]


@pytest.mark.parametrize(
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
    tools = (tool(call[0], "Do what it says.", **dict.fromkeys(call[1], TEXT)),)
    document = told("Please see to it.", answer, call, tools=tools)
    assert found(document, "TC216", generated=False) == []
