"""Errors about one value, and searches that find nothing."""

from __future__ import annotations

from typing import Any

import pytest

from generator.records.calls import Draft, DraftCall, ToolResult
from generator.results import synthesize_results
from generator.results.emptiness import emptied
from generator.results.failures import MESSAGE_LIMIT
from generator.results.refusals import REFUSALS, refusal_message
from generator.scenarios.scenario import PlannedCall, Refusal
from generator.streams import stream
from generator.tools.tool import Tool
from tests.replies_fixtures import make_scenario, make_tool

HOTEL = make_tool("book_hotel", "Book a hotel.", properties={"hotel_name": {"type": "string"}, "nights": {}})


@pytest.mark.parametrize("error_type", REFUSALS)
@pytest.mark.parametrize(("value", "told"), [("The Linden", "'The Linden'"), (3, "3")])
def test_an_error_names_its_value_and_its_parameter(error_type: str, value: object, told: str) -> None:
    for seed in range(20):
        text = refusal_message(HOTEL, {"hotel_name": value}, error_type, Refusal("hotel_name"), stream(seed, "x"))
        assert told in text and "hotel name" in text.lower() and len(text) <= MESSAGE_LIMIT
        assert "{" not in text and "_" not in text


def test_an_error_can_name_the_valid_value() -> None:
    texts = {
        refusal_message(
            HOTEL, {"hotel_name": "Lnden"}, "RESOURCE_NOT_FOUND", Refusal("hotel_name", "Linden"), stream(seed, "x")
        )
        for seed in range(30)
    }
    assert len(texts) > 5
    assert all("'Lnden'" in text and "'Linden'" in text for text in texts)


def _result(tool: Tool, arguments: dict[str, Any], **plan: Any) -> ToolResult:
    call = PlannedCall(tool, arguments, **plan)
    scenario = make_scenario((tool,), calls=(call,))
    draft = Draft(request="Please.", calls=(DraftCall(name=tool.name, arguments=arguments),))
    return synthesize_results(scenario, draft, scenario.steps[0])[0]


def test_a_planned_refusal_is_what_the_tool_answers() -> None:
    arguments = {"hotel_name": "The Linden"}
    result = _result(HOTEL, arguments, outcome="INVALID_STATE", refusal=Refusal("hotel_name"))
    assert result.error_type == "INVALID_STATE"
    assert "'The Linden'" in result.error_message


def test_a_refusal_of_what_was_not_given_is_an_error_like_any_other() -> None:
    result = _result(HOTEL, {"nights": 2}, outcome="INVALID_STATE", refusal=Refusal("hotel_name"))
    assert result.error_type == "INVALID_STATE" and result.error_message


def _search(**listed: Any) -> Tool:
    properties = {"city": {"type": "string"}, "hotels": {"type": "array", "items": {"type": "string"}, **listed},
                  "total": {"type": "integer", "minimum": 0}}  # fmt: skip
    schema = {"type": "object", "properties": properties, "required": ["city", "hotels", "total"]}
    tool = make_tool("find_hotels", "Find hotels.", properties={"city": {"type": "string"}}, required=("city",))
    return tool.model_copy(update={"result_schema": schema, "result_origin": "declared"})


def test_a_search_that_is_planned_to_find_nothing_finds_nothing() -> None:
    assert _result(_search(), {"city": "Rome"}, empty=True).content == {"city": "Rome", "hotels": [], "total": 0}
    assert _result(_search(), {"city": "Rome"}).content["hotels"]


def test_a_schema_that_wants_an_entry_gets_one() -> None:
    value = {"city": "Rome", "hotels": ["The Linden"], "total": 1}
    assert emptied(value, _search(minItems=1)) == value


@pytest.mark.parametrize("value", [7, "text", None, {"a": 1}, {"a": [1], "b": [2]}])
def test_what_has_no_list_of_its_own_stays(value: Any) -> None:
    tool = make_tool("look").model_copy(update={"result_schema": {}})
    assert emptied(value, tool) == value


def test_a_list_at_the_root_is_emptied() -> None:
    assert emptied([1, 2], make_tool("look").model_copy(update={"result_schema": {"type": "array"}})) == []
