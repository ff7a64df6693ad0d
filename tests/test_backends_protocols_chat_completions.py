"""Chat completions: the body of each way of asking."""

from __future__ import annotations

from typing import Any

import pytest

from generator.backends.backend import MODES, Completion, CompletionRequest, ModelOptions
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


def read(message: JsonObject, usage: Any = None) -> Completion:
    document = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage}
    return ChatCompletions().read(document, {"messages": list(MESSAGES)}, 100)


@pytest.mark.parametrize(
    ("message", "text", "thoughts"),
    [
        ({"content": "{}", "reasoning_content": "Well."}, "{}", "Well."),
        ({"content": "{}", "reasoning": "Well."}, "{}", "Well."),
        ({"content": "{}", "reasoning_content": "Well.", "reasoning": "Well."}, "{}", "Well."),
        ({"content": "<think>Well.</think>{}"}, "{}", "Well."),
        ({"content": "<think>Well. {}"}, "", "Well. {}"),
        ({"content": None, "reasoning_content": '{"reply": "a draft"}'}, "", '{"reply": "a draft"}'),
        ({"content": "<think>\n</think>{}", "reasoning_content": None}, "{}", ""),
        ({"content": "{}", "reasoning": {"effort": "low"}}, "{}", ""),
        (
            {
                "content": [
                    {"type": "thinking", "thinking": [{"type": "text", "text": "Well."}]},
                    {"type": "text", "text": "{}"},
                ]
            },
            "{}",
            "Well.",
        ),
    ],
)
def test_thoughts_are_no_part_of_the_answer(message: JsonObject, text: str, thoughts: str) -> None:
    found = read(message)
    assert (found.text, found.thoughts) == (text, thoughts)
    assert found.said == text


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"prompt_tokens": 50, "completion_tokens": 90}, 90),
        ({"prompt_tokens": 50, "completion_tokens": 90, "total_tokens": 140}, 90),
        (
            {"prompt_tokens": 50, "completion_tokens": 90, "completion_tokens_details": {"reasoning_tokens": 80}},
            90,
        ),
        (
            {"prompt_tokens": 50, "completion_tokens": 10, "completion_tokens_details": {"reasoning_tokens": 80}},
            90,
        ),
        ({"prompt_tokens": 50, "completion_tokens": 10, "total_tokens": 140}, 90),
        ({"prompt_tokens": 50, "completion_tokens": 10, "total_tokens": 3}, 10),
        ({"prompt_tokens": 50, "completion_tokens": 10, "total_tokens": "many", "completion_tokens_details": []}, 10),
    ],
)
def test_tokens_of_thoughts_are_tokens_of_the_answer(usage: Any, tokens: int) -> None:
    found = read({"content": "{}", "reasoning_content": "Well."}, usage)
    assert (found.completion_tokens, found.estimated) == (tokens, False)


def test_an_estimate_counts_thoughts() -> None:
    assert read({"content": "{}", "reasoning_content": "x" * 398}).completion_tokens == 100


@pytest.mark.parametrize("usage", [{"prompt_tokens": 50, "completion_tokens": 10, "total_tokens": 10**9}])
def test_a_count_that_cannot_be_true_is_none(usage: Any) -> None:
    assert read({"content": "{}"}, usage).estimated


TOOL: JsonObject = {"type": "function", "function": {"name": "rain", "description": "", "parameters": {}}}
CALL: JsonObject = {"id": "abcdefghi", "type": "function", "function": {"name": "rain", "arguments": {"in": "Oslo"}}}
CONVERSATION: tuple[JsonObject, ...] = (
    {"role": "user", "content": "Rain?"},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "abcdefghi", "name": "rain", "content": "[]"},
)


def test_a_conversation_with_tools_is_worded_as_the_protocol_has_it() -> None:
    request = CompletionRequest(ModelOptions("m", 9), CONVERSATION, tools=(TOOL,))
    body = ChatCompletions().body(request)
    assert (body["tools"], body["tool_choice"]) == ([TOOL], "auto")
    assert body["messages"][1]["tool_calls"][0]["function"] == {"name": "rain", "arguments": '{"in":"Oslo"}'}
    assert body["messages"][2] == {"role": "tool", "tool_call_id": "call_abcdefghi", "content": "[]"}
    assert "parallel_tool_calls" not in body


def test_strict_tools_bar_calls_at_once() -> None:
    strict = {"type": "function", "function": {**TOOL["function"], "strict": True}}
    request = CompletionRequest(ModelOptions("m", 9), CONVERSATION, tools=(TOOL, strict))
    assert ChatCompletions().body(request)["parallel_tool_calls"] is False


def test_the_tools_decide_the_key_of_a_request() -> None:
    asked = [
        CompletionRequest(ModelOptions("m", 9), CONVERSATION, tools=tools) for tools in ((), (TOOL,), (TOOL, TOOL))
    ]
    assert len({request.key for request in asked}) == 3
