"""What clarifying kinds claim, and what the check of each refuses: made records and records written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.kind_records import Json, calls, complaints, records_of, require_refused_by_words, turns
from tests.record_examples import FIRST, call, result
from tests.tables import each_row

COUNT = 12
BOOKING: Json = {
    "type": "function",
    "function": {
        "name": "book_table",
        "description": "Book a table at a restaurant.",
        "parameters": {
            "type": "object",
            "properties": {
                "restaurant": {"type": "string", "description": "Name of the restaurant."},
                "day": {"type": "string", "format": "date", "description": "Day of the visit."},
                "time": {"type": "string", "description": "When to come, as HH:MM."},
                "guests": {"type": "integer", "minimum": 1, "maximum": 12, "description": "How many people come."},
                "city": {"type": "string", "description": "City of the restaurant."},
                "seating": {"type": "string", "enum": ["indoor", "terrace", "bar"], "description": "Where to sit."},
            },
            "required": ["restaurant", "day", "guests"],
        },
    },
}


def talk(
    kind: str,
    claim: Json,
    words: tuple[str, str, str],
    arguments: Json,
    tools: list[Json] | None = None,
    name: str = "book_table",
) -> Json:
    """A record of two turns: the wish, the assistant's words, the answer; then one call."""
    wish, asked, answer = words
    return {
        "messages": [
            {"role": "user", "content": wish},
            {"role": "assistant", "content": asked},
            {"role": "user", "content": answer},
            {"role": "assistant", "content": "", "tool_calls": [call(FIRST, name, arguments)]},
            result(FIRST, name, '{"id":"T1"}'),
            {"role": "assistant", "content": "Your table is booked."},
        ],
        "tools": tools or [BOOKING],
        "metadata": {"kind": kind, "claim": claim},
    }


def missing(claim: list[str], *words: str, **arguments: Any) -> Json:
    """A missing_parameter record of one table."""
    return talk("missing_parameter", {"missing": claim}, (words[0], words[1], words[2]), arguments)


GIVEN: dict[str, Any] = {"restaurant": "Juniper", "day": "2026-03-05", "guests": 4}
WISH = "Book a table for four at Juniper."
ASKED_WELL = [
    missing(
        ["restaurant", "day", "guests"],
        "Book something.",
        "Which restaurant, which day, how many guests?",
        "Juniper, March 5, 4 of us",
        **GIVEN,
    ),
    missing(["day"], WISH, "Sure. For which day?", "March 5th, please.", **GIVEN),
    missing(["day"], WISH, "When would you like to come?", "On 5 March.", **GIVEN),
    missing(["guests"], "A table at Juniper on March 5, please.", "How many people will come?", "4.", **GIVEN),
    missing(
        ["day", "guests"], "A table at Juniper?", "I need the day and the number of guests.", "Mar 5, 4 people", **GIVEN
    ),
]
CODED = talk("missing_parameter", {"missing": ["check_in"]}, ("A room in Rome.", "Which check_in?", "March 5."),
             {"city": "Rome", "check_in": "2026-03-05"}, [{"type": "function", "function": {
                 "name": "book_table", "description": "Book.", "parameters": {
                     "type": "object", "required": ["city", "check_in"],
                     "properties": {"city": {"type": "string"}, "check_in": {"type": "string"}}}}}])  # fmt: skip
ASKED_BADLY = [
    ("asks in code", CODED),
    ("asks for something else", missing(["day"], WISH, "Sure. In which city?", "March 5th.", **GIVEN)),
    ("asks for more than is missing", missing(["day"], WISH, "Which day and what seating?", "March 5th.", **GIVEN)),
    ("asks for one of two", missing(["day", "guests"], "A table at Juniper?", "Which day?", "Mar 5, 4", **GIVEN)),
    ("asks nothing", missing(["day"], WISH, "The day is missing somehow, sorry!", "March 5th.", **GIVEN)),
    ("is told at once", missing(["day"], f"{WISH} On March 5.", "For which day?", "March 5th.", **GIVEN)),
    ("is never told", missing(["day"], WISH, "For which day?", "The day after the party.", **GIVEN)),
    ("is told another day", missing(["day"], WISH, "For which day?", "March 6th.", **GIVEN)),
    ("claims something else", missing(["guests"], WISH, "For which day?", "March 5th.", **GIVEN)),
    ("claims nothing", missing([], WISH, "For which day?", "March 5th.", **GIVEN)),
    ("claims what is optional", missing(["city"], WISH, "In which city?", "Rome.", restaurant="Juniper", city="Rome")),
]  # fmt: skip


