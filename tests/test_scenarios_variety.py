from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from generator.domains.catalog import Catalog
from generator.formats.loading.tool_files import load_tools
from generator.job import Job
from generator.record import Producer
from generator.scenarios.planner import Planner
from generator.scenarios.variety import shortages, unseen
from tests.bundled import bundled

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
