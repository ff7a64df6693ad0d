"""Blueprints of dependent calls: what is left to the first result, and what both calls share."""

from __future__ import annotations

import pytest
from orjson import loads

from generator.errors import JobError
from generator.job import Job
from generator.scenarios.families.dependent import RANKED, helping
from generator.scenarios.planner import Planner
from generator.scenarios.scenario import Best, Scenario
from generator.scenarios.sketch import PlanError
from generator.scenarios.stock import Stock
from generator.domains.catalog import Catalog
from tests.kind_records import bundled, records_of, turns
from tests.record_examples import WEATHER

COUNT = 60


def plans(kind: str) -> list[Scenario]:
    planner = Planner(Job(count=COUNT, seed=5, mix={kind: 1.0}), bundled())
    made = []
    for index in range(COUNT):
        try:
            made.append(planner.plan(index))
        except PlanError:  # an attempt may fail; the planner is asked for another one then
            continue
    assert len(made) > COUNT * 0.8
    return made


@pytest.mark.parametrize("kind", ["sequential", "nested"])
def test_two_calls_follow_each_other_and_the_second_waits_for_the_first(kind: str) -> None:
    for scenario in plans(kind):
        asked, going_on, told = scenario.steps
        (first,), (second,) = asked.calls, going_on.calls
        assert asked.request and not going_on.request and told.reply
        assert not first.links and second.links and first.outcome == "SUCCESS"
        assert asked.about == (second,)
        assert not {link.parameter for link in second.links} & second.arguments.keys()
        assert {first.tool.name, second.tool.name} <= {tool.name for tool in scenario.tools}
        assert scenario.claim["carried"] == sorted(link.parameter for link in second.links)


def test_what_both_calls_take_is_the_same() -> None:
    for scenario in plans("sequential"):
        (first,), (second,) = scenario.steps[0].calls, scenario.steps[1].calls
        for name in ("city", "check_in_date", "nights", "date", "duration_minutes", "attendees"):
            if name in first.arguments and name in second.arguments:
                assert first.arguments[name] == second.arguments[name]


def test_a_list_is_chosen_from_by_its_first_entry_or_its_best() -> None:
    ways = {type(key) for scenario in plans("sequential") for link in scenario.calls[1].links for key in link.path}
    assert ways == {str, int, Best}
    for scenario in plans("nested"):
        best = [key for link in scenario.calls[1].links for key in link.path if not isinstance(key, str)]
        assert all(isinstance(key, Best) and key.most in RANKED[key.field] for key in best)


def test_help_is_never_a_deed() -> None:
    stock = Stock(bundled())
    givers = {stock.tools[chain.giver].name for key in stock.chains.linked for chain in helping(stock, key)}
    assert "search_hotels" in givers and "get_order_status" in givers
    assert not [name for name in givers if name.startswith(("book", "create", "add", "send"))]


@pytest.mark.parametrize("kind", ["sequential", "nested"])
def test_a_catalog_without_chains_says_what_it_lacks(kind: str) -> None:
    with pytest.raises(JobError, match=f"{kind}: it needs a tool .*an id"):
        Planner(Job(count=1, mix={kind: 1.0}), Catalog(tools=(WEATHER,)))


def test_the_flight_that_was_found_is_the_flight_whose_status_is_told() -> None:
    checked = 0
    for record in records_of("sequential", 60, 5):
        told = {message["name"]: loads(message["content"]) for message in turns(record, "tool")}
        status = told.get("get_flight_status", {})
        for flight in told.get("search_flights", {}).get("flights", ()):
            if flight["flight_number"] == status.get("flight_number"):
                assert flight["departure_time"] == status["departure_time"]
                checked += 1
    assert checked
