"""What is carried on from a result is told by what was brought and what was said, not by what was planned."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from generator.records.calls import Draft, DraftCall, Exchange, ToolResult
from generator.scenarios.carrying import as_planned, brought, carried, claim_of, foreseen, kind_of_row, says, turn_from
from generator.scenarios.scenario import Scenario
from tests.test_authors_llm_author import WEATHER, tool
from tests.test_scenarios_excerpt import planner, plans

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


@pytest.mark.parametrize(
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
