"""Blueprints of outcomes: which calls fail, over what, and what mends them."""

from __future__ import annotations

from typing import Any

import pytest

from generator.job import Job
from generator.records.calls import SUCCESS
from generator.results.refusals import REFUSALS
from generator.scenarios.families.outcomes import exchangeable, may_find_nothing
from generator.scenarios.planner import Planner
from generator.scenarios.scenario import Scenario
from generator.scenarios.sketch import PlanError
from generator.tools.error_types import plausible_error_types
from tests.kind_records import bundled
from tests.replies_fixtures import make_tool

COUNT = 60
TEXT = {"type": "string"}


def plans(kind: str) -> list[Scenario]:
    planner = Planner(Job(count=COUNT, seed=5, mix={kind: 1.0}), bundled())
    made = []
    for index in range(COUNT):
        try:
            made.append(planner.plan(index))
        except PlanError:  # an attempt may fail; the planner is asked for another one then
            continue
    assert len(made) > COUNT * 0.8
    return made


def test_what_is_reported_is_an_error_that_the_tool_may_answer_with() -> None:
    found = {call.outcome for scenario in plans("error_report") for call in scenario.calls}
    assert len(found) > 4
    for scenario in plans("error_report"):
        (call,) = scenario.calls
        assert call.outcome in plausible_error_types(call.tool)


def test_some_of_several_calls_fail_and_some_do_not() -> None:
    for scenario in plans("partial_failure"):
        failed = [call for call in scenario.calls if call.outcome != SUCCESS]
        assert 0 < len(failed) < len(scenario.calls) == len(scenario.steps[0].calls)
        assert not any(tool.strict for tool in scenario.tools)


def test_what_mends_a_call_is_another_value_of_what_was_refused() -> None:
    ways = set()
    for scenario in plans("error_recovery"):
        asked, mended, told = scenario.steps
        (refused,), (wanted,) = asked.calls, mended.calls
        name = scenario.claim["mended"]
        assert refused.refusal is not None and refused.refusal.parameter == name
        assert refused.outcome in REFUSALS and wanted.outcome == SUCCESS
        changed = {key for key in refused.arguments if refused.arguments[key] != wanted.arguments.get(key)}
        assert changed == {name} and refused.arguments.keys() == wanted.arguments.keys()
        assert told.about == (refused, wanted)
        assert refused.refusal.valid in (None, wanted.arguments[name])
        assert (asked.act == "fallback") == (refused.refusal.valid is None) == bool(asked.about)
        ways.add(asked.act)
    assert ways == {"slip", "fallback"}


def test_only_what_looks_something_up_is_mended_without_the_users_leave() -> None:
    slips = {scenario.calls[0].tool.name for scenario in plans("error_recovery") if scenario.steps[0].act == "slip"}
    assert slips and all(name.startswith(("get_", "find_", "search_", "check_", "list_", "track_")) for name in slips)


@pytest.mark.parametrize(
    ("properties", "found"),
    [
        ({"city": TEXT}, ("city",)),
        ({"hotel_name": TEXT, "nights": {"type": "integer"}}, ("hotel_name",)),
        ({"order_id": TEXT, "reason": TEXT}, ("order_id",)),
        ({"city": {**TEXT, "enum": ["Rome", "Oslo"]}}, ()),
        ({"customer_name": TEXT}, ()),
        ({"new_email": TEXT}, ()),
        ({"body": TEXT, "text": TEXT, "query": TEXT}, ()),
        ({"": TEXT}, ()),
        ({"city": True}, ()),
    ],
)
def test_a_second_choice_is_named_for_things_and_times(properties: dict[str, Any], found: tuple[str, ...]) -> None:
    tool = make_tool("get_it", "Get it.", properties=properties, required=tuple(properties))
    assert exchangeable(tool) == found


LIST = {"type": "array", "items": TEXT}


@pytest.mark.parametrize(
    ("name", "schema", "finds_nothing"),
    [
        ("find_hotels", {"type": "object", "properties": {"hotels": LIST, "total": {"type": "integer"}}}, True),
        ("find_hotels", {"type": "object", "properties": {"city": TEXT, "hotels": LIST}}, True),
        ("find_hotels", LIST, True),
        ("find_hotels", {**LIST, "minItems": 1}, False),
        ("find_hotels", {"type": "object", "properties": {"hotels": {**LIST, "minItems": 2}}}, False),
        ("find_hotels", {"type": "object", "properties": {"hotels": LIST, "best_price": {"type": "number"}}}, False),
        ("find_hotels", {"type": "object", "properties": {"hotels": LIST, "bars": LIST}}, False),
        ("find_hotels", TEXT, False),
        ("find_hotels", {}, False),
        ("book_hotels", LIST, False),
    ],
)
def test_a_search_whose_answer_is_a_list_may_find_nothing(
    name: str, schema: dict[str, Any], finds_nothing: bool
) -> None:
    tool = make_tool(name, properties={"city": TEXT}).model_copy(update={"result_schema": schema})
    assert may_find_nothing(tool) is finds_nothing


def test_a_search_for_nothing_in_particular_is_not_one() -> None:
    assert not may_find_nothing(make_tool("find_hotels").model_copy(update={"result_schema": LIST}))


def test_no_call_fails_over_a_value_that_another_call_has_too() -> None:
    for scenario in plans("partial_failure"):
        for call in scenario.calls:
            others = [other for other in scenario.calls if other is not call and other.tool is call.tool]
            if call.refusal is not None:
                name = call.refusal.parameter
                assert all(other.arguments.get(name) != call.arguments[name] for other in others)
            elif call.outcome != SUCCESS and others:
                assert call.outcome in ("SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED")
