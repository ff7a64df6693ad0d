"""Plans of the kinds without a call, and of those in which the right tool has to be chosen."""

from __future__ import annotations

from generator.scenarios.kinds import KINDS
from tests.kind_records import bundled
from tests.test_scenarios_families_clarifying import plans


def test_no_tool_is_shown_and_no_system_message_speaks_of_any() -> None:
    made = plans("no_tools")
    assert {step.act for plan in made for step in plan.steps} == {"answer", "decline"}
    assert not [plan for plan in made if plan.tools or plan.calls or "function" in plan.system]


def test_small_talk_shows_tools_and_parts_now_and_then() -> None:
    made = plans("chitchat")
    assert not [plan for plan in made if not plan.tools or plan.calls]
    assert {len(plan.steps) for plan in made} == {2, 4}


def test_records_without_a_call_count_for_no_tool() -> None:
    assert not [name for name in ("irrelevance", "no_tools", "chitchat") if KINDS[name].calls]


def test_near_twins_are_shown_beside_the_one_that_is_called() -> None:
    for plan in plans("similar_tools"):
        assert 2 <= len(plan.tools) <= 4
        assert plan.calls[0].tool in plan.tools


def test_what_is_taken_away_is_shown_and_named_in_the_system_message() -> None:
    names = {tool.name for tool in bundled().tools}
    for plan in plans("missing_function"):
        function = plan.claim["function"]
        assert function in plan.system
        assert plan.calls[0].tool.name == function
        assert [step.act for step in plan.steps] == ["wish", "lack", "enable", ""]
        assert [name for name in names if name in plan.system.replace(".", " ").replace(";", " ").split()] == [function]
