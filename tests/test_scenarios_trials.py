"""Laws: new rows with what nobody gave, replies without the result, look-ups of what is told: these are found alone."""

from __future__ import annotations

from typing import Any

import pytest

from generator.domains.domain import Domain
from generator.scenarios.rehearsal import rehearse
from generator.worlds.program import compiled_domain
from tests.domain_examples import domain, tools
from tests.tables import each_row


def faults(raw: dict[str, Any]) -> list[str]:
    compiled = compiled_domain(Domain.model_validate(raw), tools())
    assert compiled.faults == ()
    return [
        f"{'/'.join(map(str, fault.path))}: {fault.what}" for fault in rehearse(compiled, rounds=4, fewest=0).faults
    ]


def creating(values: dict[str, Any], new: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    raw = domain()
    raw["entities"]["loan"]["fields"] |= fields
    raw["entities"]["loan"]["views"]["full"] |= {name: f"${name}" for name in fields}
    raw["entities"]["loan"]["new"] = new or {}
    effect = [{"create": "loan", "set": values}]
    raw["tools"]["list_loans"]["effect"] = [*raw["tools"]["list_loans"]["effect"], *effect]
    return raw


GIVEN = {"title": "A"}
CREATED: dict[str, tuple[dict[str, Any], str]] = {
    "left to chance": (creating(GIVEN, note={"pool": ["a", "b"]}), "note"),
    "an argument that may lack": (creating({**GIVEN, "note": "$status"}, note={"pool": ["a", "b"]}), "note"),
    "set": (creating({**GIVEN, "note": "a"}, note={"pool": ["a", "b"]}), ""),
    "an argument that is required": (creating({**GIVEN, "note": "$member_id"}, note={"pool": ["a", "b"]}), ""),
    "said of new ones": (creating(GIVEN, {"note": None}, note={"pool": ["a", "b"]}), ""),
    "a time": (creating(GIVEN, note={"day": [-3, 0]}), ""),
    "a pattern": (creating(GIVEN, note={"pattern": "[0-9]{4}"}), ""),
    "an identifier": (creating(GIVEN, order_id={"integer": [1, 999]}), ""),
    "worked out": (creating(GIVEN, note="$title"), ""),
    "always the same": (creating(GIVEN, note={"from": [0, 0]}), ""),
    "several": (creating({}, note={"chance": 0.5}), "title, note"),
}


@each_row("name", CREATED)
def test_a_new_row_with_what_nobody_gave_is_told(name: str) -> None:
    raw, left = CREATED[name]
    found = [what for what in faults(raw) if "by chance" in what]
    assert [f"has {left} by chance" in what for what in found] == [True] * bool(left)


def test_a_field_that_no_view_shows_may_be_drawn() -> None:
    raw = creating(GIVEN, note={"pool": ["a", "b"]})
    del raw["entities"]["loan"]["views"]["full"]["note"]
    assert not [what for what in faults(raw) if "by chance" in what]


@pytest.mark.parametrize(
    ("reply", "is_wrong"),
    [
        ("Here they are.", True),
        ("These are your loans.", True),
        ("You have {r.total|count:loan}.", False),
        ("There is <r.loans: {title}>.", False),
        ({"when": [["$r.total", ">", 0]], "say": ["There are some."]}, False),
    ],
)
def test_a_plain_reply_that_says_nothing_of_the_result_is_told(reply: Any, is_wrong: bool) -> None:
    raw = domain()
    raw["tools"]["list_loans"]["ways"][0]["replies"] = {"ok": [reply, "You have {r.total|count:loan}."]}
    told = "tools/list_loans/ways/0/replies/ok/0: says nothing of the result"
    assert (told in faults(raw)) is is_wrong


def test_a_tool_that_changes_something_may_just_say_so() -> None:
    raw = domain()
    raw["tools"]["renew_loan"]["ways"][0]["replies"] = {"ok": ["Done."]}
    assert faults(raw) == []


def test_a_look_up_of_what_the_system_text_tells_is_told() -> None:
    raw = domain()
    raw["tools"]["list_loans"]["result"] = {"member": "$me.name"}
    raw["tools"]["list_loans"]["replies"] = {"ok": ["It is {r.member}."]}
    raw["entities"]["loan"] |= {"find": None, "told": ["There are <rows: {title} ({id})>."]}
    raw["tasks"] = []
    assert [what for what in faults(raw) if "the system text tells already" in what]
    raw["context"] = ["You help member {me.id}."]
    assert not [what for what in faults(raw) if "the system text tells already" in what]


def test_a_request_may_say_what_a_text_as_value_is_made_of() -> None:
    raw = domain()
    way = raw["tools"]["renew_loan"]["ways"][0]
    way["arguments"]["loan_id"] = {"$text": "{l.id}"}
    way["requests"] = ["Renew {l.title} by {n} days."]
    assert not [what for what in faults(raw) if "does not say" in what]
    way["requests"] = ["Renew it by {n} days."]
    assert [what for what in faults(raw) if "does not say `loan_id`" in what]


@pytest.mark.parametrize(("low", "is_wrong"), [(-9, True), (0, False)])
def test_nobody_asks_for_a_thing_with_a_number_below_zero(low: int, is_wrong: bool) -> None:
    raw = domain()
    raw["tools"]["renew_loan"]["ways"][0]["invalid"] = [
        {
            "argument": "loan_id",
            "draw": {"l": {"from": [{"id": low}]}},
            "requests": ["Renew loan {l.id}."],
            "questions": ["Which?"],
            "answers": ["{l.title}"],
        }
    ]
    assert any("below zero" in what for what in faults(raw)) is is_wrong


@pytest.mark.parametrize(
    ("reply", "result", "is_wrong"),
    [
        ("{l.title} is due on {l.due|day} now.", "$it|full", True),
        ("{l.title} is renewed.", "$it|full", False),
        ("{l.title} is renewed.", {"ok": True}, True),
        ("It is renewed by {n} days.", {"ok": True}, False),
    ],
)
def test_a_reply_that_says_what_nothing_told_is_told(reply: str, result: Any, is_wrong: bool) -> None:
    raw = domain()
    raw["entities"]["loan"]["known"] = {"find": 0, "typed": 1, "told": 0}
    raw["entities"]["loan"] |= {"find": None, "say_id": ["loan {id}"]}
    tool = raw["tools"]["renew_loan"]
    tool["result"] = result
    tool["ways"][0] |= {"requests": ["Renew {l} by {n} days."], "replies": {"ok": [reply]}}
    raw["tasks"] = []
    assert any("which nothing said or found before tells" in what for what in faults(raw)) is is_wrong
