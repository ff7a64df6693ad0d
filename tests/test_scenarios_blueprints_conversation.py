"""Values in everyday words, or that stand in the context: over the bundled domains, and what cannot be planned."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from random import Random

import pytest

from generator.jsontext import JsonObject
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.blueprints.conversation import everyday
from generator.scenarios.phrases import phrases
from generator.scenarios.scenario import PlanError
from generator.worlds.program import CompiledDomain
from tests.domains_library import LIBRARY_TOOLS, library, tool
from tests.kind_records import calls, turns
from tests.planning_contexts import compiled_of, context_over, library_context, made, plan_error
from tests.tables import each_row

TODAY = date(2026, 1, 15)  # a Thursday


@each_row(
    ("value", "said"),
    [
        ("2026-01-15", {"today"}),
        ("2026-01-16", {"tomorrow", "this Friday"}),
        ("2026-01-17", {"the day after tomorrow", "this Saturday"}),
        ("2026-01-19", {"next Monday", "in four days"}),
        ("2026-01-22", {"a week from today", "next Thursday", "in seven days"}),
        ("2026-01-29", {"in two weeks"}),
        ("2026-01-14", {""}),
        ("2026-03-29", {""}),
        ("12:00", {"noon"}),
        ("00:00", {"midnight"}),
        ("09:30", {"half past nine in the morning"}),
        ("15:15", {"quarter past three in the afternoon"}),
        ("19:00", {"seven in the evening"}),
        ("12:30", {""}),
        ("09:40", {""}),
        ("25 apples", {""}),
        (3, {"three"}),
        (12, {"twelve"}),
        (1, {""}),
        (13, {""}),
    ],
)
def test_what_people_say_for_a_day_a_time_or_a_number(value: str | int, said: set[str]) -> None:
    assert {everyday(value, TODAY, Random(seed)) for seed in range(30)} <= said


def test_the_words_of_the_claim_stand_in_the_request_and_the_date_is_told() -> None:
    for record in made("canonicalization"):
        claim, (call,) = record["metadata"]["claim"], calls(record)
        assert claim["said"].lower() in turns(record, "user")[0]["content"].lower()
        assert claim["parameter"] in call["arguments"]
        assert record["metadata"]["reference_date"][:4] in turns(record, "system")[0]["content"]


@pytest.mark.parametrize(("kind", "least"), [("profile", 0), ("long_context", 4_000)])
def test_a_value_of_the_call_stands_in_the_context_and_not_in_the_request(kind: str, least: int) -> None:
    for record in made(kind):
        system, asked = turns(record, "system")[0]["content"], turns(record, "user")[0]["content"]
        (call,) = calls(record)
        assert len(system) > least
        for name, label in record["metadata"]["claim"]["profile"].items():
            assert label.lower() in asked.lower()
            value = call["arguments"][name]
            if isinstance(value, str):
                assert value in system
                assert value not in asked


PROFILE: JsonObject = {"arguments": {"n": 4}, "labels": {"n": "usual"}, "told": ["4."], "requests": ["The usual."]}


@pytest.mark.parametrize(
    ("kind", "way", "reason"),
    [
        ("canonicalization", {}, "no way of count fits"),
        (
            "canonicalization",
            {"draw": {"n": {"integer": [40, 90]}}, "requests": ["Count to {n|words}."]},
            "no value of the call has an everyday expression",
        ),
        ("profile", {}, "no way of count fits"),
        ("long_context", {"profile": [PROFILE]}, "the world is too small for a long context"),
    ],
)
def test_what_cannot_be_planned(kind: str, way: JsonObject, reason: str) -> None:
    known = {"draw": {"n": {"integer": [4, 4]}}, "arguments": {"n": "$n"}, "requests": ["Count to {n}."], **way}
    compiled = compiled_of({"tools": {"count": {"ways": [known]}}}, [tool("count", None, ("n",), n="integer")])
    assert plan_error(kind, context_over(compiled, "count")) == reason


def test_a_world_of_one_small_row_is_too_small_for_a_long_context() -> None:
    known = {"draw": {"n": {"integer": [4, 4]}}, "arguments": {"n": "$n"}, "requests": ["Count."], "profile": [PROFILE]}
    document: JsonObject = {
        "entities": {"it": {"rows": 1, "fields": {"id": {"integer": [1, 2]}}}}, "tools": {"count": {"ways": [known]}},
    }  # fmt: skip
    compiled = compiled_of(document, [tool("count", None, ("n",), n="integer")])
    assert plan_error("long_context", context_over(compiled, "count")) == "the world is too small for a long context"


def test_tasks_over_several_turns_have_calls() -> None:
    for record in made("multi_turn"):
        assert 2 <= len(turns(record, "user")) <= 6
        assert len(calls(record)) >= 2


def test_a_later_turn_refers_to_the_same_thing() -> None:
    for record in made("coreference"):
        yes = {*phrases()["confirmation"]["yes"], *phrases()["confirmation"]["right"]}
        assert len([turn for turn in turns(record, "user") if turn["content"] not in yes]) == 2
        assert len(calls(record)) >= 2
        assert {*record["metadata"]["statuses"].values()} == {"SUCCESS"}


def test_the_last_wish_wins() -> None:
    for record in made("intent_switch"):
        claim, (call,) = record["metadata"]["claim"], calls(record)
        assert call["name"] != claim["dropped"]
        assert claim["dropped"] in {each["function"]["name"] for each in record["tools"]}


WAY: JsonObject = {"draw": {"n": {"integer": [4, 4]}}, "arguments": {"n": "$n"}, "requests": ["Count to {n}."],
                   "replies": {"ok": ["Counted."]}}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "way", "reason"),
    [
        ("intent_switch", {}, "there is no other wish to drop"),
        ("coreference", {}, "no way of count fits"),
        ("multi_turn", {}, "no way of count fits"),
    ],
)
def test_scenarios_blueprints_conversation_what_cannot_be_planned(kind: str, way: JsonObject, reason: str) -> None:
    compiled = compiled_of({"tools": {"count": {"ways": [{**WAY, **way}]}}}, [tool("count", None, ("n",), n="integer")])
    assert plan_error(kind, context_over(compiled, "count")) == reason


def test_where_nothing_further_is_wanted_of_a_thing_nothing_refers_to_it() -> None:
    assert plan_error("coreference", library_context("renew_loan")) == "nothing further is wanted of this"


def test_a_thing_that_is_gone_is_not_referred_to() -> None:
    """A loan that was returned cannot be renewed."""
    document = library().domain.model_dump(by_alias=True)
    document["tools"]["return_loan"]["ways"][0]["replies"] = {"ok": ["Returned."]}
    document["tools"]["renew_loan"]["ways"][0]["follow_ups"] = ["Renew it by {n} days."]
    compiled = compiled_of(document, LIBRARY_TOOLS)
    assert plan_error("coreference", context_over(compiled, "return_loan")) == "nothing further is wanted of this"


BANK: JsonObject = {
    "entities": {
        name: {"rows": [4, 4], "fields": {"id": {"pattern": f"{name}-[0-9]{{6}}"}}, "say": ["{id}"]}
        for name in ("account", "payee")
    }
}
PAID: JsonObject = {
    "draw": {"a": {"row": "account"}, "p": {"row": "payee"}, "n": {"integer": [10, 99]}},
    "arguments": {"account": "$a.id", "payee": "$p.id", "amount": "$n"},
    "requests": ["Pay {p} {n} from {a}."],
    "replies": {"ok": ["Paid."]},
}


def _paying(follow_up: str, **draw: JsonObject) -> list[list[JsonObject]]:
    """Arguments of the two calls of many conversations: a payment, and one that follows it."""
    ways = {**PAID, "draw": {**PAID["draw"], **draw}, "follow_ups": [follow_up]}
    definitions = [
        tool(name, None, ("account", "payee", "amount"), account="string", payee="string", amount="integer")
        for name in ("pay", "plan")
    ]
    tools = {"pay": {"ways": [PAID]}, "plan": {"ways": [ways]}}
    compiled = compiled_of({**BANK, "tools": tools}, definitions)
    plans = [LAYOUTS["coreference"].blueprint(context_over(compiled, "pay", seed=seed)) for seed in range(12)]
    return [[call.arguments for step in plan.steps for call in step.calls] for plan in plans]


@pytest.mark.parametrize(
    ("follow_up", "stays", "differs"),
    [
        ("Do the same every month.", {"account", "payee", "amount"}, set()),
        ("And pay them {n} every month.", {"account", "payee"}, {"amount"}),
        ("And plan {n} for {p} from that account.", {"account"}, {"amount"}),
    ],
)
def test_what_a_further_wish_leaves_unsaid_stays_as_it_was(follow_up: str, stays: set[str], differs: set[str]) -> None:
    pairs = _paying(follow_up, n={"integer": [200, 300]})
    for first, second in pairs:
        assert {name for name in stays if first[name] != second[name]} == set()
        assert {name for name in differs if first[name] == second[name]} == set()


def test_a_further_wish_may_name_another_thing() -> None:
    assert any(first["payee"] != second["payee"] for first, second in _paying("And {n} for {p} from that account."))


def test_what_was_told_already_is_not_looked_up_again() -> None:
    way = {**PAID, "follow_ups": ["And once more?"]}
    names = ("account", "payee", "amount")
    shown = [tool("pay", None, names, account="string", payee="string", amount="integer")]
    compiled = compiled_of({**BANK, "tools": {"pay": {"ways": [PAID, way]}}}, shown)
    assert plan_error("coreference", context_over(compiled, "pay")) == "pay was called like this before"


def test_what_is_wanted_again_under_another_name_is_another_thing() -> None:
    way = {"draw": {"p": {"row": "payee"}}, "arguments": {"payee": "$p.id"}, "requests": ["Who is {p}?"]}
    ways = [{**way, "replies": {"ok": ["{p}."]}}, {**way, "replies": {"ok": ["{p}."]}, "follow_ups": ["And {p}?"]}]
    compiled = compiled_of(
        {**BANK, "tools": {"look": {"ways": ways}}}, [tool("look", None, ("payee",), payee="string")]
    )
    for seed in range(8):
        plan = LAYOUTS["multi_turn"].blueprint(context_over(compiled, "look", seed=seed))
        first, second = (call.arguments for step in plan.steps for call in step.calls)
        assert first != second


LAMP: JsonObject = {
    "entities": {
        "lamp": {
            "rows": [3, 3], "say_id": ["{id}"],
            "fields": {"id": {"pattern": "L[0-9]{3}"}, "level": {"integer": [1, 3]}},
        }
    },
    "tools": {
        "look": {
            "effect": [{"get": "lamp", "where": [["id", "=", "$id"]]}], "result": "$it|",
            "ways": [{"draw": {"l": {"row": "lamp"}}, "arguments": {"id": "$l.id"}, "requests": ["How bright is {l}?"],
                      "replies": {"ok": ["{r.id} is at {r.level}."]}}],
        },
        "dim": {
            "effect": [{"get": "lamp", "where": [["id", "=", "$id"]]}, {"update": "$it", "set": {"level": "$level"}}],
            "result": {"level": "$it.level"},
            "ways": [],
        },
    },
}  # fmt: skip
DIM: JsonObject = {"arguments": {"id": "$l.id", "level": "$n"}, "requests": ["Set {l} to {n}."],
                   "replies": {"ok": ["{l} is at {n} now."]}, "follow_ups": ["Set it to {n}."]}  # fmt: skip
LOOK_AND_DIM = [
    tool("look", None, ("id",), id="string"),
    tool("dim", None, ("id", "level"), id="string", level="integer"),
]


def _dimmed(draw: JsonObject) -> list[tuple[int, int]]:
    """The level that was told of a lamp, and the one that it is set to next, in all records that can be planned."""
    document = {**LAMP, "tools": {**LAMP["tools"], "dim": {**LAMP["tools"]["dim"], "ways": [{**DIM, "draw": draw}]}}}
    compiled = compiled_of({**document, "outages": []}, LOOK_AND_DIM)
    pairs = []
    for seed in range(40):
        with suppress(PlanError):
            plan = LAYOUTS["coreference"].blueprint(context_over(compiled, "look", seed=seed))
            first, second = (call for step in plan.steps for call in step.calls)
            assert first.answer is not None
            pairs.append((first.answer.content["level"], second.arguments["level"]))
    return pairs


ANY_LEVEL: JsonObject = {"integer": [1, 3]}


@pytest.mark.parametrize(
    ("draw", "fewest"),
    [
        ({"n": ANY_LEVEL, "l": {"row": "lamp", "where": [["level", "!=", "$n"]]}}, 36),
        ({"l": {"row": "lamp"}, "n": ANY_LEVEL}, 15),
    ],
    ids=["with a precondition", "without one"],
)
def test_nobody_asks_for_the_value_that_was_just_told(draw: JsonObject, fewest: int) -> None:
    pairs = _dimmed(draw)
    assert len(pairs) >= fewest  # a precondition that fails lets the value be drawn anew
    assert [pair for pair in pairs if pair[0] == pair[1]] == []


def test_a_further_wish_says_another_value_than_the_first() -> None:
    """Nobody asks for two days after asking for two days, whatever else the first call was given."""
    way = {"draw": {"a": {"row": "account"}, "n": {"integer": [1, 2]}}, "replies": {"ok": ["Nothing."]}}
    first = {**way, "arguments": {"account": "$a.id", "days": "$n", "sort": "asc"}, "requests": ["{n} days of {a}?"]}
    again = {**way, "arguments": {"account": "$a.id", "days": "$n"}, "requests": ["Show {a} for {n} days."]}
    shown = tool("look", None, ("account",), account="string", days="integer", sort="string")
    ways = [first, {**again, "follow_ups": ["And for {n} days?"]}]
    compiled = compiled_of({**BANK, "tools": {"look": {"ways": ways}}}, [shown])
    made = 0
    for seed in range(40):
        with suppress(PlanError):
            plan = LAYOUTS["multi_turn"].blueprint(context_over(compiled, "look", seed=seed))
            before, after = (call.arguments for step in plan.steps for call in step.calls)
            made += 1
            assert before["days"] != after["days"]
    assert made > 9


def _house(*sizes: str) -> CompiledDomain:
    """Three tools: two about rooms, one about guests; rooms are cleaned only if they have one of these sizes."""
    rows = {
        "rows": 6,
        "fields": {"id": {"pattern": "[A-Z][0-9]{5}"}, "size": {"from": ["big", "small"]}},
        "say_id": ["{id}"],
    }
    asks = {"missing": ["when"], "questions": ["When?"], "answers": ["Now."]}

    def way(entity: str, verb: str, **more: object) -> JsonObject:
        return {"draw": {"x": {"row": entity}}, "arguments": {"id": "$x.id"}, "requests": [verb + " {x}."],
                "replies": {"ok": ["It's there."]}, **more}  # fmt: skip

    def asking(entity: str, verb: str) -> JsonObject:
        row = {"row": entity, "where": [["size", "in", list(sizes)]]} if sizes else {"row": entity}
        own = {"draw": {"x": row, "n": {"integer": [1, 9]}}, "arguments": {"id": "$x.id", "when": "$n"}}
        return way(entity, verb, **own, ask=[{**asks, "requests": [verb + " {x}."]}])

    tools = {"check": way("room", "Check"), "clean": asking("room", "Clean"), "call": asking("guest", "Call")}
    known = {
        name: {"effect": [{"list": way["draw"]["x"]["row"]}, {"list": "room"}], "ways": [way]}
        for name, way in tools.items()
    }
    return compiled_of(
        {"entities": {"room": rows, "guest": rows}, "tools": known},
        [tool(name, None, ("id",), id="string", when="integer") for name in tools],
    )


def _dropped(*sizes: str) -> list[tuple[str, bool]]:
    """Which wish is dropped before a room is checked, and whether it is about the same room."""
    found = []
    for seed in range(20):
        plan = LAYOUTS["intent_switch"].blueprint(context_over(_house(*sizes), "check", seed=seed))
        (call,) = plan.steps[2].calls
        found.append((str(plan.claim["dropped"]), str(call.arguments["id"]) in plan.steps[0].request_text))
    return found


def test_a_wish_is_dropped_for_another_about_the_same_thing() -> None:
    assert set(_dropped()) == {("clean", True)}


def test_where_the_same_thing_makes_no_sense_the_dropped_wish_is_about_another() -> None:
    assert set(_dropped("big")) == {("clean", True), ("clean", False)}
