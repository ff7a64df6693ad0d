"""The right tool among near twins, or once it is there: over the bundled domains, and where it cannot be planned."""

import pytest

from tests.bundled import bundled
from tests.domains_library import tool
from tests.kind_records import calls, turns
from tests.planning_contexts import book_of, context_over, made, plan_error


def test_near_twins_stand_beside_the_tool_that_is_called() -> None:
    near = {
        (domain.name, name): set(known.near) for domain in bundled().domains for name, known in domain.tools.items()
    }
    domains = {tool.name: tool.domain for tool in bundled().tools}
    for record in made("similar_tools"):
        (call,) = calls(record)
        shown = {each["function"]["name"] for each in record["tools"]} - {call["name"]}
        assert shown
        assert shown <= near[domains[call["name"]], call["name"]]
        assert set(record["metadata"]["claim"]["near"]) == shown


def test_a_function_that_is_missing_is_called_once_it_is_there() -> None:
    for record in made("missing_function"):
        name = record["metadata"]["claim"]["function"]
        assert name in turns(record, "system")[0]["content"]
        assert [call["name"] for call in calls(record)] == [name]
        assert not turns(record, "assistant")[0].get("tool_calls")
        assert name not in "".join(each["content"] for each in turns(record, "user"))


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("similar_tools", "nothing is near to count"),
        ("missing_function", "the domain does not say what count can do"),
    ],
)
def test_what_cannot_be_planned(kind: str, reason: str) -> None:
    book = book_of({"tools": {"count": {"ways": [{"requests": ["Count."]}]}}}, [tool("count")])
    assert plan_error(kind, context_over(book, "count")) == reason
