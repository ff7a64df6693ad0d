"""The protocols beside OpenAI's own, as strict as the servers that speak them: each answers what another would."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from aiohttp import web

Body = dict[str, Any]
Answer = Callable[[Body], Body]
KEY = "the-key-0123456789"


def refused(status: int, message: str) -> web.Response:
    """An error as Anthropic words it."""
    error = {"type": "invalid_request_error", "message": message}
    return web.json_response({"type": "error", "error": error}, status=status)


def misfit(request: web.Request, body: Body) -> str:
    """What is wrong with a request to the messages API, "" where nothing is."""
    if request.headers.get("anthropic-version") != "2023-06-01":
        return "anthropic-version: header is required"
    if not isinstance(body.get("max_tokens"), int):
        return "max_tokens: Field required"
    unknown = set(body) - {"model", "max_tokens", "messages", "system", "temperature", "top_p", "tools", "tool_choice"}
    if unknown:
        return f"{min(unknown)}: Extra inputs are not permitted"
    roles = [message["role"] for message in body["messages"]]
    if not roles or roles[0] != "user" or not set(roles) <= {"user", "assistant"}:
        return "messages: first message must use the user role, and roles are user and assistant"
    if body.get("temperature", 0) > 1:
        return "temperature: range: 0..1"
    for tool in body.get("tools", ()):
        if set(tool) != {"name", "description", "input_schema"} or tool["input_schema"].get("type") != "object":
            return "tools.0.custom.input_schema.type: Field required"
    return ""


async def message(request: web.Request, answer: Answer, *, without_tools: bool = False) -> web.Response:
    """`POST /v1/messages`."""
    if request.headers.get("x-api-key") != KEY or "Authorization" in request.headers:
        return refused(401, "invalid x-api-key")
    body = await request.json()
    if wrong := misfit(request, body):
        return refused(400, wrong)
    if without_tools and "tools" in body:
        return refused(400, "tool_choice: forced tools are not available here")
    content: list[Body] = [{"type": "thinking", "thinking": "Let me see.", "signature": "x"}]
    choice = body.get("tool_choice")
    if choice:
        assert choice == {"type": "tool", "name": body["tools"][0]["name"]}
        content.append({"type": "tool_use", "id": "t1", "name": choice["name"], "input": answer(body)})
    else:
        content.append({"type": "text", "text": json.dumps(answer(body))})
    usage = {"input_tokens": 60, "cache_read_input_tokens": 40, "output_tokens": 50}
    return web.json_response(
        {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "content": content,
            "stop_reason": "tool_use" if choice else "end_turn",
            "usage": usage,
        }
    )


def wrong_at_azure(request: web.Request) -> web.Response | None:
    """What Azure says before it looks at a request: the key has a header of its own, deployments want a version."""
    if request.headers.get("api-key") != KEY or "Authorization" in request.headers:
        message = "Access denied due to invalid subscription key or wrong API endpoint."
        return web.json_response({"error": {"code": "401", "message": message}}, status=401)
    if "deployments" in request.path and request.query.get("api-version") != "2024-10-21":
        return web.json_response({"error": {"code": "404", "message": "Resource not found"}}, status=404)
    return None
