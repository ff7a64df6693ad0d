"""Judging the entities of OpenAI's protocol: a request, a response or a stream, alone or with its request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from generator.jsontext import JsonObject, JsonValue
from generator.validation.entities.chat_messages import MESSAGE_RULES
from generator.validation.entities.chat_requests import REQUEST_RULES
from generator.validation.entities.chat_responses import RESPONSE_RULES
from generator.validation.entities.chat_streams import STREAM_RULES
from generator.validation.entities.chat_view import ChoiceView, ResponseView
from generator.validation.entities.stream_view import StreamView
from generator.validation.rule import ask
from generator.validation.verdict import Violation
from generator.validation.view import RecordView

_NOT_OF_ANSWERS = frozenset({"TC011"})
"""Rules that a response cannot keep yet: its own calls are answered by the next request."""


def request_violations(document: JsonValue, prefix: str = "") -> Iterator[Violation]:
    """Yield every violation in a chat completion request."""
    yield from ask(REQUEST_RULES, RecordView(document, generated=False), prefix)


def response_violations(document: JsonValue) -> Iterator[Violation]:
    """Yield every violation in a response, or in `{"request": ..., "response": ...}`."""
    answer, request, prefix = _apart(document)
    if request is not None:
        yield from request_violations(request, "/request")
    view = ResponseView(answer, request)
    yield from ask(RESPONSE_RULES, view, prefix)
    yield from _message_violations(view.choices, prefix)


def stream_violations(document: JsonValue) -> Iterator[Violation]:
    """Yield every violation in an array of chunks, or in `{"request": ..., "response": [...]}`."""
    answer, request, prefix = _apart(document)
    if request is not None:
        yield from request_violations(request, "/request")
    view = StreamView(answer, request)
    yield from ask(STREAM_RULES, view, prefix)
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
