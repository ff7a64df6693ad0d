"""Settling: repeats of earlier requests, whether they are left off in time or found late."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from generator.backends.budget import Spent
from generator.runs.outcome import Outcome
from generator.runs.settling import DUPLICATE, Settling
from generator.validation.verdict import Rejection, Violation

ATTEMPTS = 6
COST = Spent(prompt=10, completion=1)


def rejection(index: int, attempt: int, rule: str = "LM003") -> Rejection:
    violation = Violation(rule=rule, pointer="", message="no JSON in it")
    return Rejection(index=index, attempt=attempt, kind="simple", tools=("a",), violations=(violation,))


class Requests(dict[bytes, int]):
    """The requests of the records so far."""

    def with_request(self, key: bytes) -> int | None:
        return self.get(key)


class Making:
    """Makes attempts whose requests may repeat, and which may fail before their request is written, or after it."""

    def __init__(self, plan: list[list[tuple[int, str]]], taken: Requests) -> None:
        self.plan, self.taken = plan, taken
        self.left_off = 0

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        rejections: list[Rejection] = []
        requests: list[bytes] = []
        for attempt in range(first_attempt, ATTEMPTS):
            request, end = self.plan[index][attempt]
            key = bytes([request + 1])
            found = Outcome(index, attempt, "simple", None, key, (), (), tuple(rejections))
            found = replace(found, requests=tuple(requests), planned=("a",))
            if end != "unwritten" and key in self.taken:
                self.left_off += 1
                return found
            if end == "passes":
                return replace(found, line=b"{}\n")
            rejections.append(rejection(index, attempt))
            requests.append(b"" if end == "unwritten" else key)
        nothing = Outcome(index, ATTEMPTS - 1, "simple", None, b"", (), (), tuple(rejections))
        return replace(nothing, requests=tuple(requests))


def run(plan: list[list[tuple[int, str]]], ahead: int, most: int) -> tuple[list[Outcome], int]:
    """Settle indices in order, each made when `ahead` before it were not settled yet."""
    taken = Requests()
    maker = Making(plan, taken)
    settling = Settling(taken, maker, ATTEMPTS)
    made: dict[int, Outcome] = {}
    settled: list[Outcome] = []
    for index in range(len(plan)):
        for early in range(index, min(len(plan), index + ahead + 1)):
            if early not in made:
                made[early] = maker.produce(early)
        outcome = settling.settled(made[index], lambda kind: most)
        if outcome.line is not None:
            taken[outcome.key] = index
        settled.append(replace(outcome, requests=(), planned=()))
    return settled, maker.left_off


ENDS = st.sampled_from(["passes", "passes", "fails late", "unwritten"])
PLANS = st.lists(
    st.lists(st.tuples(st.integers(0, 3), ENDS), min_size=ATTEMPTS, max_size=ATTEMPTS), min_size=1, max_size=8
)


@settings(deadline=None)
@given(PLANS, st.integers(1, 8), st.integers(1, 4))
def test_when_a_repeat_is_found_changes_nothing(plan: list[list[tuple[int, str]]], ahead: int, most: int) -> None:
    assert run(plan, ahead, most)[0] == run(plan, 0, most)[0]


def test_a_repeat_is_left_off_and_told_by_the_record_it_repeats() -> None:
    plan = [[(0, "passes")] * ATTEMPTS, [(0, "fails late"), *[(1, "passes")] * (ATTEMPTS - 1)]]
    outcomes, left_off = run(plan, 0, 48)
    assert left_off == 1
    (repeat,) = outcomes[1].rejections
    assert (repeat.violations[0].rule, repeat.violations[0].message) == (DUPLICATE, "the request is that of record 0")
    assert (outcomes[1].attempt, outcomes[1].line) == (3, b"{}\n"), "the next one is of another tool"
    assert run(plan, 1, 48)[0] == outcomes
    late = run(plan, 1, 1)[0][1]
    assert (late.line, late.attempt, len(late.rejections)) == (None, 0, 1)


def test_a_repeat_tells_its_request_and_where_it_is_from() -> None:
    repeat = Outcome(5, 0, "simple", None, b"x", (), (), planned=("a",), request="Hi", origins=("tools/a/ways/0",))
    settled = Settling(Requests({b"x": 3}), Making([], Requests()), ATTEMPTS).settled(repeat, lambda kind: 1)
    (told,) = settled.rejections
    assert (told.request, told.origins) == ("Hi", ("tools/a/ways/0",))


def test_what_repeats_have_cost_is_wasted() -> None:
    taken = Requests({b"x": 3})
    repeat = replace(Outcome(5, 0, "simple", None, b"x", (), ()), spent=COST, planned=("a",))

    class Again:
        def produce(self, index: int, first_attempt: int = 0) -> Outcome:
            return replace(Outcome(index, first_attempt, "simple", b"{}", b"y", (), ()), spent=COST)

    settled = Settling(taken, Again(), ATTEMPTS).settled(repeat, lambda kind: 2)
    assert (settled.attempt, settled.spent.prompt, settled.spent.wasted_prompt) == (3, 20, 10)
