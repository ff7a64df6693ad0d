"""Deeds and facts that an answer claims where nothing was called."""

from __future__ import annotations

import pytest

from tests.answer_examples import found, told, tool

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


@pytest.mark.parametrize(
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
