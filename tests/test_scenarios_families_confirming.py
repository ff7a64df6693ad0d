"""Blueprints of confirmation: asked first, called after a yes, and never after a no."""

from __future__ import annotations

import pytest

from generator.job import Job
from generator.scenarios.families.confirming import writes
from generator.scenarios.planner import Planner
from generator.validation.kinds.confirming import _DEMAND
from tests.kind_records import bundled
from tests.replies_fixtures import make_tool

COUNT = 80
TEXT = {"type": "string"}


def test_every_record_asks_first_and_calls_after_a_yes_alone() -> None:
    planner = Planner(Job(count=COUNT, seed=5, mix={"confirm_before_write": 1.0}), bundled())
    answers = []
    for scenario in map(planner.plan, range(COUNT)):
        wish, question, answer, end = scenario.steps
        assert wish.request and not wish.calls and question.reply and answer.request and end.reply
        assert wish.about == question.about and writes(wish.about[0].tool)
        assert bool(answer.calls) is (scenario.claim["answer"] == "yes") is (answer.act == "agree")
        assert _DEMAND.search(scenario.system)
        assert scenario.states_date is ("2026" in scenario.system)
        answers.append(scenario.claim["answer"])
    assert COUNT * 0.1 < answers.count("no") < COUNT * 0.45


@pytest.mark.parametrize(
    ("name", "changes"),
    [("create_order", True), ("send_email", True), ("delete_file", True), ("pay_bill", True), ("book_room", True),
     ("get_order", False), ("search_files", False), ("calculate_tax", False), ("convert_units", False)],
)  # fmt: skip
def test_what_changes_something_is_confirmed(name: str, changes: bool) -> None:
    assert writes(make_tool(name, properties={"name": TEXT})) is changes
    assert not writes(make_tool(name))
