"""Every rule over records: the checks of each document, bound to the rows of its table."""

from __future__ import annotations

from generator.validation.grounding import rules as grounding
from generator.validation.rule import Check, RecordRule, record_rules
from generator.validation.specifications import adm, deepfabric, openai, practice, qwen3, unread

CHECKS: dict[str, dict[str, Check]] = {
    "deepfabric": deepfabric.CHECKS,
    "openai": {**openai.MESSAGE_CHECKS, **openai.TOOL_CHECKS, **practice.OPENAI_ORDER_CHECKS},
    "adm": {**adm.CALL_CHECKS, **adm.RESULT_CHECKS},
    "qwen3": qwen3.CHECKS,
    "practice": {
        **practice.ORDER_CHECKS,
        **practice.MESSAGE_CHECKS,
        **practice.CHECKS,
        **practice.CONTROL_CHECKS,
    },
    "unread": unread.CHECKS,
    "grounding": grounding.CHECKS,
}
"""The checks by the code of their rule, by the document whose table has its row."""

RULES: dict[str, RecordRule] = {
    code: rule for document, checks in CHECKS.items() for code, rule in record_rules(document, checks).items()
}
"""The rules by code: DF, OA, ADM and Q3 for the four specification documents, TC for practice."""

DOCUMENT_RULE = RULES["TC101"]
"""Asked first; where it is broken nothing else is."""