FULL: dict[str, Any] = {**GIVEN, "seating": "bar"}
WISHED = "Book a table for four at Juniper on March 5"
CHOICES = "You can sit indoor, on the terrace or at the bar. Which one?"


def refused(parameter: str, value: Json, *words: str, **arguments: Any) -> Json:
    """An invalid_value record of one table."""
    claim = {"parameter": parameter, "refused": value}
    return talk("invalid_value", claim, (words[0], words[1], words[2]), arguments)


OBJECTED_WELL = [
    refused("seating", "rooftop", f"{WISHED}, rooftop.", f"There's no rooftop. {CHOICES}", "The bar, please.", **FULL),
    refused("guests", 20, "A table for 20 at Juniper on March 5.", "12 people at most. How many?", "Just 4.", **GIVEN),
    refused("day", "2026-02-30", "Table for 4 at Juniper, February 30, 2026.", "February ends on the 28th. When?",
            "Mar 5", **GIVEN),
]  # fmt: skip
OBJECTED_BADLY = [
    ("says nothing of what is possible", refused(
        "seating", "rooftop", f"{WISHED}, rooftop.", "No rooftop, sorry. Where will you sit?", "Bar.", **FULL)),
    ("names half of what is possible", refused(
        "seating", "rooftop", f"{WISHED}, rooftop.", "You can sit at the bar. Is that fine?", "Bar, please.", **FULL)),
    ("points nothing out", refused("seating", "rooftop", f"{WISHED}, rooftop.", CHOICES, "The bar, please.", **FULL)),
    ("asks nothing", refused(
        "seating", "rooftop", f"{WISHED}, rooftop.", "Only indoor, terrace and bar exist.", "Bar.", **FULL)),
    ("refuses what is possible", refused(
        "seating", "terrace", f"{WISHED}, terrace.", f"There's no terrace. {CHOICES}", "The bar, please.", **FULL)),
    ("is never wished for", refused("seating", "rooftop", f"{WISHED}.", f"No rooftop. {CHOICES}", "The bar.", **FULL)),
    ("calls with another one", refused(
        "seating", "rooftop", f"{WISHED}, rooftop.", f"No rooftop. {CHOICES}", "The terrace, please.", **FULL)),
    ("tells another bound", refused(
        "guests", 20, "A table for 20 at Juniper on March 5.", "10 people at most. How many?", "Just 4.", **GIVEN)),
    ("tells another length of the month", refused(
        "day", "2026-02-30", "Table for 4 at Juniper, February 30, 2026.", "February ends on the 29th. When?", "Mar 5",
        **GIVEN)),
    ("invents the rest", refused(
        "seating", "rooftop", "A table for four, rooftop.", f"No rooftop. {CHOICES}", "The bar, please.", **FULL)),
]  # fmt: skip


def read(said: str, readings: list[str], *words: str, parameter: str = "day", **arguments: Any) -> Json:
    """An ambiguous record of one table."""
    claim = {"parameter": parameter, "said": said, "readings": readings}
    return talk("ambiguous", claim, (words[0], words[1], words[2]), {**GIVEN, **arguments})


