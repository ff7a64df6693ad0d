"""OA: the usage of a response or of the last chunk of a stream (seeds/003, 10)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.entities.chat_view import ResponseView, as_object
from generator.validation.entities.entity_rule import EntityRule
from generator.validation.entities.numbers import is_whole
from generator.validation.rule import Finding
from generator.validation.say import brief, kind_of

COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")

_SOURCE = "OpenAI data model"


def usage_problems(usage: JsonValue) -> Iterator[Finding]:
    """Yield what is wrong with the counts of a usage; pointers are relative to it."""
    if not isinstance(usage, dict):
        yield Finding("", f"`usage` is an object, here it is {kind_of(usage)}")
        return
    for name in COUNTS:
        count = usage.get(name)
        if not (is_whole(count) and count >= 0):
            what = brief(count) if name in usage else "missing"
            yield Finding(f"/{name}", f"`{name}` is a number of tokens, here it is {what}")


def sum_problems(usage: JsonValue) -> Iterator[Finding]:
    """Yield where the total of a usage is not the sum of its parts."""
    prompt, completion, total = (as_object(usage).get(name) for name in COUNTS)
    if is_whole(prompt) and is_whole(completion) and is_whole(total) and prompt + completion != total:
        message = f"`total_tokens` is the sum of both, {brief(prompt + completion)}, not {brief(total)}"
        yield Finding("/total_tokens", message)


def _usage_is_whole(response: ResponseView) -> Iterator[Finding]:
    if response.entry.get("usage") is not None:
        for finding in usage_problems(response.entry["usage"]):
            yield Finding(f"/usage{finding.pointer}", finding.message)


def _usage_adds_up(response: ResponseView) -> Iterator[Finding]:
    for finding in sum_problems(response.entry.get("usage")):
        yield Finding(f"/usage{finding.pointer}", finding.message)


def _usage_is_told(response: ResponseView) -> Iterator[Finding]:
    if response.is_object and response.entry.get("usage") is None:
        yield Finding("/usage", "a response outside a stream tells its usage")


USAGE_RULES: tuple[EntityRule[ResponseView], ...] = (
    EntityRule(
        "OA145",
        "Usage has three counts of tokens.",
        f"{_SOURCE}, 10",
        _usage_is_whole,
        "What was used is what is paid.",
        '{"usage": {"prompt_tokens": 5, "completion_tokens": -1, "total_tokens": 4}}',
        '{"usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6}}',
    ),
    EntityRule(
        "OA146",
        "`total_tokens` is the sum of prompt and completion.",
        f"{_SOURCE}, 10",
        _usage_adds_up,
        "Whoever adds up bills gets other figures.",
        '{"usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 7}}',
        '{"usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6}}',
    ),
    EntityRule(
        "OA147",
        "A response outside a stream tells its usage.",
        f"{_SOURCE}, 8",
        _usage_is_told,
        "Without it tokens can only be estimated.",
        '{"usage": null}',
        '{"usage": {"prompt_tokens": 5, "completion_tokens": 1, "total_tokens": 6}}',
        "warning",
    ),
)
"""The rules over the usage of a response."""
