"""Joining: several calls asked for in one request."""

from __future__ import annotations

from random import Random

from generator.authors.offline.fields import fields_of
from generator.authors.offline.saying import Several
from generator.authors.offline.words import lower_first
from generator.jsontext import JsonObject
from generator.scenarios.scenario import PlannedCall

_COORDINATED = frozenset("place thing person date year choice currency language season month".split())


def joint_arguments(calls: tuple[PlannedCall, ...]) -> JsonObject | None:
    """Return the arguments of one sentence for calls of one tool that differ in one nameable value, else None."""
    first = calls[0]
    if any(call.tool is not first.tool and call.tool.fingerprint != first.tool.fingerprint for call in calls):
        return None
    if any(list(call.arguments) != list(first.arguments) for call in calls):
        return None
    differing = [name for name in first.arguments if any(call.arguments[name] != first.arguments[name] for call in calls)]
    if len(differing) != 1:
        return None
    name = differing[0]
    values = [call.arguments[name] for call in calls]
    field = fields_of(first.tool.parameters).get(name)
    if field is None or field.kind not in _COORDINATED or len({str(value) for value in values}) < len(values):
        return None
    if not all(isinstance(value, str | int) and not isinstance(value, bool) for value in values):
        return None
    if any("," in str(value) or " and " in str(value) for value in values):
        return None
    return {**first.arguments, name: Several(values)}


def join_requests(texts: list[str], stream: Random) -> str:
    """Join whole requests: the first as it is, the others linked to it."""
    joined = [texts[0]]
    links = ["Also, {}", "And {}", "Then {}", "I also want you to {}"]
    stream.shuffle(links)
    for index, text in enumerate(texts[1:]):
        joined.append(_linked(text, links[index % len(links)]))
    return " ".join(joined)


def _linked(text: str, link: str) -> str:
    question = text.split(".", 1)[0].endswith("?") or "?" in text[: text.find(".") + 1 or None]
    if question or text.startswith(("I ", "I'd", "Please", "Can", "Could")):
        link = "Also, {}" if link.startswith("Also") else "And {}"
    return link.format(lower_first(text))
