"""Plans of the clarifying kinds: what is said, asked and supplied, step by step."""

from __future__ import annotations

import pytest

from generator.job import Job
from generator.scenarios.planner import Planner
from generator.scenarios.scenario import Scenario
from generator.scenarios.sketch import PlanError
from generator.domains.catalog import Catalog
from tests.kind_records import bundled
from tests.replies_fixtures import make_tool

COUNT = 40


def plans(kind: str, catalog: Catalog | None = None) -> list[Scenario]:
    """Plans of one kind over the bundled tools, without those that cannot be made."""
    planner = Planner(Job(seed=5, mix={kind: 1}), catalog or bundled())
    made = []
    for index in range(COUNT):
        try:
            made.append(planner.plan(index))
        except PlanError:
            continue
    assert len(made) > COUNT * 0.7
    return made


@pytest.mark.parametrize("kind", ["missing_parameter", "invalid_value", "ambiguous"])
def test_the_wish_comes_first_then_a_question_an_answer_and_the_call(kind: str) -> None:
    for plan in plans(kind):
        assert [step.act for step in plan.steps] == ["wish", "ask", "supply", ""]
        assert [len(step.calls) for step in plan.steps] == [0, 0, 1, 0]
        assert plan.calls[0].tool in plan.tools


def test_what_is_missing_is_required_and_something_else_is_said() -> None:
    for plan in plans("missing_parameter"):
        missing, call, said = plan.claim["missing"], plan.calls[0], plan.steps[0].about[0]
        assert 1 <= len(missing) <= 2
        assert set(missing) <= set(call.tool.parameters["required"])
        assert list(plan.steps[0].parameters) == missing
        assert said.arguments
        assert said.arguments == {name: value for name, value in call.arguments.items() if name not in missing}


def test_what_belongs_together_is_missing_together() -> None:
    text = {"type": "string"}
    names = ("owner", "repo", "issue", "note")
    tool = make_tool("get_issue", "Get an issue.", properties=dict.fromkeys(names, text), required=names)
    for plan in plans("missing_parameter", Catalog(tools=(tool,))):
        assert len({"owner", "repo"} & set(plan.claim["missing"])) in (0, 2)


def test_one_value_is_refused_and_the_rest_is_kept() -> None:
    for plan in plans("invalid_value"):
        name, wished, call = plan.claim["parameter"], plan.steps[0].about[0], plan.calls[0]
        assert wished.arguments[name] == plan.claim["refused"] != call.arguments[name]
        assert {**wished.arguments, name: 0} == {**call.arguments, name: 0}


def test_what_can_be_read_in_two_ways_is_called_in_one() -> None:
    for plan in plans("ambiguous"):
        if "tools" in plan.claim:
            assert plan.claim["tools"] == sorted(call.tool.name for call in plan.steps[1].about)
        else:
            assert plan.calls[0].arguments[plan.claim["parameter"]] in plan.claim["readings"]


@pytest.mark.parametrize("kind", ["missing_parameter", "invalid_value", "ambiguous"])
def test_a_catalog_without_the_ability_says_so(kind: str) -> None:
    catalog = Catalog(tools=(make_tool("ping", "Ping."),))
    planner = Planner(Job(mix={"simple": 1}), catalog)
    assert planner.mix == {"simple": 1}
    with pytest.raises(Exception, match=f"{kind}: it needs"):
        Planner(Job(mix={kind: 1}), catalog)
