"""Records as their formats write them, before they are brought to the canonical form.

Reading gives OpenAI's calls ids of nine characters and their arguments as objects, and takes any space inside Qwen3's
tags: what it mends is judged here, on the record as it stands (seeds/002; seeds/003, 2 and 3).
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import JsonValue
from generator.validation.entities.chat_messages import OWN_RULES as OPENAI_RULES
from generator.validation.entities.entity_rule import EntityRule
from generator.validation.rule import Finding
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


QWEN3_RULES: tuple[EntityRule[RecordView], ...] = (
    EntityRule(
        "Q3004",
        "The tags of calls and results stand on lines of their own.",
        "Qwen3 tool-calling format, notes",
        _tags_have_lines_of_their_own,
        "Qwen3 has seen its calls with line breaks inside the tags; without them it is taught other tokens.",
        '{"content": "<tool_call>{\\"name\\": \\"now\\", \\"arguments\\": {}}</tool_call>"}',
        '{"content": "<tool_call>\\n{\\"name\\": \\"now\\", \\"arguments\\": {}}\\n</tool_call>"}',
        severity="warning",
    ),
)

_AS_OPENAI = tuple(rule for rule in OPENAI_RULES if rule.code in ("OA121", "OA122", "OA123"))
_RULES: dict[str, tuple[EntityRule[RecordView], ...]] = {
    "openai": _AS_OPENAI,
    "openai-finetune": _AS_OPENAI,
    "qwen3": QWEN3_RULES,
    "qwen3-text": QWEN3_RULES,
}
"""The rules by the name of the format."""

REPLACED = frozenset({"DF004", "DF005"})
"""Rules of the canonical form in whose place these formats have their own."""


def is_judged_as_written(form: str) -> bool:
    """Say whether a format has rules over its records as they stand."""
    return form in _RULES


def violations_as_written(form: str, document: JsonValue, at_most: Severity) -> Iterator[Violation]:
    """Yield what a record breaks as it stands.

    Args:
        form: the name of the format that it was read in.
        document: the record as parsed JSON.
        at_most: "error" where the user has said what format it is, else "warning".
    """
    rules = _RULES.get(form)
    if rules is None:
        return
    view = RecordView(document, generated=False)
    for rule in rules:
        severity = weaker(rule.severity, at_most)
        yield from (rule.violation(finding, severity) for finding in rule.find(view))
