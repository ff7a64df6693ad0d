"""Calls that need what earlier ones bring: over the bundled domains, and where they cannot be planned."""

from __future__ import annotations

import re

import pytest

from generator.jsontext import JsonObject, JsonValue
from generator.records import SUCCESS
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.blueprints.outcomes import _is_carried
from generator.scenarios.scenario import PlanError
from tests.domains_library import LIBRARY_TOOLS, desk, library, tool
from tests.kind_records import calls, turns
from tests.planning_contexts import compiled_of, context_over, library_context, made, plan_error


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("update", False),
        ("updated", True),
        (12, False),
        (120, True),
        ("L-1", True),
        (["update", "L-1"], True),
        ({}, False),
    ],
)
def test_a_value_is_carried_on_as_a_whole(value: JsonValue, expected: bool) -> None:
    """ "update" is no value of a result that has `updated_at`."""
    earlier = ['{"updated_at":"updated","count":120,"id":"L-1"}']
    assert _is_carried(value, earlier, "no word of it") is expected


@pytest.mark.parametrize("kind", ["sequential", "nested"])
def test_what_is_carried_stands_in_an_earlier_result_and_was_not_said(kind: str) -> None:
    for record in made(kind):
        carried = record["metadata"]["claim"]["carried"]
        rounds = [message["tool_calls"] for message in record["messages"] if message.get("tool_calls")]
        last = rounds[-1][0]["function"]["arguments"]
        brought = "\n".join(each["content"] for each in turns(record, "tool")[: -len(rounds[-1])])
        said = "\n".join(each["content"] for each in turns(record, "user") + turns(record, "system"))
        assert carried
        for name in carried:
            assert str(last[name]) in brought
            whole = rf"(?<!\w){re.escape(str(last[name]))}(?!\w)"
            assert re.search(whole, said, re.IGNORECASE) is None


def test_a_nested_wish_names_no_look_up_and_makes_it_first() -> None:
    for record in made("nested"):
        assert len(turns(record, "user")) == 1
        assert len(calls(record)) >= 2
        assert {*record["metadata"]["statuses"].values()} == {"SUCCESS"}


def test_tasks_have_chains_of_three_and_more() -> None:
    lengths = [len(calls(record)) for record in made("sequential", 40)]
    assert min(lengths) >= 2
    assert sum(length >= 3 for length in lengths) >= 8


def _library(**changes: object) -> JsonObject:
    return {**library().domain.model_dump(by_alias=True), **changes}


def test_a_wish_over_a_row_that_nothing_finds_is_no_plan() -> None:
    assert plan_error("nested", context_over(desk(), "change_ticket")) == "no way of change_ticket fits"


def test_a_look_up_of_an_id_that_was_told_is_none() -> None:
    document = _library()
    document["tools"]["return_loan"]["ways"][0]["requests"] = ["Return {l}, loan {l.id}."]
    document["tools"]["return_loan"]["ways"][0]["replies"] = {"ok": ["Returned."]}
    compiled = compiled_of(document, LIBRARY_TOOLS)
    assert plan_error("nested", context_over(compiled, "return_loan")) == "nothing has to be looked up"


def test_a_tool_without_a_task_leads_no_chain() -> None:
    reason = plan_error("sequential", library_context("borrow_book"))
    assert reason == "no task of several calls has borrow_book"


def test_a_task_that_ends_after_its_first_call_is_no_chain() -> None:
    document = _library()
    document["tasks"][0]["turns"][0]["calls"][1]["when"] = [["$r1.total", ">", 99]]
    document["tasks"][0]["turns"][0]["replies"] = ["Nothing to do."]
    compiled = compiled_of(document, LIBRARY_TOOLS)
    assert plan_error("sequential", context_over(compiled, "list_loans")) == "the task ends after its first call"


def test_a_chain_that_carries_nothing_on_is_none() -> None:
    document = _library()
    document["tasks"][0]["turns"][0]["requests"] = ["Find {l}, which is {l.id}, and renew it by {n} days."]
    compiled = compiled_of(document, LIBRARY_TOOLS)
    reasons = {plan_error("sequential", context_over(compiled, "list_loans", seed=seed)) for seed in range(6)}
    assert "a later call carries nothing on from an earlier one" in reasons


