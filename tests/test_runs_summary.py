"""The summary: figures that add up, and the status that belongs to them."""

from __future__ import annotations

from collections import Counter

import pytest

from generator.backends.budget import Price, Spent
from generator.job import Job
from generator.runs import tally
from generator.runs.identity import resolve
from generator.runs.outcome import Outcome
from generator.runs.summary import Asking, Status, Summary, summarize
from generator.runs.tally import Counts, count_outcome
from tests.run_fakes import rejection


def outcomes() -> Counts:
    counts: Counts = Counter()
    shown = ("get_weather", "get_time")
    statuses = (("get_weather", "SUCCESS"), ("get_weather", "RATE_LIMIT_EXCEEDED"))
    count_outcome(counts, Outcome(0, 1, "parallel", b"{}\n", b"a", shown, statuses, (rejection(0, 0, "parallel"),)))
    count_outcome(counts, Outcome(1, 0, "simple", b"{}\n", b"b", shown[:1], statuses[:1]))
    given_up = tuple(rejection(2, attempt, "simple") for attempt in range(3))
    count_outcome(counts, Outcome(2, 2, "simple", None, b"", (), (), given_up))
    return counts


def summary(count: int, stopped: Status | None = None) -> Summary:
    job = Job(count=count)
    asked = {"parallel": 1, "simple": count - 1}
    return summarize(job, resolve(job, "c"), outcomes(), asked=asked, not_served={}, stopped=stopped)


def test_the_figures_add_up() -> None:
    found = summary(3)
    assert (found.asked, found.decided, found.records, found.rejected) == (3, 3, 2, 4)
    assert found.record_yield == 0.3333
    assert found.kinds["parallel"].model_dump() == {"asked": 1, "kept": 1, "rejected": 1, "given_up": 0}
    assert found.kinds["simple"].model_dump() == {"asked": 2, "kept": 1, "rejected": 3, "given_up": 1}
    assert found.tools["get_weather"].model_dump() == {"shown": 2, "called": 3}
    assert found.tools["get_time"].model_dump() == {"shown": 1, "called": 0}
    assert found.rules["DF002"].model_dump() == {"rejected": 4, "tools": {"get_weather": 4}}
    assert (found.successes, found.errors) == (2, {"RATE_LIMIT_EXCEEDED": 1})
    assert (found.tokens.prompt, found.tokens.completion) == (0, 0)


@pytest.mark.parametrize(
    ("count", "stopped", "status", "code"),
    [
        (2, None, "complete", 0),
        (2, "interrupted", "complete", 0),
        (3, None, "incomplete", 1),
        (3, "terminated", "incomplete", 1),
        (5, "interrupted", "interrupted", 130),
        (5, "terminated", "terminated", 143),
    ],
)
def test_the_status_follows_from_the_figures(count: int, stopped: Status | None, status: str, code: int) -> None:
    found = summary(count, stopped)
    assert (found.status, found.exit_code) == (status, code)


def test_a_rule_counts_once_per_attempt() -> None:
    twice = rejection(0, 0, "simple")
    twice = twice.model_copy(update={"violations": twice.violations * 3, "tools": ("a", "a", "b")})
    counts: Counts = Counter()
    count_outcome(counts, Outcome(0, 0, "simple", None, b"", (), (), (twice,)))
    assert tally.topic(counts, tally.RULE) == {"DF002": 1}
    assert tally.topic(counts, tally.RULE_TOOL) == {"DF002\x1fa": 1, "DF002\x1fb": 1}


def test_plans_are_counted_apart_and_tokens_priced() -> None:
    plan = rejection(0, 0, "simple")
    plan = plan.model_copy(update={"violations": (plan.violations[0].model_copy(update={"rule": "PL001"}),)})
    counts: Counts = Counter()
    spent = Spent(prompt=1000, completion=200, answers=2)
    count_outcome(counts, Outcome(0, 1, "simple", b"{}\n", b"a", (), (), (plan, rejection(0, 1, "simple")), spent))
    job, given_up = Job(count=1), {("kind", "parallel"): "why", ("tool", "x"): "no", ("tool", "y"): "no"}
    found = summarize(
        job, resolve(job, "c"), counts, asked={}, not_served={}, asking=Asking("text", given_up, Price(2.0, 10.0))
    )
    assert (found.rejected, found.unplanned) == (2, 1)
    assert found.tokens.cost == 0.004
    assert found.given_up == {"kind": {"parallel": "why"}, "tool": {"x": "no", "y": "no"}}
    assert summary(3).tokens.cost is None


def test_nothing_made_yet_has_no_yield() -> None:
    job = Job(count=3)
    empty = summarize(job, resolve(job, "c"), Counter(), asked={}, not_served={}, stopped="interrupted")
    assert (empty.status, empty.record_yield) == ("interrupted", None)
