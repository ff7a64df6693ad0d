"""Frames filled with the values of a call."""

from datetime import date

import pytest

from generator.authors.offline.fields import fields_of
from generator.authors.offline.frames import covers, fill_frames, leaf_paths, value_at
from generator.authors.offline.saying import Voice
from generator.streams import stream
from generator.tools.tool import Frames, Tool

PARAMETERS = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "City"},
        "room_type": {"type": "string", "enum": ["economy", "double_bed"]},
        "nights": {"type": "integer", "description": "Number of nights"},
        "check_in": {"type": "string", "format": "date"},
        "breakfast": {"type": "boolean"},
        "guests": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
        "budget": {"type": "object", "properties": {"min": {"type": "number"}, "max": {"type": "number"}}},
    },
}


def tool(*requests):
    return Tool(
        name="book_room",
        description="Book a room.",
        parameters=PARAMETERS,
        result_schema={},
        result_origin="derived",
        frames=Frames(requests=requests),
    )


def filled(frame, arguments, **voice):
    made = tool(frame)
    return fill_frames(made, fields_of(PARAMETERS), arguments, Voice(stream(1), **voice))


@pytest.mark.parametrize(
    ("frame", "arguments", "text"),
    [
        ("a room in {city}.", {"city": "Rome"}, "A room in Rome."),
        ("A {room_type} room.", {"room_type": "economy"}, "An economy room."),
        ("A {room_type} room.", {"room_type": "double_bed"}, "A double bed room."),
        ("{city}, {nights} nights.", {"city": "Rome", "nights": 1}, "Rome, 1 night."),
        ("{city}, {nights} nights.", {"city": "Rome", "nights": 2}, "Rome, 2 nights."),
        ("In {city} from {check_in}.", {"city": "Rome", "check_in": "2026-03-14"}, "In Rome from March 14, 2026."),
        ("{city}[ for {nights} nights].", {"city": "Rome"}, "Rome."),
        ("{city} {breakfast?with|without} breakfast.", {"city": "Rome", "breakfast": False}, "Rome without breakfast."),
        (
            "{city} for {guests.*.name}.",
            {"city": "Rome", "guests": [{"name": "Ana"}, {"name": "Ben"}]},
            "Rome for Ana and Ben.",
        ),
        (
            "{city}, {budget.min} to {budget.max}.",
            {"city": "Rome", "budget": {"min": 90, "max": 120}},
            "Rome, 90 to 120.",
        ),
    ],
)
def test_fills(frame, arguments, text):
    assert filled(frame, arguments) == text


@pytest.mark.parametrize(
    ("frame", "arguments"),
    [
        ("A room in {city}.", {"nights": 2}),
        ("A room in {city}.", {"city": "Rome", "nights": 2}),
        ("{city} {breakfast?with breakfast}.", {"city": "Rome", "breakfast": False}),
        ("{city} for {guests.0.name}.", {"city": "Rome", "guests": [{"name": "Ana"}, {"name": "Ben"}]}),
        ("{city} for {guests.*.name}.", {"city": "Rome", "guests": []}),
        ("{city} from {budget.min}.", {"city": "Rome", "budget": {"min": 1, "max": 2}}),
    ],
)
def test_a_frame_that_does_not_say_everything_is_left(frame, arguments):
    assert filled(frame, arguments) == ""


def test_takes_the_frame_that_fits():
    made = tool("In {city}.", "In {city} for {nights} nights.")
    text = fill_frames(made, fields_of(PARAMETERS), {"city": "Rome", "nights": 3}, Voice(stream(5)))
    assert text == "In Rome for 3 nights."


def test_choices_are_drawn_from_the_stream():
    made = tool("(Book|Reserve|Get me) a room in {city}.")
    fields = fields_of(PARAMETERS)
    texts = {fill_frames(made, fields, {"city": "Rome"}, Voice(stream(seed))) for seed in range(40)}
    assert texts == {"Book a room in Rome.", "Reserve a room in Rome.", "Get me a room in Rome."}


def test_the_year_is_dropped_only_where_the_date_is_known():
    arguments = {"check_in": "2026-03-14"}
    assert filled("On {check_in}.", arguments, today=date(2026, 3, 2)) == "On March 14."
    assert filled("On {check_in}.", {"check_in": "2027-03-14"}, today=date(2026, 3, 2)) == "On March 14, 2027."
    assert filled("On {check_in}.", arguments) == "On March 14, 2026."


def test_leaf_paths_and_covering():
    arguments = {"a": {"b": [1, 2]}, "c": []}
    assert list(leaf_paths(arguments, ())) == [("a", "b", "0"), ("a", "b", "1"), ("c",)]
    assert covers({("a", "b"), ("c",)}, arguments)
    assert covers({("a", "b", "*"), ("c",)}, arguments)
    assert not covers({("a", "b", "0"), ("c",)}, arguments)
    assert value_at(arguments, ("a", "b", "1")) == 2
