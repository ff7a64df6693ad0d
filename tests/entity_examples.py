"""Valid requests, responses, streams and ADM structures, for tests to start from."""

from __future__ import annotations

import json
from typing import Any

Json = Any  # parsed JSON


def read_file() -> Json:
    """A tool definition."""
    parameters = {
        "type": "object",
        "properties": {"path": {"type": "string"}, "lines": {"type": "integer"}},
        "required": ["path"],
        "additionalProperties": False,
    }
    return {"type": "function", "function": {"name": "read_file", "description": "Read it.", "parameters": parameters}}


def call(identity: str = "call_abc123xyz", arguments: str = '{"path":"a.txt"}', name: str = "read_file") -> Json:
    """One call."""
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


def answered() -> list[Json]:
    """A conversation in which two calls are made at once and answered."""
    return [
        {"role": "system", "content": "You read files."},
        {"role": "user", "content": "Read a.txt and b.txt."},
        {"role": "assistant", "content": None, "tool_calls": [call("call_1"), call("call_2", '{"path":"b.txt"}')]},
        {"role": "tool", "tool_call_id": "call_1", "name": "read_file", "content": "one"},
        {"role": "tool", "tool_call_id": "call_2", "content": "two"},
    ]


def request() -> Json:
    """A request that uses every parameter."""
    return {
        "model": "gpt-oss-120b",
        "messages": answered(),
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 256,
        "temperature": 0.7,
        "top_p": 1,
        "stop": ["END"],
        "tools": [read_file()],
        "tool_choice": {"type": "function", "function": {"name": "read_file"}},
        "parallel_tool_calls": True,
        "reasoning_effort": "low",
        "seed": 7,
    }


USAGE = {"prompt_tokens": 12, "completion_tokens": 3, "total_tokens": 15}


def response() -> Json:
    """A response that calls."""
    message = {"role": "assistant", "content": None, "tool_calls": [call()]}
    return {
        "id": "chatcmpl-abc123xyz",
        "object": "chat.completion",
        "created": 1762905600,
        "model": "gpt-oss-120b",
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls", "logprobs": None}],
        "usage": dict(USAGE),
    }


def chunk(delta: Json, finish: str | None = None) -> Json:
    """One chunk of a stream."""
    return {
        "id": "chatcmpl-abc123xyz",
        "object": "chat.completion.chunk",
        "created": 1762905600,
        "model": "gpt-oss-120b",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def stream() -> list[Json]:
    """A stream that folds into two calls, with its usage."""
    first, second = call("call_3", ""), call("call_4", "")
    return [
        chunk({"role": "assistant", "content": ""}),
        chunk({"tool_calls": [{"index": 0, **first}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": '{"pa'}}]}),
        chunk({"tool_calls": [{"index": 0, "function": {"arguments": 'th":"a.txt"}'}}]}),
        chunk({"tool_calls": [{"index": 1, **second, "function": {"name": "read_file", "arguments": "{"}}]}),
        chunk({"tool_calls": [{"index": 1, "function": {"arguments": '"path":"b.txt"}'}}]}),
        chunk({}, "tool_calls"),
        {**chunk({}), "choices": [], "usage": dict(USAGE)},
    ]


def tool() -> Json:
    """An ADM Tool."""
    parameters = {
        "type": "OBJECT",
        "properties": {
            "city": {"type": "STRING", "description": "The city.", "enum": ["Rome", "Oslo"]},
            "days": {"type": "INTEGER"},
            "warm": {"type": "BOOLEAN"},
            "height": {"type": "NUMBER"},
            "tags": {"type": "ARRAY", "items": {"type": "STRING"}},
            "place": {"type": "OBJECT", "properties": {"lat": {"type": "NUMBER"}}, "required": ["lat"]},
            "extra": {"type": "OBJECT"},
        },
        "required": ["city"],
    }
    declaration = {"name": "get_weather", "description": "Get the weather.", "parameters": parameters}
    return {"function_declarations": [declaration], "x_team": "sky", "vendor_acme_tier": 2}


def adm_call() -> Json:
    """A FunctionCall with its Tool."""
    return {"tool": tool(), "call": {"name": "get_weather", "args": {"city": "Rome", "days": 3, "tags": ["a"]}}}


def adm_result() -> Json:
    """A ToolResult with its call and Tool."""
    return {**adm_call(), "result": {"name": "get_weather", "status": "SUCCESS", "content": {"temperature": 21.5}}}


VALID: dict[str, list[Json]] = {
    "openai-request": [request(), {"model": "m", "messages": [{"role": "user", "content": "Hi."}]}],
    "openai-response": [response(), {"request": {**request(), "stream": False, "stream_options": None},
                                     "response": {**response(), "x": 1}}],
    "openai-stream": [stream(), [*stream(), "[DONE]"], {"request": request(), "response": stream()}],
    "adm-tool": [tool()],
    "adm-call": [adm_call()],
    "adm-result": [adm_result(), adm_result()["result"]],
}  # fmt: skip
"""Values of each format in which nothing is wrong."""


def merged(base: Json, part: Json) -> Json:
    """Lay a part over a value: objects key by key, arrays of objects over the first entry of the array below."""
    if isinstance(base, dict) and isinstance(part, dict):
        return {**base, **{key: merged(base.get(key), value) for key, value in part.items()}}
    if isinstance(base, list) and isinstance(part, list) and base:
        return [merged(base[0], entry) for entry in part]
    return part


def copied(value: Json) -> Json:
    """A copy to break."""
    return json.loads(json.dumps(value))
