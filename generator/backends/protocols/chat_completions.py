"""OpenAI's chat completions, which most servers speak, each a little differently."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from generator.backends.address import ServerAddress
from generator.backends.backend import MODES, SUBMIT, AnsweredCall, Completion, CompletionRequest, Mode, RequestRefused
from generator.backends.protocols.protocol import counted, no_answer, split_thoughts, text_of
from generator.jsontext import JsonObject, JsonValue, dump_compact

_LIMIT, _NEW_LIMIT = "max_tokens", "max_completion_tokens"
_ASKS_FOR_ANOTHER = re.compile(r"(?i)unsupported|not supported|deprecated|instead")
_PROMPT = ("messages", "tools")
"""The keys of a request that hold its prompt."""
_PREFIX = "call_"
"""Before the nine characters of an id; servers whose templates take nine alone cut it off."""
_CHOOSING = ("temperature", "top_p", "reasoning_effort")


class ChatCompletions:
    """`POST /chat/completions`."""

    modes: ClassVar[tuple[Mode, ...]] = MODES
    options: ClassVar[Mapping[str, str]] = {
        "temperature": "--temperature",
        "top_p": "--top-p",
        "reasoning_effort": "--reasoning-effort",
        _LIMIT: "--max-output-tokens",
        _NEW_LIMIT: "--max-output-tokens",
    }

    def __init__(self) -> None:
        self._limit = _LIMIT

    @staticmethod
    def lacks(address: ServerAddress) -> str:
        """Say that any URL will do."""
        return ""

    def path(self, address: ServerAddress) -> str:
        """Return where requests go: the base URL ends in /v1 or the like."""
        return "/chat/completions"

    def headers(self, address: ServerAddress) -> Mapping[str, str]:
        """Return the key as a bearer token, or user and password where the URL holds them."""
        return {"Authorization": address.authorization} if address.authorization else {}

    def body(self, request: CompletionRequest) -> JsonObject:
        """Return the JSON that asks this question in its mode."""
        model = request.model
        body: JsonObject = {
            "model": model.model,
            self._limit: model.max_output_tokens,
            "messages": [_worded(message) for message in request.messages],
            **{name: value for name in _CHOOSING if (value := getattr(model, name)) is not None},
            **model.extra_body,
        }
        if request.mode == "json_schema":
            schema = {"name": "answer", "schema": request.schema, "strict": request.strict}
            return body | {"response_format": {"type": "json_schema", "json_schema": schema}}
        if request.mode == "tools":
            function = {"name": SUBMIT, "description": "Submit the answer.", "parameters": request.schema}
            return body | {"tools": [{"type": "function", "function": function}], "tool_choice": "required"}
        if request.tools:
            return body | _offered(request.tools)
        return body | {"response_format": {"type": "json_object"}} if request.mode == "json_object" else body

    def reword(self, refusal: RequestRefused, body: JsonObject) -> bool:
        """Say max_completion_tokens where a server wants that: OpenAI's own does for models that think."""
        said = str(refusal)
        if _LIMIT not in body or _NEW_LIMIT not in said or not _ASKS_FOR_ANOTHER.search(said):
            return False
        self._limit = _NEW_LIMIT
        return True

    def read(self, document: JsonValue, body: JsonObject, size: int) -> Completion:
        """Return the parts of a chat completion that matter."""
        message, finish_reason = _first_choice(document)
        content = message.get("content")
        text, thoughts = split_thoughts(_text(content))
        thoughts = _thoughts(message, content) or thoughts
        calls = tuple(_calls(message.get("tool_calls")))
        usage = document.get("usage")
        counts = usage if isinstance(usage, dict) else {}
        answer = Completion(
            text=text,
            calls=calls,
            finish_reason=finish_reason if isinstance(finish_reason, str) else "",
            refusal=_text(message.get("refusal")),
            thoughts=thoughts,
        )
        asked = {key: body[key] for key in _PROMPT if key in body}
        return counted(answer, counts.get("prompt_tokens"), _answer_tokens(counts), asked, size)


def _offered(tools: tuple[JsonObject, ...]) -> JsonObject:
    """Return what offers tools, to be called or not; strict ones bar calls at once, as OpenAI wants it."""
    strict = any(tool["function"].get("strict") is True for tool in tools)
    return {"tools": list(tools), "tool_choice": "auto"} | ({"parallel_tool_calls": False} if strict else {})


def _worded(message: JsonObject) -> JsonObject:
    """Return a message with ids as OpenAI has them and arguments as text; a result names its call, and no tool."""
    if message["role"] == "tool":
        return {"role": "tool", "tool_call_id": _prefixed(message["tool_call_id"]), "content": message["content"]}
    if "tool_calls" not in message:
        return message
    return {**message, "tool_calls": [_worded_call(call) for call in message["tool_calls"]]}


def _worded_call(call: JsonObject) -> JsonObject:
    function = call["function"]
    worded = {"name": function["name"], "arguments": dump_compact(function["arguments"])}
    return {"id": _prefixed(call["id"]), "type": "function", "function": worded}


def _prefixed(identity: str) -> str:
    return identity if identity.startswith(_PREFIX) else _PREFIX + identity


def _first_choice(document: JsonValue) -> tuple[JsonObject, JsonValue]:
    choices = document.get("choices") if isinstance(document, dict) else None
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise no_answer(document)
    message = choices[0].get("message")
    return message if isinstance(message, dict) else {}, choices[0].get("finish_reason")


def _text(content: JsonValue) -> str:
    """The text of a content: a string, or a list of parts with texts."""
    if isinstance(content, list):
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""


_THOUGHTS = ("reasoning_content", "reasoning")


def _thoughts(message: JsonObject, content: JsonValue) -> str:
    """What a server passes on of a model's thoughts beside its answer: as a field, or as parts of the content."""
    beside = (text for name in _THOUGHTS if (text := _text(message.get(name))))
    parts = content if isinstance(content, list) else ()
    within = (_text(part.get("thinking")) for part in parts if isinstance(part, dict))
    return next(beside, "") or "".join(within)


def _answer_tokens(usage: JsonObject) -> JsonValue:
    """The tokens of an answer with its thoughts, which are paid for: some servers count them in the total alone."""
    prompt, answer, total = (usage.get(f"{name}_tokens") for name in ("prompt", "completion", "total"))
    details = usage.get("completion_tokens_details")
    thought = details.get("reasoning_tokens") if isinstance(details, dict) else None
    if not isinstance(answer, int):
        return answer
    if isinstance(prompt, int) and isinstance(total, int):
        return max(answer, total - prompt)
    return answer + thought if isinstance(thought, int) and thought > answer else answer


def _calls(tool_calls: JsonValue) -> Iterator[AnsweredCall]:
    for call in tool_calls if isinstance(tool_calls, list) else ():
        function = call.get("function") if isinstance(call, dict) else None
        if isinstance(function, dict) and isinstance(name := function.get("name"), str):
            arguments = function.get("arguments")
            yield AnsweredCall(name=name, arguments=arguments if isinstance(arguments, str) else text_of(arguments))
