"""What an inventing model is told of the world: what the called tools deal with, and no more than a page of it."""

from __future__ import annotations

from functools import cache

from generator.assets import asset_folder
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.jsontext import JsonObject, dump_compact
from generator.scenarios.planner import Planner
from generator.scenarios.results import as_planned, brought, world_after
from generator.scenarios.scenario import PlanError, PlannedCall, Scenario
from generator.scenarios.world_excerpt import at_hand, excerpt, fresh_calls
from tests.bundled import bundled
from tests.empty_worlds import empty_world
from tests.tables import each_row
from tests.test_authors_llm_author import DINNER, ONE, WEATHER


@cache
def planner(author: str = "llm", freedom: str = "world", kind: str = "simple") -> Planner:
    job = Job.model_validate({"author": author, "freedom": freedom, "seed": 4, "mix": {kind: 1.0}})
    return Planner(job, bundled())


def plans(planned: Planner, count: int = 60) -> list[Scenario]:
    found = []
    for index in range(count):
        try:
            found.append(planned.plan(index))
        except PlanError:
            continue
    return found


def test_an_empty_world_has_nothing_to_show() -> None:
    assert excerpt(ONE) == []
    assert empty_world().program.domain.tools == {}


def test_what_a_call_names_is_among_what_is_shown() -> None:
    parcels = load_catalog([asset_folder("tool_specs") / "parcels.json"]).catalog
    planned = Planner(Job(author="llm", seed=4, mix={"simple": 1.0}), parcels)
    about_one = [each for each in plans(planned, 200) if "tracking_number" in each.calls[0].arguments]
    assert about_one
    for each in about_one:
        shown: list[JsonObject] = [row for entry in excerpt(each) for row in entry["rows"]]
        assert each.calls[0].arguments["tracking_number"] in [value for row in shown for value in row.values()]


def test_what_is_shown_stays_short() -> None:
    longest = max(len(dump_compact(excerpt(each))) for each in plans(planner()))
    assert 1_000 < longest < 12_000


def test_values_at_hand_are_the_plain_ones_of_the_plan() -> None:
    tagged = PlannedCall(WEATHER, {"city": "Oslo", "alerts": True, "tags": ["a"], "note": "n" * 100})
    assert at_hand([tagged, DINNER, tagged]) == {
        "city": ["Oslo"], "restaurant": ["Luigi's"], "guests": [2], "day": ["2026-01-20"]
    }  # fmt: skip


@each_row(
    ("author", "freedom", "kind", "free"),
    [
        ("llm", "world", "simple", True),
        ("llm", "world", "parallel", True),
        ("llm", "world", "many_tools", True),
        ("llm", "world", "sequential", True),
        ("llm", "world", "nested", True),
        ("llm", "world", "multi_turn", True),
        ("llm", "world", "coreference", True),
        ("llm", "world", "error_recovery", False),
        ("llm", "plan", "sequential", False),
        ("llm", "plan", "simple", False),
        ("offline", "world", "simple", False),
    ],
)
def test_a_model_is_free_where_nothing_hangs_on_the_planned_values(
    author: str, freedom: str, kind: str, free: bool
) -> None:
    found = plans(planner(author, freedom, kind), 20)
    assert found
    asking = [each for each in found if any(step.act == "confirm" for step in each.steps)]
    assert {each.free for each in found if each not in asking} == {free}
    assert not any(each.free for each in asking)


def test_whoever_invents_is_told_the_day() -> None:
    assert all(
        str(each.reference_date.year) in each.system and each.states_date for each in plans(planner()) if each.free
    )


def test_what_results_bring_and_what_was_met_is_not_at_hand() -> None:
    """Of another thing than the plan's, its id and what was said of it are others, too."""
    some = 0
    for each in plans(planner(kind="nested")):
        for names, call in zip(brought(each, 1), each.steps[1].calls, strict=True):
            assert names
            (*_, fresh) = [one for one in fresh_calls(each, 0) if one.tool is call.tool]
            assert not set(names) & set(fresh.arguments) and set(fresh.arguments) <= set(call.arguments)
            some += bool(fresh.arguments)
    assert some > 10
    for each in plans(planner(kind="coreference")):
        place = next(place for place, step in enumerate(each.steps) if step.request and place)
        met = {str(value) for step in each.steps[:place] for call in step.calls for value in call.arguments.values()}
        assert not met & {str(value) for call in fresh_calls(each, place) for value in call.arguments.values()}


def test_things_are_shown_as_they_are_now() -> None:
    """What an earlier turn has changed is told with its new values, never with the old ones."""
    changed = 0
    for each in plans(planner(kind="multi_turn"), 200):
        (*_, place) = [place for place, step in enumerate(each.steps) if step.request]
        happened = as_planned(each, place)
        now = world_after(each, happened)
        rows: list[JsonObject] = [row for entry in excerpt(each, happened) for row in entry["rows"]]
        for before, after in now.changes:
            if before is None or after is None:
                continue
            shown = [row for row in rows if now.id_of(after.ref) in row.values()]
            for key in [key for row in shown for key in row if before.get(key) != after.get(key)]:
                assert [row[key] for row in shown if key in row] == [after.get(key)]
                changed += 1
    assert changed > 5