DAYS, SLASHED = ["2026-03-05", "2026-05-03"], "A table for 4 at Juniper on 03/05/2026."
BOTH = "March 5 or May 3?"
ROCHESTER = ["Rochester, New York", "Rochester, Minnesota"]
IN_ROCHESTER = "A table for 4 at Juniper in Rochester, March 5."
READ_WELL = [
    read("03/05/2026", DAYS, SLASHED, BOTH, "March 5, please."),
    read("Rochester", ROCHESTER, IN_ROCHESTER, "Rochester, New York or Rochester, Minnesota?", "Rochester, New York.",
         parameter="city", city="Rochester, New York"),
    read("7", ["07:00", "19:00"], "A table for 4 at Juniper on March 5 at 7.", "7 AM or 7 PM?", "7 PM.",
         parameter="time", time="19:00"),
]  # fmt: skip
READ_BADLY = [
    ("asks for one alone", read("03/05/2026", DAYS, SLASHED, "You mean March 5?", "March 5, yes.")),
    ("asks nothing", read("03/05/2026", DAYS, SLASHED, "March 5 or May 3, I see.", "March 5, please.")),
    ("chooses neither", read("03/05/2026", DAYS, SLASHED, BOTH, "Whatever.")),
    ("chooses both", read("03/05/2026", DAYS, SLASHED, BOTH, "March 5. Or May 3.")),
    ("chooses the other one", read("03/05/2026", DAYS, SLASHED, BOTH, "May 3.")),
    ("cannot mean that", read("03/05/2026", ["2026-03-05", "2026-03-06"], SLASHED, "March 5 or 6?", "March 5.")),
    ("has one reading", read("03/03/2026", ["2026-03-03", "2026-03-03"], "For 4 at Juniper, 03/03/2026", BOTH,
                             "March 3.", day="2026-03-03")),
    ("leaves nothing open", read("03/05/2026", DAYS, f"{SLASHED} I mean March 5.", BOTH, "March 5, please.")),
    ("was never said", read("03/05/2026", DAYS, "A table for 4 at Juniper.", BOTH, "March 5, please.")),
    ("has a reading that the schema refuses", read(
        "bar", ["bar, inside", "bar"], f"{WISHED}, bar.", "The bar, inside or the bar?", "Bar.", parameter="seating",
        seating="bar")),
]  # fmt: skip
CANCELLING: Json = {
    "type": "function",
    "function": {
        "name": "cancel_booking",
        "description": "Cancel a booked table.",
        "parameters": {"type": "object", "properties": {"booking_id": {"type": "string"}}, "required": ["booking_id"]},
    },
}


def like_cancelling(name: str, description: str, **changes: Any) -> Json:
    """Another tool that takes a booking, unless `changes` say otherwise."""
    function = {**CANCELLING["function"], "name": name, "description": description, **changes}
    return {"type": "function", "function": function}


MOVING = like_cancelling("move_booking", "Move a booked table.")
DROPPING = like_cancelling("abort_booking", "Abort a booked table.")
LETTERED: Json = {"type": "object", "properties": {"booking_id": {"type": "string", "pattern": "^X"}}}
PICKY = like_cancelling("move_booking", "Move a booked table.", parameters=LETTERED)


def either(*words: str, other: Json = MOVING, claim: Json = None) -> Json:
    """An ambiguous record of a booking that is cancelled in the end, where another tool could take it as well."""
    names = claim if claim is not None else ["cancel_booking", other["function"]["name"]]
    said = (words[0], words[1], words[2])
    return talk("ambiguous", {"tools": names}, said, {"booking_id": "B7"}, [CANCELLING, other], "cancel_booking")


ABOUT, MOVE_OR_CANCEL = "It's about booking B7.", "Should I move it or cancel it?"
EITHER_WELL = [either(ABOUT, MOVE_OR_CANCEL, "Cancel it."), either(ABOUT, "Cancel or move?", "Please cancel it.")]
EITHER_BADLY = [
    ("was clear from the start", either("Please cancel booking B7.", MOVE_OR_CANCEL, "Cancel it.")),
    ("asks about one tool", either(ABOUT, "Should I cancel it?", "Cancel it.")),
    ("chooses the other tool", either(ABOUT, MOVE_OR_CANCEL, "Move it.")),
    ("chooses no tool", either(ABOUT, MOVE_OR_CANCEL, "Yes.")),
    ("knows tools that do the same", either(ABOUT, "Should I abort or cancel it?", "Cancel it.", other=DROPPING)),
    ("has a tool that would refuse", either(ABOUT, MOVE_OR_CANCEL, "Cancel it.", other=PICKY)),
    ("claims another tool", either(ABOUT, MOVE_OR_CANCEL, "Cancel it.", claim=["cancel_booking", "sing"])),
    ("claims one tool twice", either(ABOUT, MOVE_OR_CANCEL, "Cancel it.", claim=["cancel_booking"] * 2)),
    ("claims nothing", either(ABOUT, MOVE_OR_CANCEL, "Cancel it.", claim=[])),
    ("names nothing", either("It's about my booking.", MOVE_OR_CANCEL, "Cancel it.")),
]
WELL = [*EITHER_WELL, *ASKED_WELL, *OBJECTED_WELL, *READ_WELL]
BADLY = [pytest.param(record, id=why) for why, record in (*ASKED_BADLY, *OBJECTED_BADLY, *READ_BADLY, *EITHER_BADLY)]
KINDS = ("missing_parameter", "invalid_value", "ambiguous")


