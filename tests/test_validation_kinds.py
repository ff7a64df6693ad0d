"""Each kind's claim: one name in scenarios and in validation, kept by its records and by no other."""

from __future__ import annotations

from importlib import import_module

import pytest

from generator.assets import asset_folder
from generator.kinds import KINDS as PLANNED
from generator.validation import KIND_CHECKS
from generator.validation.view import RecordView
from tests.kind_records import complaints, records_of
from tests.record_examples import CLOCK, FIRST, KINDS, SECOND, WARM, call, irrelevance, parallel, result, simple


def test_every_kind_has_its_blueprint_its_instructions_and_its_check() -> None:
    instructions = {path.stem for path in asset_folder("prompts").joinpath("kinds").glob("*.md")}
    assert set(PLANNED) == set(KIND_CHECKS) == instructions


@pytest.mark.parametrize("family", ["single_turn", "clarifying", "conversation", "outcomes"])
def test_a_kind_is_checked_in_the_family_that_it_is_planned_in(family: str) -> None:
    planned = import_module(f"generator.scenarios.blueprints.{family}").LAYOUTS
    assert set(import_module(f"generator.validation.kinds.{family}").CHECKS) == set(planned)


@pytest.mark.parametrize("kind", sorted({"simple", "multiple", "parallel", "parallel_multiple", "irrelevance"}))
def test_a_kind_is_kept_by_its_own_records_alone(kind: str) -> None:
    keeping = {name for name, make in KINDS.items() if not list(KIND_CHECKS[kind](RecordView(make())))}
    assert keeping == ({"simple", "failed"} if kind == "simple" else {kind})


def test_calls_in_two_turns_are_not_parallel() -> None:
    document = parallel()
    calls = [call(FIRST, "get_weather", {"city": "Rome"}), call(SECOND, "get_weather", {"city": "Oslo"})]
    document["messages"][2:5] = [
        {"role": "assistant", "content": "", "tool_calls": [calls[0]]},
        result(FIRST, "get_weather", WARM),
        {"role": "assistant", "content": "", "tool_calls": [calls[1]]},
        result(SECOND, "get_weather", WARM),
    ]
    assert list(KIND_CHECKS["parallel"](RecordView(document)))


@pytest.mark.parametrize(("answer", "kept"), [("Rome has 21 degrees.", True), ("", False), (" ", False)])
def test_irrelevance_ends_with_words(answer: str, kept: bool) -> None:
    document = irrelevance()
    document["messages"][-1]["content"] = answer
    assert bool(list(KIND_CHECKS["irrelevance"](RecordView(document)))) is not kept


def test_simple_shows_one_tool() -> None:
    document = simple()
    document["tools"].append(CLOCK.shown)
    assert list(KIND_CHECKS["simple"](RecordView(document))) == ["shows exactly one tool, not 2"]


@pytest.mark.parametrize("kind", PLANNED)
def test_a_check_refuses_what_is_of_most_other_kinds(kind: str) -> None:
    """Some kinds hold others: a call beside other tools is `multiple`, whatever else it shows."""
    others = [record for other in PLANNED if other != kind for record in records_of(other, 1)]
    assert len(others) >= len(PLANNED) - 2
    refused = [record for record in others if complaints(record, kind)]
    assert len(refused) >= len(others) * 0.4
