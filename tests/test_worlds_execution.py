"""Execution: results that fit, errors, outages, defaults, examples, and tools that nothing is known of."""

from __future__ import annotations

from typing import Any

import pytest

from generator.domains.domain import Domain
from generator.jsontext import JsonObject, JsonValue
from generator.records import ToolResult
from generator.schemas.validators import validator_for
from generator.tools import Tool
from generator.values import Context, synthesize_value
from generator.worlds.execution import Done, Unfit, execute, plain_result, problem_of, without_rivals
from generator.worlds.program import compiled_domain
from generator.worlds.world import World
from tests.domains_library import TODAY, library, tool, world


def called(made: Tool, domain: JsonObject, **arguments: Any) -> Done:
    """Call a tool of a domain of its own."""
    compiled = compiled_domain(Domain.model_validate({"domain": 1, "tools": {made.name: domain}}), [made])
    assert compiled.faults == ()
    return execute(World(compiled.program, 3, TODAY, "en_US"), made, arguments)


def loan_id(at: World) -> str:
    return str(next(iter(at.table("loan").values())).fields["id"])


def test_a_loan_is_renewed_once() -> None:
    at, tools = world(), library().tools
    before = next(iter(at.table("loan").values())).fields["due"]
    done = execute(at, tools["renew_loan"], {"loan_id": loan_id(at), "days": 3})
    assert done.result.content["due_date"] > before
    again = execute(done.world, tools["renew_loan"], {"loan_id": loan_id(at), "days": 3})
    assert (again.result.error_type, again.result.error_message) == ("INVALID_STATE", "It was renewed already.")
    assert again.world.digest() == done.world.digest() != at.digest()
    assert again.world.now > done.world.now > at.now


def test_what_is_returned_is_no_longer_listed() -> None:
    at, tools = world(), library().tools
    member = {"member_id": at.me.fields["id"]}
    before = execute(at, tools["list_loans"], member).result.content
    done = execute(at, tools["return_loan"], {"loan_id": loan_id(at)})
    after = execute(done.world, tools["list_loans"], member).result.content
    assert after["total"] == before["total"] - 1 == len(after["loans"])
    assert done.result.content == {"returned": True, "loan_id": loan_id(at)}
    assert loan_id(at) not in [loan["loan_id"] for loan in after["loans"]]


def test_defaults_of_the_schema_count_as_given() -> None:
    at, tools = world(), library().tools
    book = next(iter(at.table("book").values())).fields["id"]
    assert execute(at, tools["borrow_book"], {"book_id": book}).result.content["due_date"] == "2026-01-29"
    assert execute(at, tools["borrow_book"], {"book_id": book, "days": 1}).result.content["due_date"] == "2026-01-16"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [({}, "loan_id"), ({"loan_id": "x", "days": "three"}, "days: "), ({"loan_id": "x", "days": 1, "more": 1}, "more"),
     ({"loan_id": "x", "days": 2**64}, "64-bit")],
)  # fmt: skip
def test_arguments_that_break_the_schema_change_nothing(arguments: JsonObject, said: str) -> None:
    at = world()
    made = library().tools["renew_loan"]
    done = execute(at, made, arguments)
    assert done.result.error_type == "PARAMETER_VALIDATION_FAILED"
    assert said in done.result.error_message == problem_of(made, arguments)
    assert done.world.digest() == at.digest()


def test_an_outage_takes_the_place_of_the_answer() -> None:
    at = world()
    outage = ToolResult("return_loan", error_type="SERVICE_UNAVAILABLE", error_message="Try later.")
    done = execute(at, library().tools["return_loan"], {"loan_id": loan_id(at)}, outage)
    assert done.result == outage
    assert done.world.digest() == at.digest()
    assert done.world.calls == 1
    wrong = execute(at, library().tools["return_loan"], {}, outage)
    assert wrong.result.error_type == "PARAMETER_VALIDATION_FAILED"


RESULT: JsonObject = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "size": {"type": "integer"},
        "at": {"type": "string", "format": "date-time"},
    },
    "required": ["id", "size", "at"],
    "additionalProperties": False,
}


def test_what_the_declared_result_lacks_is_filled_and_stays_the_same() -> None:
    made = tool("show", RESULT, (), n="integer")
    one, other = (called(made, {"result": {"id": "x", "size": "$n"}}, n=5).result for _ in range(2))
    assert validator_for(RESULT).is_valid(one.content)
    assert (one.content["id"], one.content["size"]) == ("x", 5)
    assert one == other
    compiled = compiled_domain(Domain.model_validate({"domain": 1, "tools": {"show": {"result": {"id": "x"}}}}), [made])
    at = World(compiled.program, 3, TODAY, "en_US")
    first = execute(at, made, {"n": 1})
    assert execute(first.world, made, {"n": 1}).result == first.result, "the same call twice answers the same"
    assert execute(first.world, made, {"n": 2}).result != first.result


def test_a_result_that_cannot_fit_is_unfit() -> None:
    with pytest.raises(Unfit, match="the result of show breaks its schema at /size"):
        called(tool("show", RESULT), {"result": {"size": "large"}})
    with pytest.raises(Unfit, match="other"):
        called(tool("show", RESULT), {"result": {"other": 1}})


