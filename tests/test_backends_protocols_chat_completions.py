"""Chat completions: the body of each way of asking."""

from __future__ import annotations

from generator.backends.backend import MODES, CompletionRequest
from generator.backends.model import ModelOptions
from generator.backends.protocols.chat_completions import ChatCompletions
from generator.jsontext import JsonObject

SCHEMA: JsonObject = {"type": "object", "properties": {"reply": {"type": "string"}}}
MESSAGES: tuple[JsonObject, ...] = ({"role": "user", "content": "Say it."},)


def test_the_body_of_each_mode() -> None:
    model = ModelOptions("m", 9)
    bodies = {mode: ChatCompletions().body(CompletionRequest(model, MESSAGES, SCHEMA, True, mode)) for mode in MODES}
    assert all(body["model"] == "m" and body["max_tokens"] == 9 for body in bodies.values())
    assert all(body["messages"] == list(MESSAGES) for body in bodies.values())
    assert bodies["json_schema"]["response_format"]["json_schema"] == {
        "name": "answer",
        "schema": SCHEMA,
        "strict": True,
    }
    assert bodies["tools"]["tools"][0]["function"]["parameters"] == SCHEMA
    assert bodies["tools"]["tool_choice"] == "required"
    assert bodies["json_object"]["response_format"] == {"type": "json_object"}
    assert "response_format" not in bodies["text"]
