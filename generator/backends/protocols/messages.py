"""Anthropic's messages API: system text apart, a schema by a tool that must be called, tokens under other names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from generator.backends.address import ServerAddress
from generator.backends.backend import SUBMIT, AnsweredCall, Completion, CompletionRequest, Mode, RequestRefused
from generator.backends.protocols.protocol import counted, no_answer, split_thoughts, text_of
from generator.jsontext import JsonObject, JsonValue

_VERSION = "2023-06-01"
_FINISHED = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
}
"""Why an answer ends, in the words of chat completions; other reasons are passed on as they are."""
_PROMPT = ("system", "messages", "tools")
"""The keys of a request that hold its prompt."""
_PROMPT_TOKENS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class Messages:
    """`POST /v1/messages`."""

    modes: ClassVar[tuple[Mode, ...]] = ("tools", "text")
    options: ClassVar[Mapping[str, str]] = {
        "temperature": "--temperature",
        "top_p": "--top-p",
        "output_config": "--reasoning-effort",
        "effort": "--reasoning-effort",
        "max_tokens": "--max-output-tokens",
    }

    @staticmethod
    def lacks(address: ServerAddress) -> str:
        """Say that any URL will do."""
        return ""

    def path(self, address: ServerAddress) -> str:
        """Return where requests go: the base URL may end in /v1, as most do, or before it, as Anthropic's does."""
        return "/messages" if address.plain_url.rstrip("/").endswith("/v1") else "/v1/messages"

    def headers(self, address: ServerAddress) -> Mapping[str, str]:
        """Return the version and the key, and user and password where the URL holds them."""
        basic = {"Authorization": address.basic} if address.basic else {}
        return {"anthropic-version": _VERSION} | basic | ({"x-api-key": address.key} if address.key else {})

    def body(self, request: CompletionRequest) -> JsonObject:
        """Return the JSON that asks this question in its mode."""
        model = request.model
        chosen = {"temperature": model.temperature, "top_p": model.top_p}
        system = [message["content"] for message in request.messages if message["role"] == "system"]
        body: JsonObject = {
            "model": model.model,
            "max_tokens": model.max_output_tokens,
            **({"system": "\n\n".join(system)} if system else {}),
            "messages": list(_worded(request.messages)),
            **{name: value for name, value in chosen.items() if value is not None},
            **({"output_config": {"effort": model.reasoning_effort}} if model.reasoning_effort else {}),
            **model.extra_body,
        }
        if request.tools:
            return body | {"tools": [_definition(tool) for tool in request.tools], "tool_choice": {"type": "auto"}}
        if request.mode != "tools":
            return body
        tool = {"name": SUBMIT, "description": "Submit the answer.", "input_schema": request.schema}
        return body | {"tools": [tool], "tool_choice": {"type": "tool", "name": SUBMIT}}

    def reword(self, refusal: RequestRefused, body: JsonObject) -> bool:
        """Say that there is no other word for anything here."""
        return False

    def read(self, document: JsonValue, body: JsonObject, size: int) -> Completion:
        """Return the parts of a message that matter."""
        blocks = _blocks(document)
        text, thoughts = split_thoughts("".join(_texts(blocks, "text")))
        thoughts = "\n".join(_texts(blocks, "thinking")) or thoughts
        calls = tuple(_calls(blocks))
        usage = document.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        reason = document.get("stop_reason")
        answer = Completion(
            text=text,
            calls=calls,
            finish_reason=_FINISHED.get(reason, reason) if isinstance(reason, str) else "",
            refusal=(text or "the model refused") if reason == "refusal" else "",
            thoughts=thoughts,
        )
        asked = {key: body[key] for key in _PROMPT if key in body}
        return counted(answer, _prompt_tokens(counts), counts.get("output_tokens"), asked, size)


def _definition(tool: JsonObject) -> JsonObject:
    function = tool["function"]
    described = {"description": function["description"]} if function.get("description") else {}
    return {"name": function["name"], **described, "input_schema": function.get("parameters") or {"type": "object"}}


def _worded(messages: tuple[JsonObject, ...]) -> Iterator[JsonObject]:
    """Yield the messages but the system's: calls as blocks, and the results of one turn in one message of the user."""
    results: list[JsonObject] = []
    for message in messages:
        if message["role"] == "tool":
            result = {"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": message["content"]}
            results.append(result)
            continue
        if results:
            yield {"role": "user", "content": results}
            results = []
        if message.get("tool_calls"):
            said = [{"type": "text", "text": message["content"]}] if message["content"] else []
            yield {"role": "assistant", "content": [*said, *map(_use, message["tool_calls"])]}
        elif message["role"] != "system":
            yield message
    if results:
        yield {"role": "user", "content": results}


def _use(call: JsonObject) -> JsonObject:
    function = call["function"]
    return {"type": "tool_use", "id": call["id"], "name": function["name"], "input": function["arguments"]}


def _blocks(document: JsonValue) -> list[JsonObject]:
    content = document.get("content") if isinstance(document, dict) else None
    if not isinstance(content, list):
        raise no_answer(document)
    return [block for block in content if isinstance(block, dict)]


def _texts(blocks: list[JsonObject], kind: str) -> Iterator[str]:
    for block in blocks:
        if block.get("type") == kind and isinstance(text := block.get(kind), str):
            yield text


def _calls(blocks: list[JsonObject]) -> Iterator[AnsweredCall]:
    for block in blocks:
        if block.get("type") == "tool_use" and isinstance(name := block.get("name"), str):
            yield AnsweredCall(name=name, arguments=text_of(block.get("input")))


def _prompt_tokens(usage: JsonObject) -> JsonValue:
    """The tokens of the whole prompt: those from a cache are told apart."""
    counts = [usage.get(name) or 0 for name in _PROMPT_TOKENS]
    return sum(counts) if all(isinstance(count, int) and count >= 0 for count in counts) else None
