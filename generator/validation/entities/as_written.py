"""Records as their formats write them, before they are brought to the canonical form.

Reading gives OpenAI's calls ids of nine characters and their arguments as objects, and takes any space inside Qwen3's
tags: what it mends is judged here, on the record as it stands (seeds/002; seeds/003, 2 and 3).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from generator.jsontext import JsonValue
from generator.validation.rule import Find, Finding, Rule, rules_of
from generator.validation.verdict import Severity, Violation, weaker
from generator.validation.view import RecordView

_TAGS = ("tool_call", "tool_response")


def _tags_have_lines_of_their_own(record: RecordView) -> Iterator[Finding]:
    for message in record.messages:
        if isinstance(message.content, str):
            yield from _joined(message.content, f"{message.pointer}/content")
    text = record.document.get("text") if isinstance(record.document, dict) else None
    if isinstance(text, str):
        yield from _joined(text.rpartition("</tool_call> XML tags:")[2], "/text")


def _joined(text: str, pointer: str) -> Iterator[Finding]:
    """Yield one finding for each tag that has no line break inside it."""
    for tag in _TAGS:
        blocks = text.split(f"<{tag}>")[1:]
        if any(not block.startswith("\n") or not _ends_with_break(block, tag) for block in blocks):
            yield Finding(pointer, f"<{tag}> and </{tag}> have a line break inside them, as the model was trained")


def _ends_with_break(block: str, tag: str) -> bool:
    inside, closing, _ = block.partition(f"</{tag}>")
    return not closing or inside.endswith("\n")


QWEN3_CHECKS: dict[str, Find[RecordView]] = {"Q3004": _tags_have_lines_of_their_own}

_AS_OPENAI = ("OA121", "OA122", "OA123")
_FORMS = frozenset({"openai", "openai-finetune", "qwen3", "qwen3-text"})


@cache
def _rules(form: str) -> tuple[Rule[RecordView], ...]:
    """Return the rules of a format; those of requests take long to read, and few files need them."""
    if form.startswith("qwen3"):
        return rules_of("qwen3", QWEN3_CHECKS)
    from generator.validation.entities.chat_requests import OWN_MESSAGE_RULES

    return tuple(rule for rule in OWN_MESSAGE_RULES if rule.code in _AS_OPENAI)


REPLACED = frozenset({"DF004", "DF005"})
"""Rules of the canonical form in whose place these formats have their own."""


def is_judged_as_written(form: str) -> bool:
    """Say whether a format has rules over its records as they stand."""
    return form in _FORMS


def violations_as_written(form: str, document: JsonValue, at_most: Severity) -> Iterator[Violation]:
    """Yield what a record breaks as it stands.

    Args:
        form: the name of the format that it was read in.
        document: the record as parsed JSON.
        at_most: "error" where the user has said what format it is, else "warning".
    """
    if not is_judged_as_written(form):
        return
    view = RecordView(document, generated=False)
    for rule in _rules(form):
        severity = weaker(rule.read or "error", at_most)
        yield from (rule.violation(finding, severity) for finding in rule.find(view))
