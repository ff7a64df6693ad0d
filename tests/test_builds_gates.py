"""Gates: each rule of a build by a table of what it passes and misses, and those that no build can pass."""

from __future__ import annotations

from typing import Any

import pytest

from generator.builds.gates import missed_gates, unreachable_gates
from generator.builds.inputs import Inputs
from generator.builds.manifest import Attempts, KindMade, Manifest
from generator.builds.settings import GateSettings
from generator.job import Job
from generator.lengths import Lengths
from generator.runs.summary import Tokens
from generator.scenarios.planner import Planner
from tests.run_fakes import CATALOG

BUILD = Manifest(
    name="x",
    stamp="20260101T000000Z",
    job={},
    inputs=Inputs(job={}, settings={}, sources={}, versions={}),
    tools={},
    domains={},
    files=(),
    records=90,
    derived=30,
    kinds={"simple": KindMade(asked=50, records=45), "parallel": KindMade(asked=50, records=45)},
    used={},
    kept=50,
    anew={},
    attempts=Attempts(records=40, rejected=10, duplicates=5),
    rules={},
    tokens=Tokens(),
    proof={},
    lengths=Lengths(),
)


@pytest.mark.parametrize(
    ("gates", "told"),
    [
        ({}, "min_records: 90 records, and 100 are the fewest"),
        ({"min_records": 90}, ""),
        ({"min_records": 91}, "min_records: 90 records, and 91 are the fewest"),
        ({"min_records": 0, "min_of_kind": {"simple": 45}}, ""),
        ({"min_records": 0, "min_of_kind": {"simple": 46}}, "min_of_kind.simple: 45 records, and 46 are the fewest"),
        ({"min_records": 0, "min_of_kind": {"chitchat": 1}}, "min_of_kind.chitchat: 0 records, and 1 are the fewest"),
        ({"min_records": 0, "min_yield": 0.8}, ""),
        ({"min_records": 0, "min_yield": 0.81}, "min_yield: 0.8000, and 0.81 is the least"),
        ({"min_records": 0, "max_rejection_rate": 0.2}, ""),
        ({"min_records": 0, "max_rejection_rate": 0.1}, "max_rejection_rate: 0.2000, and 0.1 is the most"),
        ({"min_records": 0, "max_duplicate_rate": 0.1}, ""),
        ({"min_records": 0, "max_duplicate_rate": 0.05}, "max_duplicate_rate: 0.1000, and 0.05 is the most"),
        ({"min_records": 0, "max_derived_share": 0.34}, ""),
        ({"min_records": 0, "max_derived_share": 0.3}, "max_derived_share: 0.3333, and 0.3 is the most"),
    ],
)
def test_a_gate(gates: dict[str, Any], told: str) -> None:
    assert missed_gates(GateSettings.model_validate(gates), BUILD, 100) == ((told,) if told else ())


def test_what_a_format_cannot_hold_misses_a_gate() -> None:
    build = BUILD.model_copy(update={"unwritten": {"bfcl": 2}})
    assert missed_gates(GateSettings(min_records=0), build, 100) == ("formats: 2 records cannot be written as bfcl",)


def test_where_nothing_was_tried_no_rate_is_missed() -> None:
    build = BUILD.model_copy(update={"attempts": Attempts(), "records": 0})
    gates = GateSettings(min_records=0, min_yield=1, max_rejection_rate=0, max_derived_share=0)
    assert missed_gates(gates, build, 100) == ()


@pytest.mark.parametrize(
    ("gates", "told"),
    [
        ({"min_records": 20}, ""),
        ({"min_records": 21}, "gates.min_records: 21, and count asks for 20"),
        ({"min_of_kind": {"simple": 20}}, ""),
        ({"min_of_kind": {"simple": 21}}, "gates.min_of_kind.simple: 21, and 20 are planned"),
        ({"min_of_kind": {"parallel": 1}}, "gates.min_of_kind.parallel: 1, and 0 are planned"),
    ],
)
def test_a_gate_that_cannot_be_passed_is_known_beforehand(gates: dict[str, Any], told: str) -> None:
    job = Job(count=20, mix={"simple": 1})
    found = unreachable_gates(GateSettings.model_validate(gates), job, Planner(job, CATALOG))
    assert found == ((told,) if told else ())
