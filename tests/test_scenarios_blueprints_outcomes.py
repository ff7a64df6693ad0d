"""Calls that fail, are mended or find nothing: over the bundled domains, and what cannot be planned."""

import pytest

from generator.jsontext import JsonObject
from generator.records.calls import SUCCESS
from generator.scenarios.blueprints import LAYOUTS
from generator.scenarios.scenario import PlanError
from tests.domains_library import tool
from tests.kind_records import calls, turns
from tests.planning_contexts import book_of, context_over, made, plan_error


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
    book = book_of(document, [tool("count", None, ("n",), n="integer")])
    assert plan_error(kind, context_over(book, "count")) == reason


def test_a_world_that_refuses_nothing_has_outages_alone() -> None:
    """Words for an error that never comes are no error: such plans are given up, the others are outages."""
    replies = {**WAY["replies"], "INVALID_STATE": ["It can't be counted."]}
    book = book_of(
        {"tools": {"count": {"ways": [{**WAY, "replies": replies}]}}}, [tool("count", None, ("n",), n="integer")]
    )
    outcomes, reasons = set(), set()
    for seed in range(30):
        try:
            plan = LAYOUTS["error_report"].blueprint(context_over(book, "count", seed=seed))
            outcomes |= {call.outcome for step in plan.steps for call in step.calls}
        except PlanError as error:
            reasons.add(str(error))
    assert outcomes == {"SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED"}
    assert reasons == {"the world refuses nothing that the domain has words for"}
