"""Whether a text tells a value, asks for a parameter, says what is possible, or can mean a value."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.kinds.clarifying import may_mean, tells_what_is_possible
from generator.validation.kinds.turns import asks, asks_for, asks_for_another, asks_which
from generator.validation.kinds.values_in_text import is_worded_by_domain, quotes, says_argument, tells, unsaid
from generator.validation.view import RecordView
from tests.record_examples import FIRST, call
from tests.tables import each_row


@each_row(
    ("text", "value", "told"),
    [
        ("In Paris, please.", "Paris", True),
        ("a comparison", "Paris", False),
        ("on March 5th, 2026", "2026-03-05", True),
        ("5 Mar", "2026-03-05", True),
        ("the 5th of March", "2026-03-05", True),
        ("March 15", "2026-03-05", False),
        ("March 5", "2026-03-15", False),
        ("on 3/5", "2026-03-05", False),
        ("at 8 PM", "20:00", True),
        ("at 8:30 pm", "20:30", True),
        ("at 8 AM", "20:00", False),
        ("von 9 bis 9:45 Uhr", "09:45", True),
        ("at 09:45", "9:45", True),
        ("at 9:45 PM", "09:45", False),
        ("at 19:45", "09:45", False),
        ("9:45:30", "09:45", False),
        ("at noon", "12:00", True),
        ("on May 3 at 6:15 PM", "2026-05-03T18:15:00", True),
        ("on May 3", "2026-05-03T18:15:00", False),
        ("1,500 dollars", 1500, True),
        ("five of us", 5, True),
        ("25%", 0.25, True),
        ("15 of us", 5, False),
        ("5.5 liters", 5, False),
        ("one-way", "one_way", True),
        ("the wrong size", "wrong size", True),
        ("eggs and butter", ["eggs", "butter"], True),
        ("eggs", ["eggs", "butter"], False),
        ("to Ana at 77", {"name": "Ana", "number": "77"}, True),
        ("yes", True, False),
        ("a lot", 10**400, False),
        ("a lot", float("inf"), False),
        ("a lot", float("nan"), False),
        (str(10**20), 10**20, True),
        ("anything", [], False),
    ],
)
def test_a_text_tells_a_value(text: str, value: Any, told: bool) -> None:
    assert tells(text, value) is told


FUNCTION: dict[str, Any] = {
    "name": "book_table",
    "description": "Book a table.",
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "Where to eat, such as Rome."},
            "day": {"type": "string", "description": "Date of the visit."},
            "guests": {"type": "integer", "description": "People who come."},
            "full_name": {"type": "string", "description": "Who books."},
        },
    },
}


@each_row(
    ("text", "name", "asked"),
    [
        ("Which city?", "city", True),
        ("Where would you like to eat?", "city", True),
        ("In Rome?", "city", False),
        ("When is it?", "day", True),
        ("For which date?", "day", True),
        ("How many are you?", "guests", True),
        ("Who is it for?", "full_name", True),
        ("What's your full name?", "full_name", True),
        ("Which day?", "city", False),
        ("I need the city.", "city", True),
        ("The city is nice.", "city", False),
    ],
)
def test_a_text_asks_for_a_parameter(text: str, name: str, asked: bool) -> None:
    assert (asks(text) and asks_for(text, name, FUNCTION)) is asked


@pytest.mark.parametrize(
    ("text", "asking", "which"),
    [
        ("Which one shall I take?", True, True),
        ("The one which I took.", False, False),
        ("¿Cuál de ellas?", True, False),
        ("您想看哪一天的？", True, False),
        ("好的。", False, False),
    ],
)
def test_a_text_asks_in_any_language(text: str, asking: bool, which: bool) -> None:
    assert (asks(text), asks_which(text)) == (asking, which)


def test_a_text_asks_for_more_than_it_should() -> None:
    assert asks_for_another("Which city and which day?", ["city"], FUNCTION) == "day"
    assert asks_for_another("Which city?", ["city"], FUNCTION) == ""
    assert asks_for_another("The day is fine. Which city?", ["city"], FUNCTION) == ""


@each_row(
    ("text", "refused", "schema", "told"),
    [
        ("a, b or c", "z", {"enum": ["a", "b", "c"]}, True),
        ("a or b", "z", {"enum": ["a", "b", "c"]}, False),
        ("one or two", "z", {"enum": ["one", "two", "three", "four", "five"]}, True),
        ("12 at most", 20, {"maximum": 12}, True),
        ("10 at most", 20, {"maximum": 12}, False),
        ("from 2 on", 1, {"minimum": 2, "maximum": 12}, True),
        ("12 at most", 1, {"minimum": 2, "maximum": 12}, False),
        ("until the 28th", "2026-02-30", {"format": "date"}, True),
        ("until the 29th", "2026-02-30", {"format": "date"}, False),
        ("ABC isn't one", "ABC", {"pattern": "^[0-9]+$"}, True),
    ],
)
def test_a_text_says_what_is_possible(text: str, refused: Any, schema: dict[str, Any], told: bool) -> None:
    assert tells_what_is_possible(text, refused, schema) is told


@each_row(
    ("said", "value", "possible"),
    [
        ("03/04/2026", "2026-03-04", True),
        ("03/04/2026", "2026-04-03", True),
        ("03/04/2026", "2026-03-05", False),
        ("03/03/2026", "2026-03-03", False),
        ("7", "07:00", True),
        ("7", "19:00", True),
        ("7:30", "19:30", True),
        ("7", "20:00", False),
        ("19", "19:00", False),
        ("dollars", "CAD", True),
        ("dollars", "EUR", False),
        ("Salem", "Salem, Oregon", True),
        ("Salem", "Salem", False),
        ("Salem", "Salemville", False),
        ("", "Salem, Oregon", False),
        ("7", 7, False),
    ],
)
def test_what_is_said_can_mean_a_value(said: str, value: Any, possible: bool) -> None:
    assert may_mean(said, value) is possible


@pytest.mark.parametrize(
    ("metadata", "trusted"),
    [
        ({"author": "offline", "domain": "written"}, True),
        ({"author": "offline", "domain": "model"}, True),
        ({"author": "offline", "domain": "derived"}, False),
        ({"author": "llm", "domain": "written"}, False),
        ({"author": "offline"}, False),
        ({"domain": "written"}, False),
        ({"author": ["offline"], "domain": ["written"]}, False),
        (None, False),
    ],
)
def test_words_of_a_domain_are_those_that_the_offline_author_said(metadata: Any, trusted: bool) -> None:
    assert is_worded_by_domain(RecordView({"messages": [], "metadata": metadata})) is trusted


Json = Any  # parsed JSON


def called(arguments: Json, evidence: Json) -> tuple[Any, RecordView]:
    view = RecordView(
        {
            "messages": [{"role": "assistant", "content": "", "tool_calls": [call(FIRST, "act", arguments)]}],
            "tools": [],
            "metadata": {"evidence": {FIRST: evidence}},
        }
    )
    return view.calls[0], view


@each_row(
    ("text", "arguments", "evidence", "said"),
    [
        ("am Zehnten, bitte", {"day": "2026-02-10"}, {"day": "am Zehnten"}, True),
        ("Am  zehnten, bitte", {"day": "2026-02-10"}, {"/day": "am Zehnten"}, True),
        ("on February 10", {"day": "2026-02-10"}, {}, True),
        ("am Elften, bitte", {"day": "2026-02-10"}, {"day": "am Zehnten"}, False),
        ("the parcel from Everpine", {"day": "PX-926576"}, {"day": "the parcel from Everpine"}, False),
        ("in Lyon, 69002", {"day": {"city": "Lyons", "zip": "x"}}, {"/day/city": "Lyon", "/day/zip": "69002"}, True),
        ("in Lyon, 69002", {"day": {"city": "Lyons", "zip": "x"}}, {"/day/city": "Lyon", "/day/zip": "69003"}, False),
        ("whatever", {"day": "2026-02-10"}, {"day": " "}, False),
        ("whatever", {"day": "2026-02-10"}, {"day": 7}, False),
        ("whatever", {"day": "2026-02-10"}, {"daylight": "whatever"}, False),
    ],
)
def test_an_argument_is_said_by_its_value_or_by_its_evidence(
    text: str, arguments: Json, evidence: Json, said: bool
) -> None:
    made, view = called(arguments, evidence)
    assert says_argument(text, "day", made, view) == said
    assert (not list(unsaid(text, made, view))) == said


def test_every_argument_must_be_said_but_flags_and_what_is_empty() -> None:
    made, view = called({"city": "Rome", "guests": 2, "quiet": True, "note": []}, {"guests": "the two of us"})
    assert not list(unsaid("Rome, for the two of us", made, view))
    assert list(unsaid("Rome, for both of us", made, view)) == ["guests = 2"]
    assert not list(unsaid("Rome, for both of us", made, view, but="guests"))


def test_a_whole_letter_is_no_evidence_and_a_call_without_an_id_has_none() -> None:
    letter = "so many words " * 20
    made, view = called({"day": "2026-02-10"}, {"day": letter.strip()})
    assert not quotes(letter, "day", made, view)
    view = RecordView({"messages": [{"role": "assistant", "tool_calls": [call(None, "act", {"day": "x"})]}]})
    assert not quotes("x", "day", view.calls[0], view)
