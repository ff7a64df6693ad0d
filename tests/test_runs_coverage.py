"""Coverage: what a record uses of its tools, and the shares that a run comes to."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

from generator.domains.catalog import Catalog
from generator.generation import run_job
from generator.job import Job
from generator.runs.coverage import CALLS, CHOICE, KIND_TOOL, PARAMETER, RUNG, SEPARATOR, TOOLS, cover
from generator.runs.covered import summarize_coverage
from generator.tools.surface import surface_of
from generator.tools.tool import Tool
from generator.validation.grounding.arguments.grounded import explain
from tests import record_examples
from tests.record_examples import CLOCK, FIRST, WEATHER

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
    assert found[CALLS, "1"] == found[TOOLS, "1"] == 1
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
    assert found[RUNG, "literal"] == 2


def test_the_shares_add_up_and_say_what_is_not_used() -> None:
    counts = Counter(cover(order({"size": "small", "level": 2}), {FIRST: {"/size": {"rung": "literal"}}}, [ORDER]))
    counts["called", "order"] += 1
    found = summarize_coverage(counts, [ORDER, CLOCK])
    assert (found.tools.used, found.tools.all) == (1, 2)
    assert (found.optional_parameters.used, found.optional_parameters.all) == (1, 7)
    assert (found.enum_values.used, found.enum_values.all) == (2, 6)
    assert found.rungs == {"literal": 1}
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
    assert sum(whole.rungs.values()) > 30
    held = json.loads((tmp_path / "run" / "summary.json").read_text())["coverage"]
    assert held == json.loads(whole.model_dump_json())
