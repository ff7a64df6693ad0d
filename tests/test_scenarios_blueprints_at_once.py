"""Several tools in one message: they do different deeds, about different things, and answer in words of their own."""

from typing import Any

import pytest

from generator.jsontext import JsonObject
from generator.scenarios.blueprint import PlanError
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.blueprints.at_once import at_once_with, is_at_once
from generator.scenarios.joining import opening
from generator.worlds.playbook import Playbook
from tests.domains_library import tool
from tests.kind_records import turns
from tests.plays import book_of, made, plan_error, play_over


def test_several_tools_are_called_in_one_turn() -> None:
    for record in made("parallel_multiple"):
        (asked,) = [message for message in record["messages"] if message.get("tool_calls")]
        names = [call["function"]["name"] for call in asked["tool_calls"]]
        assert len(set(names)) > 1
        assert len(turns(record, "tool")) == len(names)
        assert set(record["metadata"]["statuses"].values()) == {"SUCCESS"}


def test_there_must_be_another_tool() -> None:
    way = {"requests": ["Count."], "replies": {"ok": ["Counted."]}}
    book = book_of({"tools": {"count": {"ways": [way]}}}, [tool("count")])
    assert (
        plan_error("parallel_multiple", play_over(book, "count")) == "no other tool can be called at once with this one"
    )


NOTE: JsonObject = {
    "rows": 4, "fields": {"id": {"pattern": "N[0-9]{6}"}, "title": {"from": ["Wine", "Tea", "Rice", "Salt"]}},
    "say": ["{title}"], "say_id": ["note {id}"], "views": {"full": {"id": "$id", "title": "$title"}},
}  # fmt: skip
ALL: JsonObject = {"effect": [{"list": "note"}], "result": {"notes": "$rows|full", "total": {"$count": "$all"}}}


def _asked(text: str, *replies: str, **way: Any) -> JsonObject:
    return {"ways": [{"requests": [text], "replies": {"ok": [*replies]}, **way}]}


def _book(*names: str) -> Playbook:
    one = {"draw": {"n": {"row": "note"}}, "arguments": {"note_id": "$n.id"}}
    got = [{"get": "note", "where": [["id", "=", "$note_id"]], "else": {"RESOURCE_NOT_FOUND": "No."}}]
    known: JsonObject = {
        "list_notes": {**ALL, **_asked("List my notes.", "Here: <r.notes: {title} ({id})>.")},
        "count_notes": {**ALL, **_asked("How many notes are there?", "There are {r.total}.")},
        "read_note": {"effect": got, "result": "$it|full", **_asked("Read {n}.", "It says {r.title}.", **one)},
        "drop_note": {
            "effect": [*got, {"delete": "$it"}], "result": {"gone": "$note_id"},
            **_asked("Drop {n}.", "It's gone: {r.gone}.", **one),
        },
        "ping": {"result": {"pong": True}, **_asked("Ping the service.", "It says pong.", "Done. It's there.")},
        "pang": {"result": {"pong": 1}, **_asked("Pang the service.", "It says pong too.", "Done. It was there.")},
    }  # fmt: skip
    tools = [tool(name, None, (), **({"note_id": "string"} if "draw" in str(known[name]) else {})) for name in names]
    return book_of({"entities": {"note": NOTE}, "tools": {name: known[name] for name in names}}, tools)


def test_nobody_wants_one_deed_of_two_tools_where_there_are_others() -> None:
    assert at_once_with(_book("list_notes", "count_notes", "read_note"), "list_notes") == ("read_note",)
    assert at_once_with(_book("list_notes", "count_notes"), "list_notes") == ("count_notes",)


def _errors(*names: str) -> set[str]:
    """Why records of these tools cannot be planned, whatever is drawn."""
    errors = set()
    for seed in range(12):
        try:
            LAYOUTS["parallel_multiple"].blueprint(play_over(_book(*names), names[0], seed=seed))
        except PlanError as error:
            errors.add(str(error))
    return errors


@pytest.mark.parametrize(
    ("names", "error"),
    [
        (("list_notes", "read_note"), "another answer tells of what read_note is about"),
        (("count_notes", "drop_note"), "what count_notes brings depends on drop_note"),
        (("count_notes", "read_note"), ""),
    ],
)
def test_wishes_of_one_message_have_nothing_to_do_with_each_other(names: tuple[str, ...], error: str) -> None:
    assert _errors(*names) == ({error} if error else set())


def test_wishes_are_about_rows_of_their_own() -> None:
    for seed in range(12):
        plan = LAYOUTS["parallel_multiple"].blueprint(
            play_over(_book("read_note", "drop_note"), "read_note", seed=seed)
        )
        read, dropped = plan.steps[0].calls
        assert read.arguments != dropped.arguments


def test_answers_begin_unlike_each_other_as_far_as_they_can() -> None:
    seen = set()
    for seed in range(20):
        plan = LAYOUTS["parallel_multiple"].blueprint(play_over(_book("ping", "pang"), "ping", seed=seed))
        first, second = map(opening, plan.steps[-1].reply_text.split("\n\n"))
        assert (first, second) in (("done", "it says"), ("it says", "it was"))  # "Done" is said at the start alone
        seen.add(first)
    assert seen == {"it says", "done"}


@pytest.mark.parametrize(("calls", "told"), [(("ping", "pang"), True), (("ping", "ping"), False)])
def test_an_errand_of_several_tools_is_one_message(calls: tuple[str, ...], told: bool) -> None:
    turn = {"requests": ["Both."], "calls": [[{"call": name} for name in calls]], "replies": ["Done."]}
    tools = {name: _asked("Do it.", "Done.") for name in ("ping", "pang")}
    book = book_of({"tools": tools, "tasks": [{"turns": [turn]}]}, [tool(name) for name in tools])
    assert is_at_once(book.tasks[0]) is told
