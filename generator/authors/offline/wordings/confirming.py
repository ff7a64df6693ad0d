"""Wording of confirmation: the wish, the question that repeats it, the yes or no."""

from __future__ import annotations

import re

from generator.authors.offline.plans import BOOK
from generator.authors.offline.replies import write_reply
from generator.authors.offline.replies_actions import action
from generator.authors.offline.replies_recounting import recount
from generator.authors.offline.requests import write_call_request
from generator.authors.offline.saying import Unsayable, Voice, say
from generator.authors.offline.wordings.wording import Wording
from generator.records.calls import Exchange
from generator.scenarios.scenario import PlannedCall, Scenario
from generator.streams import stream

_QUESTIONS = (
    "I'm about to {deed}. Shall I go ahead?", "Just to confirm: you want me to {deed}. Is that right?",
    "Before I do anything: should I {deed}?", "I would now {deed}. Do you confirm?",
    "Do you want me to {deed}? I'll start as soon as you say yes.", "To be sure: I am to {deed}. Is that correct?",
    "Please confirm that I should {deed}.", "May I {deed} now?", "I'm ready to {deed}. Can I have your go-ahead?",
)  # fmt: skip
_YES = (
    "Yes, please.", "Yes, go ahead.", "Yes, that's right.", "Confirmed.", "Yes, do it.", "Sure, go ahead.",
    "That's correct, please go ahead.", "Yes.", "Yep, that's it.", "Right, please do.", "Yes, all correct.",
    "OK, go ahead.", "I confirm.", "Exactly, go ahead.",
)  # fmt: skip
_NO = (
    "No, don't do it.", "No, leave it for now.", "Hold on, I've changed my mind. Please don't.", "No, cancel that.",
    "Actually no, let's not do that.", "No, stop. I need to check something first.", "Not now, thanks.",
    "No, forget it.", "Wait, no. I'd rather not.", "No. Let me think about it.",
)  # fmt: skip
_LEFT = (
    "All right, I haven't done anything. Just tell me if you change your mind.", "OK, I've left everything as it is.",
    "Understood, nothing was changed.", "No problem, I won't do it. Let me know if you need anything else.",
    "Fine, I've done nothing. We can come back to it whenever you like.",
    "OK, I'll leave it at that; nothing was changed.",
)  # fmt: skip


def _user(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Say the wish, then yes or no."""
    step = scenario.steps[len(history)]
    if step.act == "wish":
        return write_call_request(scenario, step.about[0])
    return stream(scenario.seed, "answer").choice(_YES if step.act == "agree" else _NO)


def _assistant(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Ask before the call, leave it after a no, tell its result after a yes."""
    step = scenario.steps[len(history)]
    if step.act == "confirm":
        return stream(scenario.seed, "confirm").choice(_QUESTIONS).format(deed=_deed(scenario, step.about[0]))
    if step.act == "leave":
        return stream(scenario.seed, "leave").choice(_LEFT)
    return write_reply(scenario, history)


def _deed(scenario: Scenario, call: PlannedCall) -> str:
    """Say the call as a deed, with every value: what its sentence leaves out follows in brackets."""
    random = stream(scenario.seed, "deed")
    voice = Voice(random)
    told = None if _tells_a_method(call) else recount(call.tool, call.arguments, random)
    deed = told.phrase if told is not None else action(call.tool).phrase
    details = [detail for name in call.arguments if (detail := _detail(call, name, deed, voice))]
    return f"{deed} ({'; '.join(details)})" if details else deed


def _tells_a_method(call: PlannedCall) -> bool:
    """Say whether the verb of the call comes from a choice that is no deed, such as how to refund."""
    unspoken = BOOK.plan(call.tool, call.arguments).unspoken
    return bool(unspoken) and unspoken not in ("method", "action", "operation")


def _detail(call: PlannedCall, name: str, deed: str, voice: Voice) -> str:
    """Say one argument with its noun where the deed does not tell it; the empty string otherwise."""
    field, value = BOOK.fields(call.tool)[name], call.arguments[name]
    if isinstance(value, bool):
        return f"{field.noun}: {'yes' if value else 'no'}"
    try:
        said = say(value, field, voice)
    except Unsayable:
        return ""
    told = re.search(rf"(?<!\w){re.escape(said)}(?!\w)", deed, re.IGNORECASE)
    return "" if told else f"{field.noun}: {field.mark(said)}"


WORDINGS = {"confirm_before_write": Wording(_user, _assistant)}
