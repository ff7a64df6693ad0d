"""Results that tell of what another call asks for, or contradict their own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.validation import check
from generator.validation.grounding.swaps.results import told_of_other_rows
from generator.validation.view import RecordView
from tests.answer_examples import found, tool
from tests.record_examples import FIRST, SECOND, call, result

Json = Any  # parsed JSON
IDS = (FIRST, SECOND)


def findings(*made: tuple[str, Json, Json]) -> list[str]:
    """How sure it is of what results are in the wrong place; of each call the tool, the arguments and the result."""
    tools = [
        {"type": "function", "function": {"name": name, "description": "Look.", "parameters": {}}}
        for name in dict.fromkeys(name for name, _, _ in made)
    ]
    document = {
        "messages": [
            {"role": "user", "content": "Look them up."},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [call(IDS[at], name, given) for at, (name, given, _) in enumerate(made)],
            },
            *[
                result(IDS[at], name, told if isinstance(told, str) else json.dumps(told))
                for at, (name, _, told) in enumerate(made)
            ],
            {"role": "assistant", "content": "Done."},
        ],
        "tools": tools,
        "metadata": {},
    }
    return [each.severity for each in check(document) if each.rule == "TC210"]


ROME, OSLO = {"city": "Rome", "degrees": 21}, {"city": "Oslo", "degrees": 3}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (({"city": "Rome"}, ROME), ({"city": "Oslo"}, OSLO)),
        (({"place": "Rome", "days": 3}, "Rome is warm."), ({"place": "Oslo", "days": 3}, "Oslo is cold.")),
        (({"ids": ["A17"]}, {"found": [{"id": "A17"}]}), ({"ids": ["B29"]}, {"found": [{"id": "B29"}]})),
        (({"number": 1200}, {"of": 1200}), ({"number": 3400}, {"of": 3400})),
    ],
)
def test_results_in_each_others_place_are_found(first: tuple[Json, Json], second: tuple[Json, Json]) -> None:
    (mine, told), (theirs, other) = first, second
    assert findings(("look", mine, told), ("look", theirs, other)) == []
    assert findings(("look", mine, other), ("look", theirs, told)) == ["error"]
    assert findings(("look", mine, other), ("seek", theirs, told)) == ["warning"]


def test_one_result_that_tells_of_the_other_call_is_less_sure() -> None:
    silent = {"degrees": 3}
    assert findings(("look", {"city": "Rome"}, ROME), ("look", {"city": "Oslo"}, silent)) == []
    assert findings(("look", {"city": "Rome"}, OSLO), ("look", {"city": "Oslo"}, silent))[0] == "warning"
    user, orders = ("user", {"id": "U17"}), ("orders", {"email": "ann@x.example"})
    assert findings((*user, {"email": "ann@x.example"}), (*orders, [])) == ["note"]


@pytest.mark.parametrize(
    ("given", "told", "sure"),
    [
        ({"order_id": "W-17"}, {"order_id": "W-71"}, ["warning"]),
        ({"email": "ann@x.example"}, {"email": "bob@x.example"}, ["warning"]),
        ({"date": "2026-03-04"}, {"date": "2026-03-05"}, ["note"]),
        ({"city": "Rome"}, {"city": "Oslo"}, ["note"]),
        ({"city": "Rome"}, {"city": "Rome, Italy"}, []),
        ({"city": "NYC"}, {"city": "New York"}, []),
        ({"status": "closed"}, {"status": "open"}, []),
        ({"order_id": "W-17"}, {"order_id": "w-17"}, []),
        ({"quantity": 20}, {"quantity": 30}, []),
    ],
)
def test_a_result_contradicts_its_call_by_what_identifies(given: Json, told: Json, sure: list[str]) -> None:
    assert findings(("look", given, told)) == sure


def test_contradictions_are_told_in_the_order_of_the_arguments() -> None:
    given = {f"value_{at}": ("W-17", "Rome")[at % 2] for at in range(12)}
    told = {name: {"W-17": "W-71", "Rome": "Oslo"}[value] for name, value in reversed(given.items())}
    assert findings(("look", given, told)) == ["warning", "note"] * 6


BOATS = [
    {"boat_id": "B-3", "name": "Sea Breeze", "price": 210, "state": "free"},
    {"boat_id": "B-5", "name": "Old Heron", "price": 180, "state": "reserved"},
    {"boat_id": "B-9", "name": "Marigold", "price": 240, "state": "free"},
]


def hired(asked: str, boat: str) -> Json:
    """A record in which boats are looked up, and one is hired."""
    listed = json.dumps({"boats": BOATS})
    return {
        "messages": [
            {"role": "user", "content": asked},
            {"role": "assistant", "content": "", "tool_calls": [call(FIRST, "list_boats", {})]},
            result(FIRST, "list_boats", listed),
            {"role": "assistant", "content": "", "tool_calls": [call(SECOND, "hire_boat", {"boat_id": boat})]},
            result(SECOND, "hire_boat", '{"hired": true}'),
            {"role": "assistant", "content": "The boat is hired."},
        ],
        "tools": [tool("list_boats"), tool("hire_boat", boat_id={"type": "string"})],
    }


@pytest.mark.parametrize(
    ("asked", "boat"),
    [
        ("Please hire the Old Heron for us.", "B-3"),
        ("I'd like to have marigold tomorrow.", "B-5"),
        ("Hire the cheapest boat that you have.", "B-9"),
        ("Take the most expensive one, we celebrate.", "B-3"),
    ],
)
def test_the_id_of_another_row_is_likely_wrong(asked: str, boat: str) -> None:
    assert found(hired(asked, boat), "TC209", generated=False) == ["warning"]


@pytest.mark.parametrize(
    ("asked", "boat"),
    [
        ("Please hire the Old Heron for us.", "B-5"),
        ("Hire the cheapest boat that you have.", "B-5"),
        ("Hire us any boat.", "B-9"),
        ("Any boat but not the Old Heron.", "B-3"),
        ("The other one than the Marigold, please.", "B-3"),
        ("The Old Heron is reserved, so take B-3.", "B-3"),
        ("A free one.", "B-3"),
    ],
)
def test_the_id_of_the_row_that_is_meant_or_of_any_is_none(asked: str, boat: str) -> None:
    assert found(hired(asked, boat), "TC209", generated=False) == []


PAYEES = {"payees": [{"id": "PY1", "full_name": "Ann Lee"}, {"id": "PY2", "full_name": "Bob Ray"}]}
SHOWS = [
    {"show_id": "S-71", "artist": "DJ Engines", "city": "Rome"},
    {"show_id": "S-72", "artist": "Trio", "city": "Rome"},
]


def told_of_another(rows: Json, given: str, result: Json) -> list[str]:
    """Where something is found of a call with an id of one of some rows."""
    messages: list[Json] = [{"role": "user", "content": "Please do it."}]
    for at, (arguments, told) in enumerate((({}, rows), ({"id": given}, result))):
        identity = f"abcdefgh{at}"
        call = {"id": identity, "type": "function", "function": {"name": "do_it", "arguments": arguments}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": identity, "name": "do_it", "content": json.dumps(told)})
    view = RecordView({"messages": messages, "tools": []}, generated=False)
    return [each.pointer for each in told_of_other_rows(view)]


WRONG = [
    (PAYEES, "PY1", {"payee": "Bob Ray", "amount": 5}),
    (SHOWS, "S-72", {"booking": "B1", "artist": "DJ Engines", "tickets": 2}),
]
RIGHT = [
    (PAYEES, "PY2", {"payee": "Bob Ray", "amount": 5}),
    (PAYEES, "PY1", {"status": "sent"}),
    (PAYEES, "PY1", {"payees": ["Ann Lee", "Bob Ray"]}),
    (PAYEES, "PY1", {"error": {"type": "T", "message": "Bob Ray is away."}}),
    (SHOWS, "S-72", {"booking": "B1", "city": "Rome"}),
]


@pytest.mark.parametrize(("rows", "given", "result"), WRONG)
def test_a_result_that_tells_of_another_row_is_found(rows: Json, given: str, result: Json) -> None:
    assert told_of_another(rows, given, result) == ["/messages/3/tool_calls/0/function/arguments/id"]


@pytest.mark.parametrize(("rows", "given", "result"), RIGHT)
def test_what_tells_of_the_row_or_of_none_is_in_order(rows: Json, given: str, result: Json) -> None:
    assert told_of_another(rows, given, result) == []
