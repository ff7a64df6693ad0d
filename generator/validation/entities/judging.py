"""Judging entities, what travels beside records: requests, responses, streams, ADM's structures."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from generator.jsontext import JsonValue
from generator.validation.entities import (
    adm_calls,
    adm_results,
    adm_tools,
    as_written,
    chat_messages,
    chat_requests,
    chat_responses,
    chat_streams,
)
from generator.validation.entities.adm import call_violations, result_violations, tool_violations
from generator.validation.entities.chat import request_violations, response_violations, stream_violations
from generator.validation.rule import Find, Rule, rules_of
from generator.validation.verdict import Violation

CHECKS: dict[str, dict[str, Find[Any]]] = {
    "openai_chat": {
        **chat_requests.REQUEST_CHECKS,
        **chat_messages.MESSAGE_CHECKS,
        **chat_responses.RESPONSE_CHECKS,
        **chat_streams.STREAM_CHECKS,
    },
    "adm_structures": {
        **adm_tools.TOOL_CHECKS,
        **adm_tools.SHARED_CHECKS,
        **adm_calls.CALL_CHECKS,
        **adm_results.RESULT_CHECKS,
    },
    "qwen3": as_written.QWEN3_CHECKS,
}
"""The checks by the code of their rule, by the document whose table has its row."""

ENTITY_RULES: dict[str, Rule[Any]] = {
    rule.code: rule for document, checks in CHECKS.items() for rule in rules_of(document, checks)
}
"""The rules that entities alone have, by code; those over records hold for their messages, calls and tools too."""

JUDGES: dict[str, Callable[[JsonValue], Iterable[Violation]]] = {
    "openai-request": request_violations,
    "openai-response": response_violations,
    "openai-stream": stream_violations,
    "adm-tool": tool_violations,
    "adm-call": call_violations,
    "adm-result": result_violations,
}
"""What finds every violation in one value of an entity, by the name of its format."""
