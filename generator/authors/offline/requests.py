"""Requests: what the user says to have the planned calls made."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from operator import itemgetter

from generator.authors.author import NoDraft
from generator.authors.offline.composing import compose
from generator.authors.offline.frames import fill_frames
from generator.authors.offline.gate import leaks, roughness, unsaid
from generator.authors.offline.joining import ask_again, join_requests, joint_arguments
from generator.authors.offline.listing import list_details
from generator.authors.offline.plans import BOOK, Plan
from generator.authors.offline.referring import Phrase, marks_of, put_phrases
from generator.authors.offline.saying import Unsayable, Voice, draw_voice
from generator.jsontext import JsonObject
from generator.scenarios.scenario import PlannedCall, Scenario, Step
from generator.streams import stream
from generator.tools.tool import Tool

RULE = "AU001"
"""The rejection's rule: no request good enough could be written."""
GATE = 2.4
"""The highest cost of a text that is kept."""
_TRIES = 3


def write_call_request(
    scenario: Scenario, call: PlannedCall, turn: int = 0, phrases: Mapping[str, Phrase] | None = None
) -> str:
    """Write what the user says for one call in turn number `turn`.

    `phrases` gives the words for values that are referred to rather than said ("it", "next Friday", "my city");
    their parameters need an argument, whose value does not show.

    Raises:
        NoDraft: nothing good enough could be written for this tool and these arguments.
    """
    marks = marks_of(phrases or {})
    voice = _voice_of(scenario, turn, marks)
    text = _write_one(call.tool, call.arguments, voice, scenario.persona.register)
    try:
        return put_phrases(text, phrases, BOOK.fields(call.tool)) if phrases else text
    except Unsayable as error:
        raise NoDraft(RULE, f"'{call.tool.name}': {error}") from error


def write_request(scenario: Scenario, step: Step, turn: int = 0) -> str:
    """Write the user's request for the calls of a step, which is turn number `turn` of the user.

    Every argument value of every call stands in it in human form; no tool or parameter name does.

    Raises:
        NoDraft: nothing good enough could be written for these tools and arguments.
    """
    voice = _voice_of(scenario, turn)
    calls = step.calls
    if not calls:
        raise NoDraft(RULE, "a request without calls is not written here")
    if len(calls) == 1:
        try:
            return _write_one(calls[0].tool, calls[0].arguments, voice, scenario.persona.register)
        except NoDraft:
            if not scenario.in_full:
                raise
            return _list_details(scenario, calls[0], _voice_of(scenario, turn))
    joint = joint_arguments(calls, BOOK.fields(calls[0].tool))
    if joint is not None and voice.stream.random() < 0.7:
        try:
            return _write_one(calls[0].tool, joint, voice, scenario.persona.register)
        except NoDraft:
            voice = _voice_of(scenario, turn)
    first = _write_one(calls[0].tool, calls[0].arguments, voice, scenario.persona.register)
    if voice.stream.random() < 0.8:
        again = ask_again(calls, first, voice, BOOK.fields(calls[0].tool))
        if again and _says_all(again, calls, voice):
            return again
    return join_requests([first, *_write_all(calls[1:], voice, scenario.persona.register)], voice.stream)


def _list_details(scenario: Scenario, call: PlannedCall, voice: Voice) -> str:
    """Write the wish with its details below it, where no sentence takes them all."""
    try:
        text = list_details(call.tool, call.arguments, voice, scenario.persona.register)
    except Unsayable as error:
        raise NoDraft(RULE, f"'{call.tool.name}' with {_names(call.arguments)}: {error}") from error
    if missing := unsaid(text, call.arguments, BOOK.fields(call.tool), voice):
        raise NoDraft(RULE, f"'{call.tool.name}' with {_names(call.arguments)}: '{missing}' is not said")
    if leaks(text, call.arguments):
        raise NoDraft(RULE, f"'{call.tool.name}' with {_names(call.arguments)}: an identifier shows")
    return text


def _says_all(text: str, calls: tuple[PlannedCall, ...], voice: Voice) -> bool:
    """Say whether a joint text says every value of every call."""
    return not any(
        unsaid(text, _told(call.arguments, BOOK.plan(call.tool, call.arguments)), BOOK.fields(call.tool), voice)
        for call in calls
    )


def _voice_of(scenario: Scenario, turn: int = 0, marks: Mapping[str, str] | None = None) -> Voice:
    today: date | None = scenario.reference_date if scenario.states_date else None
    return draw_voice(stream(scenario.seed, "request", turn), today, marks)


def _write_all(calls: tuple[PlannedCall, ...], voice: Voice, register: str) -> list[str]:
    return [_write_one(call.tool, call.arguments, voice, register) for call in calls]


def _write_one(tool: Tool, arguments: JsonObject, voice: Voice, register: str) -> str:
    """Write the request of one call: by a frame where one fits, else in the description's own words."""
    fields = BOOK.fields(tool)
    if tool.frames.requests:
        text = fill_frames(tool, fields, arguments, voice)
        if text and not unsaid(text, arguments, fields, voice) and not leaks(text, arguments):
            return text
    plan = BOOK.plan(tool, arguments)
    if plan.cost > GATE:
        raise NoDraft(RULE, f"'{tool.name}' with {_names(arguments)} reads too stilted ({plan.cost:.1f} over {GATE})")
    try:
        texts = [compose(plan, arguments, voice, register) for _ in range(_TRIES)]
    except Unsayable as error:
        raise NoDraft(RULE, f"'{tool.name}' with {_names(arguments)}: {error}") from error
    reason = "every wording reads too stilted"
    for cost, text in sorted([(plan.cost + roughness(text), text) for text in texts], key=itemgetter(0)):
        if cost > GATE:
            break
        missing = unsaid(text, _told(arguments, plan), fields, voice)
        if not missing and not leaks(text, arguments):
            return text
        reason = f"'{missing}' is not said" if missing else "an identifier shows"
    raise NoDraft(RULE, f"'{tool.name}' with {_names(arguments)}: {reason}")


def _told(arguments: JsonObject, plan: Plan) -> JsonObject:
    """Return the arguments that must stand in the text: a method is told by the verb and its object."""
    if not plan.unspoken:
        return arguments
    return {name: value for name, value in arguments.items() if name != plan.unspoken}


def _names(arguments: JsonObject) -> str:
    return ", ".join(arguments) or "no arguments"
