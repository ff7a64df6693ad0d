"""Wording of conversations: further wishes, references, corrections, changes of mind."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from generator.authors.author import NoDraft
from generator.authors.offline.clauses import clauses_for
from generator.authors.offline.composing import repeat_phrases
from generator.authors.offline.fields import Field
from generator.authors.offline.pairs import find_pairs
from generator.authors.offline.plans import BOOK
from generator.authors.offline.referring import Phrase
from generator.authors.offline.replies import write_reply
from generator.authors.offline.requests import RULE, write_call_request, write_request
from generator.authors.offline.saying import Unsayable, draw_voice, say
from generator.authors.offline.wordings.wording import Wording
from generator.authors.offline.words import lower_first, word_set
from generator.jsontext import JsonValue
from generator.records.calls import Exchange
from generator.scenarios.scenario import PlannedCall, Scenario, Step
from generator.streams import stream

_FURTHER = (
    "Thanks. {}", "Great, thanks. {}", "Perfect. {}", "OK. {}", "Good. {}", "Thank you! {}", "Got it. {}",
    "That helps. {}", "All right. {}", "One more thing: {lower}", "Next, {lower}", "Now {lower}", "Also, {lower}",
    "While we're at it, {lower}", "And {lower}",
)  # fmt: skip
_AFTER_FAILURE = ("Too bad. {}", "Never mind, then. {}", "OK, leave that. {}", "I see. {}", "All right, later then. {}")
_SITUATION = word_set("My Our I'm I've We We're We've There Before It's After I Today's Any")
"""First words that begin with the speaker's situation, or that a small letter does not suit."""


def further_request(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Ask for the calls of the step, as a person goes on in a conversation."""
    turn = sum(exchange.draft.request is not None for exchange in history)
    return go_on(write_request(scenario, scenario.steps[len(history)], turn), scenario, history)


def go_on(text: str, scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Put before a request what people say to the answer they just had; the first turn has none."""
    random = stream(scenario.seed, "going on", len(history))
    if not history or random.random() < 0.25:
        return text
    failed = any(result.error_type for exchange in history[-2:] for result in exchange.results)
    form = random.choice(_AFTER_FAILURE if failed else _FURTHER)
    if "{lower}" in form and text.split(" ", 1)[0].rstrip(",") in _SITUATION:
        form = "Thanks. {}"
    return form.format(text, lower=lower_first(text))


def _coreferring(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    if step.act == "same thing":
        return go_on(_about_the_same_thing(scenario, step), scenario, history)
    return _same_again(scenario, history, step) if step.act == "same again" else write_request(scenario, step)


_TO_A_PLACE = word_set("in at to for")


def _about_the_same_thing(scenario: Scenario, step: Step) -> str:
    """Ask for something else about the thing of the first call: "that order", "there", "it"."""
    call, name = step.calls[0], step.parameters[0]
    field = BOOK.fields(call.tool)[name]
    if field.kind == "place":
        phrase = Phrase("there", takes=_TO_A_PLACE)
    else:
        phrase = Phrase(f"that {field.label or field.noun}")
    text = write_call_request(scenario, call, 1, {name: phrase})
    if field.kind == "place" and not text.partition("there")[0].rstrip():
        raise NoDraft(RULE, "'there' does not open a request")
    return text


_ASKED_AGAIN = ("What about {}?", "And {}?", "How about {}?", "Same question, but {}.", "And the same {}?")
_WANTED_AGAIN = (
    "Now the same {}, please.", "Could you do the same {}?", "And the same {}.", "Same again {}, please.",
    "Do that again {}, please.", "And once more {}.",
)  # fmt: skip


def _same_again(scenario: Scenario, history: tuple[Exchange, ...], step: Step) -> str:
    """Ask for the same with the one value that differs."""
    call, name = step.calls[0], step.parameters[0]
    fields = BOOK.fields(call.tool)
    if name not in fields:
        raise NoDraft(RULE, f"'{call.tool.name}': '{name}' cannot be said alone")
    voice = draw_voice(stream(scenario.seed, "again"), scenario.reference_date if scenario.states_date else None)
    differing = {name: fields[name]}
    try:
        phrases = repeat_phrases(clauses_for(differing, find_pairs(differing), set()), call.arguments, voice)
    except Unsayable as error:
        raise NoDraft(RULE, f"'{call.tool.name}': {error}") from error
    if not phrases:
        raise NoDraft(RULE, f"'{call.tool.name}': '{name}' cannot be said alone")
    asked = (history[0].draft.request or "").endswith("?") and not phrases.startswith("with ")
    return voice.stream.choice(_ASKED_AGAIN if asked else _WANTED_AGAIN).format(phrases)


_AT_ONCE = (
    "{request} Sorry, I meant {new}, not {old}.", "{request} No wait, {new} instead of {old}.",
    "{request} Actually, make that {new} rather than {old}.", "{request} Hang on, not {old}: {new}.",
    "{request} Correction: {new}, not {old}.", "{request} Scratch {old}, I want {new}.",
)  # fmt: skip
_LATER = (
    "Sorry, I meant {new}, not {old}.", "Oh, my mistake: it should have been {new} instead of {old}.",
    "Actually, make that {new} rather than {old}.", "Wait, I said {old} but I need {new}.",
    "I got that wrong. Not {old} but {new}, please.", "Could you redo that with {new} in place of {old}?",
)  # fmt: skip


def _shifting(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    if not step.parameters:
        return write_request(scenario, step)
    before, meant, name = step.about[0], step.calls[0], step.parameters[0]
    random = stream(scenario.seed, "shift")
    old, new = _said(before, name, random), _said(meant, name, random)
    if step.act == "correct later":
        return random.choice(_LATER).format(new=new, old=old)
    return random.choice(_AT_ONCE).format(request=write_call_request(scenario, before), new=new, old=old)


def _said(call: PlannedCall, name: str, random: Random) -> str:
    """Say one value alone, with its noun where it is a number."""
    field: Field | None = BOOK.fields(call.tool).get(name)
    if field is None:
        raise NoDraft(RULE, f"'{call.tool.name}': '{name}' cannot be said alone")
    value: JsonValue = call.arguments[name]
    said = field.mark(say(value, field, draw_voice(random, None)))
    return f"{field.noun} {said}" if isinstance(value, int) and field.kind == "id" else said


_SWITCHES = (
    "{first} Actually, forget that. {second}", "{first} Hmm, no, never mind. {second}",
    "{first} On second thought, skip that. {second}", "{first} No, wait, that can wait. {second}",
    "{first} Scratch that, I'll do it another time. {second}", "{first} Oh, drop that. {second}",
    "{first} You know what, don't. Instead, {lower}", "{first} Never mind that one. {second}",
)  # fmt: skip


def _switching(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    step = scenario.steps[len(history)]
    first = write_call_request(scenario, step.about[0], 1)
    second = write_call_request(scenario, step.calls[0])
    form = stream(scenario.seed, "switch").choice(_SWITCHES)
    if "{lower}" in form and second.split(" ", 1)[0].rstrip(",") in _SITUATION:
        form = _SWITCHES[0]
    return form.format(first=first, second=second, lower=lower_first(second))


def _told(write: Callable[[Scenario, tuple[Exchange, ...]], str]) -> Wording:
    return Wording(write, write_reply)


WORDINGS = {
    "multi_turn": _told(further_request),
    "coreference": _told(_coreferring),
    "argument_shift": _told(_shifting),
    "intent_switch": _told(_switching),
}
