"""Wording of clarifying kinds: the wish that lacks something, the question, the answer."""

from __future__ import annotations

import re

from generator.authors.author import NoDraft
from generator.authors.offline.fields import Field
from generator.authors.offline.objections import ask_between, point_out, tell_choice
from generator.authors.offline.plans import BOOK
from generator.authors.offline.questions import RULE, ask_for, fields_named, tell_values
from generator.authors.offline.referring import Phrase
from generator.authors.offline.replies import write_reply
from generator.authors.offline.requests import write_call_request
from generator.authors.offline.saying import Voice, draw_voice
from generator.authors.offline.wordings.wording import Wording
from generator.authors.offline.words import singular
from generator.records.calls import Exchange
from generator.scenarios.scenario import Scenario, Step
from generator.streams import stream

_PLACEHOLDER = re.compile(
    r" (in|at|for|from|to|of|on|by|around|near|with|about|under|within) (?:an?|the|one|some)"
    r" (?:[a-z-]+ ){0,2}?([a-z]+)(?= |[.?!,]|$)"
)
_FEWEST_WORDS = 3
_HALF = re.compile(r"\bbetween (?!.* and )|\b(?:to|from|and) another\b|\bone \w+ to another\b", re.IGNORECASE)


def _request(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    return _supply(scenario, step) if step.act == "supply" else _incomplete(scenario, step)


def _reply(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    if step.act != "ask":
        return write_reply(scenario, history)
    return ask_for(_fields(step), stream(scenario.seed, "ask"))


def _incomplete(scenario: Scenario, step: Step) -> str:
    """Write the wish without what is missing, and without the words that hold its place ("in a city")."""
    text = write_call_request(scenario, step.about[0])
    text = _without_placeholders(text, _fields(step))
    if _HALF.search(text) or len(text.split()) < _FEWEST_WORDS:
        raise NoDraft(RULE, f"'{step.about[0].tool.name}' reads broken without {', '.join(step.parameters)}")
    return text


def _without_placeholders(text: str, missing: list[Field]) -> str:
    heads = frozenset().union(*(field.heads for field in missing))

    def given_way(match: re.Match[str]) -> str:
        if singular(match[2]) not in heads:
            return match[0]
        return match[0] if match[1] == "of" else ""

    text = _PLACEHOLDER.sub(given_way, text)
    for field in missing:
        text = re.sub(rf" (?:in|at|for|from|to|on|by|with|of) {re.escape(field.noun)}(?= |[.?!,])", "", text)
    return text


def _supply(scenario: Scenario, step: Step) -> str:
    return tell_values(_fields(step), step.calls[0].arguments, voice_of(scenario, "supply"))


def _fields(step: Step) -> list[Field]:
    return fields_named(BOOK.fields(step.about[0].tool), step.parameters)


def voice_of(scenario: Scenario, label: str) -> Voice:
    """Draw how the user speaks in a short answer."""
    return draw_voice(stream(scenario.seed, label), scenario.reference_date if scenario.states_date else None)


def _refused_request(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    if step.act == "supply":
        return _supply(scenario, step)
    said = scenario.claim.get("said")
    phrases = {step.parameters[0]: Phrase(said, takes_noun=False)} if isinstance(said, str) else None
    if phrases is None:
        return write_call_request(scenario, step.about[0])
    return write_call_request(scenario, scenario.calls[0], phrases=phrases)


def _refused_reply(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    if step.act != "ask":
        return write_reply(scenario, history)
    name = step.parameters[0]
    schema, said = step.about[0].tool.parameters["properties"][name], scenario.claim.get("said")
    random = stream(scenario.seed, "ask")
    return point_out(_fields(step)[0], step.about[0].arguments[name], said, schema, random)


def _read_two_ways(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    if step.act == "supply":
        return tell_choice(_fields(step)[0], step.calls[0].arguments[step.parameters[0]], voice_of(scenario, "choice"))
    phrase = Phrase(scenario.claim["said"], takes_noun=False)
    return write_call_request(scenario, scenario.calls[0], phrases={step.parameters[0]: phrase})


def _asked_between(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    if step.act != "ask":
        return write_reply(scenario, history)
    return ask_between(_fields(step)[0], scenario.claim["readings"], voice_of(scenario, "choice"))


WORDINGS = {
    "missing_parameter": Wording(_request, _reply),
    "invalid_value": Wording(_refused_request, _refused_reply),
    "ambiguous": Wording(_read_two_ways, _asked_between),
}
