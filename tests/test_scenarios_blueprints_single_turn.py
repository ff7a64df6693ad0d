"""Single turns: wishes of one turn that are told at once are unlike each other."""

from __future__ import annotations

import orjson

from generator.domains.catalog import Catalog
from generator.domains.reading import read_domain
from generator.job import Job
from generator.pipeline import Producer
from tests.domain_examples import domain, tools

SEVERAL = {
    "many": [2, 3],
    "requests": ["Renew <each: {l} by {n} days>."],
    "replies": ["<each|sentences: {r.title} is due on {r.due_date|date}.>"],
}


def test_values_of_parallel_wishes_differ_where_there_are_others() -> None:
    whole = domain()
    (way, *_) = whole["tools"]["renew_loan"]["ways"]
    way["draw"]["n"] = {"from": [7, 14, 21]}
    way["parallel"] = SEVERAL
    read, faults = read_domain(whole, "library")
    assert read is not None, faults
    shown = tuple(tool.model_copy(update={"domain": "library"}) for tool in tools())
    producer = Producer(Job(seed=5, mix={"parallel": 1.0}, error_rate=0.0), Catalog(tools=shown, domains=(read,)))
    seen = 0
    for index in range(30):
        line = producer.produce(index).line
        calls = [call for m in orjson.loads(line)["messages"] for call in m.get("tool_calls", ())] if line else []
        days = [call["function"]["arguments"]["days"] for call in calls]
        assert len(set(days)) == len(days)
        seen += len(days) > 1
    assert seen > 10