@each_row("record", WELL, ids=lambda record: record["messages"][1]["content"])
def test_who_asks_for_what_is_missing_keeps_the_claim(record: Json) -> None:
    assert complaints(record) == []


@each_row("record", BADLY)
def test_who_asks_badly_breaks_the_claim(record: Json) -> None:
    assert complaints(record)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_keeps_its_claim(kind: str) -> None:
    records = records_of(kind, COUNT)
    assert len(records) == COUNT
    assert [complaints(record) for record in records] == [[]] * COUNT


def _asks_nothing(record: Json) -> None:
    turns(record, "assistant")[0]["content"] = "I can't do that."


def _asks_for_something_else(record: Json) -> None:
    turns(record, "assistant")[0]["content"] = "What's your shoe size?"


def _calls_at_once(record: Json) -> None:
    record["messages"] = [message for message in record["messages"] if message is not turns(record, "assistant")[0]]


def _answer_says_nothing(record: Json) -> None:
    turns(record, "user")[1]["content"] = "I'm not sure."


def _another_value_is_called(record: Json) -> None:
    arguments = calls(record)[0]["arguments"]
    for name, value in arguments.items():
        arguments[name] = value + 17 if isinstance(value, int | float) and not isinstance(value, bool) else "Xyzzy"


def _call_is_missing(record: Json) -> None:
    record["messages"] = [message for message in record["messages"] if "tool_calls" not in message]


def _without_claim(record: Json) -> None:
    record["metadata"]["claim"] = {}


def _all_is_said_at_once(record: Json) -> None:
    users = turns(record, "user")
    users[0]["content"] += f" {users[1]['content']}"


def _wish_is_forgotten(record: Json) -> None:
    turns(record, "user")[0]["content"] = "Could you do something for me?"


MUTATIONS: list[tuple[str, Callable[[Json], None]]] = [
    *((kind, mutate) for kind in KINDS for mutate in (_calls_at_once, _call_is_missing, _without_claim)),
    *((kind, mutate) for kind in KINDS[:2] for mutate in (_answer_says_nothing, _another_value_is_called)),
    ("missing_parameter", _asks_nothing),
    ("missing_parameter", _all_is_said_at_once),
    ("ambiguous", _asks_nothing),
    ("invalid_value", _wish_is_forgotten),
]  # fmt: skip
BY_WORDS: list[tuple[str, Callable[[Json], None]]] = [
    *((kind, _asks_for_something_else) for kind in KINDS),
    ("invalid_value", _asks_nothing),
    *(("ambiguous", mutate) for mutate in (
        _answer_says_nothing, _another_value_is_called, _all_is_said_at_once, _wish_is_forgotten)),
]  # fmt: skip
MANY = 24


def test_a_reading_may_be_chosen_by_what_the_other_has_not() -> None:
    """ "Maine" chooses between "Portland, Oregon" and "Portland, Maine", and "Portland" does not."""
    records = [each for each in records_of("ambiguous", MANY) if "readings" in each["metadata"]["claim"]]
    told = [each for each in records if all("," in str(one) for one in each["metadata"]["claim"]["readings"])]
    assert told
    for record in told:
        name, readings = (record["metadata"]["claim"][key] for key in ("parameter", "readings"))
        meant = calls(record)[-1]["arguments"][name]
        other = next(each for each in readings if each != meant)
        for words, chosen in ((meant, True), (other, False), (meant.split(",")[0], False)):
            turns(record, "user")[1]["content"] = words.split(",")[-1].strip()
            assert (complaints(record) == []) == chosen, words


