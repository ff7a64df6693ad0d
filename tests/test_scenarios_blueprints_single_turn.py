"""One request with one call, or several at once: over the bundled domains, and where it cannot be planned."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from generator.domains.catalog import Catalog
from generator.domains.reading import read_domain
from generator.job import Job
from generator.jsontext import JsonObject, dump_canonical
from generator.record import Producer
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.blueprints.single_turn import at_once_with, fewest, in_order, is_at_once
from generator.scenarios.phrases import fits_the_hour, load_small_talk, opening, takes_leave, topics
from generator.scenarios.planning_context import PlanningContext
from generator.scenarios.scenario import PlanError
from generator.worlds.program import CompiledDomain
from generator.worlds.rows import Row
from tests.bundled import bundled
from tests.domain_examples import domain, tools
from tests.domains_library import library, tool
from tests.kind_records import calls, turns
from tests.planning_contexts import compiled_of, context_over, library_context, made, plan_error


@pytest.mark.parametrize(("kind", "fewest", "most"), [("simple", 1, 1), ("multiple", 2, 6), ("many_tools", 20, 60)])
def test_one_call_among_the_tools_shown(kind: str, fewest: int, most: int) -> None:
    for record in made(kind):
        assert fewest <= len(record["tools"]) <= most
        (call,) = calls(record)
        assert call["name"] in {each["function"]["name"] for each in record["tools"]}
        assert [message["role"] for message in record["messages"] if message["role"] != "system"] == [
            "user", "assistant", "tool", "assistant",
        ]  # fmt: skip


def test_parallel_calls_are_of_one_tool_and_differ() -> None:
    for record in made("parallel"):
        (asked,) = [message for message in record["messages"] if message.get("tool_calls")]
        assert len({call["function"]["name"] for call in asked["tool_calls"]}) == 1
        marks = {dump_canonical(call["function"]["arguments"]) for call in asked["tool_calls"]}
        assert len(marks) == len(asked["tool_calls"]) > 1


SEVERAL: JsonObject = {"parallel": {"requests": ["Count <each: {n}>."], "replies": ["Counted."], "many": [3, 3]}}


def _counting(high: int, **way: object) -> JsonObject:
    return {"tools": {"count": {"ways": [{"draw": {"n": {"integer": [1, high]}}, "arguments": {"n": "$n"},
            "requests": ["Count to {n}."], "replies": {"ok": ["Counted."]}, **way}]}}}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "document", "reason"),
    [
        ("multiple", _counting(9), "no other tool can be shown"),
        ("many_tools", _counting(9), "there are too few tools to show"),
        ("parallel", _counting(9), "no way of count fits"),
        ("parallel", _counting(1, **SEVERAL), "two of the calls are the same"),
    ],
)
def test_what_cannot_be_planned(kind: str, document: JsonObject, reason: str) -> None:
    compiled = compiled_of(document, [tool("count", None, ("n",), n="integer")])
    assert plan_error(kind, context_over(compiled, "count")) == reason


def test_a_call_at_once_that_fails_is_no_plan() -> None:
    refusing = _counting(99, **SEVERAL)
    refusing["tools"]["count"]["effect"] = [{"require": [["$n", ">", 100]], "else": {"INVALID_STATE": "Too few."}}]
    compiled = compiled_of(refusing, [tool("count", None, ("n",), n="integer")])
    assert plan_error("parallel", context_over(compiled, "count")) == "count ends with INVALID_STATE"


def test_an_id_nobody_can_tell_is_no_plan() -> None:
    """Books have no words for their ids and no look-up."""
    assert "borrow_book" in library_context("borrow_book").compiled.tools
    assert plan_error("simple", library_context("borrow_book")) == "no way of borrow_book fits"


UNLIKE = {
    "many": [2, 3],
    "requests": ["Renew <each: {l} by {n} days>."],
    "replies": ["<each|sentences: {r.title} is due on {r.due_date|date}.>"],
}


def test_values_of_parallel_wishes_differ_where_there_are_others() -> None:
    whole = domain()
    (way, *_) = whole["tools"]["renew_loan"]["ways"]
    way["draw"]["n"] = {"from": [7, 14, 21]}
    way["parallel"] = UNLIKE
    read, faults = read_domain(whole, "library")
    assert read is not None, faults
    shown = tuple(tool.model_copy(update={"domain": "library"}) for tool in tools())
    producer = Producer(Job(seed=5, mix={"parallel": 1.0}, error_rate=0.0), Catalog(tools=shown, domains=(read,)))
    seen = 0
    for index in range(30):
        line = producer.produce(index).line
        calls = [call for m in orjson.loads(line)["messages"] for call in m.get("tool_calls", ())] if line else []
        days = [call["function"]["arguments"]["days"] for call in calls]
        assert len(set(days)) == len(days)
        seen += len(days) > 1
    assert seen > 10


def test_values_with_the_least_in_common_are_kept_where_all_have_something() -> None:
    """A day of two and an hour of many: where both days are taken, at least the hours differ."""
    drawn = iter([(2, "same day, same hour"), (1, "same day"), (2, "same again"), (1, "same day once more")] * 9)
    assert fewest(lambda: next(drawn)) == "same day"
    drawn = iter([(2, "same"), (0, "other"), (0, "never drawn")])
    assert fewest(lambda: next(drawn)) == "other"
    assert next(drawn) == (0, "never drawn")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["2026-01-21", "2026-01-23", "2026-01-20"], ["2026-01-20", "2026-01-21", "2026-01-23"]),
        (["18:30", "09:15"], ["09:15", "18:30"]),
        (["2026-01-21T10:00", "2026-01-21T09:00"], ["2026-01-21T09:00", "2026-01-21T10:00"]),
        (["Rome", "Oslo"], ["Rome", "Oslo"]),
        ([12, 7], [12, 7]),
    ],
)
def test_days_and_times_are_listed_in_their_order(values: list[object], expected: list[object]) -> None:
    assert [names["d"] for names in in_order([{"d": value, "city": "Bonn"} for value in values])] == expected
    apart = [{"d": value, "n": number} for number, value in enumerate(values)]
    assert in_order(apart) == apart  # other values differ as well
    assert in_order([]) == []


def test_a_day_that_comes_from_a_row_is_listed_in_its_order_too() -> None:
    days = ["2026-01-28", "2026-01-30", "2026-01-27"]
    each = [{"w": Row("ahead", number, {"date": day}), "d": day} for number, day in enumerate(days)]
    assert [names["d"] for names in in_order(each)] == sorted(days)
    each = [{"w": Row("room", number, {"name": "Rome"}), "d": day} for number, day in enumerate(days)]
    assert in_order(each) == each


def test_several_days_of_one_request_come_one_after_the_other() -> None:
    way = {
        "draw": {"d": {"day": [1, 30]}}, "arguments": {"d": "$d"}, "requests": ["Count on {d|on}."],
        "parallel": {"many": [3, 3], "requests": ["Count on <each: {d|on}>."]}, "replies": {"ok": ["I counted."]},
    }  # fmt: skip
    known = compiled_of({"tools": {"count": {"ways": [way]}}}, [tool("count", None, ("d",), d="string")])
    for kind in ("parallel", "partial_failure"):
        for seed in range(9):
            (step, *_) = LAYOUTS[kind].blueprint(context_over(known, "count", seed=seed)).steps
            days = [str(call.arguments["d"]) for call in step.calls]
            assert len(days) == 3 and days == sorted(days)


def test_several_tools_are_called_in_one_turn() -> None:
    for record in made("parallel_multiple"):
        (asked,) = [message for message in record["messages"] if message.get("tool_calls")]
        names = [call["function"]["name"] for call in asked["tool_calls"]]
        assert len(set(names)) > 1
        assert len(turns(record, "tool")) == len(names)
        assert set(record["metadata"]["statuses"].values()) == {"SUCCESS"}


def test_there_must_be_another_tool() -> None:
    way = {"requests": ["Count."], "replies": {"ok": ["Counted."]}}
    compiled = compiled_of({"tools": {"count": {"ways": [way]}}}, [tool("count")])
    assert (
        plan_error("parallel_multiple", context_over(compiled, "count"))
        == "no other tool can be called at once with this one"
    )


NOTE: JsonObject = {
    "rows": 4, "fields": {"id": {"pattern": "N[0-9]{6}"}, "title": {"from": ["Wine", "Tea", "Rice", "Salt"]}},
    "say": ["{title}"], "say_id": ["note {id}"], "views": {"full": {"id": "$id", "title": "$title"}},
}  # fmt: skip
ALL: JsonObject = {"effect": [{"list": "note"}], "result": {"notes": "$rows|full", "total": {"$count": "$all"}}}


def _asked(text: str, *replies: str, **way: Any) -> JsonObject:
    return {"ways": [{"requests": [text], "replies": {"ok": [*replies]}, **way}]}


def _book(*names: str) -> CompiledDomain:
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
    return compiled_of({"entities": {"note": NOTE}, "tools": {name: known[name] for name in names}}, tools)


def test_nobody_wants_one_deed_of_two_tools_where_there_are_others() -> None:
    assert at_once_with(_book("list_notes", "count_notes", "read_note"), "list_notes") == ("read_note",)
    assert at_once_with(_book("list_notes", "count_notes"), "list_notes") == ("count_notes",)


def _errors(*names: str) -> set[str]:
    """Why records of these tools cannot be planned, whatever is drawn."""
    errors = set()
    for seed in range(12):
        try:
            LAYOUTS["parallel_multiple"].blueprint(context_over(_book(*names), names[0], seed=seed))
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
            context_over(_book("read_note", "drop_note"), "read_note", seed=seed)
        )
        read, dropped = plan.steps[0].calls
        assert read.arguments != dropped.arguments


def test_answers_begin_unlike_each_other_as_far_as_they_can() -> None:
    seen = set()
    for seed in range(20):
        plan = LAYOUTS["parallel_multiple"].blueprint(context_over(_book("ping", "pang"), "ping", seed=seed))
        first, second = map(opening, plan.steps[-1].reply_text.split("\n\n"))
        assert (first, second) in (("done", "it says"), ("it says", "it was"))  # "Done" is said at the start alone
        seen.add(first)
    assert seen == {"it says", "done"}


@pytest.mark.parametrize(("calls", "told"), [(("ping", "pang"), True), (("ping", "ping"), False)])
def test_a_task_of_several_tools_is_one_message(calls: tuple[str, ...], told: bool) -> None:
    turn = {"requests": ["Both."], "calls": [[{"call": name} for name in calls]], "replies": ["Done."]}
    tools = {name: _asked("Do it.", "Done.") for name in ("ping", "pang")}
    compiled = compiled_of({"tools": tools, "tasks": [{"turns": [turn]}]}, [tool(name) for name in tools])
    assert is_at_once(compiled.tasks[0]) is told


def test_near_twins_stand_beside_the_tool_that_is_called() -> None:
    near = {
        (domain.name, name): set(known.near) for domain in bundled().domains for name, known in domain.tools.items()
    }
    domains = {tool.name: tool.domain for tool in bundled().tools}
    for record in made("similar_tools"):
        (call,) = calls(record)
        shown = {each["function"]["name"] for each in record["tools"]} - {call["name"]}
        assert shown
        assert shown <= near[domains[call["name"]], call["name"]]
        assert set(record["metadata"]["claim"]["near"]) == shown


def test_a_function_that_is_missing_is_called_once_it_is_there() -> None:
    for record in made("missing_function"):
        name = record["metadata"]["claim"]["function"]
        assert name in turns(record, "system")[0]["content"]
        assert [call["name"] for call in calls(record)] == [name]
        assert not turns(record, "assistant")[0].get("tool_calls")
        assert name not in "".join(each["content"] for each in turns(record, "user"))


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("similar_tools", "nothing is near to count"),
        ("missing_function", "the domain does not say what count can do"),
    ],
)
def test_scenarios_blueprints_choosing_what_cannot_be_planned(kind: str, reason: str) -> None:
    compiled = compiled_of({"tools": {"count": {"ways": [{"requests": ["Count."]}]}}}, [tool("count")])
    assert plan_error(kind, context_over(compiled, "count")) == reason


@pytest.mark.parametrize("kind", ["irrelevance", "chitchat", "no_tools"])
def test_nothing_is_called_and_every_word_answered(kind: str) -> None:
    for record in made(kind):
        assert not calls(record)
        assert not turns(record, "tool")
        assert len(turns(record, "user")) == len(turns(record, "assistant"))
        assert bool(record["tools"]) is (kind != "no_tools")


def test_small_talk_at_times_has_a_parting_word() -> None:
    lengths = {len(turns(record, "user")) for record in made("chitchat", 40)}
    assert lengths == {1, 2}


def test_near_wishes_come_from_the_domain_and_others_from_everyday_life() -> None:
    said = set()
    for seed in range(40):
        said.add(LAYOUTS["irrelevance"].blueprint(library_context(seed=seed, visit=seed)).steps[0].request_text)
    assert "Buy me this book." in said
    assert len(said) > 5


def test_a_wish_that_no_tool_serves_is_declined_by_what_it_wants() -> None:
    document = {**library_context().compiled.domain.model_dump(by_alias=True), "unserved": []}
    compiled = compiled_of(document, library_context().compiled.tools.values())
    deeds = {topic.deed for topic in topics()}
    for seed in range(20):
        reply = LAYOUTS["irrelevance"].blueprint(context_over(compiled, "renew_loan", seed=seed)).steps[1].reply_text
        assert any(deed in reply for deed in deeds)


def test_where_the_tools_speak_of_everything_nothing_is_irrelevant(monkeypatch: pytest.MonkeyPatch) -> None:
    tools = [tool(f"serve_{number}", None, (), **{topic.words[0]: "string"}) for number, topic in enumerate(topics())]
    compiled = compiled_of({"tools": {each.name: {} for each in tools}}, tools)
    context = context_over(compiled, tools[0].key)
    monkeypatch.setattr(PlanningContext, "beside", lambda context, count: tuple(each.key for each in tools[1:]))
    assert plan_error("irrelevance", context) == "the tools shown speak of everything"


def test_nobody_begins_with_thanks_or_a_goodbye() -> None:
    talks = {talk.name: talk for talk in load_small_talk().talks}
    parting = {reply for name in ("thanks", "goodbye", "praise") for reply in talks[name].replies}
    first, later = set(), set()
    for record in made("chitchat", 40):
        said = [turn["content"] for turn in turns(record, "assistant")]
        first.add(said[0])
        later |= set(said[1:])
    assert not first & parting
    assert later and later <= parting


def test_each_wording_of_a_near_wish_has_its_turn_and_then_life_goes_on() -> None:
    """A record cannot look at others: by how many came before it, it knows which wording comes next."""
    texts = sum(len(wish.requests) for wish in library().unserved)
    near = []
    for visit in range(8 * texts):
        plan = LAYOUTS["irrelevance"].blueprint(library_context(seed=visit, visit=visit))
        if plan.claim:
            assert set(plan.claim["unserved_by"]) == {library_context().index.tools[key].name for key in plan.shown}
            near.append(plan.steps[0].request_text)
    assert len(near) <= 2 * texts
    assert len(set(near)) > texts / 2


def test_where_a_domain_has_all_tools_its_own_wishes_come_first_and_are_most() -> None:
    fixed = [{"requests": ["Buy me a book.", "Sell my book."], "replies": ["I can't."]}]
    varied = [{"draw": {"b": {"pool": "titles"}}, "requests": ["Burn {b}."], "replies": ["I can't."]}]
    library_document = library_context().compiled.domain.model_dump(by_alias=True)
    for unserved, least in ((fixed, 2), ([*fixed, *varied], 20)):
        compiled = compiled_of({**library_document, "unserved": unserved}, library_context().compiled.tools.values())
        contexts = [context_over(compiled, "renew_loan", seed=visit, visit=visit) for visit in range(40)]
        plans = [LAYOUTS["irrelevance"].blueprint(context) for context in contexts]
        near = [plan.steps[0].request_text for plan in plans if plan.claim]
        assert len(near) >= least
        assert {"Buy me a book.", "Sell my book."} <= set(near)


def test_a_second_attempt_does_not_say_the_same_again() -> None:
    for seed in range(20):
        context = library_context(seed=seed)
        context.attempt = 1
        assert not LAYOUTS["irrelevance"].blueprint(context).claim


def test_a_parting_word_fits_the_hour_of_the_greeting() -> None:
    for record in made("chitchat", 40):
        first, *later = (turn["content"] for turn in turns(record, "user"))
        assert all(fits_the_hour(text, first) for text in later)
        assert not (later and takes_leave(first))
