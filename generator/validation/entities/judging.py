"""Judging entities, what travels beside records: requests, responses, streams, ADM's structures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from generator.jsontext import JsonObject, JsonValue
from generator.validation.entities import adm, chat_requests, chat_responses
from generator.validation.entities.adm import call_violations, result_violations, tool_violations
from generator.validation.entities.chat_requests import (
    MESSAGE_RULES,
    REQUEST_RULES,
    ChoiceView,
    ResponseView,
    StreamView,
)
from generator.validation.entities.chat_responses import RESPONSE_RULES, STREAM_RULES
from generator.validation.rule import Find, Rule, ask, rules_of
from generator.validation.specifications import qwen3
from generator.validation.verdict import Violation
from generator.validation.view import RecordView

_NOT_OF_ANSWERS = frozenset({"TC011"})
"""Rules that a response cannot keep yet: its own calls are answered by the next request."""
_View = TypeVar("_View", ResponseView, StreamView)


def request_violations(document: JsonValue, prefix: str = "") -> Iterator[Violation]:
    """Yield every violation in a chat completion request."""
    yield from ask(REQUEST_RULES, RecordView(document, generated=False), prefix)


def response_violations(document: JsonValue) -> Iterator[Violation]:
    """Yield every violation in a response, or in `{"request": ..., "response": ...}`."""
    yield from _answer_violations(document, ResponseView, RESPONSE_RULES)


def stream_violations(document: JsonValue) -> Iterator[Violation]:
    """Yield every violation in an array of chunks, or in `{"request": ..., "response": [...]}`."""
    yield from _answer_violations(document, StreamView, STREAM_RULES)


def _answer_violations(
    document: JsonValue, view_of: Callable[[JsonValue, JsonObject | None], _View], rules: tuple[Rule[_View], ...]
) -> Iterator[Violation]:
    """Yield what is found in an answer of a server, and in the request where that stands beside it."""
    answer, request, prefix = _apart(document)
    if request is not None:
        yield from request_violations(request, "/request")
    view = view_of(answer, request)
    yield from ask(rules, view, prefix)
    yield from _message_violations(view.choices, prefix)


def _apart(document: JsonValue) -> tuple[JsonValue, JsonObject | None, str]:
    """Return the answer, its request where that stands beside it, and the pointer of the answer."""
    if isinstance(document, dict) and document.keys() >= {"request", "response"}:
        request = document["request"]
        return document["response"], request if isinstance(request, dict) else {}, "/response"
    return document, None, ""


def _message_violations(choices: Iterable[ChoiceView], prefix: str) -> Iterator[Violation]:
    """Yield what the rules of messages find in the message of each choice."""
    for choice in choices:
        if not isinstance(choice.message, dict):
            continue
        for rule in MESSAGE_RULES:
            severity = rule.severity_in(generated=False)
            if severity is None or rule.code in _NOT_OF_ANSWERS:
                continue
            for finding in rule.find(choice.record):
                placed = choice.place(finding)
                if placed is not None:
                    yield rule.violation(placed, severity, prefix)


CHECKS: dict[str, dict[str, Find[Any]]] = {
    "openai_chat": {
        **chat_requests.REQUEST_CHECKS,
        **chat_requests.MESSAGE_CHECKS,
        **chat_responses.RESPONSE_CHECKS,
        **chat_responses.STREAM_CHECKS,
    },
    "adm_structures": {
        **adm.TOOL_CHECKS,
        **adm.SHARED_CHECKS,
        **adm.CALL_CHECKS,
        **adm.RESULT_CHECKS,
    },
    "qwen3": qwen3.AS_WRITTEN,
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
