"""One small world per record: what was told stays so, what was made is found, what is gone is not there."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.jsontext import JsonObject, JsonValue
from generator.records.calls import Draft, DraftCall, Exchange, ToolResult
from generator.results import synthesize_results
from generator.results.things import things_in
from generator.results.world import World
from generator.scenarios.scenario import Persona, PlannedCall, Scenario, Step
from generator.schemas.validators import validator_for
from generator.tools.result_schemas import derive_result_schema
from generator.tools.tool import Tool

TEXT: JsonObject = {"type": "string"}
WHOLE: JsonObject = {"type": "integer"}
NUMBER: JsonObject = {"type": "number"}


def shape(**properties: JsonObject) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(properties)}


def tool(name: str, description: str, result: JsonObject | None = None, **properties: JsonObject) -> Tool:
    parameters: JsonObject = {"type": "object", "properties": properties}
    return Tool(
        name=name,
        description=description,
        parameters=parameters,
        result_schema=result or derive_result_schema(name, description, parameters),
        result_origin="declared" if result else "derived",
    )


CUSTOMER = shape(id=TEXT, name=TEXT, email=TEXT, status={"enum": ["active", "closed"]})
TOOLS = (
    tool("get_customer", "Get a customer.", CUSTOMER, customer_id=TEXT),
    tool("list_customers", "List the customers.", shape(customers={"type": "array", "items": CUSTOMER, "minItems": 1})),
    tool(
        "get_order",
        "Get an order.",
        shape(order_id=TEXT, customer_id={"const": "C1"}, customer_name=TEXT, status=TEXT, total=NUMBER),
        order_id=TEXT,
    ),
    tool("update_customer", "Update a customer.", None, customer_id=TEXT, email=TEXT, new_name=TEXT),
    tool("delete_customer", "Delete a customer.", None, customer_id=TEXT),
    tool("cancel_order", "Cancel an order.", shape(order_id=TEXT, status={"const": "cancelled"}), order_id=TEXT),
    tool("create_task", "Create a task.", shape(task_id=TEXT, created_at=TEXT), title=TEXT, priority=TEXT),
    tool("list_tasks", "List all tasks.", None, priority=TEXT),
    tool("search_tasks", "Search tasks by words.", None, query=TEXT),
    tool("get_task", "Get a task.", shape(task_id=TEXT, title=TEXT, priority=TEXT), task_id=TEXT),
    tool("delete_task", "Delete a task.", None, task_id=TEXT),
    tool(
        "search_flights",
        "Search flights.",
        shape(flights={"type": "array", "items": shape(flight_id=TEXT, price=NUMBER), "minItems": 2}),
        city=TEXT,
    ),
    tool("book_flight", "Book a flight.", shape(booking_id=TEXT, total_price=NUMBER), flight_id=TEXT, passengers=WHOLE),
    tool("read_file", "Read a file.", shape(content=TEXT), path=TEXT),
    tool("delete_file", "Delete a file.", shape(success={"const": True}), path=TEXT),
    tool("write_file", "Write a file.", shape(success={"const": True}), path=TEXT, content=TEXT),
    tool("get_weather", "Get the weather of a city.", None, city=TEXT, date={"type": "string", "format": "date"}),
)
BY_NAME = {each.name: each for each in TOOLS}
Call = tuple[str, JsonObject]


def play(*steps: Call | list[Call], seed: int = 4) -> list[ToolResult]:
    """Answer one step after the other, each knowing those before it; return all results."""
    history: tuple[Exchange, ...] = ()
    scenario = Scenario(0, 0, seed, "multi_turn", TOOLS, (), Persona("user", "plain"), "en_US", date(2026, 1, 15))
    for calls in (each if isinstance(each, list) else [each] for each in steps):
        step = Step(request=True, calls=tuple(PlannedCall(BY_NAME[name], arguments) for name, arguments in calls))
        draft = Draft(calls=tuple(DraftCall(name=name, arguments=arguments) for name, arguments in calls))
        history = (*history, Exchange(draft, synthesize_results(scenario, draft, step, history)))
    results = [result for exchange in history for result in exchange.results]
    for result in results:
        if result.error_type is None:
            assert validator_for(BY_NAME[result.name].result_schema).is_valid(result.content), result
    return results


SEEDS = range(6)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_thing_is_told_alike_in_every_step(seed: int) -> None:
    found, one, again = play(
        ("list_customers", {}), ("get_customer", {"customer_id": "C1"}), ("get_customer", {"customer_id": "C1"}),
        seed=seed,
    )  # fmt: skip
    assert one.content == again.content
    first = found.content["customers"][0]
    (same,) = play(("list_customers", {}), ("get_customer", {"customer_id": first["id"]}), seed=seed)[1:]
    assert {name: same.content[name] for name in ("name", "email", "status")} == {
        name: first[name] for name in ("name", "email", "status")
    }


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thing_is_told_alike_where_another_speaks_of_it(seed: int) -> None:
    customer, order = play(("get_customer", {"customer_id": "C1"}), ("get_order", {"order_id": "W7"}), seed=seed)
    assert order.content["customer_name"] == customer.content["name"]
    order, customer = play(("get_order", {"order_id": "W7"}), ("get_customer", {"customer_id": "C1"}), seed=seed)
    assert customer.content["name"] == order.content["customer_name"]


def test_calls_of_one_step_share_the_world() -> None:
    one, other = play([("get_customer", {"customer_id": "C1"}), ("get_order", {"order_id": "W7"})])
    assert other.content["customer_name"] == one.content["name"]


def test_what_was_changed_stays_changed() -> None:
    change = {"customer_id": "C1", "email": "new@mail.example.com", "new_name": "Ann Lee"}
    before, _, after = play(
        ("get_customer", {"customer_id": "C1"}), ("update_customer", change), ("get_customer", {"customer_id": "C1"})
    )
    assert before.content["email"] != "new@mail.example.com"
    assert (after.content["email"], after.content["name"]) == ("new@mail.example.com", "Ann Lee")
    assert after.content["status"] == before.content["status"]


def test_a_deed_leaves_its_status() -> None:
    before, cancelled, after = play(
        ("get_order", {"order_id": "W7"}), ("cancel_order", {"order_id": "W7"}), ("get_order", {"order_id": "W7"})
    )
    assert cancelled.content["status"] == after.content["status"] == "cancelled"
    assert after.content["total"] == before.content["total"]


@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_made_can_be_found_again(seed: int) -> None:
    made = {"title": "Water the plants", "priority": "high"}
    created, listed, searched, other, filtered = play(
        ("create_task", made), ("list_tasks", {}), ("search_tasks", {"query": "plants"}),
        ("search_tasks", {"query": "taxes"}), ("list_tasks", {"priority": "low"}), seed=seed,
    )  # fmt: skip
    number = created.content["task_id"]
    (got,) = play(("create_task", made), ("get_task", {"task_id": number}), seed=seed)[1:]
    assert got.content == {"task_id": number, **made}
    for result in (listed, searched):
        entries = result.content["tasks"]
        mine = [entry for entry in entries if number in entry.values()]
        assert len(mine) == 1, entries
        assert "Water the plants" in mine[0].values()
    for result in (other, filtered):
        assert number not in str(result.content)


def test_what_was_deleted_is_not_found() -> None:
    gone = play(
        ("get_task", {"task_id": "T1"}), ("delete_task", {"task_id": "T1"}), ("get_task", {"task_id": "T1"}),
        ("delete_task", {"task_id": "T1"}), ("get_task", {"task_id": "T2"}),
    )  # fmt: skip
    assert [result.status for result in gone] == [
        "SUCCESS", "SUCCESS", "RESOURCE_NOT_FOUND", "RESOURCE_NOT_FOUND", "SUCCESS",
    ]  # fmt: skip
    assert gone[2].error_message
    (_, _, order) = play(
        ("delete_customer", {"customer_id": "C1"}), ("get_customer", {"customer_id": "C2"}),
        ("get_customer", {"customer_id": "C1"}),
    )  # fmt: skip
    assert order.status == "RESOURCE_NOT_FOUND"


def test_what_was_deleted_can_be_made_anew() -> None:
    path = {"path": "notes/plan.md"}
    statuses = [
        result.status
        for result in play(
            ("read_file", path), ("delete_file", path), ("read_file", path), ("write_file", {**path, "content": "a"}),
            ("read_file", path), ("read_file", {"path": "other.md"}),
        )
    ]  # fmt: skip
    assert statuses == ["SUCCESS", "SUCCESS", "RESOURCE_NOT_FOUND", "SUCCESS", "SUCCESS", "SUCCESS"]


def test_what_was_deleted_is_in_no_list() -> None:
    for seed in SEEDS:
        first = play(("list_customers", {}), seed=seed)[0].content["customers"][0]["id"]
        deleted: Call = ("delete_customer", {"customer_id": first})
        listed = play(("list_customers", {}), deleted, ("list_customers", {}), seed=seed)[-1]
        assert first not in [customer["id"] for customer in listed.content["customers"]]


def test_a_failed_deed_changes_nothing() -> None:
    step = Step(calls=(PlannedCall(BY_NAME["delete_task"], {"task_id": "T1"}, "PERMISSION_DENIED"),))
    scenario = Scenario(0, 0, 1, "multi_turn", TOOLS, (), Persona("user", "plain"), "en_US", date(2026, 1, 15))
    draft = Draft(calls=(DraftCall(name="delete_task", arguments={"task_id": "T1"}),))
    history = (Exchange(draft, synthesize_results(scenario, draft, step)),)
    assert history[0].results[0].status == "PERMISSION_DENIED"
    again = Draft(calls=(DraftCall(name="get_task", arguments={"task_id": "T1"}),))
    (result,) = synthesize_results(scenario, again, Step(), history)
    assert result.status == "SUCCESS"


def test_a_booking_costs_what_was_offered() -> None:
    for seed in SEEDS:
        offer = play(("search_flights", {"city": "Oslo"}), seed=seed)[0].content["flights"][1]
        _, booked = play(
            ("search_flights", {"city": "Oslo"}), ("book_flight", {"flight_id": offer["flight_id"], "passengers": 3}),
            seed=seed,
        )  # fmt: skip
        assert booked.content["total_price"] == pytest.approx(offer["price"] * 3)


def test_another_day_has_another_weather() -> None:
    days = [play(("get_weather", {"city": "Oslo", "date": f"2026-01-{day}"}))[0].content for day in range(16, 24)]
    joined = play(*[("get_weather", {"city": "Oslo", "date": f"2026-01-{day}"}) for day in range(16, 24)])
    assert [result.content for result in joined] == days


def test_the_same_history_gives_the_same_results() -> None:
    steps: list[Call] = [("create_task", {"title": "Water the plants"}), ("list_tasks", {}), ("list_customers", {})]
    assert play(*steps) == play(*steps)


def test_what_fields_tell_of_others() -> None:
    order = {"order_id": "W7", "customer_id": 5, "customer_name": "Ann", "lines": [{"product_id": 1, "price": 2}]}
    assert [(thing.key, thing.fields) for thing in things_in(order, "order")] == [
        (("order", "W7"), order),
        (("customer", "5"), {"id": 5, "name": "Ann"}),
        (("product", "1"), {"id": 1}),
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["id", "task_id", "title", "tasks"]), inner)
    ),
    max_leaves=12,
)


@given(JSON, JSON, st.dictionaries(st.sampled_from(["task_id", "id", "title", "query"]), JSON), st.sampled_from(TOOLS))
def test_any_value_is_borne(told: JsonValue, value: JsonValue, arguments: JsonObject, one: Tool) -> None:
    world = World()
    world.learn(BY_NAME["create_task"], arguments, told)
    world.learn(BY_NAME["delete_task"], arguments, told)
    world.lacks(one, arguments)
    for lasting in (False, True):
        assert type(world.recall(value, one, arguments, lasting=lasting)) is type(value)
    assert type(world.show_made(value, one, arguments)) is type(value)
    assert type(world.without_gone(value, one, lambda place: {"id": place})) is type(value)
