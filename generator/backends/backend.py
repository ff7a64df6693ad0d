"""The seam behind which every source of completions stands, and what can go wrong behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from generator.boundary import BoundaryModel
from generator.jsontext import JsonObject, digest


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One chat completion: the JSON body that is sent, and a salt that tells two askings of one body apart.

    Different records may come to ask the same words, and a useless answer is asked for again: without the salt
    a log of answers would give each the same one.
    """

    body: JsonObject
    salt: str = ""

    @property
    def key(self) -> str:
        """32 hex digits: equal for equal bodies, whatever their key order, and equal salts."""
        return digest({"body": self.body, "salt": self.salt}, size=32)


class AnsweredCall(BoundaryModel):
    """A tool call in a completion: arguments are the server's text, not yet parsed."""

    name: str
    arguments: str


class Completion(BoundaryModel):
    """What a server answered, in the parts that matter; kept in the run's log of answers."""

    text: str = ""
    calls: tuple[AnsweredCall, ...] = ()
    finish_reason: str = ""
    refusal: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False
    """Whether the token counts are estimates: the server gave none."""
    failed: tuple[str, ...] = ()
    """Why earlier tries of the same request failed, in a word each."""
    replayed: bool = False
    """Whether it was kept from an earlier asking; never so where it is kept."""

    @property
    def said(self) -> str:
        """What it says, however it was asked: the arguments of its first call, else its text, else its refusal."""
        return next((call.arguments for call in self.calls), self.text) or self.refusal


class Backend(Protocol):
    """One method: a completion for a request."""

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the server's answer.

        Raises:
            RequestRefused: the server refuses this form of request; another form may be accepted.
            Unavailable: no answer after every retry.
            BackendError: the server refuses for good; the run cannot go on.
        """
        ...


class RequestRefused(Exception):
    """The server refuses this form of request; `named` says whether its message speaks of the form at all."""

    def __init__(self, status: int, message: str, *, named: bool = True) -> None:
        self.status = status
        self.named = named
        self.reason = f"refused_{status}"
        super().__init__(message)


class Unavailable(Exception):
    """No usable answer came, after every retry; `reason` is a short word for the summary."""

    def __init__(self, reason: str, message: str, *, failed: Sequence[str] = ()) -> None:
        self.reason = reason
        self.failed = tuple(failed)
        """Why the tries before the last failed."""
        super().__init__(message)
