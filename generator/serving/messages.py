"""Messages as they are compared: whatever shape a client gives a conversation, the same one reads the same."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

import orjson

from generator.formats.literals import read_literal
from generator.jsontext import JsonObject, JsonValue, dump_exactly

_DIGEST = 16
_ROLES = {"developer": "system"}
_TEXTS = ("text", "input_text", "output_text")


def plain_message(message: JsonValue) -> JsonValue:
    """Return a message with the roles and contents that records know: a developer is the system, text parts are text.

    What is no message stays as it is, for the rules to find.
    """
    if not isinstance(message, dict):
        return message
    role, content = message.get("role"), message.get("content")
    changed: JsonObject = {}
    if isinstance(role, str) and role in _ROLES:
        changed["role"] = _ROLES[role]
    if isinstance(content, list):
        changed["content"] = plain_content(content)
    if role == "assistant" and message.get("tool_calls") == []:
        return {key: value for key, value in {**message, **changed}.items() if key != "tool_calls"}
    return {**message, **changed} if changed else message


def plain_content(content: JsonValue) -> JsonValue:
    """Return the text of parts that are all text; other content as it is."""
    if not isinstance(content, list):
        return content
    texts = [part.get("text") if isinstance(part, dict) and part.get("type") in _TEXTS else None for part in content]
    return "".join(texts) if all(isinstance(text, str) for text in texts) else content  # type: ignore[arg-type]  # just seen


def canonical_json(value: JsonValue) -> bytes:
    """Write a value in the one way that equal values are written: keys in order, whole numbers without a fraction."""
    written = _sorted(value)
    return _sorted(_without_fractions(value)) if b".0" in written or b"e1" in written or b"e2" in written else written


def _sorted(value: JsonValue) -> bytes:
    return dump_exactly(value, orjson.OPT_SORT_KEYS)


def _without_fractions(value: JsonValue) -> JsonValue:
    if isinstance(value, dict):
        return {key: _without_fractions(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_without_fractions(inner) for inner in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 2**63 else value


def canonical_arguments(arguments: JsonValue) -> bytes:
    """Write the arguments of a call, an object or its text."""
    if not isinstance(arguments, str):
        return canonical_json(arguments)
    try:
        return canonical_json(orjson.loads(arguments))
    except (orjson.JSONDecodeError, TypeError):
        return arguments.encode("utf-8", "replace")


def canonical_result(content: JsonValue) -> bytes:
    """Write what a tool answered: JSON, or Python's own form of it, as its value; anything else as the text it is."""
    if not isinstance(content, str):
        return canonical_json(content)
    text = content.strip()
    try:
        return canonical_json(orjson.loads(text))
    except (orjson.JSONDecodeError, TypeError):
        found = read_literal(text) if text[:1] in ("{", "[", "'") else None
    return canonical_json(found[0]) if found is not None and found[1] == len(text) else text.encode("utf-8", "replace")


class Trail:
    """The digests of a conversation as it grows: of all of it, and of all but what the tools answered.

    Calls are known by their order, not by their ids; each goes with its result, so that neither the order of the
    results counts nor whether the calls of a turn came at once or one by one. The system's words are kept apart.
    """

    __slots__ = ("_results", "_waiting", "calls", "system", "whole")

    def __init__(self) -> None:
        self.whole: Any = blake2b(digest_size=_DIGEST)
        self.calls: Any = blake2b(digest_size=_DIGEST)
        self.system = b""
        self._waiting: dict[str, bytes] = {}
        self._results: dict[str, bytes] = {}

    def copy(self) -> Trail:
        """Return a trail that goes on from here by itself."""
        other = Trail()
        other.whole, other.calls, other.system = self.whole.copy(), self.calls.copy(), self.system
        other._waiting, other._results = dict(self._waiting), dict(self._results)
        return other

    def follow(self, messages: Iterable[JsonObject]) -> Trail:
        """Take in further messages, each plain and by the rules; return itself."""
        for message in messages:
            self.add(message)
        return self

    def add(self, message: JsonObject) -> None:
        """Take in one message."""
        role, content = message["role"], message.get("content")
        if role == "tool":
            self._results[message["tool_call_id"]] = canonical_result(content)
            return
        self._settle()
        if role == "system":
            self.system = blake2b(self.system + _text(content), digest_size=_DIGEST).digest()
            return
        if text := _text(content):
            self._both(b"u" if role == "user" else b"a", text)
        for call in message.get("tool_calls") or ():
            function = call["function"]
            name = function["name"].encode("utf-8", "replace")
            self._waiting[call["id"]] = name + b"\0" + canonical_arguments(function["arguments"])

    def keys(self) -> tuple[bytes, bytes]:
        """Return the digests of what was said so far: of all of it, and of all but the results."""
        self._settle()
        return self.whole.digest(), self.calls.digest()

    def _settle(self) -> None:
        """Take in the calls that wait, each with its result."""
        if not self._waiting:
            return
        for identity, call in self._waiting.items():
            self._both(b"c", call)
            result = self._results.get(identity)
            _feed(self.whole, b"-" if result is None else b"r", result or b"")
            self.calls.update(b"-" if result is None else b"r")
        self._waiting, self._results = {}, {}

    def _both(self, kind: bytes, text: bytes) -> None:
        _feed(self.whole, kind, text)
        _feed(self.calls, kind, text)


def _feed(digest: Any, kind: bytes, text: bytes) -> None:
    digest.update(b"%b%d:" % (kind, len(text)))
    digest.update(text)


def _text(content: JsonValue) -> bytes:
    if isinstance(content, str):
        return content.strip().encode("utf-8", "replace")
    return canonical_json(content) if content is not None else b""
