"""Wording of single turns: the request for the calls of the step, the answer that tells their results."""

from __future__ import annotations

from generator.authors.offline.replies import write_reply
from generator.authors.offline.requests import write_request
from generator.authors.offline.wordings.wording import Wording
from generator.records.calls import Exchange
from generator.scenarios.scenario import Scenario


def request(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Ask for the calls of the step."""
    return write_request(scenario, scenario.steps[len(history)])


PLAIN = Wording(request, write_reply)

WORDINGS = dict.fromkeys(("simple", "multiple", "parallel", "parallel_multiple"), PLAIN)
