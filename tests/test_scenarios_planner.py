"""A scenario is a function of the job, the catalog and its index alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest

from generator.assets import asset_folder
from generator.domains.catalog import Catalog
from generator.errors import JobError
from generator.formats.loading.tool_files import load_tools
from generator.job import Job
from generator.jsontext import JsonObject, dump_canonical
from generator.kinds import DEFAULT_MIX, KINDS
from generator.record import Producer
from generator.records import SUCCESS
from generator.scenarios.catalog_index import CatalogIndex
from generator.scenarios.planner import Planner, after_repeat, prepared, shortages, unseen
from generator.scenarios.scenario import PlanError
from generator.schemas.adm import ERROR_TYPES
from generator.tools import Tool
from tests.bundled import bundled

NOUNS = (
    "weather", "flight", "hotel", "recipe", "song", "invoice", "parcel", "doctor", "lawn", "movie", "stock", "museum",
    "battery", "garden", "ticket", "planet", "coffee", "castle", "engine", "violin", "harbor", "jacket", "lantern",
    "meadow", "needle", "orchid", "pepper", "quartz", "rocket", "saddle", "temple", "umbrella", "valley", "window",
)  # fmt: skip


def _tool(name: str, *, strict: bool | None = None, toolset: str = "", parameters: JsonObject | None = None) -> Tool:
    noun = name.rpartition("_")[2]
    return Tool(
        name=name,
        description=f"Look up the {noun} that a person named {noun}er wants.",
        parameters=parameters
        or {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "City."},
                "days": {"type": "integer", "minimum": 1, "maximum": 9, "description": "Days."},
                "unit": {"type": "string", "enum": ["metric", "imperial"], "description": "Unit."},
                "detailed": {"type": "boolean", "description": "Whether details are wanted."},
            },
            "required": ["city"],
        },
        strict=strict,
        toolset=toolset,
        result_schema={"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]},
        result_origin="domain",
    )


def _catalog(count: int) -> Catalog:
    return Catalog(tools=tuple(_tool(f"find_{noun}") for noun in NOUNS[:count]))


def _plan(planner: Planner, index: int) -> object:
    """What a plan fixes, its world by its digest; or why there is none."""
    try:
        plan = planner.plan(index)
    except PlanError as error:
        return str(error)
    parts = {field.name: getattr(plan, field.name) for field in fields(plan) if field.name != "world"}
    return {**parts, "world": plan.world.digest()}


def _shown(plan: object) -> set[str]:
    return {tool.name for tool in plan["tools"]} if isinstance(plan, dict) else set()


def test_a_scenario_does_not_depend_on_what_was_planned_before() -> None:
    catalog = _catalog(12)
    forward = [_plan(Planner(Job(seed=3), catalog), index) for index in (5, 70, 6)]
    planner = Planner(Job(seed=3, count=5000), catalog)
    assert [_plan(planner, index) for index in (6, 70, 5)] == forward[::-1]


def test_attempts_and_seeds_give_other_plans() -> None:
    catalog = _catalog(12)
    plans = [Planner(Job(seed=seed), catalog).plan(0, attempt) for seed in (1, 2) for attempt in (0, 1)]
    assert len({plan.seed for plan in plans}) == 4


def test_every_kind_is_laid_out_as_its_name_says() -> None:
    single = dict.fromkeys(("simple", "multiple", "parallel", "parallel_multiple", "irrelevance"), 1.0)
    planner = Planner(Job(seed=3, mix=single), _catalog(20))
    seen: Counter[str] = Counter()
    for index in range(200):
        plan = planner.plan(index)
        seen[plan.kind] += 1
        called = [call.tool.name for call in plan.calls]
        shown = [tool.name for tool in plan.tools]
        assert set(called) <= set(shown)
        assert len(set(shown)) == len(shown)
        expected = {
            "simple": len(called) == len(shown) == 1,
            "multiple": len(called) == 1 < len(shown),
            "parallel": len(called) > 1 == len(set(called)),
            "parallel_multiple": len(called) == len(set(called)) > 1,
            "irrelevance": not called and bool(shown),
        }
        assert expected[plan.kind], plan
    assert set(seen) == set(single) <= set(KINDS)


def test_parallel_calls_differ() -> None:
    planner = Planner(Job(seed=3, mix={"parallel": 1}), _catalog(5))
    for index in range(60):
        arguments = [dump_canonical(call.arguments) for call in planner.plan(index).calls]
        assert len(set(arguments)) == len(arguments)


def test_every_optional_parameter_and_enum_value_gets_its_turn() -> None:
    catalog = _catalog(6)
    planner = Planner(Job(seed=3, mix={"simple": 1}), catalog)
    seen: dict[str, set[str]] = {tool.name: set() for tool in catalog.tools}
    for index in range(240):
        for call in planner.plan(index).calls:
            for name, value in call.arguments.items():
                seen[call.tool.name].add(f"{name}={value}" if name in ("unit", "detailed") else name)
    wanted = {"city", "days", "unit=metric", "unit=imperial", "detailed=True", "detailed=False"}
    assert all(wanted == found for found in seen.values())


def test_each_way_of_a_tool_has_a_visit_of_its_own() -> None:
    """A window holds one record for each way in which a tool is wanted, so that small runs show them all."""
    planner = Planner(Job(seed=3, mix={"simple": 1}), _catalog(3))
    given: dict[str, set[frozenset[str]]] = {}
    for index in range(16):
        for call in planner.plan(index).calls:
            given.setdefault(call.tool.name, set()).add(frozenset(call.arguments))
    wanted = {frozenset({"city", *more}) for more in ((), ("days",), ("unit",), ("detailed",))}
    assert given == dict.fromkeys((f"find_{noun}" for noun in NOUNS[:3]), wanted)


def test_errors_come_at_the_rate_of_the_job() -> None:
    planner = Planner(Job(seed=3, error_rate=0.3, mix={"simple": 1}), _catalog(9))
    plans = [planner.plan(index) for index in range(400)]
    outcomes = Counter(call.outcome for plan in plans for call in plan.calls)
    assert set(outcomes) <= {SUCCESS, *ERROR_TYPES}
    assert 0.2 < 1 - outcomes[SUCCESS] / 400 < 0.4


@pytest.mark.parametrize(("count", "most"), [(9, 0.45), (20, 0.25)])
def test_a_new_tool_changes_few_scenarios(count: int, most: float) -> None:
    span = 400
    before, after = Planner(Job(seed=3), _catalog(count)), Planner(Job(seed=3), _catalog(count + 1))
    changed = sum(_plan(before, index) != _plan(after, index) for index in range(span))
    assert changed / span < most


def test_a_changed_tool_changes_only_the_scenarios_that_show_it() -> None:
    catalog = _catalog(20)
    changed = catalog.tools[4].model_copy(update={"description": f"{catalog.tools[4].description} Quickly."})
    other = Catalog(tools=(*catalog.tools[:4], changed, *catalog.tools[5:]))
    before, after = Planner(Job(seed=3), catalog), Planner(Job(seed=3), other)
    for index in range(300):
        old, new = _plan(before, index), _plan(after, index)
        assert old == new or changed.name in _shown(new)


def test_strict_tools_are_never_shown_beside_parallel_calls() -> None:
    tools = [_tool(f"find_{noun}", strict=number % 3 == 0) for number, noun in enumerate(NOUNS)]
    planner = Planner(Job(seed=3, mix={"parallel": 1, "parallel_multiple": 1}), Catalog(tools=tuple(tools)))
    plans = [plan for plan in (_plan(planner, index) for index in range(150)) if isinstance(plan, dict)]
    assert len(plans) > 100
    assert not any(tool.strict for plan in plans for tool in plan["tools"])


def test_only_tools_of_one_toolset_are_shown_together() -> None:
    tools = [_tool(f"find_{noun}", toolset=f"set{number % 3}") for number, noun in enumerate(NOUNS)]
    planner = Planner(Job(seed=3), Catalog(tools=tuple(tools)))
    plans = [plan for plan in (_plan(planner, index) for index in range(250)) if isinstance(plan, dict)]
    assert len(plans) > 200
    for plan in plans:
        assert len({tool.toolset for tool in plan["tools"]}) <= 1


def test_near_twins_are_no_alternatives() -> None:
    twin = _tool("find_weather").model_copy(update={"name": "search_weather"})
    catalog = Catalog(tools=(*_catalog(3).tools, twin))
    catalog_index = CatalogIndex(catalog)
    assert catalog_index.are_twins("find_weather", "search_weather")
    assert not catalog_index.are_twins("find_weather", "find_flight")
    planner = Planner(Job(seed=3, mix={"multiple": 1}), catalog)
    for index in range(80):
        shown = {tool.name for tool in planner.plan(index).tools}
        assert not {"find_weather", "search_weather"} <= shown


@pytest.mark.parametrize("kind", ["multiple", "parallel", "parallel_multiple", "nested", "profile"])
def test_a_kind_the_catalog_cannot_serve_gives_its_share_to_the_others(kind: str) -> None:
    alone = Catalog(tools=(_tool("find_weather", parameters={"type": "object", "properties": {}}),))
    planner = Planner(Job(mix={kind: 3, "simple": 1}), alone)
    assert planner.dropped == {kind: f"it needs {KINDS[kind].need}"}
    assert {planner.kind_at(index) for index in range(40)} == {"simple"}


@pytest.mark.parametrize("mix", [{"multiple": 1}, {"parallel": 1, "parallel_multiple": 2}, {"nested": 1, "simple": 0}])
def test_a_mix_of_nothing_the_catalog_can_serve_is_refused(mix: dict[str, float]) -> None:
    alone = Catalog(tools=(_tool("find_weather", parameters={"type": "object", "properties": {}}),))
    asked = [kind for kind, weight in mix.items() if weight]
    with pytest.raises(JobError, match="cannot serve what is asked for") as refusal:
        Planner(Job(mix=mix), alone)
    assert all(f"{kind}: it needs {KINDS[kind].need}" in str(refusal.value) for kind in asked)


def test_a_kind_that_never_comes_off_gives_its_index_to_another_after_many_attempts() -> None:
    planner = Planner(Job(mix={"parallel": 1, "irrelevance": 1, "simple": 1, "nested": 0}), _catalog(3))
    index = next(index for index in range(9) if planner.kind_at(index) == "parallel")
    assert {planner.kind_at(index, attempt) for attempt in range(16)} == {"parallel"}
    later = {planner.kind_at(index, attempt) for attempt in range(16, 160)}
    assert later == {"irrelevance", "simple"}
    alone = Planner(Job(mix={"parallel": 1}), _catalog(3))
    assert {alone.kind_at(0, attempt) for attempt in range(160)} == {"parallel"}


def test_the_default_mix_gives_what_is_not_served_to_the_others() -> None:
    alone = Catalog(tools=(_tool("find_weather", parameters={"type": "object", "properties": {}}),))
    planner = Planner(Job(), alone)
    without_partners_or_values = {"simple", "irrelevance", "chitchat", "no_tools", "error_report", "missing_function"}
    assert set(planner.mix) == without_partners_or_values
    assert set(planner.dropped) == set(DEFAULT_MIX) - without_partners_or_values
    assert all(reason.startswith("it needs ") for reason in planner.dropped.values())


def test_an_unknown_kind_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(JobError, match="did you mean parallel"):
        Planner(Job(mix={"paralel": 1}), _catalog(3))


def test_many_tools_that_are_much_alike_are_not_many() -> None:
    verbs = "check fetch find get give list look query read retrieve return search show".split()
    alike = tuple(_tool("find_weather").model_copy(update={"name": f"{verb}_weather"}) for verb in verbs)
    others = tuple(tool for tool in _catalog(13).tools if tool.name != "find_weather")
    assert len(alike + others) > 24
    assert "many_tools" in Planner(Job(), Catalog(tools=alike + others)).dropped
    assert "many_tools" in Planner(Job(), _catalog(30)).mix


COUNT = 60


def planned(planner: Planner, index: int) -> object:
    try:
        scenario = planner.plan(index)
    except PlanError as error:
        return str(error)
    return [step.request_text + step.reply_text for step in scenario.steps], scenario.system, scenario.seed


def test_what_was_tried_before_changes_no_plan() -> None:
    catalog = bundled()
    job = Job(name="trials", count=COUNT, seed=5, mix={"sequential": 1, "coreference": 1, "nested": 1})
    one, other = Planner(job, catalog), Planner(job, catalog)
    forth = [planned(one, index) for index in range(COUNT)]
    back = [planned(other, index) for index in reversed(range(COUNT))][::-1]
    assert all(one == other for one, other in zip(forth, back, strict=True))


@pytest.mark.slow
def test_what_other_jobs_have_tried_changes_no_plan() -> None:
    """The tools that came to nothing for one job are tried anew for another, which draws otherwise."""
    catalog = bundled().model_copy()
    mix = {"coreference": 1.0}
    alone = [planned(Planner(Job(seed=11, mix=mix), bundled().model_copy()), index) for index in range(4)]
    other = Planner(Job(seed=5, mix=mix), catalog)
    assert [planned(other, index) for index in range(8)]
    assert [planned(Planner(Job(seed=11, mix=mix), catalog), index) for index in range(4)] == alone


LAMP = {
    "name": "get_lamp",
    "description": "Get the state of a lamp.",
    "parameters": {
        "type": "object",
        "properties": {"room": {"type": "string", "enum": ["kitchen", "hall", "bedroom"]}},
        "required": ["room"],
    },
}


def lamp() -> Catalog:
    return Catalog(tools=tuple(load_tools([LAMP])))


@pytest.mark.parametrize(
    ("attempt", "attempts", "following"),
    [(0, 48, 3), (1, 48, 3), (2, 48, 3), (3, 48, 4), (47, 48, 48), (0, 4, 3), (0, 3, 1), (1, 3, 2), (0, 1, 1)],
)
def test_after_a_repeat_another_tool_takes_its_turn_where_attempts_are_left(
    attempt: int, attempts: int, following: int
) -> None:
    assert after_repeat(attempt, attempts) == following


def test_what_is_known_of_tools_is_prepared_once_until_it_changes(tmp_path: Path) -> None:
    for name in ("weather.json", "weather.domain.yaml"):
        (tmp_path / name).write_bytes((asset_folder("tool_specs") / name).read_bytes())
    first = prepared(load_tools(tmp_path / "weather.json").catalog)
    assert prepared(load_tools(tmp_path / "weather.json").catalog) is first
    domain = tmp_path / "weather.domain.yaml"
    domain.write_text(f"{domain.read_text()}# a comment says nothing\n")
    assert prepared(load_tools(tmp_path / "weather.json").catalog) is first
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for each in tmp_path.glob("weather.*"):
        (elsewhere / each.name).write_bytes(each.read_bytes())
    assert prepared(load_tools(elsewhere / "weather.json").catalog) is not first
    domain.unlink()
    assert prepared(load_tools(tmp_path / "weather.json").catalog) is not first


def test_after_a_repeat_another_tool_leads() -> None:
    planner = Planner(Job(count=400, seed=1, mix={"simple": 1.0}), bundled())
    leads = [[planner.lead_at(index, attempt).name for attempt in (0, 1, after_repeat(0, 48))] for index in range(400)]
    assert all(first == second for first, second, _ in leads)
    assert sum(first != after for first, _, after in leads) > 380


def test_a_kind_whose_requests_are_spent_is_told_with_about_as_many_as_there_are() -> None:
    job = Job(count=300, seed=1, mix={"simple": 1.0}, attempts=1)
    (short,) = shortages(Planner(job, lamp()), job.count)
    producer = Producer(job, lamp())
    made = [producer.produce(index) for index in range(job.count)]
    different = len({outcome.key for outcome in made if outcome.line is not None})
    assert (short.kind, short.asked) == ("simple", 300)
    assert different / 2 <= short.possible <= 2 * different
    assert str(short) == f"simple 300 (about {short.possible})"


@pytest.mark.parametrize("count", [10, 400])
def test_tools_with_enough_to_say_fall_short_of_nothing(count: int) -> None:
    job = Job(count=count, seed=1, mix={"simple": 1.0, "parallel": 1.0})
    assert shortages(Planner(job, bundled()), count) == []


def test_few_records_of_a_kind_are_not_worth_a_look() -> None:
    job = Job(count=19, seed=1, mix={"simple": 1.0})
    assert shortages(Planner(job, lamp()), job.count) == []


@pytest.mark.parametrize("many", [20, 200, 2_000])
def test_the_estimate_is_near_when_a_share_of_all_was_met(many: int) -> None:
    random = Random(many)
    sample = Counter(str(random.randrange(many)) for _ in range(many // 2))
    assert 0.6 * many <= unseen(sample) <= 1.6 * many


def test_what_was_never_met_is_not_there() -> None:
    assert unseen(Counter()) == 0
    assert unseen(Counter({"a": 9, "b": 7})) == 2
