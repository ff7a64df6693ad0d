"""Masked records hide names and nothing else; the examiner judges them by their own names."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import orjson
import pytest

from generator.job import Job
from generator.kinds import KINDS
from generator.masking import can_be_masked, draw_mask, masked
from generator.record import Producer
from generator.validation import check
from generator.validation.masks import unmasked
from tests.bundled import bundled
from tests.kind_records import Json, indices_of, producer, records_of
from tests.tables import each_row

UNMASKED = ("no_tools", "missing_function")
"""Kinds that show no tool, or name one in the system message."""


def _masked_record(kind: str = "parallel_multiple") -> Json:
    line = producer(5, 1.0).produce(indices_of(kind, 1, 5)[0]).line
    assert line is not None
    return orjson.loads(line)


@each_row("kind", [kind for kind in KINDS if kind not in UNMASKED])
def test_a_masked_record_of_each_kind_passes_and_shows_no_name(kind: str) -> None:
    record = _masked_record(kind)
    assert [found.message for found in check(record, catalog=bundled()) if found.severity == "error"] == []
    told = record["metadata"]["mask"]
    shown = {tool["function"]["name"] for tool in record["tools"]}
    shown |= {name for tool in record["tools"] for name in tool["function"]["parameters"]["properties"]}
    assert shown == {*told["tools"], *told["parameters"]}
    assert shown.isdisjoint({*told["tools"].values(), *told["parameters"].values()})


def test_a_mask_can_be_taken_off() -> None:
    plain = records_of("parallel_multiple", 1, 5)[0]
    mask = draw_mask(plain["tools"], Random(3))
    hidden = masked(plain, mask, Random(4))
    assert {tool["function"]["name"] for tool in hidden["tools"]} == set(mask.tools.values())
    seen = unmasked(hidden, hidden["metadata"]["mask"])
    assert seen["messages"] == plain["messages"]
    assert sorted(seen["tools"], key=str) == sorted(plain["tools"], key=str)


def test_a_share_of_the_records_is_masked_and_the_same_ones_whatever_the_order() -> None:
    share = Producer(Job(count=200, seed=5, mix={"simple": 1.0}, mask=0.3), bundled())
    hidden = [b'"mask"' in (share.produce(index).line or b"") for index in range(200)]
    assert 40 < sum(hidden) < 80
    again = Producer(Job(count=200, seed=5, mix={"simple": 1.0}, mask=0.3), bundled())
    assert [b'"mask"' in (again.produce(index).line or b"") for index in (150, 7)] == [hidden[150], hidden[7]]


@pytest.mark.parametrize(
    ("parameters", "can"),
    [
        ({"type": "object", "properties": {"a": {"anyOf": []}}}, True),
        ({"type": "object", "properties": {}, "anyOf": [{"required": ["a"]}]}, False),
        ({"type": "object", "properties": {}, "patternProperties": {"a": {}}}, False),
        ({"type": "object", "properties": {}, "dependentRequired": {"a": ["b"]}}, True),
        ({"type": "object", "properties": {}, "dependentSchemas": {"a": {}}}, False),
    ],
)
def test_names_inside_composed_schemas_are_not_masked(parameters: Json, can: bool) -> None:
    assert can_be_masked(parameters) is can


def _two_for_one(told: Json) -> None:
    names = list(told["tools"])
    told["tools"][names[0]] = told["tools"][names[1]]


def _one_is_not_told(told: Json) -> None:
    told["parameters"].popitem()


def _a_part_is_missing(told: Json) -> None:
    del told["parameters"]


def _a_name_is_no_name(told: Json) -> None:
    told["tools"][next(iter(told["tools"]))] = 5


@pytest.mark.parametrize("mutate", [_two_for_one, _one_is_not_told, _a_part_is_missing, _a_name_is_no_name])
def test_a_mask_that_is_not_one_to_one_is_refused(mutate: Callable[[Json], None]) -> None:
    record = _masked_record()
    mutate(record["metadata"]["mask"])
    assert "TC117" in {found.rule for found in check(record)}


@pytest.mark.parametrize(
    "mask", [None, 5, [], {}, {"tools": [], "parameters": {}}, {"tools": {"a": {}}, "parameters": {}}]
)
def test_hostile_masks_are_violations(mask: Json) -> None:
    record = _masked_record()
    record["metadata"]["mask"] = mask
    assert "TC117" in {found.rule for found in check(record, catalog=bundled())}
