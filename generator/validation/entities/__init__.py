"""Entities: what travels beside records (requests, responses, streams, ADM's structures), by the same kind of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
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
from generator.validation.entities.entity_rule import EntityRule
from generator.validation.practice_records import DOCUMENT_RULE, unstorable
from generator.validation.verdict import Violation

_GROUPS: tuple[tuple[EntityRule[Any], ...], ...] = (
    chat_requests.OWN_RULES,
    chat_messages.OWN_RULES,
    chat_responses.RESPONSE_RULES,
    chat_streams.OWN_RULES,
    adm_tools.TOOL_STRUCTURE_RULES,
    adm_tools.SHARED_RULES,
    adm_calls.OWN_RULES,
    adm_results.OWN_RULES,
    as_written.QWEN3_RULES,
)

ENTITY_RULES: dict[str, EntityRule[Any]] = {rule.code: rule for group in _GROUPS for rule in group}
"""The rules that entities alone have, by code; those over records hold for their messages, calls and tools too."""

_JUDGES: dict[str, Callable[[JsonValue], Iterable[Violation]]] = {
    "openai-request": request_violations,
    "openai-response": response_violations,
    "openai-stream": stream_violations,
    "adm-tool": tool_violations,
    "adm-call": call_violations,
    "adm-result": result_violations,
}


def judge(entity: str, document: JsonValue) -> Iterator[Violation]:
    """Yield every violation in one value of an entity, whatever JSON it is; `entity` is the name of its format."""
    unstored = list(unstorable(document))
    if unstored:
        yield DOCUMENT_RULE.violation(unstored[0], "error")
    else:
        yield from _JUDGES[entity](document)


ENTITIES: dict[str, Callable[[JsonValue], Iterator[Violation]]] = {name: partial(judge, name) for name in _JUDGES}
"""What judges one value of each entity, by the name of its format; it can be sent to other processes."""
