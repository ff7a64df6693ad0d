"""Wording of values that are not said as they are called: expressions, and what a profile holds."""

from __future__ import annotations

from generator.authors.offline.referring import Phrase
from generator.authors.offline.replies import write_reply
from generator.authors.offline.requests import write_call_request
from generator.authors.offline.wordings.single_turn import PLAIN
from generator.authors.offline.wordings.wording import Wording
from generator.authors.offline.words import word_set
from generator.records.calls import Exchange
from generator.scenarios.scenario import Scenario

_ON = word_set("on")


def _expressing(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Ask with the everyday expression in the place of the value."""
    step = scenario.steps[len(history)]
    phrase = Phrase(str(scenario.claim["said"]), takes_noun=False, takes=_ON)
    return write_call_request(scenario, step.calls[0], 0, {step.parameters[0]: phrase})


def _referring(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Ask with "my ..." in the place of what the profile holds."""
    step = scenario.steps[len(history)]
    labels = scenario.claim["profile"]
    phrases = {name: Phrase(f"my {labels[name]}") for name in step.parameters}
    return write_call_request(scenario, step.calls[0], 0, phrases)


WORDINGS = {
    "canonicalization": Wording(_expressing, write_reply),
    "profile": Wording(_referring, write_reply),
    "long_context": Wording(_referring, write_reply),
    "many_tools": PLAIN,
}
