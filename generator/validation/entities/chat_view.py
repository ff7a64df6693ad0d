"""Views of responses and streams: their choices, each with the conversation that it continues."""

from __future__ import annotations

import re
from functools import cached_property

from generator.jsontext import JsonObject, JsonValue
from generator.validation.rule import Finding
from generator.validation.view import RecordView, as_list

_MESSAGE = re.compile(r"/messages/(\d+)")


def as_object(value: JsonValue) -> JsonObject:
    """Return the value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def conversation_for(request: JsonObject | None, choices: int) -> JsonObject | None:
    """Return the request that choices continue; without its messages where together they are too many to look at.

    Each choice is judged as the next turn of the conversation, so that the work grows with the product of both.
    """
    messages = len(as_list((request or {}).get("messages")))
    return {**request, "messages": []} if request and messages * choices > _MOST_TOGETHER else request


_MOST_TOGETHER = 1_000_000


class ChoiceView:
    """One entry of `choices`, whatever JSON it is, as the next turn of the conversation that was asked for."""

    def __init__(self, pointer: str, raw: JsonValue, request: JsonObject | None) -> None:
        self.pointer = pointer
        self.raw = raw
        self.entry = as_object(raw)
        self.message: JsonValue = self.entry.get("message")
        self.finish: JsonValue = self.entry.get("finish_reason")
        self._request = request

    @cached_property
    def record(self) -> RecordView:
        """The request's conversation, where it is known, with this message as its last."""
        asked = self._request or {}
        kept = {key: asked[key] for key in ("tools", "parallel_tool_calls") if asked.get(key) is not None}
        return RecordView({**kept, "messages": [*as_list(asked.get("messages")), self.message]}, generated=False)

    @property
    def calls(self) -> int:
        """How many calls the message makes."""
        return len(as_list(as_object(self.message).get("tool_calls")))

    def place(self, finding: Finding) -> Finding | None:
        """Bring a finding in the conversation to the choice; None where it speaks of the request."""
        found = _MESSAGE.match(finding.pointer)
        if found is None or int(found[1]) != len(self.record.messages) - 1:
            return None
        return Finding(f"{self.pointer}/message{finding.pointer[found.end() :]}", finding.message)


class ResponseView:
    """One response, whatever JSON it is, with the request that it answers, where that is known."""

    def __init__(self, document: JsonValue, request: JsonObject | None = None) -> None:
        self.document = document
        self.is_object = isinstance(document, dict)
        self.entry = as_object(document)
        self.request = request
        self.has_choices = isinstance(self.entry.get("choices"), list)
        entries = as_list(self.entry.get("choices"))
        asked = conversation_for(request, len(entries))
        self.choices = [ChoiceView(f"/choices/{index}", raw, asked) for index, raw in enumerate(entries)]
