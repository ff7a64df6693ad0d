"""When a run stops, and what it gives up."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.backends.budget import NOTHING_SPENT
from generator.runs.giving_up import (
    MOST_FAILED_INDICES,
    MOST_FAILURES_AFTER_SUCCESS,
    MOST_FAILURES_BEFORE_SUCCESS,
    NOTHING_LEFT,
    ConsecutiveFailures,
    Exclusions,
    ExclusionsOfRounds,
)
from generator.runs.outcome import Outcome
from generator.runs.rows import StoredRow
from generator.runs.settling import Settling
from generator.scenarios.planner import Planner
from generator.tools import Tool
from generator.validation.verdict import Rejection, Violation


@pytest.mark.parametrize(
    ("ends", "repeats"),
    [
        ([], 48),
        ([("simple", True)], 48),
        ([("simple", False)], 24),
        ([("simple", False), ("simple", False)], 12),
        ([("parallel", False)], 48),
        ([("simple", False), ("parallel", True)], 24),
        ([("simple", False), ("simple", True)], 48),
        ([("simple", False)] * 40, 1),
    ],
)
def test_misses_of_a_kind_halve_what_is_tried_at_its_next_index(ends: list[tuple[str, bool]], repeats: int) -> None:
    assert ConsecutiveFailures.after(ends, 48).repeats("simple") == repeats


def test_a_run_stops_after_misses_of_all_kinds_in_a_row() -> None:
    misses = [("simple", False), ("parallel", False)] * (MOST_FAILED_INDICES // 2)
    assert ConsecutiveFailures.after(misses, 48).too_many
    assert not ConsecutiveFailures.after(misses[1:], 48).too_many
    assert not ConsecutiveFailures.after([*misses[1:], ("simple", True), misses[0]], 48).too_many


KINDS = ("simple", "parallel", "irrelevance", "multiple")
TOOLS = ("a", "b", "c")
ATTEMPTS = 48
LEADS = {
    name: Tool(name=name, description="", parameters={"type": "object"}, result_schema={}, result_origin="domain")
    for name in TOOLS
}


@dataclass
class FakePlanner:
    """Kinds by turns, another one after sixteen attempts; tools by turns, another one with each attempt."""

    mix: tuple[str, ...] = KINDS
    tool_names: tuple[str, ...] = TOOLS

    def kind_at(self, index: int, attempt: int = 0) -> str:
        return self.mix[(index + attempt // 16) % len(self.mix)]

    def lead_at(self, index: int, attempt: int = 0) -> Tool:
        name = self.tool_names[(index * 7 + attempt) % len(self.tool_names)]
        return LEADS[name]


PLANNER = FakePlanner()


def exclusions(planner: FakePlanner = PLANNER, said: list[str] | None = None) -> Exclusions:
    said = [] if said is None else said
    return Exclusions(cast(Planner, planner), ATTEMPTS, said.append)


def rejection(index: int, attempt: int, rule: str = "LM003", planner: FakePlanner = PLANNER) -> Rejection:
    tool = planner.lead_at(index, attempt).name
    found = Violation(rule=rule, pointer="", message="no JSON in it")
    return Rejection(
        index=index, attempt=attempt, kind=planner.kind_at(index, attempt), tools=(tool,), violations=(found,)
    )


Fails = Any
"""Says of an index and an attempt whether the answers are nonsense."""


class FakeMaker:
    """Makes every attempt that the exclusions allow, or all, where it knows of none."""

    def __init__(self, fails: Fails, known: Exclusions | None = None) -> None:
        self.fails, self.known = fails, known

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        rejections = []
        for attempt in range(first_attempt, ATTEMPTS):
            if self.known is not None and self.known.excludes(index, attempt):
                continue
            if not self.fails(index, attempt):
                called = PLANNER.lead_at(index, attempt).name
                statuses = () if PLANNER.kind_at(index, attempt) == "irrelevance" else ((called, "SUCCESS"),)
                kind = PLANNER.kind_at(index, attempt)
                return Outcome(index, attempt, kind, b"{}", b"", (), statuses, tuple(rejections))
            rejections.append(rejection(index, attempt))
            if self.known is not None:
                self.known.note(index, attempt, rejections[-1])
        return Outcome(index, ATTEMPTS - 1, PLANNER.kind_at(index), None, b"", (), (), tuple(rejections))


class Requests(dict[bytes, int]):
    """The requests of the records so far."""

    def with_request(self, key: bytes) -> int | None:
        return self.get(key)


def MANY(kind: str) -> int:  # noqa: N802 - a constant function
    return 100


Told = tuple[int, int, bool, tuple[int, ...]]


def told(outcome: Outcome) -> Told:
    attempts = tuple(each.attempt for each in outcome.rejections)
    return outcome.index, outcome.attempt, outcome.line is not None, attempts


def run(count: int, fails: Fails, ahead: int) -> tuple[list[Told], dict[tuple[str, str], str], list[Outcome]]:
    """Settle indices in order, each made when `ahead` before it were not settled yet."""
    known = exclusions()
    maker = FakeMaker(fails, known)
    settling = Settling(Requests(), maker, ATTEMPTS, known)
    made: dict[int, Outcome] = {}
    settled = []
    for index in range(count):
        for early in range(index, min(count, index + ahead + 1)):
            if early not in made:
                made[early] = maker.produce(early)
        outcome = settling.settled(made[index], MANY)
        settled.append(outcome)
    return [told(each) for each in settled], known.given_up, settled


@settings(deadline=None)
@given(
    st.sets(st.sampled_from(KINDS), max_size=3),
    st.sets(st.sampled_from(TOOLS), max_size=2),
    st.floats(0, 0.9),
    st.integers(0, 40),
    st.integers(0, 2**20),
)
def test_what_is_made_ahead_changes_nothing(
    kinds: set[str], tools: set[str], share: float, ahead: int, seed: int
) -> None:
    def fails(index: int, attempt: int) -> bool:
        nonsense = hash((seed, index, attempt)) % 1000 < 1000 * share
        return (
            PLANNER.kind_at(index, attempt) in kinds
            or (PLANNER.lead_at(index, attempt).name in tools and PLANNER.kind_at(index, attempt) != "irrelevance")
            or nonsense
        )

    alone, given_up, outcomes = run(30, fails, 0)
    assert run(30, fails, ahead)[:2] == (alone, given_up)
    later = exclusions()
    for stop in (0, 13, 30):
        rows = [
            StoredRow(each.index, None, each.line, each.attempt, each.kind, b"", each.rejections, each.spent)
            for each in outcomes[:stop]
        ]
        later.begin_from(rows, stop)
    assert later.given_up == given_up


def test_a_kind_that_never_served_is_given_up_after_a_few_attempts_and_told_once() -> None:
    said: list[str] = []
    known = exclusions(said=said)
    maker = FakeMaker(lambda index, attempt: PLANNER.kind_at(index, attempt) == "parallel", known)
    settling = Settling(Requests(), maker, ATTEMPTS, known)
    attempts = 0
    for index in range(40):
        outcome = settling.settled(maker.produce(index), MANY)
        attempts += len(outcome.rejections)
        assert outcome.line is not None
    assert attempts == MOST_FAILURES_BEFORE_SUCCESS
    assert list(known.given_up) == [("kind", "parallel")]
    assert len(said) == 1 and said[0].startswith("the kind parallel is given up")
    assert "LM003 no JSON in it" in said[0]


def test_one_that_has_served_is_tried_longer() -> None:
    known = exclusions()
    maker = FakeMaker(lambda index, attempt: PLANNER.kind_at(index, attempt) == "parallel" and index > 1, known)
    settling = Settling(Requests(), maker, ATTEMPTS, known)
    attempts = 0
    for index in range(40):
        outcome = settling.settled(maker.produce(index), MANY)
        attempts += len(outcome.rejections)
    assert attempts == MOST_FAILURES_AFTER_SUCCESS


def test_a_tool_is_given_up_where_it_fails_in_several_kinds() -> None:
    known = exclusions()
    bad = lambda index, attempt: (  # noqa: E731 - one line of a table
        PLANNER.lead_at(index, attempt).name == "b" and PLANNER.kind_at(index, attempt) != "irrelevance"
    )
    maker = FakeMaker(bad, known)
    settling = Settling(Requests(), maker, ATTEMPTS, known)
    for index in range(80):
        settling.settled(maker.produce(index), MANY)
    assert list(known.given_up) == [("tool", "b")]
    assert known.excludes(200, 0, ("b",)) and not known.excludes(200, 0, ("a",))


@pytest.mark.parametrize("rule", ["PL001", "RUN001", "LM002", "LM010", NOTHING_LEFT])
def test_what_is_no_answers_fault_gives_nothing_up(rule: str) -> None:
    known = exclusions()
    rejections = tuple(rejection(1, attempt, rule) for attempt in range(ATTEMPTS))
    assert known.admit(Outcome(1, 47, "parallel", None, b"", (), (), rejections)) == rejections
    assert known.given_up == {}


def test_the_last_kind_and_the_last_tool_stay() -> None:
    planner = FakePlanner(mix=("simple",), tool_names=("a",))
    known = exclusions(planner)
    for index in range(9):
        rejections = tuple(rejection(index, attempt, planner=planner) for attempt in range(ATTEMPTS))
        known.admit(Outcome(index, 47, "simple", None, b"", (), (), rejections))
    assert known.given_up == {}
    assert known.nothing_left(3, "simple").violations[0].rule == NOTHING_LEFT


def test_in_doubt_one_index_goes_on_alone_and_the_others_learn_what_came_of_it() -> None:
    """Twelve are at work on a kind that fails: after a few failures the first one is asked alone."""
    planner = FakePlanner(mix=("parallel", "simple"))

    async def work() -> tuple[int, list[bool]]:
        known = exclusions(planner)
        asked = 0

        async def one(index: int) -> bool:
            nonlocal asked
            for attempt in range(16):
                if not await known.turn(index, attempt):
                    return False
                asked += 1
                await asyncio.sleep(0.001)
                known.note(index, attempt, rejection(index, attempt, planner=planner))
            return True

        first, *others = (asyncio.create_task(one(2 * number)) for number in range(12))
        await asyncio.sleep(0.2)
        assert not any(each.done() for each in others)
        assert not await first, "it knows of its own attempts"
        rejections = tuple(rejection(0, attempt, planner=planner) for attempt in range(MOST_FAILURES_BEFORE_SUCCESS))
        outcome = Outcome(0, 16, "simple", b"{}", b"", (), (), rejections)
        assert known.admit(outcome) == rejections
        known.settle(outcome)
        return asked, await asyncio.gather(*others)

    asked, ends = asyncio.run(work())
    assert ends == [False] * 11
    assert asked <= 12 + MOST_FAILURES_BEFORE_SUCCESS


TRIES = 3


class Rounds:
    """Asks for records in rounds, each attempt as often as may be, of a model that never masters one kind."""

    def __init__(self, hopeless: str, rows: list[StoredRow]) -> None:
        self.hopeless, self.rows = hopeless, rows
        self.tries: dict[tuple[int, int], int] = {}
        self.indices = [index for index in range(9, 169) if PLANNER.kind_at(index) == hopeless]

    async def until_given_up(self) -> int:
        """Return the round in which the kind is given up."""
        for number in range(1, 60):
            known = ExclusionsOfRounds(cast(Planner, PLANNER), ATTEMPTS)
            known.begin_from(self.rows, self.indices[0])
            wanted = set(await self.settled(known))
            if known.given_up:
                return number
            wanted |= {each for each in known.decisive() if self.tries.get(each, 0) < TRIES}
            for each in wanted:
                self.tries[each] = self.tries.get(each, 0) + 1
        raise AssertionError("never given up")

    async def settled(self, known: ExclusionsOfRounds) -> list[tuple[int, int]]:
        """Settle what can be, and return what the others ask."""
        wanted, is_first = [], True
        for index in list(self.indices):
            outcome = await self.made(known, index)
            if isinstance(outcome, Outcome) and is_first:
                known.admit(outcome)
                known.settle(outcome)
                self.indices.remove(index)
                known.pass_over([], index + len(KINDS))
                rejections = outcome.rejections
                self.rows.append(StoredRow(index, None, b"{}", 16, "simple", b"", rejections, outcome.spent))
            else:
                is_first = False
                wanted += [outcome] if isinstance(outcome, tuple) else []
        return wanted

    async def made(self, known: ExclusionsOfRounds, index: int) -> Outcome | tuple[int, int] | None:
        """Return an outcome, or the attempt that is to be asked; None where the index has to wait for its turn."""
        rejections = []
        for attempt in range(ATTEMPTS):
            turn = asyncio.ensure_future(known.turn(index, attempt))
            await asyncio.sleep(0)
            if not turn.done():
                turn.cancel()
                return None
            if not turn.result():
                continue
            if PLANNER.kind_at(index, attempt) != self.hopeless:
                return Outcome(index, attempt, "simple", b"{}", b"", (), (), tuple(rejections))
            if self.tries.get((index, attempt), 0) < TRIES:
                return index, attempt
            rejections.append(rejection(index, attempt))
            known.note(index, attempt, rejections[-1])
        raise AssertionError("nothing is left")


@pytest.mark.parametrize("has_served", [False, True])
def test_in_rounds_the_attempts_that_decide_are_made_side_by_side(has_served: bool) -> None:
    rows = [StoredRow(1, None, b"{}", 0, "parallel", b"", (), NOTHING_SPENT)] if has_served else []
    asking = Rounds("parallel", rows)
    every = len(asking.indices)
    assert asyncio.run(asking.until_given_up()) == 2 * TRIES + 1
    most = MOST_FAILURES_AFTER_SUCCESS if has_served else MOST_FAILURES_BEFORE_SUCCESS
    assert len(asking.tries) <= every + 2 * most


def test_attempts_of_earlier_rounds_count_for_the_doubt() -> None:
    known = ExclusionsOfRounds(cast(Planner, PLANNER), ATTEMPTS)
    assert asyncio.run(known.turn(13, 0))
    for index in range(1, 1 + 4 * 3, 4):
        assert known.decisive() == []
        known.recall(index, (rejection(index, 0),), None)
    assert known.decisive() == [(13, attempt) for attempt in range(MOST_FAILURES_BEFORE_SUCCESS)]
    known.recall(2, (), 0)
    assert known.decisive() != []
    known.recall(41, (rejection(41, 0),), 1)
    assert known.decisive() == []
