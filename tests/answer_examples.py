"""Records of one question, some calls with their results, and an answer, to try the rules over answers on."""

from __future__ import annotations

import json
from typing import Any

from generator.validation import check
from tests.record_examples import FIRST, SECOND, call, result

Json = Any  # parsed JSON
IDS = (FIRST, SECOND, "mN5oP6qR7")


def tool(name: str, description: str = "Do it.", **properties: Json) -> Json:
    """The definition of a tool."""
    parameters = {"type": "object", "properties": properties}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def told(asked: str, answer: str, *calls: tuple[str, Json, Json], tools: tuple[Json, ...] = ()) -> Json:
    """A record without metadata; each call is its tool's name, its arguments and its result."""
    made = [call(IDS[at], name, arguments) for at, (name, arguments, _) in enumerate(calls)]
    brought = [
        result(IDS[at], name, value if isinstance(value, str) else json.dumps(value))
        for at, (name, _, value) in enumerate(calls)
    ]
    turn = [{"role": "assistant", "content": "", "tool_calls": made}, *brought] if calls else []
    shown = [*tools, *(tool(name) for name in dict.fromkeys(name for name, _, _ in calls) if not tools)]
    messages = [{"role": "user", "content": asked}, *turn, {"role": "assistant", "content": answer}]
    return {"messages": messages, "tools": shown, "metadata": {}}


def found(document: Json, code: str, *, generated: bool = True) -> list[str]:
    """The severities of what a rule finds in a record."""
    return [each.severity for each in check(document, generated=generated) if each.rule == code]
