"""Coverage: what a record uses of its tools, and the shares that a run comes to."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from generator.domains.catalog import Catalog
from generator.job import Job
from generator.run import run_job
from generator.runs.coverage import (
    CALLS,
    CHOICE,
    EVIDENCE_LEVEL,
    KIND_TOOL,
    PARAMETER,
    SEPARATOR,
    Spread,
    cover,
    spreads,
    values_used,
)
from generator.runs.coverage import TOOLS as TOOLS_TOPIC
from generator.runs.summary import summarize_coverage
from generator.tools import Tool, surface_of
from generator.validation.grounding.arguments.grounded import explain
from tests import record_examples
from tests.record_examples import CLOCK, FIRST, WEATHER
from tests.test_authors_llm_author import TABLE
from tests.test_authors_llm_author import WEATHER as OTHER_WEATHER

Json = Any  # parsed JSON

ORDER = Tool(
    name="order",
    description="Order things.",
    parameters={
        "type": "object",
        "properties": {
            "size": {"type": "string", "description": "The size.", "enum": ["small", "large"]},
            "only": {"type": "string", "description": "One value.", "enum": ["this"]},
            "address": {
                "type": "object",
                "description": "Where to.",
                "properties": {"city": {"type": "string"}, "speed": {"$ref": "#/$defs/speed"}},
                "required": ["city"],
            },
            "items": {
                "type": "array",
                "description": "What.",
                "items": {"type": "object", "properties": {"sku": {"type": "string"}, "count": {"type": "integer"}}},
            },
            "level": {"anyOf": [{"type": "integer", "enum": [1, 2]}, {"type": "null"}], "description": "How high."},
        },
        "required": ["size"],
        "$defs": {"speed": {"type": "string", "enum": ["slow", "fast"]}},
    },
    result_schema={"type": "object"},
    result_origin="domain",
)


def test_the_surface_of_a_tool_reaches_into_objects_lists_and_references() -> None:
    surface = surface_of(ORDER)
    optional = {"only", "address", "address.speed", "items", "items[].sku", "items[].count", "level"}
    assert surface.optional == optional
    assert surface.choices == {
        "size": {'"small"', '"large"'},
        "address.speed": {'"slow"', '"fast"'},
        "level": {"1", "2"},
    }


def order(arguments: Json) -> Json:
    document = record_examples.simple()
    document["messages"][2]["tool_calls"][0]["function"] = {"name": "order", "arguments": arguments}
    return document


def test_a_record_counts_what_it_uses_once() -> None:
    arguments = {"size": "small", "items": [{"sku": "a"}, {"sku": "b"}], "address": {"city": "Rome", "speed": "fast"}}
    found = Counter(cover(order(arguments), {}, [ORDER]))
    assert found[KIND_TOOL, f"simple{SEPARATOR}order"] == 1
    assert found[CALLS, "1"] == found[TOOLS_TOPIC, "1"] == 1
    used = {name.partition(SEPARATOR)[2] for topic, name in found if topic == PARAMETER}
    assert used == {"size", "items", "items[]", "items[].sku", "address", "address.city", "address.speed"}
    chosen = {name.partition(SEPARATOR)[2] for topic, name in found if topic == CHOICE}
    assert chosen == {f'size{SEPARATOR}"small"', f'address.speed{SEPARATOR}"fast"'}


def test_a_record_without_calls_counts_the_tools_it_shows() -> None:
    document = record_examples.irrelevance()
    found = cover(document, {}, [WEATHER, CLOCK])
    assert [name for topic, name in found if topic == KIND_TOOL] == [
        f"irrelevance{SEPARATOR}get_weather",
        f"irrelevance{SEPARATOR}get_time",
    ]
    assert (CALLS, "0") in found


def test_the_rungs_are_counted_by_value() -> None:
    document = record_examples.parallel()
    found = Counter(cover(document, explain(document), [WEATHER]))
    assert found[EVIDENCE_LEVEL, "literal"] == 2


def test_the_shares_add_up_and_say_what_is_not_used() -> None:
    counts = Counter(cover(order({"size": "small", "level": 2}), {FIRST: {"/size": {"level": "literal"}}}, [ORDER]))
    counts["called", "order"] += 1
    found = summarize_coverage(counts, [ORDER, CLOCK])
    assert (found.tools.used, found.tools.all) == (1, 2)
    assert (found.optional_parameters.used, found.optional_parameters.all) == (1, 7)
    assert (found.enum_values.used, found.enum_values.all) == (2, 6)
    assert found.evidence_levels == {"literal": 1}
    assert found.kinds == {"simple": {"order": 1}}
    assert found.by_tool["order"].unused == (
        "address", "address.speed", "items", "items[].count", "items[].sku", "only",
        'address.speed="fast"', 'address.speed="slow"', "level=1", 'size="large"',
    )  # fmt: skip
    assert "get_time" not in found.by_tool


def test_coverage_is_the_same_after_a_resume(tmp_path: Path) -> None:
    catalog = Catalog(tools=(WEATHER,))
    mix = {"simple": 1.0, "parallel": 1.0}
    run_job(Job(count=12, seed=3, mix=mix), catalog, tmp_path / "run")
    resumed = run_job(Job(count=30, seed=3, mix=mix), catalog, tmp_path / "run").summary.coverage
    whole = run_job(Job(count=30, seed=3, mix=mix), catalog, tmp_path / "whole").summary.coverage
    assert resumed == whole
    assert sum(whole.calls_per_record.values()) == 30
    assert sum(whole.evidence_levels.values()) > 30
    held = json.loads((tmp_path / "run" / "summary.json").read_text())["coverage"]
    assert held == json.loads(whole.model_dump_json())


TOOLS = {tool.name: tool for tool in (OTHER_WEATHER, TABLE)}


def counted(cities: list[str]) -> Counter[str]:
    calls = [{"name": "get_weather", "arguments": {"city": city, "unit": "celsius"}} for city in cities]
    return Counter(name for _, name in values_used(calls, TOOLS))


@pytest.mark.parametrize(("distinct", "uses"), [(1, 10), (3, 30), (12, 12), (200, 400), (900, 3_000)])
def test_distinct_values_are_estimated_closely(distinct: int, uses: int) -> None:
    (found,) = spreads(counted([f"city {number % distinct}" for number in range(uses)])).values()
    assert found.uses == uses
    assert found.distinct == pytest.approx(distinct, rel=0.06)


def test_more_values_than_buckets_are_as_many_as_uses() -> None:
    assert spreads(counted([f"city {number}" for number in range(40_000)]))["get_weather.city"].distinct == 40_000


def test_choices_flags_and_unknown_tools_are_not_counted() -> None:
    calls = [{"name": "get_weather", "arguments": {"unit": "celsius", "city": "Oslo"}}, {"name": "x", "arguments": {}}]
    assert len(values_used(calls, TOOLS)) == 1


def test_the_narrowest_comes_first_and_rare_ones_say_nothing() -> None:
    dinners = [
        {"name": "book_table", "arguments": {"restaurant": f"R{number}", "guests": 2, "day": f"2026-01-{number:02}"}}
        for number in range(10, 20)
    ]
    counts = Counter(name for _, name in values_used(dinners, TOOLS)) + counted(["Oslo"] * 9)
    assert list(spreads(counts).items()) == [
        ("book_table.guests", Spread(uses=10, distinct=1)),
        ("book_table.day", Spread(uses=10, distinct=10)),
        ("book_table.restaurant", Spread(uses=10, distinct=10)),
    ]
