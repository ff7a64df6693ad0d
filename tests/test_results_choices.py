"""Tools that do several things answer for the one that the call chose."""

from __future__ import annotations

from datetime import date

import pytest

from generator.jsontext import JsonObject
from generator.records.calls import Draft, DraftCall
from generator.results import synthesize_results
from generator.scenarios.scenario import Persona, Scenario, Step
from generator.tools.result_schemas import derive_result_schema
from generator.tools.tool import Tool

TEXT: JsonObject = {"type": "string"}
WHOLE: JsonObject = {"type": "integer"}


def answer(
    name: str, properties: JsonObject, arguments: JsonObject, description: str = "", seed: int = 4
) -> JsonObject:
    """Return what a tool with a derived result schema answers to a call that needs every argument."""
    told = description or name.replace("_", " ").capitalize() + "."
    parameters: JsonObject = {"type": "object", "properties": properties, "required": list(arguments)}
    schema = derive_result_schema(name, told, parameters)
    tool = Tool(name=name, description=told, parameters=parameters, result_schema=schema, result_origin="derived")
    draft = Draft(calls=(DraftCall(name=name, arguments=arguments),))
    step = Step(calls=())
    persona = Persona("user", "plain")
    scenario = Scenario(0, 0, seed, "simple", (tool,), (step,), persona, "en_US", date(2026, 1, 15))
    (result,) = synthesize_results(scenario, draft, step)
    assert result.status == "SUCCESS"
    content: JsonObject = result.content
    return content


def choice(*values: str) -> JsonObject:
    return {"type": "string", "enum": list(values)}


@pytest.mark.parametrize(("method", "status"), [("create", "created"), ("update", "updated"), ("delete", "deleted")])
def test_the_method_decides_what_was_done(method: str, status: str) -> None:
    properties = {"method": choice("create", "update", "delete"), "name": TEXT}
    assert answer("label_write", properties, {"method": method, "name": "bug"})["status"] == status


@pytest.mark.parametrize(("action", "status"), [("watch", "watched"), ("ignore", "ignored"), ("delete", "deleted")])
def test_the_action_decides_what_was_done(action: str, status: str) -> None:
    properties = {"action": choice("watch", "ignore", "delete"), "thread_id": TEXT}
    told = answer("manage_notification_subscription", properties, {"action": action, "thread_id": "t1"})
    assert told["status"] == status


def test_choices_in_quotes_count_where_there_is_no_enum() -> None:
    method = {"type": "string", "description": "Options are: 'add', 'remove'."}
    told = answer("sub_issue_write", {"method": method, "issue_number": WHOLE}, {"method": "remove", "issue_number": 4})
    assert told["status"] == "removed"


def test_a_method_that_is_no_deed_is_no_status() -> None:
    properties = {"method": choice("mitosis", "meiosis"), "cell_id": TEXT}
    told = answer("cell_divide", properties, {"method": "meiosis", "cell_id": "c1"})
    assert told.get("status") != "meiosised"


@pytest.mark.parametrize(
    ("method", "fields"),
    [
        ("get", {"issue_number", "number", "title", "state", "author", "created_at"}),
        ("get_comments", {"issue_number", "comments"}),
        ("get_labels", {"issue_number", "labels"}),
    ],
)
def test_the_method_decides_what_is_read(method: str, fields: set[str]) -> None:
    properties = {"method": choice("get", "get_comments", "get_labels"), "issue_number": WHOLE}
    told = answer("issue_read", properties, {"method": method, "issue_number": 7})
    assert set(told) == fields
    assert told["issue_number"] == 7
    assert told.get("number", 7) == 7


def test_a_new_state_is_told_as_it_is_now() -> None:
    properties = {"task_id": TEXT, "status": choice("pending", "completed")}
    for status in ("pending", "completed"):
        assert answer("update_task_status", properties, {"task_id": "T1", "status": status})["status"] == status


def test_an_address_keeps_the_state_it_lies_in() -> None:
    told = answer("modify_user_address", {"user_id": TEXT, "state": TEXT}, {"user_id": "u1", "state": "CO"})
    assert (told["state"], told["status"]) == ("CO", "updated")


def test_a_filter_for_all_is_the_state_of_no_entry() -> None:
    properties = {"repo": TEXT, "state": choice("open", "closed", "all")}
    for seed in range(8):
        told = answer("list_pull_requests", properties, {"repo": "web", "state": "all"}, seed=seed)
        assert {entry["state"] for entry in told["pull_requests"]} <= {"open", "closed"}
    told = answer("list_pull_requests", properties, {"repo": "web", "state": "open"})
    assert {entry["state"] for entry in told["pull_requests"]} == {"open"}


def test_a_search_answers_with_what_was_searched_for_in_the_order_asked_for() -> None:
    properties = {"query": TEXT, "sort": choice("stars", "updated")}
    for seed in range(8):
        told = answer("search_repositories", properties, {"query": "unpaid invoices", "sort": "stars"}, seed=seed)
        found = told["repositories"]
        assert all("unpaid-invoices" in entry["name"] for entry in found)
        assert len({entry["name"] for entry in found}) == len(found) == told["total"]
        stars = [entry["stars"] for entry in found]
        assert stars == sorted(stars, reverse=True)


FIELDS: JsonObject = {"type": "array", "items": choice("market_cap", "price", "volume")}


@pytest.mark.parametrize("seed", range(4))
def test_a_result_has_the_fields_that_are_asked_for(seed: int) -> None:
    symbol: JsonObject = {"symbol": TEXT, "metrics": FIELDS}
    asked: JsonObject = {"symbol": "ACME", "metrics": ["market_cap", "price"]}
    told = answer("get_stock_info", symbol, asked, "Get information about a stock.", seed)
    assert set(told) == {"symbol", "market_cap", "price"}
    listed = answer("list_stocks", {"fields": FIELDS}, {"fields": ["volume"]}, "List the stocks.", seed)
    assert listed["stocks"] and all(set(stock) == {"volume"} for stock in listed["stocks"])


@pytest.mark.parametrize("seed", range(4))
def test_a_flag_decides_whether_its_field_is_told(seed: int) -> None:
    for name, field in (("get_current_weather", "humidity"), ("search_hotels", "rating"), ("get_book", "reviews")):
        properties: JsonObject = {"city": TEXT, f"include_{field}": {"type": "boolean"}}
        for raised in (True, False):
            told = answer(name, properties, {"city": "Oslo", f"include_{field}": raised}, seed=seed)
            assert (f"'{field}'" in str(told)) is raised, (name, raised, told)
