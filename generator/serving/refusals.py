"""Refusals: what the server does not do, told in OpenAI's shape of an error."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import orjson

INVALID = "invalid_request_error"
_TYPES = {401: INVALID, 404: INVALID, 429: "rate_limit_error"}


@dataclass(slots=True)
class Refusal(Exception):
    """A request that is answered with an error: its HTTP status, and what the error says."""

    status: int
    message: str
    code: str | None = None
    param: str | None = None
    """The part of the request that is wrong, as `messages[2].content`."""
    headers: Mapping[str, str] = field(default_factory=dict)

    def body(self) -> bytes:
        """Return the body of the response: `{"error": {"message", "type", "param", "code"}}`."""
        kind = _TYPES.get(self.status, INVALID if self.status < 500 else "server_error")
        told = {"message": self.message, "type": kind, "param": self.param, "code": self.code}
        return orjson.dumps({"error": told})


def place(pointer: str) -> str | None:
    """Write a JSON pointer as OpenAI names places: `/messages/2/content` is `messages[2].content`."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    written = "".join(f"[{part}]" if part.isdigit() else f".{part}" for part in parts)
    return written.removeprefix(".") or None
