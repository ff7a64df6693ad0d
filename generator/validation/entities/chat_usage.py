"""OA: the usage of a response or of the last chunk of a stream (seeds/003, 10)."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.entities.chat_view import ResponseView, as_object
from generator.validation.entities.numbers import is_whole
from generator.validation.rule import Find, Finding
from generator.validation.say import brief, kind_of

COUNTS = ("prompt_tokens", "completion_tokens", "total_tokens")


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


USAGE_CHECKS: dict[str, Find[ResponseView]] = {
    "OA145": _usage_is_whole,
    "OA146": _usage_adds_up,
    "OA147": _usage_is_told,
}
"""The checks of the usage of a response."""
