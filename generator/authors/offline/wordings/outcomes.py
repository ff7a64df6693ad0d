"""Wording of outcomes: calls that fail, fail in part, are mended, or find nothing."""

from __future__ import annotations

from random import Random

from generator.authors.author import NoDraft
from generator.authors.offline.descriptions import PREPOSITIONS
from generator.authors.offline.fields import Field
from generator.authors.offline.plans import BOOK
from generator.authors.offline.replies import write_reply
from generator.authors.offline.replies_actions import action
from generator.authors.offline.requests import RULE, write_call_request, write_request
from generator.authors.offline.saying import Unsayable, draw_voice, say
from generator.authors.offline.wordings.single_turn import PLAIN
from generator.authors.offline.wordings.wording import Wording
from generator.authors.offline.words import is_plural, is_uncounted, upper_first
from generator.jsontext import JsonObject
from generator.records.calls import Exchange
from generator.scenarios.scenario import PlannedCall, Scenario
from generator.streams import stream
from generator.tools.tool import Tool

_INSTEAD_LOOKING = (
    "If nothing comes up for {old}, try {new} instead.", "If that doesn't work, try {new}.",
    "If you can't find anything for {old}, use {new}.", "Should {old} lead nowhere, take {new}.",
    "In case there's nothing for {old}, {new} will do.", "If that one isn't there, look for {new} instead.",
)  # fmt: skip
_INSTEAD_DOING = (
    "If {old} isn't possible, take {new} instead.", "If that doesn't work, {new} is fine too.",
    "Should {old} not be available, use {new}.", "If it can't be {old}, make it {new}.",
    "If there's a problem with {old}, go with {new}.", "{new_start} is my second choice if {old} doesn't work out.",
)  # fmt: skip
_TOOK_ALLOWED = (
    "{old_start} didn't work, so I went with {new}.", "There was a problem with {old}, so I took {new} instead.",
    "It wasn't possible with {old}, so I used {new}, as you said.", "I had no luck with {old}, so I used {new}.",
    "Nothing could be done with {old}, so I turned to {new}.",
)  # fmt: skip
_TOOK_NAMED = (
    "I found nothing for {old} and took it that you meant {new}.", "{old_start} isn't known, so I went with {new}.",
    "There's no {old}, but there is {new}, so I used that.", "I assumed that {old} should read {new}.",
    "{old_start} wasn't found; the closest match is {new}, so I looked that up.",
)  # fmt: skip


def _asked(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Ask for the call that will be refused, with what to take instead where the user allows something."""
    step = scenario.steps[len(history)]
    if step.act != "fallback":
        return write_request(scenario, step)
    refused, allowed, name = step.calls[0], step.about[0], step.parameters[0]
    random = stream(scenario.seed, "fallback")
    forms: tuple[str, ...] = _INSTEAD_DOING if action(refused.tool).changes else _INSTEAD_LOOKING
    old, new = _said(refused, name, random), _said(allowed, name, random)
    if len(refused.arguments) > 1:
        forms = tuple(form for form in forms if "{old}" in form)
    instead = _form(forms, new, random).format(old=old, new=new, new_start=upper_first(new))
    return f"{write_call_request(scenario, refused)} {instead}"


def _mended(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Tell what was changed, and the result of the call that succeeded."""
    step = scenario.steps[len(history)]
    refused, wanted = step.about
    name = step.parameters[0]
    random = stream(scenario.seed, "mended")
    forms = _TOOK_NAMED if refused.refusal is not None and refused.refusal.valid is not None else _TOOK_ALLOWED
    old, new = _said(refused, name, random), _said(wanted, name, random)
    opening = _form(forms, old, random).format(old=old, new=new, old_start=upper_first(old))
    return f"{opening} {write_reply(scenario, history[-1:])}"


def _form(forms: tuple[str, ...], first: str, random: Random) -> str:
    """Draw a form; one that begins with a value only where the value bears a capital letter."""
    plain = first.replace(" ", "").replace("'", "").isalpha() or first[:1].isupper()
    return random.choice([form for form in forms if plain or "_start}" not in form])


def _said(call: PlannedCall, name: str, random: Random) -> str:
    """Say one value alone, with its noun where it is a number or an id."""
    field = BOOK.fields(call.tool).get(name)
    if field is None:
        raise NoDraft(RULE, f"'{call.tool.name}': '{name}' cannot be said alone")
    try:
        said = field.mark(say(call.arguments[name], field, draw_voice(random, None)))
    except Unsayable as error:
        raise NoDraft(RULE, f"'{call.tool.name}': {error}") from error
    if field.kind != "id":
        return said
    return f"{field.noun if field.label in ('tracking', 'confirmation', '') else field.label} {said}"


_OTHERWISE = (
    "Would you like me to try {other}?", "Shall I try {other}?", "We could try {other}.",
    "I can look again with {other}.", "Maybe {other} brings something up.", "Do you want to try {other}?",
)  # fmt: skip
_FITTING = ("that fit your request", "that match all of that", "that meet what you asked for", "with these details")
_AT_ALL = ("Shall I look for something else?", "Let me know if I should search for something else.",
           "Would you like to change the search?")  # fmt: skip


def _nothing(scenario: Scenario, history: tuple[Exchange, ...]) -> str:
    """Say that nothing was found, and what could be tried instead."""
    random = stream(scenario.seed, "nothing")
    call = history[-1].draft.calls[0]
    tool = next(tool for tool in scenario.tools if tool.name == call.name)
    other = _another(tool, call.arguments, random)
    proposal = random.choice(_OTHERWISE).format(other=other) if other else random.choice(_AT_ALL)
    return f"{_narrowed(write_reply(scenario, history), call.arguments, random)} {proposal}"


def _narrowed(text: str, arguments: JsonObject, random: Random) -> str:
    """Say that nothing fits all of the request, where a text speaks of a part of it alone: there may well be others."""
    if all(isinstance(value, str) and value.casefold() in text.casefold() for value in arguments.values()):
        return text
    return f"{text.removesuffix('.')} {random.choice(_FITTING)}."


_NAMEABLE = frozenset("place date title query text thing choice category language money measure".split())


def _another(tool: Tool, arguments: JsonObject, random: Random) -> str:
    """Name one thing that another search could change: "another date"; "" where nothing reads well."""
    fields = BOOK.fields(tool)
    nouns = [noun for name in arguments if name in fields and (noun := _plain_noun(fields[name]))]
    return f"another {random.choice(nouns)}" if nouns else ""


def _plain_noun(field: Field) -> str:
    words = field.noun.split()
    short = 0 < len(words) <= 2 and field.noun.isascii() and field.kind in _NAMEABLE
    return (
        field.noun
        if short and words[-1] not in PREPOSITIONS and not is_plural(words[-1]) and not is_uncounted(words[-1])
        else ""
    )


WORDINGS = {
    "error_report": PLAIN,
    "partial_failure": PLAIN,
    "error_recovery": Wording(_asked, _mended),
    "empty_result": Wording(PLAIN.request, _nothing),
}