@each_row(("kind", "mutate"), MUTATIONS, ids=lambda value: getattr(value, "__name__", value).strip("_"))
def test_a_broken_claim_is_refused(kind: str, mutate: Callable[[Json], None]) -> None:
    for record in records_of(kind, COUNT):
        mutate(record)
        assert complaints(record), [message["content"] for message in record["messages"]]


@pytest.mark.parametrize(("kind", "mutate"), BY_WORDS, ids=lambda value: getattr(value, "__name__", value).strip("_"))
def test_words_that_break_a_claim_are_refused_unless_a_domain_has_them(
    kind: str, mutate: Callable[[Json], None]
) -> None:
    require_refused_by_words(kind, mutate, MANY)


KIND = "confirm_before_write"


def _agreed() -> list[Json]:
    return [record for record in records_of(KIND, 24) if record["metadata"]["claim"]["answer"] == "yes"]


def _declined() -> list[Json]:
    return [record for record in records_of(KIND, 24) if record["metadata"]["claim"]["answer"] == "no"]


def test_what_is_confirmed_keeps_its_claim() -> None:
    records = records_of(KIND, 24)
    assert [complaints(record) for record in records] == [[]] * 24
    assert len(_agreed()) > len(_declined()) > 2


def _nobody_demands_it(record: Json) -> None:
    turns(record, "system")[0]["content"] = "You are a helpful assistant."


def _does_not_ask_first(record: Json) -> None:
    turns(record, "assistant")[0]["content"] = "Nice weather today."


def _asks_about_nothing_in_particular(record: Json) -> None:
    turns(record, "assistant")[0]["content"] = "Shall I proceed?"


def _answers_neither(record: Json) -> None:
    turns(record, "user")[1]["content"] = "What do you mean by that?"


def _says_no(record: Json) -> None:
    turns(record, "user")[1]["content"] = "No, please don't."


def _says_yes(record: Json) -> None:
    turns(record, "user")[1]["content"] = "Yes, go ahead."


def _calls_before_the_answer(record: Json) -> None:
    turn = next(message for message in record["messages"] if message.get("tool_calls"))
    record["messages"].remove(turn)
    record["messages"].insert(2, turn)


def _calls_another_tool(record: Json) -> None:
    calls(record)[0]["name"] = "delete_everything"


def _calls_something_else(record: Json) -> None:
    calls(record)[0]["arguments"] = {"what": "Qwertzuiop", "how_often": 987654}


def _calls_with_another_value(record: Json) -> None:
    """One value is another one than the user has agreed to."""
    arguments = calls(record)[0]["arguments"]
    name = next(name for name, value in arguments.items() if isinstance(value, str | int))
    arguments[name] = "Qwertzuiop" if isinstance(arguments[name], str) else 98765


def _never_calls(record: Json) -> None:
    record["messages"] = [
        message for message in record["messages"] if not message.get("tool_calls") and message["role"] != "tool"
    ]


def _says_it_was_done(record: Json) -> None:
    record["messages"][-1]["content"] = "Your order is on its way."


AGREED = (
    _nobody_demands_it, _does_not_ask_first, _asks_about_nothing_in_particular, _answers_neither, _says_no,
    _calls_before_the_answer, _calls_another_tool, _calls_something_else, _calls_with_another_value, _never_calls,
)  # fmt: skip
DECLINED = (
    _nobody_demands_it,
    _does_not_ask_first,
    _answers_neither,
    _says_yes,
    _says_it_was_done,
)


def _name(value: Callable[[Json], None]) -> str:
    return value.__name__.strip("_")


@each_row("mutate", AGREED, ids=_name)
def test_what_breaks_an_agreement_is_refused(mutate: Callable[[Json], None]) -> None:
    for record in _agreed():
        mutate(record)
        assert complaints(record), record["messages"]


@pytest.mark.parametrize("mutate", DECLINED, ids=_name)
def test_what_breaks_a_refusal_is_refused(mutate: Callable[[Json], None]) -> None:
    for record in _declined():
        mutate(record)
        assert complaints(record), record["messages"]


@pytest.mark.parametrize("other", ["simple", "multiple", "multi_turn"])
def test_acting_at_once_is_no_confirmation(other: str) -> None:
    assert all(complaints(record, KIND) for record in records_of(other))
