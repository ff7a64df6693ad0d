"""The stage of one record: what is drawn, said, called, known and looked up while it is planned."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.domains.catalog import Catalog
from generator.domains.domain import Domain
from generator.job import Job
from generator.jsontext import JsonObject, JsonValue
from generator.kinds import KINDS
from generator.record import Producer
from generator.records import SUCCESS, ToolResult
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.phrases import phrases
from generator.scenarios.plan_state import (
    GuidedRandom,
    agreed,
    asked,
    is_so_already,
    outcome_of,
    place_of,
    require_consent,
    require_independent,
    says_nothing_new,
    with_consent,
)
from generator.scenarios.planner import Planner
from generator.scenarios.scenario import PlanError, PlannedCall, Step
from generator.worlds.program import CompiledDomain, compiled_domain
from generator.worlds.rows import Row
from generator.worlds.ways import WayProgram
from generator.worlds.world import World
from tests.domain_examples import domain, tools
from tests.domains_library import LIBRARY, LIBRARY_TOOLS, TODAY, domain_of, library, tool
from tests.planning_contexts import compiled_of, context_over, library_context, plan_error, state
from tests.tables import each_row


def _way(name: str = "renew_loan") -> WayProgram:
    return library().ways[name][0]


def test_what_a_way_draws_is_known_by_its_names() -> None:
    played = state()
    scope = played.draw(_way().draws, played.scope())
    assert isinstance(scope.names["l"], Row)
    assert 3 <= scope.names["n"] <= 14
    assert played.values_of(_way().arguments, scope) == {
        "loan_id": scope.names["l"].fields["id"], "days": scope.names["n"],
    }  # fmt: skip


def test_where_there_is_nothing_to_draw_there_is_no_plan() -> None:
    never = {"draw": {"l": {"row": "loan", "where": [["renewals", ">", 9]]}}, "arguments": {"loan_id": "$l.id"},
             "requests": ["Return {l}."]}  # fmt: skip
    tools = {**LIBRARY["tools"], "return_loan": {"ways": [never]}}
    played = state(compiled_of(domain_of(LIBRARY, tools=tools).model_dump(by_alias=True), LIBRARY_TOOLS))
    with pytest.raises(PlanError, match="loan"):
        played.draw(played.compiled.ways["return_loan"][0].draws, played.scope())


def _asking(*requests: str) -> JsonObject:
    return {"look": {"ways": [{"draw": {"x": {"integer": [1, 9]}}, "requests": list(requests)}]}}


def test_a_text_that_cannot_be_said_gives_way_to_another_one() -> None:
    compiled = compiled_of({"tools": _asking("What is {x}?", "What is there?")}, [tool("look")])
    said = {
        state(compiled, seed).say(compiled.ways["look"][0].requests, state(compiled).scope(x=None))
        for seed in range(12)
    }
    assert said == {"What is there?"}


def test_where_nothing_can_be_said_the_plan_tells_why() -> None:
    compiled = compiled_of({"tools": _asking("What is {x}?")}, [tool("look")])
    played = state(compiled)
    with pytest.raises(PlanError, match=r"nothing can be said: 'What is \{x\}\?'"):
        played.say(compiled.ways["look"][0].requests, played.scope(x=None))
    with pytest.raises(PlanError, match="no words"):
        played.say((), played.scope())


def test_replies_whose_condition_holds_come_before_those_without_one() -> None:
    replies = {"ok": ["Fine.", {"when": [["$n", ">", 5]], "say": ["That is much."]}]}
    tools = {"look": {"ways": [{"requests": ["Look."], "draw": {"n": {"integer": [1, 9]}}, "replies": replies}]}}
    compiled = compiled_of({"tools": tools}, [tool("look")])
    told = compiled.ways["look"][0].replies["ok"]
    played = state(compiled)
    assert {played.reply(told, played.scope(n=n)) for n in (6, 9, 7, 8)} == {"That is much."}
    assert {played.reply(told, played.scope(n=n)) for n in (1, 5, 3, 2)} == {"Fine."}


def test_a_call_changes_the_world_of_the_plan_and_not_the_one_it_began_with() -> None:
    played = state()
    row = next(iter(played.world.table("loan").values()))
    before = played.start.digest()
    call = played.call("renew_loan", {"loan_id": row.fields["id"], "days": 5})
    assert call.outcome == SUCCESS
    assert call.answer == played.results[-1]
    assert played.start.digest() == before != played.world.digest()
    again = played.call("renew_loan", {"loan_id": row.fields["id"], "days": 5})
    assert (again.outcome, again.answer and again.answer.error_message) == ("INVALID_STATE", "It was renewed already.")


@pytest.mark.parametrize(
    ("name", "arguments", "reason"),
    [
        ("renew_lone", {}, "the tool renew_lone is not there"),
        ("renew_loan", {"loan_id": "L-1"}, "renew_loan: .*days"),
        ("renew_loan", {"loan_id": "L-1", "days": "five"}, "renew_loan: days: "),
        ("renew_loan", {"loan_id": "L-1", "days": 5, "note": ""}, "renew_loan: .*note"),
        ("renew_loan", {"loan_id": "L-1", "days": 2**70}, "renew_loan: a number is outside"),
    ],
)
def test_calls_that_nobody_should_make_are_no_plan(name: str, arguments: dict[str, JsonValue], reason: str) -> None:
    played = state()
    with pytest.raises(PlanError, match=reason):
        played.call(name, arguments)
    assert played.results == []


def test_an_outage_takes_the_place_of_the_worlds_answer_and_changes_nothing() -> None:
    played = state()
    row = next(iter(played.world.table("loan").values()))
    outage = ToolResult("renew_loan", error_type="SERVICE_UNAVAILABLE", error_message="Down.")
    call = played.call("renew_loan", {"loan_id": row.fields["id"], "days": 5}, outage)
    assert (call.outcome, call.answer) == ("SERVICE_UNAVAILABLE", outage)
    assert played.world.digest() == played.start.digest()


def test_an_id_nobody_told_is_looked_up_with_ids_that_were_told() -> None:
    played = state()
    scope = played.draw(_way().draws, played.scope())
    row, member = scope.names["l"], played.world.me
    played.keep(f"You help member {member.fields['id']}.")
    assert list(played.unknown_rows(_way().arguments, scope)) == [("loan_id", row)]
    (found,) = played.look_up(row)
    assert (found.tool.name, found.arguments) == ("list_loans", {"member_id": member.fields["id"]})
    assert list(played.unknown_rows(_way().arguments, scope)) == []


def test_an_id_that_nothing_tells_is_no_plan() -> None:
    played = state()
    loan = next(iter(played.world.table("loan").values()))
    compiled = next(iter(played.world.table("book").values()))
    with pytest.raises(PlanError, match="nobody can know the id of this member"):
        played.look_up(loan)  # its look-up needs the member's id, which nobody has told and nothing finds
    with pytest.raises(PlanError, match="nobody can know the id of this book"):
        played.look_up(compiled)
    imagined = played.world.imagine("loan", {}, played.random)
    with pytest.raises(PlanError, match="nobody can know the id of this loan"):
        played.look_up(imagined)


def test_a_look_up_that_does_not_show_the_id_is_no_plan() -> None:
    shy = {**LIBRARY["tools"], "list_loans": {**LIBRARY["tools"]["list_loans"], "result": {"loans": [], "total": 0}}}
    played = state(compiled_of(domain_of(LIBRARY, tools=shy).model_dump(by_alias=True), LIBRARY_TOOLS))
    played.keep(str(played.world.me.fields["id"]))
    with pytest.raises(PlanError, match="list_loans does not tell the id of the loan"):
        played.look_up(next(iter(played.world.table("loan").values())))


def test_results_have_numbers_and_the_last_one_a_name() -> None:
    played = state()
    assert played.result_names() == {}
    played.call("search_books", {})
    played.call("renew_loan", {"loan_id": "L-none", "days": 2})
    names = played.result_names()
    assert names["r1"] == played.results[0].content
    error = {"error": {"type": "RESOURCE_NOT_FOUND", "message": "No L-none."}}
    assert names["r"] == names["r2"] == error


def test_only_what_was_said_or_shown_is_known() -> None:
    played = state()
    call = played.call("search_books", {})
    assert call.answer is not None
    first = call.answer.content["books"][0]["id"]
    assert not played.is_known(first)
    played.show([call])
    assert played.is_known(first)


def test_the_words_for_a_worded_value_and_for_constants_are_evidence() -> None:
    way = {"draw": {"f": {"wording": "shelf"}}, "arguments": {"query": "$f.tag", "page": 1},
           "requests": ["What is there {f}, to begin with?"]}  # fmt: skip
    whole = {**way, "arguments": {"filter": "$f", "page": 1}}
    search = tool("search_books", None, (), filter={"type": "object"}, page="integer")
    document = domain_of(LIBRARY).model_dump(by_alias=True)
    document |= {"tools": {"search_books": {"ways": [whole]}}, "tasks": [], "rules": []}
    document["entities"]["loan"]["find"] = None
    compiled = compiled_of(document, [search])
    played = state(compiled)
    program = compiled.ways["search_books"][0]
    scope = played.draw(program.draws, played.scope())
    request = played.say(program.requests, scope)
    evidence = played.evidence(program.arguments, scope, request)
    assert evidence["page"] == request
    assert evidence["filter"] in ("among the novels", "among the thrillers")
    assert evidence["filter"] in request
    listed = {"values": {"filter": lambda scope: [program.arguments.values["filter"](scope)]}, "constants": frozenset()}
    assert played.evidence(replace(program.arguments, **listed), scope, request) == {"filter": evidence["filter"]}


@each_row(
    ("content", "outcome"),
    [
        ([], "empty"),
        ({}, "empty"),
        ({"items": []}, "empty"),
        ({"items": [], "total": 0}, "empty"),
        ({"items": [], "others": [1]}, "ok"),
        ({"items": [], "filter": {"name": "x"}}, "ok"),
        ({"done": True}, "ok"),
        ([0], "ok"),
        (None, "ok"),
        ("", "ok"),
        (0, "ok"),
    ],
)
def test_how_a_result_ends(content: JsonValue, outcome: str) -> None:
    assert outcome_of(ToolResult("look", content)) == outcome


def test_an_error_ends_with_its_type() -> None:
    assert outcome_of(ToolResult("look", error_type="INVALID_STATE", error_message="No.")) == "INVALID_STATE"


@given(st.integers(2, 40), st.integers(0, 15), st.floats(0, 1, exclude_max=True), st.integers(0, 10_000))
def test_each_of_some_values_has_its_turn_soon(count: int, number: int, start: float, first: int) -> None:
    """Whichever stretch of the visits falls to a way, and wherever the walk began."""
    met = {int(count * place_of(visit, number, start)) for visit in range(first, first + 20 * count)}
    assert met == set(range(count))


def test_a_walk_meets_all_values_sooner_than_chance() -> None:
    def visits(places: list[float], count: int) -> int:
        return next(many for many in range(1, len(places)) if len({int(count * p) for p in places[:many]}) == count)

    walked = sum(visits([place_of(visit, number, 0.3) for visit in range(600)], 20) for number in range(8))
    chances = [Random(seed) for seed in range(8)]
    drawn = sum(visits([chance.random() for _ in range(600)], 20) for chance in chances)
    assert walked < 0.75 * drawn


def test_two_draws_never_go_in_step() -> None:
    pairs = {(int(5 * place_of(visit, 0, 0.1)), int(5 * place_of(visit, 1, 0.7))) for visit in range(120)}
    assert len(pairs) == 25


def test_a_led_stream_gives_the_number_once_and_then_those_of_the_other() -> None:
    led, plain = GuidedRandom(0.25, Random(3)), Random(3)
    assert led.random() == 0.25
    assert [led.random(), led.randint(0, 99), led.choice("abc")] == [
        plain.random(),
        plain.randint(0, 99),
        plain.choice("abc"),
    ]


@pytest.mark.parametrize(("attempt", "same"), [(0, True), (1, False)])
def test_a_first_attempt_follows_the_walk_and_a_later_one_does_not(attempt: int, same: bool) -> None:
    drawn = []
    for seed in range(12):
        context = library_context("renew_loan", seed=seed, visit=4)
        context.attempt = attempt
        drawn.append(context.draw(context.way()).names["n"])
    assert (len(set(drawn)) == 1) is same


AT_THREE: JsonObject = {
    "entities": {
        "lamp": {
            "rows": [2, 2], "new": {"level": 3, "seen": None},
            "fields": {"id": {"pattern": "L[0-9]{3}"}, "level": 3, "seen": "2026-01-01T08:00:00Z"},
        }
    }
}  # fmt: skip
FIND: JsonObject = {"get": "lamp", "where": [["id", "=", "$id"]]}


def _dim(*effect: JsonObject) -> Any:
    definition = tool("dim", None, ("id",), id="string", level="integer", on="boolean")
    return compiled_of({**AT_THREE, "tools": {"dim": {"effect": [FIND, *effect]}}}, [definition])


def _update(**fields: Any) -> JsonObject:
    return {"update": "$it", "set": fields}


@each_row(
    ("effect", "given", "expected"),
    [
        ([_update(level="$level")], {"level": 3}, True),
        ([_update(level="$level")], {"level": 4}, False),
        ([_update(level="$level", seen="$now")], {"level": 3}, True),
        ([_update(level="$level"), _update(seen="$now")], {"level": 3}, True),
        ([_update(level={"$or": ["$level", "$it.level"]})], {"level": 3}, True),
        ([_update(level="$level")], {}, False),  # it gives no level: it reads
        ([_update(level="$args.level")], {"level": 3}, True),
        ([{"update_all": "lamp", "where": [], "set": {"level": "$level"}}], {"level": 3}, True),
        ([_update(level=3)], {}, False),  # its name says all that it does
        ([_update(seen="$now")], {}, False),
        ([_update(level="$level"), {"create": "lamp", "set": {}}], {"level": 3}, False),
        ([{"delete": "$it"}], {"level": 3}, False),
        ([], {"level": 3}, False),
    ],
)
def test_what_is_so_already(effect: list[JsonObject], given: JsonObject, expected: bool) -> None:
    begun = state(_dim(*effect))
    lamp = next(iter(begun.world.table("lamp").values())).get("id")
    start = begun.world
    begun.call("dim", {"id": lamp, **given})
    assert is_so_already(start, begun.world) is expected


def test_nobody_asks_for_what_is_so_already() -> None:
    way = {"draw": {"l": {"row": "lamp"}}, "arguments": {"id": "$l.id", "level": 3}, "requests": ["Set {l.id} to 3."]}
    known = {"effect": [FIND, _update(level="$level")], "ways": [way]}
    definition = tool("dim", None, ("id", "level"), id="string", level="integer")
    context = context_over(compiled_of({**AT_THREE, "tools": {"dim": known}}, [definition]), "dim")
    drawn = context.draw(context.way())
    with pytest.raises(PlanError, match="dim changes nothing: it is so already"):
        context.call("dim", context.way().arguments, drawn, "Set it to 3.")


def _call(name: str, **arguments: Any) -> PlannedCall:
    return PlannedCall(tool(name), arguments)


@pytest.mark.parametrize(
    ("call", "fresh", "changed", "expected"),
    [
        (_call("look", city="Oslo", days=3), (), False, True),
        (_call("look", city="Oslo", days=3), (), True, False),
        (_call("look", city="Oslo", days=3), ("days",), True, True),
        (_call("look", city="Oslo"), ("city",), False, True),
        (_call("look", city="Oslo", days=4), ("days",), False, False),
        (_call("look", city="Oslo", days=4), ("city", "days"), False, False),
        (_call("look", city="Oslo", unit="C"), ("unit",), False, False),
        (_call("hear", city="Oslo", days=3), ("city", "days"), False, False),
    ],
)
def test_what_says_nothing_new(call: PlannedCall, fresh: tuple[str, ...], changed: bool, expected: bool) -> None:
    earlier = [_call("hear", city="Rome"), _call("look", city="Oslo", days=3)]
    assert says_nothing_new(call, fresh, earlier, changed=changed) is expected


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
    compiled = compiled_of({"entities": ENTITIES, "tools": TOOLS}, [tool(name) for name in TOOLS])
    arguments: dict[str, Any] = {}
    return World(compiled.program, 7, TODAY, "en_US"), [PlannedCall(compiled.tools[name], arguments) for name in names]


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


TURN = {"requests": ["Longer, please: {l.title}, {n} days."], "replies": ["{r1.title} is due on {r1.due_date|day}."]}


def asking(level: str = "domain", **way: Any) -> JsonObject:
    """The library, whose loans are renewed after a yes alone."""
    whole = domain()
    known = whole["tools"]["renew_loan"]
    whole["asks_first"], known["asks_first"] = level == "domain", True if level == "tool" else None
    known["ways"][0] |= {
        "confirm": ["Shall I renew {l} by {n} days?"],
        "parallel": {"requests": ["Renew <each: {l}> by {n} days each."], "same": ["n"]},
        "follow_ups": ["Renew it by {n} days."], "corrections": {"n": ["Sorry, {n} days, not {was}."]}, **way,
    }  # fmt: skip
    known["ways"][0]["ask"][0]["requests"] = ["I need more time for {l}."]
    known["near"] = ["list_loans"]
    return whole


def opened(whole: JsonObject) -> CompiledDomain:
    compiled = compiled_domain(Domain.model_validate(whole), tools())
    assert compiled.faults == ()
    return compiled


@pytest.mark.parametrize(("level", "expected"), [("domain", {"renew_loan"}), ("tool", {"renew_loan"}), ("", set())])
def test_a_tool_asks_first_where_it_says_so_or_where_it_writes_and_the_domain_says_so(
    level: str, expected: set[str]
) -> None:
    assert opened(asking(level)).asking == expected


def test_a_tool_may_say_no_to_what_its_domain_says() -> None:
    whole = asking()
    whole["tools"]["renew_loan"]["asks_first"] = False
    assert opened(whole).asking == set()


def _catalog() -> Catalog:
    shown = tuple(each.model_copy(update={"domain": "library"}) for each in tools())
    return Catalog(tools=shown, domains=(Domain.model_validate({**asking(), "name": "library"}),))


def _made(kind: str, count: int) -> list[Any]:
    producer = Producer(Job(count=count, seed=3, mix={kind: 1.0}, error_rate=0.0, attempts=12), _catalog())
    lines = [producer.produce(index).line for index in range(count)]
    return [json.loads(line) for line in lines if line is not None]


def _writes(record: Any) -> list[int]:
    return [
        place
        for place, message in enumerate(record["messages"])
        for call in message.get("tool_calls", ())
        if call["function"]["name"] == "renew_loan"
    ]


@each_row("kind", sorted(KINDS))
def test_no_record_calls_without_a_yes(kind: str) -> None:
    served = Planner(Job(count=1, seed=3), _catalog()).mix
    for record in _made(kind, 12) if kind in served else ():
        for place in _writes(record):
            question, answer = record["messages"][place - 2 : place]
            assert question["role"] == "assistant" and "Shall I renew" in question["content"], record["messages"]
            assert answer["role"] == "user" and len(answer["content"].split()) < 9


@each_row(
    "kind",
    ["simple", "parallel", "sequential", "nested", "missing_parameter", "argument_shift",
     "confirm_before_write", "error_report", "multiple", "similar_tools", "missing_function"],
)  # fmt: skip
def test_kinds_hold_the_exchange(kind: str) -> None:
    assert any(_writes(record) for record in _made(kind, 16))


def test_a_task_asks_in_its_own_words_or_in_those_of_a_way_with_the_same_arguments() -> None:
    whole = asking()
    call = {"call": "renew_loan", "arguments": {"loan_id": "$l.id", "days": "$n"}}
    draw = {"l": {"row": "loan"}, "n": {"integer": [3, 9]}}
    whole["tasks"] = [{"draw": draw, "turns": [{**TURN, "calls": [{**call, "confirm": ["{l.title}: really?"]}]}]}]
    task = opened(whole).tasks[0]
    ((_, arguments, _),) = task.turns[0].groups[0]
    assert [text.source for text in arguments.confirm] == ["{l.title}: really?"]


def test_words_of_a_way_are_not_lent_to_a_call_that_it_would_not_make() -> None:
    whole = asking()
    whole["tools"]["renew_loan"]["ways"][0]["arguments"]["days"] = 7
    whole["tools"]["renew_loan"]["ways"][0]["confirm"] = ["Shall I renew {l.title} by a week?"]
    whole["tasks"][0]["turns"][0]["calls"][1]["arguments"]["days"] = 8
    assert "no words to ask" in plan_error("sequential", context_over(opened(whole), "renew_loan"))


def test_where_nothing_can_be_asked_nothing_is_called() -> None:
    whole = asking(confirm=[])
    errors = [plan_error("simple", context_over(opened(whole), "renew_loan", seed=seed)) for seed in range(12)]
    asked = [error for error in errors if "nobody tells" not in error]
    assert asked and all("no words to ask" in error for error in asked)
    with pytest.raises(PlanError, match="nobody asks before count"):
        require_consent([PlannedCall(tool("count"), {})], frozenset({"count"}))


def test_what_is_planned_with_its_question_is_not_asked_twice() -> None:
    call = PlannedCall(tool("count"), {}, question="Shall I count?")
    planned = (Step(reply=True, act="confirm", reply_text="Shall I?"), Step(request=True, calls=(call,), act="agree"))
    assert tuple(with_consent(planned, Random(1))) == planned


def test_a_call_within_a_chain_is_asked_about_after_what_came_before() -> None:
    call = PlannedCall(tool("count"), {}, question="Shall I count?")
    plain = Step(request=True, calls=(PlannedCall(tool("look"), {}),), request_text="Count.")
    steps = list(with_consent((plain, Step(calls=(call,), act="go on")), Random(1)))
    assert [step.act for step in steps] == ["", "confirm", "agree"]
    assert steps[1].reply_text == "Shall I count?"
    assert steps[2].calls == (call,) and steps[2].request


@pytest.mark.parametrize(("many", "word"), [(2, "both"), (3, "all of it")])
def test_several_questions_are_a_list_and_one_yes(many: int, word: str) -> None:
    questions = [f"Shall I do {number}?" for number in range(many)]
    lines = asked(questions, Random(4)).splitlines()
    assert lines[0] in phrases()["confirmation"]["several"]
    assert lines[1:] == [f"{number}. {each}" for number, each in enumerate(questions, 1)]
    assert {word in agreed(questions, Random(seed)) for seed in range(8)} == {True}


def test_right_is_said_to_what_asks_whether_it_is_right() -> None:
    right = set(phrases()["confirmation"]["right"])
    assert not {agreed(["Shall I do it?"], Random(seed)) for seed in range(60)} & right
    assert {agreed(["It goes to Oslo, right?"], Random(seed)) for seed in range(60)} & right


def test_calls_of_one_tool_are_asked_about_in_the_same_words() -> None:
    confirm = [
        "Shall I renew {l.title} by {n} days?",
        "{n} days more for {l.title}: right?",
        "Renew {l.title}, {n} days?",
    ]
    titles = re.compile(r"(?:The|A|My) (?:Sea|Sky|Hill|Lake)")
    seen = set()
    for seed in range(12):
        plan = LAYOUTS["parallel"].blueprint(context_over(opened(asking(confirm=confirm)), "renew_loan", seed=seed))
        forms = [titles.sub("", call.question) for step in plan.steps for call in step.calls]
        assert len(set(forms)) == 1 < len(forms)
        seen.add(re.sub(r"\d+", "", forms[0]))
    assert len(seen) == len(confirm)
