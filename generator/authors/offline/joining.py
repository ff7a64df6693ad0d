"""Joining: several calls asked for in one request."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from generator.authors.offline.clauses import clauses_for
from generator.authors.offline.composing import repeat_phrases
from generator.authors.offline.fields import Field
from generator.authors.offline.methods import method_of
from generator.authors.offline.pairs import find_pairs
from generator.authors.offline.saying import Several, Voice
from generator.authors.offline.words import lower_first, word_set
from generator.jsontext import JsonObject
from generator.scenarios.scenario import PlannedCall

_COORDINATED = word_set("place thing person date year choice currency language season month")


def joint_arguments(calls: tuple[PlannedCall, ...], fields: Mapping[str, Field]) -> JsonObject | None:
    """Return the arguments of one sentence for calls of one tool that differ in one nameable value, else None."""
    first = calls[0]
    if any(call.tool is not first.tool and call.tool.fingerprint != first.tool.fingerprint for call in calls):
        return None
    if any(list(call.arguments) != list(first.arguments) for call in calls):
        return None
    differing = [
        name for name in first.arguments if any(call.arguments[name] != first.arguments[name] for call in calls)
    ]
    if len(differing) != 1:
        return None
    name = differing[0]
    values = [call.arguments[name] for call in calls]
    field = fields.get(name)
    if any(name in pair.names for pair in find_pairs({key: fields[key] for key in first.arguments if key in fields})):
        return None
    if method_of(fields, first.arguments) is not None:
        return None
    if field is None or field.kind not in _COORDINATED or len({str(value) for value in values}) < len(values):
        return None
    if not all(isinstance(value, str | int) and not isinstance(value, bool) for value in values):
        return None
    if any("," in str(value) or " and " in str(value) for value in values):
        return None
    return {**first.arguments, name: Several(values)}


_REPEATABLE = _COORDINATED | word_set(
    "id measure money number letter duration count date repo owner unit format status path list sort"
)


def ask_again(calls: tuple[PlannedCall, ...], first_text: str, voice: Voice, fields: Mapping[str, Field]) -> str:
    """Ask for the same with other values: "And for Rome?", "Then do the same with ..."; "" where it cannot.

    Only what differs from the first call is said again.
    """
    first, others = calls[0], calls[1:]
    if not first.arguments.keys() <= fields.keys():
        return ""
    if any(
        call.tool.fingerprint != first.tool.fingerprint or call.arguments.keys() != first.arguments.keys()
        for call in others
    ):
        return ""
    question = first_text.endswith("?") and first_text.startswith(("What", "How", "Which", "Who"))
    texts = [first_text]
    pairs = find_pairs({name: fields[name] for name in first.arguments})
    for position, call in enumerate(others):
        changed = {name for name, value in call.arguments.items() if value != first.arguments[name]}
        for pair in pairs:
            changed.update(() if changed.isdisjoint(pair.names) else pair.names)
        differing = {name: fields[name] for name in call.arguments if name in changed}
        if not 0 < len(differing) < 4 or any(field.kind not in _REPEATABLE for field in differing.values()):
            return ""
        phrases = repeat_phrases(clauses_for(differing, find_pairs(differing), set()), call.arguments, voice)
        if not phrases:
            return ""
        texts.append(_REPEATS[question][min(position, 1)].format(phrases))
    return " ".join(texts)


_REPEATS = {True: ("And {}?", "And {}?"), False: ("Then do the same {}.", "And once more {}.")}


def join_requests(texts: list[str], stream: Random) -> str:
    """Join whole requests: the first as it is, the others linked to it."""
    joined = [texts[0]]
    links = ["Also, {}", "And {}", "Then {}", "And also {}"]
    stream.shuffle(links)
    for index, text in enumerate(texts[1:]):
        joined.append(_linked(text, links[index % len(links)]))
    return " ".join(joined)


_TOLD = word_set("My Our I'm I've We We're We've There Before It's After")
"""First words of texts that begin with the speaker's situation: they follow without a link."""


def _linked(text: str, link: str) -> str:
    """Link a further request to the one before it."""
    if text.split(" ", 1)[0].rstrip(",") in _TOLD:
        return text
    if "?" in text and link.startswith(("Then", "And also")):
        link = "And {}"
    return link.format(lower_first(text))
