"""Variety: how many different requests the tools of a job can be given, estimated before anything is made."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import isqrt

from generator.scenarios.planner import Planner
from generator.scenarios.scenario import PlanError, Scenario

_FEWEST = 20
"""Records of a kind for which it is worth while to look."""
_SURE = 3
"""Requests that must come again before anything is concluded from it."""


@dataclass(frozen=True, slots=True)
class Shortage:
    """A kind for which the tools can be given fewer different requests than records are asked for."""

    kind: str
    asked: int
    possible: int
    """An estimate, rather too low than too high."""

    def __str__(self) -> str:
        return f"{self.kind} {self.asked:,} (about {self.possible:,})"


def shortages(planner: Planner, count: int) -> list[Shortage]:
    """Return the kinds that fall short, by some plans of the first `count` records.

    No two records of a run have the same request, so a kind ends where its requests are spent.
    """
    found = []
    for kind, met in _requests(planner, count).items():
        asked, possible = planner.counts(count)[kind], unseen(met)
        if met.total() - len(met) >= _SURE and possible < asked:
            found.append(Shortage(kind, asked, possible))
    return found


def unseen(met: Counter[str]) -> int:
    """Estimate how many different things there are, by how often each was met among some (Chao's estimate)."""
    once, twice = (sum(1 for many in met.values() if many == times) for times in (1, 2))
    return len(met) + once * (once - 1) // (2 * (twice + 1))


def _requests(planner: Planner, count: int) -> dict[str, Counter[str]]:
    """Return the requests of some plans of each kind: more plans where more are asked for, by the square root."""
    wanted = {kind: isqrt(9 * asked // 4) + 4 for kind, asked in planner.counts(count).items() if asked >= _FEWEST}
    found: dict[str, Counter[str]] = {kind: Counter() for kind in wanted}
    left = Counter(wanted)
    for index in range(count):
        if not left:
            break
        kind = planner.kind_at(index)
        if kind in left:
            left -= Counter({kind: 1})
            try:
                found[kind][_request(planner.plan(index))] += 1
            except PlanError:
                continue
    return found


def _request(scenario: Scenario) -> str:
    return "\n".join(step.request_text.casefold() for step in scenario.steps if step.request)
