"""Rehearsals: a good domain has no fault; each thing that would not work is told with its path."""

from __future__ import annotations

from typing import Any

import pytest

from generator.domains.reading import read_domain
from generator.jsontext import JsonObject
from generator.scenarios.phrases import says_value
from generator.scenarios.rehearsal import Rehearsal, rehearse
from generator.tools import Tool
from generator.worlds.program import compiled_domain
from tests.domain_examples import domain, tools
from tests.tables import each_row

TOOLS = tools()
WAY = ("tools", "renew_loan", "ways", 0)
LIST = ("tools", "list_loans")
LIST_WAYS = domain()["tools"]["list_loans"]["ways"]
ASKED = {"requests": ["a"], "questions": ["b"], "answers": ["c"]}
LOST = {"row": "loan", "where": [["status", "=", "lost"]]}
USUAL = {"arguments": {"days": 7}, "labels": {"days": "usual time"}, "told": ["x"], "requests": ["y"]}
LARGE = {"argument": "days", "draw": {"n": {"integer": [5, 9]}}, "questions": ["30?"], "answers": ["{n}."]}


def rehearsed(*edits: tuple[tuple[str | int, ...], Any], fewest: int = 2) -> Rehearsal:
    whole: JsonObject = domain()
    for path, value in edits:
        held: Any = whole
        for part in path[:-1]:
            held = held[part]
        held[path[-1]] = value
    read, faults = read_domain(whole, "library")
    assert read is not None, faults
    compiled = compiled_domain(read, TOOLS)
    assert not compiled.faults
    return rehearse(compiled, rounds=12, fewest=fewest)


def test_a_good_domain_has_no_fault() -> None:
    came = rehearsed()
    assert came.faults == ()
    seen, estimated = came.requests["renew_loan"]
    assert 12 < seen <= estimated
    assert came.requests["list_loans"][0] == 4


WRONG: list[tuple[tuple[str | int, ...], Any, tuple[str | int, ...], str]] = [
    ((*WAY, "requests", 0), "Renew {l}.", (*WAY, "requests", 0), "does not say `days`"),
    ((*WAY, "draw", "l"), LOST, WAY, "no loan fulfils the conditions"),
    ((*WAY, "draw", "n"), {"integer": [31, 60]}, WAY, "days"),
    ((*WAY, "replies", "ok", 0), "Done, {r.titel}.", (*WAY, "replies", "ok", 0),
     "r.titel: the result does not hold 'titel'; did you mean title?"),
    ((*WAY, "replies", "ok"), [{"when": [["$r.titel", "given"]], "say": ["Done."]}], (*WAY, "replies", "ok"),
     "r.titel: the result does not hold 'titel'; did you mean title?"),
    ((*WAY, "replies"), {}, (*WAY, "replies"), "there is no reply for 'ok'"),
    ((*LIST, "replies"), {"ok": ["<r.loans: {isbn}>"]}, (*LIST, "replies", "ok", 0), ""),
    (("tools", "renew_loan", "effect", 1, "set"), {"title": "$it.title"}, WAY, "renew_loan changes nothing"),
    (("tools", "renew_loan", "replies"), {}, ("tools", "renew_loan", "replies"), "RESOURCE_NOT_FOUND, and"),
    ((*WAY, "replies", "NOT_FOUND"), ["No."], (*WAY, "replies", "NOT_FOUND"), "there is no outcome 'NOT_FOUND'"),
    ((*WAY, "ask", 0, "missing"), ["status"], (*WAY, "ask", 0, "missing"), "the way gives no 'status'"),
    ((*LIST, "ways"), LIST_WAYS[:1], (*LIST, "ways"), "'status'"),
    ((*LIST, "ways"), [], LIST, "has no ways"),
    ((*WAY, "invalid"), [LARGE],
     (*WAY, "invalid", 0, "draw"), "the schema allows"),
    ((*LIST, "asks_first"), True, (*LIST, "ways", 0), "lacks `confirm`"),
    ((*WAY, "empty"), {"n": {"integer": [5, 9]}}, (*WAY, "empty"), "something is found"),
    ((*WAY, "recover"), [{"first": {"days": 2}, "requests": ["{l} {n}"], "replies": ["{r.title}"]}],
     (*WAY, "recover"), "the first call does not fail"),
    ((*WAY, "ambiguous"), [{"tool": "return_loan", **ASKED}],
     (*WAY, "ambiguous", 0, "tool"), "there is no tool called 'return_loan'"),
    ((*WAY, "profile"), [USUAL],
     (*WAY, "profile", 0, "requests", 0), "does not say the label 'usual time'"),
    ((*WAY, "parallel"), {"requests": ["<each: {l.title|money}>"]},
     (*WAY, "parallel", "requests", 0), "it cannot be said"),
    (("tasks", 0, "draw", "l"), LOST, ("tasks", 0), "fulfils the conditions"),
    (("tasks", 0, "turns", 0, "replies"), ["{r3.title}"], ("tasks", 0, "turns", 0, "replies", 0), "cannot be said"),
    (("entities", "loan", "fields", "due"), {"integer": [5, 2]}, ("entities", "loan"), "a source gives nothing"),
    (("entities", "loan", "views", "full"), {"title": "$title", "due_date": "$due"}, WAY, "does not tell the id"),
    (("unserved", 0, "replies"), ["{me.name|money}"], ("unserved", 0, "replies", 0), "it cannot be said"),
]  # fmt: skip


