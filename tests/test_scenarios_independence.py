"""Calls that are made at once: none may bring anything else for another one having been made before."""

from typing import Any

import pytest

from generator.jsontext import JsonObject
from generator.scenarios.blueprint import PlanError
from generator.scenarios.independence import require_independent
from generator.scenarios.scenario import PlannedCall
from generator.worlds.world import World
from tests.domains_library import TODAY, tool
from tests.plays import book_of

ENTITIES: JsonObject = {
    "note": {"rows": 3, "fields": {"id": {"pattern": "N[0-9]{6}"}, "text": {"from": ["a", "b"]}}},
    "task": {"rows": 2, "fields": {"id": {"pattern": "T[0-9]{6}"}, "done": False}},
}
COUNT: JsonObject = {"$count": "$all"}
TOOLS: JsonObject = {
    "add_note": {"effect": [{"create": "note", "set": {"text": "c"}}], "result": {"id": "$it.id", "at": "$now"}},
    "add_task": {"effect": [{"create": "task", "set": {"done": False}}], "result": {"id": "$it.id"}},
    "list_notes": {"effect": [{"list": "note"}], "result": {"total": COUNT}},
    "list_tasks": {"effect": [{"list": "task"}], "result": {"total": COUNT}},
    "clear_tasks": {"effect": [{"delete_all": "task"}], "result": {"cleared": True}},
}


def _calls(*names: str) -> tuple[World, list[PlannedCall]]:
    book = book_of({"entities": ENTITIES, "tools": TOOLS}, [tool(name) for name in TOOLS])
    arguments: dict[str, Any] = {}
    return World(book.program, 7, TODAY, "en_US"), [PlannedCall(book.tools[name], arguments) for name in names]


@pytest.mark.parametrize(
    "names",
    [
        ("list_notes",),
        ("list_notes", "list_tasks"),
        ("add_note", "list_tasks"),
        ("add_note", "add_task"),
        ("clear_tasks", "add_note"),
        ("add_note", "add_note"),
    ],
)
def test_what_has_nothing_to_do_with_each_other(names: tuple[str, ...]) -> None:
    require_independent(*_calls(*names))


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (("add_note", "list_notes"), "what list_notes brings depends on add_note"),
        (("list_notes", "add_note"), "what list_notes brings depends on add_note"),
        (("add_note", "list_tasks", "clear_tasks"), "what list_tasks brings depends on clear_tasks"),
    ],
)
def test_a_count_that_another_call_changes(names: tuple[str, ...], told: str) -> None:
    with pytest.raises(PlanError, match=told):
        require_independent(*_calls(*names))