def _statuses(record: JsonObject) -> list[str]:
    return list(record["metadata"]["statuses"].values())


def test_a_failure_is_reported_in_the_words_of_its_result() -> None:
    kinds = set()
    for record in made("error_report", 40):
        (status,) = _statuses(record)
        assert status != SUCCESS
        assert turns(record, "tool")[0]["content"].startswith('{"error":')
        kinds.add(status)
    assert {"SERVICE_UNAVAILABLE", "RESOURCE_NOT_FOUND"} <= kinds


def test_some_of_several_calls_fail() -> None:
    for record in made("partial_failure"):
        statuses = _statuses(record)
        assert SUCCESS in statuses
        assert len(set(statuses)) > 1
        assert len({call["name"] for call in calls(record)}) == 1


def test_a_second_call_with_another_value_succeeds() -> None:
    for record in made("error_recovery"):
        first, second = calls(record)
        assert first["name"] == second["name"]
        assert first["arguments"] != second["arguments"]
        assert [status == SUCCESS for status in _statuses(record)] == [False, True]


def test_a_search_that_finds_nothing_is_no_failure() -> None:
    for record in made("empty_result"):
        assert _statuses(record) == [SUCCESS]
        content = turns(record, "tool")[0]["content"]
        assert "[]" in content or "{}" in content


WAY: JsonObject = {"draw": {"n": {"integer": [1, 9]}}, "arguments": {"n": "$n"}, "requests": ["Count to {n}."],
                   "replies": {"ok": ["Counted."], "empty": ["None."]}}  # fmt: skip
RECOVER: JsonObject = {"first": {"n": 0}, "requests": ["Count to none, or to {n}."], "replies": ["To {n}."]}
REFUSING = [{"require": [["$n", ">", 99]], "else": {"INVALID_STATE": "No."}}]


@pytest.mark.parametrize(
    ("kind", "way", "known", "reason"),
    [
        ("partial_failure", {}, {}, "no way of count fits"),
        ("error_recovery", {}, {}, "no way of count fits"),
        ("empty_result", {}, {}, "no way of count fits"),
        ("empty_result", {"empty": {"n": {"integer": [0, 0]}}}, {"result": {"found": [1]}}, "something is found"),
        ("error_recovery", {"recover": [RECOVER]}, {}, "the first call does not fail"),
        ("error_recovery", {"recover": [RECOVER]}, {"effect": REFUSING}, "the second call fails as well"),
        (
            "partial_failure",
            {"parallel": {"requests": ["Count <each: {n}>."], "many": [2, 2]}},
            {"effect": REFUSING},
            "all of the calls end alike",
        ),
    ],
)
def test_what_cannot_be_planned(kind: str, way: JsonObject, known: JsonObject, reason: str) -> None:
    document: JsonObject = {"tools": {"count": {"ways": [{**WAY, **way}], **known}}}
    compiled = compiled_of(document, [tool("count", None, ("n",), n="integer")])
    assert plan_error(kind, context_over(compiled, "count")) == reason


def test_a_world_that_refuses_nothing_has_outages_alone() -> None:
    """Words for an error that never comes are no error: such plans are given up, the others are outages."""
    replies = {**WAY["replies"], "INVALID_STATE": ["It can't be counted."]}
    compiled = compiled_of(
        {"tools": {"count": {"ways": [{**WAY, "replies": replies}]}}}, [tool("count", None, ("n",), n="integer")]
    )
    outcomes, reasons = set(), set()
    for seed in range(30):
        try:
            plan = LAYOUTS["error_report"].blueprint(context_over(compiled, "count", seed=seed))
            outcomes |= {call.outcome for step in plan.steps for call in step.calls}
        except PlanError as error:
            reasons.add(str(error))
    assert outcomes == {"SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED"}
    assert reasons == {"the world refuses nothing that the domain has words for"}
