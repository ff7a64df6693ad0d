"""One result for each call: as planned, valid against its schema, coherent, the same again."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.jsontext import JsonObject, dump_compact
from generator.records.calls import ERROR_TYPES, Draft, DraftCall, ToolResult
from generator.results import synthesize_results
from generator.scenarios.scenario import Persona, PlannedCall, Scenario, Step
from generator.schemas.validators import validator_for
from generator.tools.result_schemas import derive_result_schema
from generator.tools.tool import Tool


def make_tool(name: str, description: str, properties: JsonObject, result: JsonObject | None = None) -> Tool:
    parameters: JsonObject = {"type": "object", "properties": properties, "required": list(properties)[:1]}
    return Tool(
        name=name,
        description=description,
        parameters=parameters,
        result_schema=result or derive_result_schema(name, description, parameters),
        result_origin="declared" if result else "derived",
    )


TEXT: JsonObject = {"type": "string"}
WHOLE: JsonObject = {"type": "integer"}
TOOLS = (
    make_tool(
        "get_weather", "Get the weather of a city.", {"city": TEXT, "unit": {"type": "string", "default": "celsius"}}
    ),
    make_tool("get_weather_forecast", "Get a forecast.", {"city": TEXT, "days": WHOLE}),
    make_tool("search_restaurants", "Search restaurants.", {"city": TEXT, "limit": WHOLE}),
    make_tool("calculate_area", "Calculate the area of a rectangle.", {"length": WHOLE, "width": WHOLE}),
    make_tool("get_customer", "Get a customer.", {"customer_id": TEXT}),
    make_tool("list_customers", "List customers.", {"customer_id": TEXT}),
    make_tool("ping", "", {}, {"type": "string", "enum": ["pong"]}),
    make_tool(
        "list_rows",
        "List rows.",
        {"days": WHOLE},
        {
            "type": "object",
            "properties": {"rows": {"type": "array", "items": {"$ref": "#/$defs/row"}, "minItems": 1}},
            "required": ["rows"],
            "$defs": {"row": {"type": "object", "properties": {"n": WHOLE}, "required": ["n"]}},
        },
    ),
    make_tool("anything", "Has any result.", {"days": WHOLE}, {"properties": {"entries": True}}),
    make_tool("broken", "Has a result that cannot exist.", {}, {"type": "integer", "minimum": 3, "maximum": 1}),
)
BY_NAME = {tool.name: tool for tool in TOOLS}


def answer(*calls: tuple[str, JsonObject], outcomes: tuple[str, ...] = (), seed: int = 5) -> tuple[ToolResult, ...]:
    planned = tuple(
        PlannedCall(BY_NAME[name], arguments, outcome)
        for (name, arguments), outcome in zip(calls, outcomes or ("SUCCESS",) * len(calls), strict=True)
        if name in BY_NAME
    )
    step = Step(request=True, calls=planned, reply=True)
    scenario = Scenario(
        index=0, attempt=0, seed=seed, kind="parallel", tools=TOOLS, steps=(step,), persona=Persona("user", "plain"),
        locale="en_US", reference_date=date(2026, 1, 15),
    )  # fmt: skip
    draft = Draft(calls=tuple(DraftCall(name=name, arguments=arguments) for name, arguments in calls))
    return synthesize_results(scenario, draft, step)


def test_each_call_has_its_result_in_order() -> None:
    results = answer(("ping", {}), ("get_weather", {"city": "Oslo"}), ("ping", {}))
    assert [result.name for result in results] == ["ping", "get_weather", "ping"]
    assert results[0].content == "pong" and results[1].content["city"] == "Oslo"


def test_no_calls_have_no_results() -> None:
    assert answer() == ()


def test_results_repeat_what_was_asked_for() -> None:
    (result,) = answer(("get_weather_forecast", {"city": "Oslo", "days": 5}))
    days = result.content["forecast"]
    assert result.content["city"] == "Oslo" and len(days) == 5
    assert [day["date"] for day in days] == [f"2026-01-{number}" for number in range(15, 20)]
    assert all(day["low"] <= day["high"] for day in days)


def test_a_list_whose_entries_are_defined_elsewhere_is_filled_up() -> None:
    (result,) = answer(("list_rows", {"days": 6}))
    assert len(result.content["rows"]) == 6


def test_a_limit_is_kept_and_counted() -> None:
    for seed in range(8):
        (result,) = answer(("search_restaurants", {"city": "Oslo", "limit": 2}), seed=seed)
        assert 1 <= len(result.content["restaurants"]) <= 2
        assert result.content["total"] == len(result.content["restaurants"])


def test_a_calculation_is_true() -> None:
    (result,) = answer(("calculate_area", {"length": 6, "width": 7}))
    assert result.content["area"] == 42


def test_one_customer_has_one_name() -> None:
    one, other = answer(("get_customer", {"customer_id": "C1"}), ("list_customers", {"customer_id": "C1"}))
    same = [entry for entry in other.content["customers"] if entry["customer_id"] == "C1"]
    assert all(entry["full_name"] == one.content["full_name"] for entry in same)


def test_the_plan_decides_which_call_fails() -> None:
    calls = (("get_weather", {"city": "Oslo"}), ("get_weather", {"city": "Rome"}))
    good, bad = answer(*calls, outcomes=("SUCCESS", "SERVICE_UNAVAILABLE"))
    assert good.error_type is None
    assert bad.error_type == "SERVICE_UNAVAILABLE" and bad.error_message


def test_a_call_the_plan_does_not_know_succeeds() -> None:
    planned = (PlannedCall(BY_NAME["get_weather"], {}, "SERVICE_UNAVAILABLE"),)
    step = Step(request=True, calls=planned, reply=True)
    scenario = Scenario(0, 0, 1, "simple", TOOLS, (step,), Persona("user", "plain"), "en_US", date(2026, 1, 15))
    (result,) = synthesize_results(scenario, Draft(calls=(DraftCall(name="ping"),)), step)
    assert result.status == "SUCCESS"


@pytest.mark.parametrize(
    ("name", "arguments", "error_type"),
    [
        ("no_such_tool", {"a": 1}, "RESOURCE_NOT_FOUND"),
        ("", {}, "RESOURCE_NOT_FOUND"),
        ("get_weather", {}, "PARAMETER_VALIDATION_FAILED"),
        ("get_weather", {"city": 3}, "PARAMETER_VALIDATION_FAILED"),
        ("broken", {}, "SERVICE_UNAVAILABLE"),
    ],
)
def test_a_call_that_cannot_be_answered_gets_an_error(name: str, arguments: JsonObject, error_type: str) -> None:
    (result,) = answer((name, arguments))
    assert result.error_type == error_type
    assert 1 <= len(result.error_message.strip()) <= 500


ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "city": st.text(max_size=12), "days": st.integers(-3, 40), "limit": st.integers(-3, 40),
        "unit": st.text(max_size=4),
        "length": st.integers(), "width": st.integers(), "customer_id": st.text(max_size=6), "id": st.none(),
    },
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([*BY_NAME, "unknown"]), ARGUMENTS), max_size=4),
    st.sampled_from(["SUCCESS", *ERROR_TYPES]),
    st.integers(0, 2**53 - 1),
)
def test_any_draft_is_answered_validly_and_the_same_again(
    calls: list[tuple[str, JsonObject]], outcome: str, seed: int
) -> None:
    outcomes = (outcome,) * len(calls)
    results = answer(*calls, outcomes=outcomes, seed=seed)
    assert [result.name for result in results] == [name for name, _ in calls]
    for result in results:
        if result.error_type is None:
            assert validator_for(BY_NAME[result.name].result_schema).is_valid(result.content)
        else:
            assert result.error_type in ERROR_TYPES and 1 <= len(result.error_message.strip()) <= 500
    assert [dump_compact(r.message_text) for r in answer(*calls, outcomes=outcomes, seed=seed)] == [
        dump_compact(r.message_text) for r in results
    ]
