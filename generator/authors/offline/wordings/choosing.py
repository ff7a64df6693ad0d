"""Wording of choosing the right tool: requests as ever, and what is said of a tool that is not available yet."""

from __future__ import annotations

from generator.authors.author import NoDraft
from generator.authors.offline.irrelevance import offers_of
from generator.authors.offline.replies import write_reply
from generator.authors.offline.replies_actions import action
from generator.authors.offline.requests import write_call_request
from generator.authors.offline.wordings.single_turn import PLAIN
from generator.authors.offline.wordings.wording import Wording
from generator.authors.offline.words import join_and
from generator.records.calls import Exchange
from generator.scenarios.scenario import Scenario
from generator.streams import stream

RULE = "AU006"
"""The rejection's rule: there are no words for what a tool does."""

_LACKING = (
    "I'm sorry, I can't {deed} yet: that isn't available to me at the moment.",
    "I can't {deed} right now, because I don't have access to that yet.",
    "Unfortunately I'm not able to {deed} for now. That function hasn't been switched on.",
    "I'd like to help, but I can't {deed} as long as that isn't enabled.",
    "At the moment I have no way to {deed}: it's still disabled.",
    "Sorry, I'm unable to {deed} until it has been made available.",
)
_OFFERING = ("What I can do is {offers}.", "I could {offers} in the meantime.", "Until then I can {offers}.")
_WAITING = (
    "Let me know when it is.",
    "Please tell me as soon as that changes.",
    "Just tell me once that has changed.",
    "",
)
_ENABLING = (
    "I've just switched it on. Please go ahead.",
    "It's available now. Could you try again?",
    "Access has just been granted, so please do it now.",
    "OK, I've enabled that for you. Go ahead with what I asked for.",
    "The admin has activated it. You can use it now.",
    "Good news: it's switched on now. Please carry on.",
    "You should have access now. Can you do it, then?",
    "It's been enabled in the meantime. Same request as before, please.",
    "I just turned that on for you. Please continue.",
    "Done, you have access now. Please proceed.",
    "All right, the function is available from now on. Please do what I asked.",
    "I asked for it and it's been unlocked. Try once more, please.",
)


def _request(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    if step.act == "enable":
        return stream(scenario.seed, "enable").choice(_ENABLING)
    return write_call_request(scenario, step.about[0])


def _reply(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    if step.act != "lack":
        return write_reply(scenario, history)
    missing = step.about[0].tool
    deed = action(missing).offer
    if not deed:
        raise NoDraft(RULE, f"'{missing.name}' has no words for what it does")
    random = stream(scenario.seed, "lack")
    offers = offers_of(tuple(tool for tool in scenario.tools if tool is not missing), random)
    rest = random.choice(_OFFERING).format(offers=join_and(offers, "or")) if offers and random.random() < 0.6 else ""
    return " ".join(filter(None, (random.choice(_LACKING).format(deed=deed), rest, random.choice(_WAITING))))


WORDINGS = {
    "similar_tools": PLAIN,
    "missing_function": Wording(_request, _reply),
}