@each_row(("path", "value", "at", "what"), WRONG, ids=lambda e: str(e)[:36])
def test_what_would_not_work_is_told_with_its_path(
    path: tuple[str | int, ...], value: Any, at: tuple[str | int, ...], what: str
) -> None:
    came = rehearsed((path, value))
    assert [fault for fault in came.faults if fault.path == at and what in fault.what], came.faults


def test_a_slot_that_follows_a_colon_without_a_space_is_a_note() -> None:
    came = rehearsed(((*WAY, "replies", "ok", 0), "Done, this is due:{r.due_date|day}."))
    assert [(note.path, note.what) for note in came.notes if note.path[0] == "tools"] == [
        ((*WAY, "replies", "ok", 0), "there is no space behind 'due:'")
    ]


def test_a_task_that_no_kind_is_made_of_is_a_note() -> None:
    calls = domain()["tasks"][0]["turns"][0]["calls"]
    idle = [{**calls[0]}, {"call": "list_loans", "arguments": {"member_id": "$me.id"}}]
    told = {}
    for several, spec in (("chain", calls), ("group", [calls]), ("idle", idle)):
        came = rehearsed((("tasks", 0, "turns", 0, "calls"), spec))
        told[several] = [note.remedy for note in came.notes if note.path == ("tasks", 0)]
    assert told == {"chain": [], "group": [], "idle": ["let a later call take a value of `$r1`, or add a turn"]}


def test_wishes_that_are_soon_spent_are_a_note() -> None:
    wish = {"requests": ["Buy me a book."], "replies": ["I can't."]}
    varied = {**wish, "draw": {"n": {"integer": [2, 900]}}, "requests": ["Buy {n} books."]}
    for wishes, notes in (([wish], [("unserved",)]), ([wish, varied], []), ([], [])):
        came = rehearsed((("unserved",), wishes))
        assert [note.path for note in came.notes if note.path[0] == "unserved"] == notes


def test_too_few_requests_are_told() -> None:
    (fault,) = [each for each in rehearsed(fewest=50).faults if each.path == (*LIST, "ways")]
    assert "only 4 different requests" in fault.what


def test_an_error_that_no_world_led_to_is_a_note() -> None:
    effect = domain()["tools"]["renew_loan"]["effect"]
    never = {"require": [["$days", ">", 0]], "else": {"INVALID_STATE": "No."}}
    came = rehearsed(
        (("tools", "renew_loan", "effect"), [*effect[:1], never, *effect[1:]]),
        (("tools", "renew_loan", "replies", "INVALID_STATE"), ["It is not possible."]),
    )
    assert came.faults == ()
    assert [(note.path, note.what) for note in came.notes if note.path[0] == "tools"] == [
        (("tools", "renew_loan", "effect"), "no draw led to INVALID_STATE")
    ]


