"""The syntax of request frames: what is read, what is refused, and where."""

import pytest

from generator.tools.frame_syntax import (
    MAX_FRAME,
    Choice,
    FrameError,
    Optional,
    Slot,
    frame_problems,
    parse_frame,
    slots_of,
)
from generator.tools.tool import Frames

PARAMETERS = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "breakfast": {"type": "boolean"},
        "guests": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
    },
}


def test_reads_slots_optional_parts_and_choices():
    parts = parse_frame("(Book|Reserve) a room in {city}[ for {guests.*.name}][, {breakfast?with|without} breakfast].")
    assert parts[0] == Choice((("Book",), ("Reserve",)))
    assert parts[2] == Slot(("city",))
    assert parts[3] == Optional((" for ", Slot(("guests", "*", "name"))))
    assert [slot.path for slot in slots_of(parts)] == [("city",), ("guests", "*", "name"), ("breakfast",)]
    assert parts[4] == Optional((", ", Slot(("breakfast",), "with", "without"), " breakfast"))


def test_parentheses_without_a_bar_are_text():
    assert parse_frame("A room (a quiet one) in {city}") == ("A room (a quiet one)", " in ", Slot(("city",)))


def test_a_bar_inside_a_slot_does_not_make_a_choice():
    parts = parse_frame("A room ({breakfast?with breakfast|no breakfast})")
    assert Slot(("breakfast",), "with breakfast", "no breakfast") in parts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("in {city", "'{' is never closed"),
        ("in city}", "'}' without '{'"),
        ("[in {city}", "'[' is never closed"),
        ("in {city}]", "']' without '['"),
        ("[in [{city}]]", "inside '[...]'"),
        ("in {}", "is no slot"),
        ("in {the city}", "is no slot"),
        ("x" * (MAX_FRAME + 1), "longer than"),
    ],
)
def test_refuses_what_breaks_the_syntax(text, message):
    with pytest.raises(FrameError, match=r".*") as caught:
        parse_frame(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("in {town}", "names no parameter"),
        ("with {breakfast}", "is a boolean"),
        ("in {city?yes|no}", "for booleans only"),
        ("in {city", "never closed"),
    ],
)
def test_names_every_problem_with_its_place(text, message):
    frames = Frames(requests=("A room in {city}.", text))
    ((where, problem),) = frame_problems(frames, PARAMETERS)
    assert where == "/requests/1"
    assert message in problem
    assert text in problem


def test_good_frames_have_no_problems():
    frames = Frames(requests=("A room in {city}[ for {guests.*.name}][ {breakfast?with breakfast}].",))
    assert frame_problems(frames, PARAMETERS) == []
