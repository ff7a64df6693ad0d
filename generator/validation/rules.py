"""Every rule, by its code."""

from __future__ import annotations

from generator.validation import (
    adm_calls,
    adm_results,
    control_characters,
    deepfabric,
    masks,
    openai_messages,
    openai_tools,
    order,
    practice_messages,
    practice_records,
    qwen3,
    unread,
)
from generator.validation.grounding import rules as grounding
from generator.validation.rule import Rule

_GROUPS = (
    deepfabric.RULES,
    openai_messages.RULES,
    openai_tools.RULES,
    order.RULES,
    adm_calls.RULES,
    adm_results.RULES,
    qwen3.RULES,
    practice_messages.RULES,
    practice_records.RULES,
    masks.RULES,
    control_characters.RULES,
    unread.RULES,
    grounding.RULES,
)

RULES: dict[str, Rule] = {rule.code: rule for group in _GROUPS for rule in group}
"""The rules by code: DF, OA, ADM and Q3 for the four specification documents, TC for practice."""
