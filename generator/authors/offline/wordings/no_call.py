"""Wording of records without a call."""

from __future__ import annotations

from generator.authors.author import NoDraft
from generator.authors.offline.irrelevance import (
    draw_unserved,
    is_kept_away,
    offers_of,
    write_irrelevant_reply,
    write_irrelevant_request,
)
from generator.authors.offline.plain_questions import draw_question
from generator.authors.offline.small_talk import Talk, draw_wording, load_small_talk
from generator.authors.offline.wordings.wording import Wording
from generator.authors.offline.words import join_and
from generator.records.calls import Exchange
from generator.scenarios.scenario import Scenario
from generator.streams import stream

TALK_RULE = "AU005"
"""The rejection's rule: whatever small talk is drawn comes too near to a shown tool."""
_TRIES = 8
_PARTING = ("thanks", "goodbye")
_DECLINING = (
    "I'm afraid I can't {deed}: I have no tools for that here.",
    "Sorry, I'm not able to {deed}. All I can do here is talk.",
    "I have no way to {deed}, since I'm not connected to anything. Is there a question I can answer instead?",
    "Unfortunately I can't {deed} from here. You'd have to do that yourself, but I'm happy to think along.",
    "I can't {deed}, sorry. I only have this conversation to work with.",
    "That's something I can't help with: I have no access to anything that would let me {deed}.",
    "I'd like to help, but I can't {deed}. I have no tools at hand.",
)


def _plain_request(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    if scenario.steps[len(history)].act == "decline":
        return draw_unserved(stream(scenario.seed, "unserved"))[1]
    return draw_question(stream(scenario.seed, "question"))[0]


def _plain_reply(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    if scenario.steps[len(history)].act == "decline":
        deed = draw_unserved(stream(scenario.seed, "unserved"))[0].deed
        return stream(scenario.seed, "decline").choice(_DECLINING).format(deed=deed)
    return draw_question(stream(scenario.seed, "question"))[1]


def _talk_request(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    return _talk(scenario, len(history) // 2)[1]


def _talk_reply(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    turn = len(history) // 2
    talk = _talk(scenario, turn)[0]
    random = stream(scenario.seed, "talk back", turn)
    offers = offers_of(scenario.tools, random)
    if talk.about and not offers:
        raise NoDraft(TALK_RULE, "none of the tools shown says what it does in words that can be offered")
    return random.choice(talk.replies).format(offers=join_and(offers))


def _talk(scenario: Scenario, turn: int) -> tuple[Talk, str]:
    """Draw what the user says in a turn: in the last of two turns parting words, which nobody says before."""
    known = load_small_talk()
    random = stream(scenario.seed, "talk", turn)
    talks = known.talks
    if any(step.act == "part" for step in scenario.steps):
        talks = tuple(talk for talk in talks if (talk.name in _PARTING) is bool(turn))
    for _ in range(_TRIES):
        talk = random.choice(talks)
        text = draw_wording(random.choice(talk.requests), random, known.pools)
        if is_kept_away(text, scenario.tools):
            return talk, text
    raise NoDraft(TALK_RULE, "small talk comes too near to one of the tools shown")


WORDINGS = {
    "irrelevance": Wording(
        lambda scenario, _: write_irrelevant_request(scenario), lambda scenario, _: write_irrelevant_reply(scenario)
    ),
    "no_tools": Wording(_plain_request, _plain_reply),
    "chitchat": Wording(_talk_request, _talk_reply),
}
