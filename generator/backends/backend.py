"""The seam behind which every source of completions stands: request, completion, and what can go wrong between them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from generator.boundary import BoundaryModel
from generator.jsontext import JsonObject, digest


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """The model, how long it may answer, and how it is to choose its words.

    What is None is not sent: the server's own default holds then, which some models let nobody change.
    """

    model: str
    max_output_tokens: int
    """The longest answer, thoughts included: what a request may cost follows from it."""
    temperature: float | None = None
    top_p: float | None = None
    reasoning_effort: str | None = None
    extra_body: JsonObject = field(default_factory=dict)
    """What is sent besides, as it stands."""

    @property
    def given(self) -> JsonObject:
        """What is set, by the names of the fields."""
        options = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "reasoning_effort": self.reasoning_effort,
            "extra_body": self.extra_body or None,
        }
        set_ones = {name: value for name, value in options.items() if value is not None}
        return {"model": self.model, "max_output_tokens": self.max_output_tokens, **set_ones}


Mode = Literal["json_schema", "tools", "json_object", "text"]
"""A way to ask for one JSON object: how a protocol words it is its own affair."""
MODES: tuple[Mode, ...] = get_args(Mode)
"""From the firmest to the most portable."""
SUBMIT = "submit"
"""The tool whose arguments are the answer, where a server is asked by a tool."""
_WITH_SCHEMA = frozenset({"json_schema", "tools"})


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """One question to a model, in no protocol's words, and a salt that tells two askings of it apart.

    Different records may come to ask the same words, and a useless answer is asked for again: without the salt
    a log of answers would give each the same one.
    """

    model: ModelOptions
    messages: tuple[JsonObject, ...]
    """Each a `role` (system, user, assistant) and a `content`, which is text."""
    schema: JsonObject = field(default_factory=dict)
    """Of the answer; sent in the modes that can say it."""
    strict: bool = False
    """Whether the schema is one that a server may be told to enforce to the letter."""
    mode: Mode = "text"
    salt: str = ""

    @property
    def key(self) -> str:
        """32 hex digits: equal for what decides the answer alone, whatever the order of keys."""
        schema = {"schema": self.schema, "strict": self.strict} if self.mode in _WITH_SCHEMA else {}
        asked = {"model": self.model.given, "messages": list(self.messages), "mode": self.mode, **schema}
        return digest({"asked": asked, "salt": self.salt}, size=32)


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
    thoughts: str = ""
    """What it thought before it answered: never a part of the answer, and kept only where that is asked for."""
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

    def __init__(
        self, status: int, message: str, *, named: bool = True, parameters: Collection[str] = frozenset()
    ) -> None:
        self.status = status
        self.named = named
        self.parameters = frozenset(parameters)
        """The keys of the body that the server blames, where it lists them apart from its message."""
        self.reason = f"refused_{status}"
        super().__init__(message)


class Reworded(RequestRefused):
    """The server wants the same said in another word, which is known now: ask again."""


class Unavailable(Exception):
    """No usable answer came, after every retry; `reason` is a short word for the summary."""

    def __init__(self, reason: str, message: str, *, failed: Sequence[str] = ()) -> None:
        self.reason = reason
        self.failed = tuple(failed)
        """Why the tries before the last failed."""
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Transient:
    """Why a request may be tried again."""

    reason: str
    message: str
    retry_after: float | None = None
    """Seconds the server asked to wait, None where it did not."""
    unreached: bool = False
    """Whether no connection to the server came to be."""
    billed: bool = False
    """Whether the server may have made an answer, which has its price, although none could be read."""


class TransientFailure(Exception):
    """A failure that a later try may not meet."""

    def __init__(self, failure: Transient) -> None:
        self.failure = failure
        super().__init__(failure.message)
