"""Wording of clarifying kinds: the wish that lacks something, the question, the answer."""

from __future__ import annotations

import re

from generator.authors.author import NoDraft
from generator.authors.offline.fields import Field
from generator.authors.offline.objections import ask_between, point_out, tell_choice
from generator.authors.offline.plans import BOOK
from generator.authors.offline.questions import RULE, ask_for, fields_named, say_alone, tell_values, thing_of
from generator.authors.offline.referring import Phrase
from generator.authors.offline.replies import write_reply
from generator.authors.offline.replies_actions import action
from generator.authors.offline.requests import write_call_request
from generator.authors.offline.saying import Voice, draw_voice
from generator.authors.offline.wordings.wording import Wording
from generator.authors.offline.words import join_and, singular, upper_first
from generator.records.calls import Exchange
from generator.scenarios.scenario import Scenario, Step
from generator.streams import stream
from generator.tools.tool import Tool

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
    if "tools" in scenario.claim:
        return _choose_a_tool(scenario, step) if step.act == "supply" else _name_a_thing(scenario, step)
    if step.act == "supply":
        return tell_choice(_fields(step)[0], step.calls[0].arguments[step.parameters[0]], voice_of(scenario, "choice"))
    phrase = Phrase(scenario.claim["said"], takes_noun=False)
    return write_call_request(scenario, scenario.calls[0], phrases={step.parameters[0]: phrase})


def _asked_between(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    if step.act != "ask":
        return write_reply(scenario, history)
    if "tools" in scenario.claim:
        first, second = _deeds(step.about[0].tool, step.about[1].tool)
        return stream(scenario.seed, "ask").choice(_DEEDS).format(first=first, second=second)
    return ask_between(_fields(step)[0], scenario.claim["readings"], voice_of(scenario, "choice"))


def _name_a_thing(scenario: Scenario, step: Step) -> str:
    """Say what the wish is about and leave open what is to be done."""
    call = step.about[0]
    fields = fields_named(BOOK.fields(call.tool), list(call.arguments))
    voice = voice_of(scenario, "thing")
    if len(fields) > _MOST_NAMED:
        raise NoDraft(RULE, f"'{call.tool.name}' needs more than people name at once")
    said = {field.kind: call.arguments[field.name] for field in fields if field.kind in _REPOSITORY}
    if len(said) == len(_REPOSITORY):
        fields = [field for field in fields if field.kind not in _REPOSITORY]
    told = [f"the repository {said['owner']}/{said['repo']}"] if len(said) == len(_REPOSITORY) else []
    told += [_named(field, say_alone(field, call.arguments[field.name], voice)) for field in fields]
    return voice.stream.choice(_THINGS).format(join_and(told))


def _named(field: Field, said: str) -> str:
    return said if field.kind in _NAMING else f"the {thing_of(field)} {said}"


def _deeds(first: Tool, second: Tool) -> tuple[str, str]:
    """Say in few words what each of two tools does, in more where few are the same."""
    short = (action(first).phrase, action(second).phrase)
    if short[0] != short[1] and all(len(phrase.split()) > 1 and "that" not in phrase.split() for phrase in short):
        return short
    long = (action(first).offer, action(second).offer)
    if not all(long) or long[0] == long[1]:
        raise NoDraft(RULE, f"'{first.name}' and '{second.name}' have no words that tell them apart")
    return long


def _choose_a_tool(scenario: Scenario, step: Step) -> str:
    deed = _deeds(step.about[0].tool, step.about[1].tool)[0]
    return upper_first(stream(scenario.seed, "choose").choice(_CHOSEN).format(deed))


_MOST_NAMED = 3
_REPOSITORY = ("owner", "repo")
_NAMING = ("place", "person", "email", "url", "path")
"""Kinds whose values need no noun before them."""
_THINGS = (
    "It's about {}.", "I need help with {}.", "Could you do something about {}?", "I'm calling about {}.",
    "Can you take care of {}?", "I have a request about {}.", "I need something for {}.",
    "Can you help me with {}?", "My question is about {}.",
)  # fmt: skip
_DEEDS = (
    "Should I {first}, or {second}?", "Would you like me to {first} or to {second}?", "Shall I {first}, or {second}?",
    "I can {first}, or I can {second}. Which do you want?", "Do you want me to {first}, or to {second}?",
    "What should I do: {first}, or {second}?",
)  # fmt: skip
_CHOSEN = ("{}, please.", "Please {}.", "I'd like you to {}.", "{}.", "{}, thanks.")


WORDINGS = {
    "missing_parameter": Wording(_request, _reply),
    "invalid_value": Wording(_refused_request, _refused_reply),
    "ambiguous": Wording(_read_two_ways, _asked_between),
}
