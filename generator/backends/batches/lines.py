"""The lines of batches: what a server is asked and what it answers, each told by an id of its own.

An id says which request a line is about, whatever machine or order it comes back from: the key of the request, and how
often it was tried before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar, Protocol

import orjson

from generator.backends.address import ServerAddress
from generator.jsontext import JsonObject, JsonValue, dump_line

_ID = re.compile(r"([0-9a-f]{32})-(\d{1,3})")


def id_of(key: str, tries: int) -> str:
    """Return the id of the line that asks a request after so many tries."""
    return f"{key}-{tries}"


def opening_of(line_id: str) -> bytes:
    """Return how the line with this id begins in a file of requests."""
    return b'{"custom_id":"%s"' % line_id.encode()


@dataclass(frozen=True, slots=True)
class LineAnswer:
    """What came back for one line: an answer, a refusal with its HTTP status, or why nothing was asked."""

    key: str
    tries: int
    """Tries before the one that this line was."""
    document: JsonValue = None
    """The answer, as the server would have sent it alone."""
    status: int = 200
    """HTTP status, 0 where the request was never put to the model."""
    reason: str = ""
    """Why it was not: `expired`, `cancelled`, or another word of the server's."""

    @property
    def is_answer(self) -> bool:
        """Whether the model answered."""
        return 200 <= self.status < 300


class LineFormat(Protocol):
    """How the lines of one kind of batch are written and read, and how many of them one batch may hold."""

    most_requests: ClassVar[int]
    most_bytes: ClassVar[int]

    def write(self, line_id: str, body: JsonObject) -> bytes:
        """Return the line that asks this, newline included."""
        ...

    def read(self, line: bytes) -> LineAnswer | None:
        """Return what a line says that came back, None where it is none of ours or cannot be read."""
        ...


class ChatLines:
    """Lines of OpenAI's batches, which `vllm run-batch` and others take as well."""

    most_requests: ClassVar[int] = 50_000
    most_bytes: ClassVar[int] = 200_000_000
    url: ClassVar[str] = "/v1/chat/completions"

    def write(self, line_id: str, body: JsonObject) -> bytes:
        """Return the line that asks this, newline included."""
        return dump_line({"custom_id": line_id, "method": "POST", "url": self.url, "body": body})

    def read(self, line: bytes) -> LineAnswer | None:
        """Return what a line of an output or error file says."""
        document = _object(line)
        found = _ID.fullmatch(text) if isinstance(text := document.get("custom_id"), str) else None
        if found is None:
            return None
        key, tries = found[1], int(found[2])
        response, error = document.get("response"), document.get("error")
        if isinstance(response, dict):
            body = response.get("body", response)  # some programs leave the envelope out
            status = response.get("status_code", 200)
            if isinstance(status, int) and status:
                return LineAnswer(key, tries, body, status)
        told = error if isinstance(error, dict) else {}
        return LineAnswer(key, tries, {"error": error}, 0, _word(told.get("code") or told.get("type")))


class AzureChatLines(ChatLines):
    """The same at Azure, where the endpoint has no version and models go by the names of their deployments."""

    most_requests: ClassVar[int] = 100_000
    url: ClassVar[str] = "/chat/completions"


_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""The HTTP status that stands for a type of Anthropic's errors."""


class MessageLines:
    """Lines of Anthropic's message batches; a file holds those of one request."""

    most_requests: ClassVar[int] = 100_000
    most_bytes: ClassVar[int] = 256_000_000

    def write(self, line_id: str, body: JsonObject) -> bytes:
        """Return the line that asks this, newline included."""
        return dump_line({"custom_id": line_id, "params": body})

    def read(self, line: bytes) -> LineAnswer | None:
        """Return what a line of the results says."""
        document = _object(line)
        found = _ID.fullmatch(text) if isinstance(text := document.get("custom_id"), str) else None
        result = document.get("result")
        if found is None or not isinstance(result, dict):
            return None
        key, tries = found[1], int(found[2])
        if result.get("type") == "succeeded":
            return LineAnswer(key, tries, result.get("message"))
        if result.get("type") != "errored":
            return LineAnswer(key, tries, None, 0, _word(result.get("type")))
        error = result.get("error")
        inner = error.get("error", error) if isinstance(error, dict) else None
        told = inner if isinstance(inner, dict) else {}
        return LineAnswer(key, tries, {"error": told}, _STATUS.get(str(told.get("type")), 500))


_LONGEST_WORD = 40
_NO_WORD = re.compile(r"[^a-z_]+")


def _word(said: JsonValue) -> str:
    """Return why nothing was asked in a short word of our own form: servers say `batch_expired` or `canceled`."""
    word = _NO_WORD.sub("_", said.lower()) if isinstance(said, str) else ""
    word = word.removeprefix("batch_").replace("canceled", "cancelled")
    return word[:_LONGEST_WORD] or "no_answer"


def _object(line: bytes) -> JsonObject:
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return document if isinstance(document, dict) else {}


LINES: dict[str, LineFormat] = {"openai": ChatLines(), "azure": AzureChatLines(), "anthropic": MessageLines()}
"""The lines of each protocol, by its name."""


def batches_url(address: ServerAddress) -> str:
    """Return below which URL files and batches lie: at Azure beside the deployments, elsewhere below the base URL."""
    return address.plain_url.partition("/deployments/")[0]