@pytest.mark.parametrize(("chance", "faults"), [(1.0, [(*WAY, "recover")]), (0.3, [])])
def test_a_way_out_is_at_fault_where_it_fails_in_most_worlds(chance: float, faults: list[Any]) -> None:
    lost = {"c": {"chance": chance}, "g": {"$if": [[["$c", "=", True]], "$l.id", "L-000000"]}}
    way_out = {"draw": lost, "first": {"loan_id": "$g"}, "requests": ["{l} {n}"], "replies": ["{r.title}"]}
    assert [fault.path for fault in rehearsed(((*WAY, "recover"), [way_out])).faults] == faults


@each_row(
    ("value", "text", "told"),
    [
        (7, "Renew it by 7 days.", True),
        (7, "Renew it by seven days.", True),
        (7, "Renew it by 17 days.", False),
        ("2026-01-20", "Renew it until January 20.", True),
        ("2026-01-20", "Renew it until January 21.", False),
        ("15:30", "at 3:30 PM", True),
        (1234567, "1,234,567 of them", True),
        (["a b", "c"], "A  b and C", True),
        ({"x": "one", "y": ["two"]}, "one, two", True),
        ({"x": "one", "y": ["three"]}, "one, two", False),
        ("in_progress", "those in progress", True),
        (None, "", True),
        ("storm", "Warn me of storms in Oslo.", True),
        ("bread maker", "Do you sell bread makers?", True),
        ("city", "these cities", True),
        ("dress", "two dresses", True),
        ("boxes", "a box", True),
        ("bus", "a bug", False),
        ("storm", "a brainstorm", False),
        ("bread maker", "bread and makers", False),
    ],
)
def test_whether_a_text_tells_a_value(value: Any, text: str, told: bool) -> None:
    assert says_value(value, text) is told


SAYING: list[tuple[Any, tuple[str, ...]]] = [
    ({"from": ["overdue", "active"]}, ()),
    ({"from": ["overdue", "active"], "weights": [1, 0.000001]}, ()),
    ({"from": ["overdue"]}, ('status="active"',)),
]


@pytest.mark.parametrize(("draw", "lacking"), SAYING)
def test_what_no_way_ever_says_is_noted_and_what_is_only_rare_is_not(draw: Any, lacking: tuple[str, ...]) -> None:
    came = rehearsed(((*LIST, "ways", 1, "draw", "s"), draw))
    assert came.unsaid.get("list_loans", ()) == lacking
    told = [fault.what for fault in came.notes if "no way ever says" in fault.what]
    assert told == [f"no way ever says {', '.join(lacking)}"] * bool(lacking)
    assert not [fault for fault in came.faults if "ever says" in fault.what]


def test_what_lists_and_objects_inside_can_hold_is_noted_too() -> None:
    """A value that a call of a task alone gives is said as well."""
    entry = {"type": "object", "properties": {"size": {"enum": ["s", "m"]}, "note": {"type": "string"}}}
    parameters = {"type": "object", "properties": {"cups": {"type": "array", "items": entry}}, "required": ["cups"]}
    way = {"draw": {"w": {"from": ["s"]}}, "arguments": {"cups": [{"size": "$w"}]}, "requests": ["A cup in {w}."],
           "replies": {"ok": ["Here you are."]}}  # fmt: skip
    turn = {"requests": ["A cup in m."], "calls": [{"call": "brew", "arguments": {"cups": [{"size": "m"}]}}],
            "replies": ["Here you are."]}  # fmt: skip
    brew = Tool(
        name="brew", description="Brew.", parameters=parameters, domain="bar", result_schema={}, result_origin="domain"
    )
    found = []
    for tasks in ([], [{"turns": [turn]}]):
        whole = {"domain": 1, "tools": {"brew": {"result": {"done": True}, "ways": [way]}}, "tasks": tasks}
        read, _ = read_domain(whole, "bar")
        assert read is not None
        found.append(rehearse(compiled_domain(read, [brew]), rounds=3, fewest=0).unsaid["brew"])
    assert found == [("cups[].note", 'cups[].size="m"'), ("cups[].note",)]
