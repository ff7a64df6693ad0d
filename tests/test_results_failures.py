"""What failing tools say, and which of the eight standard errors a tool may plausibly answer with."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.jsontext import JsonObject
from generator.records.calls import ERROR_TYPES
from generator.results.failures import MESSAGE_LIMIT, MESSAGES, failure_message
from generator.tools.error_types import plausible_error_types
from generator.tools.tool import Tool


def tool(name: str, description: str = "", **parameters: str) -> Tool:
    properties = {key: {"type": kind} for key, kind in parameters.items()}
    schema: JsonObject = {"type": "object", "properties": properties}
    return Tool(name=name, description=description, parameters=schema, result_schema={}, result_origin="derived")


def test_every_standard_error_has_at_least_six_distinct_messages() -> None:
    assert set(MESSAGES) == set(ERROR_TYPES)
    for texts in MESSAGES.values():
        assert len(set(texts)) >= 6


@pytest.mark.parametrize("error_type", ERROR_TYPES)
def test_an_error_is_tied_to_the_arguments_of_its_call(error_type: str) -> None:
    order = tool("cancel_order", "Cancel an order.", order_id="string")
    texts = {failure_message(order, {"order_id": "W1234"}, error_type, Random(seed)) for seed in range(60)}
    assert len(texts) >= 6
    assert any("W1234" in text or "order" in text or "cancel" in text for text in texts)
    assert not any(re.search(r"[{}_]|None", text) for text in texts)


@pytest.mark.parametrize("error_type", ERROR_TYPES)
def test_an_error_without_arguments_is_still_worded(error_type: str) -> None:
    for seed in range(30):
        assert failure_message(tool("reboot_device"), {}, error_type, Random(seed)).strip()


def test_a_repository_is_named_with_its_owner() -> None:
    issue = tool("delete_issue", "Delete an issue.", owner="string", repo="string", issue_number="integer")
    arguments = {"owner": "acme", "repo": "site", "issue_number": 42}
    texts = {failure_message(issue, arguments, "PERMISSION_DENIED", Random(seed)) for seed in range(60)}
    assert any("acme/site" in text and "42" in text for text in texts)


def test_a_secret_is_never_told() -> None:
    login = tool("login", "Log in.", password="string", access_token="string")
    for error_type in ERROR_TYPES:
        for seed in range(20):
            assert "hunter2" not in failure_message(login, {"password": "hunter2"}, error_type, Random(seed))


@given(
    st.dictionaries(st.text(max_size=8), st.one_of(st.text(), st.integers(), st.booleans(), st.lists(st.integers()))),
    st.sampled_from(ERROR_TYPES),
    st.integers(0, 99),
)
def test_any_arguments_give_a_message_of_bounded_length(arguments: JsonObject, error_type: str, seed: int) -> None:
    text = failure_message(tool("get_thing"), arguments, error_type, Random(seed))
    assert text.strip() and len(text) <= MESSAGE_LIMIT and "\n" not in text


PLAUSIBLE: list[tuple[Tool, set[str], set[str]]] = [
    (tool("calculate_area", "Calculate the area of a circle.", radius="number"),
     {"PARAMETER_VALIDATION_FAILED"}, {"PERMISSION_DENIED", "RESOURCE_NOT_FOUND", "RATE_LIMIT_EXCEEDED"}),
    (tool("get_weather", "Get the weather.", city="string"),
     {"SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED", "RESOURCE_NOT_FOUND"},
     {"INVALID_STATE", "BUSINESS_RULE_VIOLATION"}),
    (tool("cancel_order", "Cancel an order.", order_id="string"),
     {"INVALID_STATE", "RESOURCE_NOT_FOUND"}, {"RATE_LIMIT_EXCEEDED"}),
    (tool("get_file", "Get a file.", owner="string", path="string"), {"PERMISSION_DENIED"}, {"INVALID_STATE"}),
    (tool("send_email", "Send an email.", to="string"), {"CONFIGURATION_ERROR"}, {"BUSINESS_RULE_VIOLATION"}),
    (tool("book_hotel", "Book a hotel.", city="string"), {"BUSINESS_RULE_VIOLATION"}, {"CONFIGURATION_ERROR"}),
]  # fmt: skip


@pytest.mark.parametrize(("one", "expected", "absurd"), PLAUSIBLE, ids=[row[0].name for row in PLAUSIBLE])
def test_errors_fit_the_tool(one: Tool, expected: set[str], absurd: set[str]) -> None:
    types = set(plausible_error_types(one))
    assert expected <= types and not absurd & types


def test_a_broad_catalog_reaches_all_eight_types() -> None:
    assert {kind for one, _, _ in PLAUSIBLE for kind in plausible_error_types(one)} == set(ERROR_TYPES)


@given(st.text(max_size=30), st.text(max_size=60))
def test_every_tool_has_at_least_one_plausible_error(name: str, description: str) -> None:
    types = plausible_error_types(tool(name or "x", description))
    assert types and set(types) <= set(ERROR_TYPES) and len(types) == len(set(types))


def test_it_is_never_the_weather_that_is_missing() -> None:
    for seed in range(40):
        message = failure_message(
            tool("get_current_weather", "Get the weather."), {"city": "Boston"}, "RESOURCE_NOT_FOUND", Random(seed)
        )
        assert "weather" not in message.lower()
