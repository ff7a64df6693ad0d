"""What the calls of a draft bring: the plan's answers where it keeps to the plan, else those of the world."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from generator.authors.author import OfflineAuthor
from generator.job import Job
from generator.jsontext import JsonObject
from generator.record import Producer
from generator.records import Draft, DraftCall, Exchange, ToolResult
from generator.scenarios.results import (
    answer_calls,
    as_planned,
    brought,
    carried,
    claim_of,
    foreseen,
    kind_of_row,
    says,
    turn_from,
    world_after,
)
from generator.scenarios.scenario import Persona, PlanError, PlannedCall, Scenario, Step
from generator.worlds.execution import execute
from generator.worlds.world import changes_between
from tests.bundled import bundled
from tests.domains_library import LIBRARY_TOOLS, TODAY
from tests.planning_contexts import state
from tests.tables import each_row
from tests.test_authors_llm_author import WEATHER, tool
from tests.test_scenarios_world_excerpt import planner, plans

TOOLS = {tool.name: tool for tool in LIBRARY_TOOLS}
OUTAGES = ("SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED")
DOWN = ToolResult("renew_loan", error_type="SERVICE_UNAVAILABLE", error_message="Down.")


def _loans() -> list[str]:
    return [str(row.fields["id"]) for row in state().world.table("loan").values()]


def _scenario(*groups: list[tuple[str, JsonObject]], outage: ToolResult | None = None) -> Scenario:
    """A plan over the library whose calls were executed as they were planned."""
    played, steps = state(), []
    for number, group in enumerate(groups):
        calls = tuple(played.call(name, arguments, outage) for name, arguments in group)
        steps.append(Step(request=not number, calls=calls, request_text="Do it."))
    return Scenario(
        0, 0, 7, "sequential", LIBRARY_TOOLS, tuple(steps), Persona("", "plain"), "en_US", TODAY, played.start
    )


def _draft(*calls: tuple[str, JsonObject]) -> Draft:
    return Draft(calls=tuple(DraftCall(name=name, arguments=arguments) for name, arguments in calls))


def _as_planned(step: Step) -> Draft:
    return _draft(*((call.tool.name, call.arguments) for call in step.calls))


def test_calls_as_planned_bring_what_the_plan_saw() -> None:
    first = _loans()[0]
    plan = _scenario([("renew_loan", {"loan_id": first, "days": 4})], [("renew_loan", {"loan_id": first, "days": 4})])
    drafts = [_as_planned(step) for step in plan.steps]
    once = answer_calls(plan, drafts[0], plan.steps[0])
    again = answer_calls(plan, drafts[1], plan.steps[1], (Exchange(drafts[0], once),))
    assert once == tuple(call.answer for call in plan.steps[0].calls)
    assert [each.status for each in (*once, *again)] == ["SUCCESS", "INVALID_STATE"]


def test_other_arguments_are_executed_on_the_world() -> None:
    first, second = _loans()[:2]
    plan = _scenario([("renew_loan", {"loan_id": first, "days": 4})])
    (answer,) = answer_calls(plan, _draft(("renew_loan", {"loan_id": second, "days": 9})), plan.steps[0])
    expected = execute(plan.world, TOOLS["renew_loan"], {"loan_id": second, "days": 9}).result
    assert answer == expected != plan.steps[0].calls[0].answer
    (unknown,) = answer_calls(plan, _draft(("renew_loan", {"loan_id": "L-none", "days": 9})), plan.steps[0])
    assert unknown.status == "RESOURCE_NOT_FOUND"


def test_what_was_done_otherwise_before_changes_what_planned_calls_bring() -> None:
    first = _loans()[0]
    plan = _scenario([("list_loans", {"member_id": "x"})], [("renew_loan", {"loan_id": first, "days": 4})])
    otherwise = _draft(("return_loan", {"loan_id": first}))
    before = Exchange(otherwise, answer_calls(plan, otherwise, plan.steps[0]))
    (answer,) = answer_calls(plan, _as_planned(plan.steps[1]), plan.steps[1], (before,))
    assert answer.status == "RESOURCE_NOT_FOUND"
    assert plan.steps[1].calls[0].outcome == "SUCCESS"


def test_calls_at_once_see_what_those_before_them_did() -> None:
    first = _loans()[0]
    plan = _scenario([("renew_loan", {"loan_id": first, "days": 4})])
    twice = _draft(("renew_loan", {"loan_id": first, "days": 2}), ("renew_loan", {"loan_id": first, "days": 3}))
    assert [each.status for each in answer_calls(plan, twice, plan.steps[0])] == ["SUCCESS", "INVALID_STATE"]


def test_a_planned_outage_stays_with_the_tool_whatever_it_is_given() -> None:
    first, second = _loans()[:2]
    plan = _scenario([("renew_loan", {"loan_id": first, "days": 4})], outage=DOWN)
    (answer,) = answer_calls(plan, _draft(("renew_loan", {"loan_id": second, "days": 9})), plan.steps[0])
    assert answer == DOWN
    (other,) = answer_calls(plan, _draft(("return_loan", {"loan_id": second})), plan.steps[0])
    assert other.status == "SUCCESS"


def test_an_error_of_the_world_is_no_outage() -> None:
    plan = _scenario([("renew_loan", {"loan_id": "L-none", "days": 4})])
    (answer,) = answer_calls(plan, _draft(("renew_loan", {"loan_id": _loans()[0], "days": 4})), plan.steps[0])
    assert answer.status == "SUCCESS"


def test_a_tool_that_is_not_there_answers_with_an_error_and_the_others_go_on() -> None:
    first = _loans()[0]
    plan = _scenario([("renew_loan", {"loan_id": first, "days": 4})])
    drafted = _draft(("renew_lone", {}), ("renew_loan", {"loan_id": first, "days": 4}))
    wrong, right = answer_calls(plan, drafted, plan.steps[0])
    assert (wrong.status, wrong.error_message) == ("RESOURCE_NOT_FOUND", "There is no tool called renew_lone.")
    assert right.status == "SUCCESS"


def test_arguments_the_schema_refuses_are_answered_with_an_error() -> None:
    plan = _scenario([("renew_loan", {"loan_id": _loans()[0], "days": 4})])
    drafted = _draft(
        ("renew_loan", {"loan_id": _loans()[0], "days": "four"}), ("renew_loan", {"loan_id": "", "days": 0})
    )
    answers = answer_calls(plan, drafted, plan.steps[0])
    assert [each.status for each in answers] == ["PARAMETER_VALIDATION_FAILED"] * 2


def test_without_calls_there_is_no_answer() -> None:
    plan = _scenario([("renew_loan", {"loan_id": _loans()[0], "days": 4})])
    assert answer_calls(plan, Draft(reply="Hello."), plan.steps[0]) == ()


def test_a_call_planned_without_a_world_is_executed() -> None:
    first = _loans()[0]
    plan = _scenario([])
    step = Step(request=True, calls=(PlannedCall(TOOLS["return_loan"], {"loan_id": first}),))
    (answer,) = answer_calls(plan, _draft(("return_loan", {"loan_id": first})), step)
    assert answer.content == {"returned": True, "loan_id": first}


@cache
def _plans(kind: str) -> tuple[Scenario, ...]:
    producer, found = Producer(Job(seed=5, mix={kind: 1.0}), bundled()), []
    for index in range(10):
        try:
            found.append(producer.scenario(index))
        except PlanError:
            continue
    return tuple(found)


@pytest.mark.parametrize(
    "kind", ["parallel", "sequential", "nested", "multi_turn", "confirm_before_write", "missing_parameter"]
)
def test_executed_step_by_step_a_plan_brings_what_it_saw(kind: str) -> None:
    """The answers of a plan are those of its world, call after call, but for the outages that it planned."""
    assert len(_plans(kind)) > 5
    for plan in _plans(kind):
        world, author, history = plan.world, OfflineAuthor(), ()
        for step in plan.steps:
            draft = author.write(plan, history)
            results = answer_calls(plan, draft, step, history)
            for call, result in zip(step.calls, results, strict=True):
                done = execute(world, call.tool, call.arguments, call.answer if call.outcome in OUTAGES else None)
                world = done.world
                assert done.result == result
            history = (*history, Exchange(draft, results))


def test_the_world_after_is_as_the_calls_left_it() -> None:
    (loan, *_) = _loans()
    scenario = _scenario([("renew_loan", {"loan_id": loan, "days": 7})])
    draft = _as_planned(scenario.steps[0])
    history = (Exchange(draft, answer_calls(scenario, draft, scenario.steps[0])),)
    between = changes_between(scenario.world, world_after(scenario, history))
    assert [(change["change"], change["id"]) for change in between["changes"]] == [("updated", loan)]
    assert between["initial"] != between["final"]
    assert world_after(scenario, ()) is scenario.world


TOOL = tool(
    "cancel",
    "Cancel a booking.",
    ["booking"],
    {
        "booking": {"type": "string", "description": "Which."},
        "places": {"type": "integer", "description": "How many.", "default": 2},
        "notes": {"type": "array", "description": "Notes.", "items": {"type": "object"}},
    },
)


def brings(content: Any, **more: Any) -> tuple[Exchange, ...]:
    return (Exchange(Draft(), (ToolResult("find", content, **more),)),)


@each_row(
    ("arguments", "content", "said", "expected"),
    [
        ({"booking": "B7"}, {"bookings": [{"id": "B7"}]}, "cancel the first one", ("booking",)),
        ({"booking": "B7"}, {"bookings": [{"id": "B7"}]}, "cancel b7", ()),
        ({"booking": "B7"}, {"bookings": [{"id": "B7"}]}, "cancel b77", ("booking",)),
        ({"booking": "B7"}, {"bookings": [{"id": "B8"}]}, "cancel it", ()),
        ({"booking": "7"}, {"id": 7}, "cancel it", ()),
        ({"places": 3}, {"places": 3}, "cancel it", ("places",)),
        ({"places": 3}, {"places": 3}, "all 3 of them", ()),
        ({"places": 3}, {"places": 3}, "all 13 of them", ("places",)),
        ({"places": 2}, {"places": 2}, "cancel it", ()),
        ({"notes": [{"of": "B7"}]}, {"id": "B7"}, "cancel it", ("notes",)),
        ({"booking": "B7", "places": 3}, [{"id": "B7"}, 3], "cancel it", ("booking", "places")),
        ({"flag": True}, {"flag": True}, "cancel it", ()),
    ],
)
def test_what_is_carried_on(arguments: Any, content: Any, said: str, expected: tuple[str, ...]) -> None:
    assert carried(TOOL, arguments, brings(content), said) == expected


def test_an_error_brings_nothing() -> None:
    failed = brings(None, error_type="INVALID_STATE", error_message="B7")
    assert carried(TOOL, {"booking": "B7"}, failed, "cancel it") == ()


@pytest.mark.parametrize(
    ("said", "value", "expected"),
    [
        ("it is 5.", 5.0, True),
        ("room 15", 5, False),
        ("zoë lives here", "Zoë", True),
        ("a_b", "b", True),
        ("", "", False),
    ],
)
def test_a_value_is_said_as_a_whole_word(said: str, value: Any, expected: bool) -> None:
    assert says(said, value) is expected


def chains() -> list[Scenario]:
    found = [each for kind in ("nested", "sequential") for each in plans(planner(kind=kind)) if each.free]
    assert len(found) > 60
    return found


def test_of_planned_values_the_claim_is_that_of_the_plan() -> None:
    for each in chains():
        assert claim_of(each, as_planned(each)) == each.claim


def test_the_claim_of_other_values_is_of_what_happened() -> None:
    """Where the last call is given nothing of a result, nothing is claimed."""
    for each in chains()[:20]:
        (*earlier, last, reply) = as_planned(each)
        (call, *_) = last.draft.calls
        said = replace(last, draft=Draft(calls=(DraftCall(name=call.name, arguments={"query": "never heard of"}),)))
        assert claim_of(each, (*earlier, said, reply)) == {"carried": []}
        assert claim_of(each, tuple(earlier[:1])) == {}
        assert claim_of(replace(each, free=False), (*earlier, said, reply)) == each.claim


def test_every_later_call_of_a_chain_is_brought_something() -> None:
    for each in chains():
        assert turn_from(each, 0) == list(range(len(each.steps)))
        for number in turn_from(each, 0)[1:-1]:
            assert any(brought(each, number))


def all_parameters(each: Scenario, name: str) -> set[str]:
    return {key for tool in each.tools if tool.name == name for key in tool.parameters["properties"]}


def test_calls_are_foreseen_where_the_plan_cannot_differ() -> None:
    """What is foreseen of the planned results are the planned calls."""
    seen = 0
    for each in chains():
        planned = as_planned(each)
        for number, exchange in enumerate(planned):
            found = foreseen(each, planned[:number]) if number else ()
            assert found in ((), exchange.draft.calls)
            seen += bool(found)
            assert all(set(call.arguments) == all_parameters(each, call.name) for call in found)
            assert not (found and foreseen(replace(each, free=False), planned[:number]))
        assert foreseen(each, planned) == ()
    assert seen > 2


def test_a_number_is_an_id_where_the_argument_is_called_so() -> None:
    each = chains()[0]
    world = each.world
    names = {name: program.key for name, program in world.program.entities.items() if world.table(name)}
    name = next(iter(names))
    row = next(iter(world.table(name).values()))
    assert kind_of_row(world, "anything", world.id_of(row.ref)) != ""
    row.kept[names[name]] = 7
    assert kind_of_row(world, f"{name}_id", 7) == name
    assert kind_of_row(world, "guests", 7) == ""
    assert kind_of_row(world, f"{name}_id", True) == kind_of_row(world, f"{name}_id", "no such") == ""


def test_a_tool_that_is_not_shown_carries_nothing() -> None:
    each = chains()[0]
    (*earlier, last, reply) = as_planned(each)
    unknown = replace(last, draft=Draft(calls=(DraftCall(name=WEATHER.name, arguments={"city": "Oslo"}),)))
    assert claim_of(each, (*earlier, unknown, reply)) == {"carried": []}
