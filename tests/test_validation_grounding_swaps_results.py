"""Results that tell of what another call asks for, or contradict their own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.validation import check
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