def test_worked_examples_answer_their_arguments_alone() -> None:
    made = tool("power", None, (), a="integer")
    domain: JsonObject = {"examples": [{"arguments": {"a": 2}, "result": {"value": 4}}]}
    assert called(made, domain, a=2).result.content == {"value": 4}
    assert called(made, domain, a=3).result.error_type == "SERVICE_UNAVAILABLE"
    assert called(made, {**domain, "result": {"value": {"$calc": "a ** 2"}}}, a=3).result.content == {"value": 9}


@pytest.mark.parametrize("effect", [[], [{"let": {"x": 1}}]])
def test_a_tool_without_a_result_echoes_what_was_given(effect: JsonValue) -> None:
    assert called(tool("ping", None, (), a="integer"), {"effect": effect}, a=2).result.content == {
        "a": 2,
        "status": "ok",
    }
    declared = called(tool("ping", RESULT, (), a="integer"), {"effect": effect}, a=2)
    assert validator_for(RESULT).is_valid(declared.result.content)


def test_effects_run_even_where_no_result_is_written() -> None:
    made = tool("drop", None)
    value: JsonObject = {
        "domain": 1,
        "entities": {"thing": {"rows": 3, "fields": {"id": {"pattern": "[a-z]{5}"}}}},
        "tools": {"drop": {"effect": [{"delete_all": "thing"}]}},
    }
    compiled = compiled_domain(Domain.model_validate(value), [made])
    assert execute(World(compiled.program, 3, TODAY, "en_US"), made, {}).world.table("thing") == {}
    assert compiled.writing == {"drop"}


def test_arguments_may_be_called_like_names_of_every_scope() -> None:
    made = tool("odd", None, (), today="string", me="string", it="string", args="string")
    result = called(made, {"result": ["$today", "$me", "$it", "$args.args"]}, today="a", me="b", it="c", args="d")
    assert result.result.content == ["a", "b", "c", "d"]


def test_search_pages_agree_with_each_other() -> None:
    at, made = world(), library().tools["search_books"]
    pages, number = [], 1
    while True:
        content = execute(at, made, {"query": "the", "page": number}).result.content
        pages.append(content)
        if not content["more"]:
            break
        number += 1
    ids = [book["id"] for page in pages for book in page["books"]]
    assert len(ids) == len(set(ids)) == pages[0]["total"]
    assert {page["total"] for page in pages} == {len(ids)}
    assert ["next" in page for page in pages] == [page["more"] for page in pages]


TEXT: JsonObject = {"type": "string"}
FREE: JsonObject = {"type": "object", "additionalProperties": {"type": "integer"}}
THING: JsonObject = {
    "type": "object",
    "properties": {"id": TEXT, "inner": {"type": "object", "properties": {"a": TEXT}}},
}
CASES: list[tuple[JsonObject, JsonValue]] = [
    (FREE, {"type": "object", "additionalProperties": {"type": "integer"}, "maxProperties": 0}),
    ({**FREE, "minProperties": 1}, {**FREE, "minProperties": 1}),
    ({"type": "array", "items": FREE}, {"type": "array", "items": {**FREE, "maxProperties": 0}, "maxItems": 0}),
    (THING, {"type": "object", "properties": {"id": TEXT}}),
    ({**THING, "required": ["inner"]}, {**THING, "required": ["inner"]}),
    ({"type": "array", "items": THING}, {"type": "array", "items": {"type": "object", "properties": {"id": TEXT}}}),
    (
        {"type": "object", "properties": {"one": {"type": "object", "properties": {"a": TEXT}}}},
        {"type": "object", "properties": {"one": {"type": "object", "properties": {"a": TEXT}}}},
    ),
    (
        {"type": "object", "properties": {"id": TEXT, "of": {"$ref": "#/$defs/T"}}, "$defs": {"T": THING}},
        {"type": "object", "properties": {"id": TEXT}, "$defs": {"T": {"type": "object", "properties": {"id": TEXT}}}},
    ),
]


@pytest.mark.parametrize(("schema", "narrowed"), CASES)
def test_what_is_told_too_little_is_left_out(schema: JsonObject, narrowed: JsonValue) -> None:
    assert plain_result(schema) == narrowed
    assert plain_result(schema) is plain_result(schema)


@pytest.mark.parametrize("schema", [schema for schema, _ in CASES])
def test_a_plain_result_is_a_result(schema: JsonObject) -> None:
    validator, context = validator_for(schema), Context(purpose="result")
    assert all(
        validator.is_valid(synthesize_value(plain_result(schema), seed=seed, context=context)) for seed in range(20)
    )


@pytest.mark.parametrize(
    ("value", "required", "arguments", "kept"),
    [
        ({"currentTemperature": 14, "humidity": 3}, [], {"temperature": 4}, {"humidity": 3}),
        ({"currentTemperature": 4, "humidity": 3}, [], {"temperature": 4}, {"currentTemperature": 4, "humidity": 3}),
        ({"currentTemperature": 14, "humidity": 3}, ["currentTemperature"], {"temperature": 4}, None),
        ({"currentTemperature": 14}, [], {"temperature": 4}, None),
        ({"temperature": 5, "humidity": 3}, [], {"temperature": 4}, None),
        ([1], [], {"temperature": 4}, None),
    ],
)
def test_what_was_given_is_not_told_anew(
    value: JsonValue, required: list[str], arguments: JsonObject, kept: JsonValue
) -> None:
    assert without_rivals(value, {"required": required}, arguments) == (value if kept is None else kept)
