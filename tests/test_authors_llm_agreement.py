"""Two sets of calls agree where they mean the same, and differ where a person would say they do."""

from __future__ import annotations

import pytest

from generator.authors.llm.agreement import disagreement
from generator.jsontext import JsonObject
from generator.records.calls import DraftCall, Evidence
from generator.tools.tool import Tool

NOTE = "Please bring the blue folder and the signed contract tomorrow"
TOOL = Tool(
    name="act",
    description="Acts.",
    parameters={"type": "object", "properties": {"unit": {"type": "string", "default": "metric"}, "flag": {}}},
    result_schema={},
    result_origin="domain",
)


def differ(mine: list[JsonObject], theirs: list[JsonObject], name: str = "act") -> str:
    calls = [[DraftCall(name=name, arguments=each) for each in side] for side in (mine, theirs)]
    return disagreement(calls[0], calls[1], (TOOL,))


SAME: list[tuple[JsonObject, JsonObject]] = [
    ({"city": "Rome"}, {"city": "rome "}),
    ({"city": "Zürich"}, {"city": "Zurich"}),
    ({"n": 3}, {"n": 3.0}),
    ({"at": "2026-03-14T15:00"}, {"at": "2026-03-14T15:00:00Z"}),
    ({"a": 1}, {"a": 1, "unit": "metric"}),
    ({"a": 1, "flag": False}, {"a": 1}),
    ({"a": 1, "note": ""}, {"a": 1}),
    ({"tags": ["Urgent", "new"]}, {"tags": ["urgent", "new"]}),
    ({"place": {"city": "Rome", "zip": None}}, {"place": {"city": "Rome"}}),
    ({"text": NOTE}, {"text": "Bring the blue folder and the signed contract"}),
]
OTHER: list[tuple[JsonObject, JsonObject]] = [
    ({"city": "Rome"}, {"city": "Paris"}),
    ({"from": "Rome", "to": "Oslo"}, {"from": "Oslo", "to": "Rome"}),
    ({"n": 3}, {"n": 4}),
    ({"n": 1}, {"n": True}),
    ({"n": 3}, {"n": "3 or 4"}),
    ({"at": "2026-03-14T15:00"}, {"at": "2026-03-14T16:00"}),
    ({"day": "2026-03-14"}, {"day": "2026-03-15"}),
    ({"a": 1}, {"a": 1, "unit": "imperial"}),
    ({"a": 1, "flag": True}, {"a": 1}),
    ({"a": 1, "note": "call me"}, {"a": 1}),
    ({"tags": ["new"]}, {"tags": ["new", "old"]}),
    ({"id": "ORD-1"}, {"id": "ORD-2"}),
    ({"text": NOTE}, {"text": "I cannot come to the meeting because my train is late"}),
]


@pytest.mark.parametrize(("mine", "theirs"), SAME)
def test_these_mean_the_same(mine: JsonObject, theirs: JsonObject) -> None:
    assert differ([mine], [theirs]) == differ([theirs], [mine]) == ""


@pytest.mark.parametrize(("mine", "theirs"), OTHER)
def test_these_do_not(mine: JsonObject, theirs: JsonObject) -> None:
    assert differ([mine], [theirs])
    assert differ([theirs], [mine])


def test_order_means_nothing_and_number_does() -> None:
    one, two = {"city": "Rome"}, {"city": "Oslo"}
    assert differ([one, two], [two, one]) == ""
    assert differ([one, two], [one]) and differ([one], [one, two]) and differ([one, one], [one])
    assert differ([], []) == ""
    assert differ([one], []).endswith("against no call")


def test_another_tool_is_another_call() -> None:
    calls = (DraftCall(name="act"),), (DraftCall(name="other"),)
    assert disagreement(*calls, (TOOL,)) == "act {} against other {}"


@pytest.mark.parametrize(
    ("said", "theirs", "agree"),
    [
        ("暖气", "暖气", True),
        ("el curso de vela", "curso de vela", True),
        ("die Heizung", "Lüftung", False),
        ("von Rom nach Oslo", "Oslo", False),
        ("", "", False),
    ],
)
def test_who_leaves_a_value_in_the_language_it_was_said_in_means_its_translation(
    said: str, theirs: str, *, agree: bool
) -> None:
    mine = DraftCall(name="act", arguments={"unit": "heating"}, evidence=(Evidence(argument="unit", said=said),))
    other = DraftCall(name="act", arguments={"unit": theirs})
    assert (disagreement([mine], [other], (TOOL,)) == "") is agree
