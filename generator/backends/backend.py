"""The seam behind which every source of completions stands: request, completion, errors, and when to stop asking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from generator.backends.address import one_line
from generator.boundary import BoundaryModel
from generator.errors import BackendError
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
    """Each a `role` (system, user, assistant) and a `content`, which is text; in a conversation with tools as records
    have them, with calls and results."""
    schema: JsonObject = field(default_factory=dict)
    """Of the answer; sent in the modes that can say it."""
    strict: bool = False
    """Whether the schema is one that a server may be told to enforce to the letter."""
    mode: Mode = "text"
    salt: str = ""
    tools: tuple[JsonObject, ...] = ()
    """The tools that a model may call or not, as records show them; sent in the mode `text` alone."""

    @property
    def key(self) -> str:
        """32 hex digits: equal for what decides the answer alone, whatever the order of keys."""
        schema = {"schema": self.schema, "strict": self.strict} if self.mode in _WITH_SCHEMA else {}
        schema |= {"tools": list(self.tools)} if self.tools else {}
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
    recovered: bool = False
    """Whether its text was taken from its thoughts, since its calls stood there and nowhere else."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    estimated: bool = False
    """Whether the token counts are estimates: the server gave none."""
    failed: tuple[str, ...] = ()
    """Why earlier tries of the same request failed, in a word each."""
    replayed: bool = False
    """Whether it was kept from an earlier asking; never so where it is kept."""
    told: bool = False
    """Whether its cost is told already, by the part of the run that asked for it; never so where it is kept."""

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


ON_TRIAL = 50
"""Requests that may be sent before a first answer could be used."""
IN_A_ROW = 300
"""Requests that may be sent after it without another one."""
JUDGED_HERE, JUDGED_ELSEWHERE = 2.0, 60.0
"""Seconds that whoever reads an answer may take: in this process, or in one that reads many and may be lost."""
_REMEDY = "Try another --model, or prompts of your own (`toolgen prompts show draft` shows what is asked)"
_SHOWN = 3
_LONGEST_QUOTE = 200
_WORDS = {
    "refusal": "the model refused",
    "length": "cut at the token limit: --max-output-tokens gives more",
    "content_filter": "stopped by the server's content filter",
    "empty": "empty",
    "no_json": "no JSON in it",
    "wrong_json": "not valid JSON",
    "cut_json": "JSON that ends before it is complete",
    "too_deep": "JSON nested too deep",
    "oversized": "too long",
    "wrong_shape": "JSON of another shape than was asked for",
    "timeout": "none in time",
    "no_choice": "no completion in it",
    "not_json": "the server's reply was not JSON",
}


class Judges(Protocol):
    """Are told by whoever reads answers what became of them."""

    def used(self, answer: Completion) -> None:
        """Note an answer that could be used."""
        ...

    def unusable(self, answer: Completion, reason: str, why: str = "") -> None:
        """Note an answer that could not be used: the reason in a word, and why in words."""
        ...


class Verdicts:
    """What became of the requests since the last answer that could be used; answers kept from earlier prove nothing."""

    def __init__(self, remedy: str = _REMEDY) -> None:
        self._remedy = remedy
        self.patience = JUDGED_HERE
        """Seconds for which the end of a run waits for answers that are still being read."""
        self.on_trial = True
        """Whether no answer could be used yet."""
        self._sent = 0
        self._reasons: Counter[str] = Counter()
        self._words: dict[str, str] = {}
        self._quote = ""

    def begin(self) -> None:
        """Begin with other questions: that earlier ones were answered well says little of these."""
        if not self.on_trial:
            self._absolve()
            self.on_trial = True

    def sent(self) -> None:
        """Note that a request is sent."""
        self._sent += 1

    def used(self, answer: Completion) -> None:
        """Note an answer that could be used."""
        if not answer.replayed:
            self._absolve()

    def _absolve(self) -> None:
        self.on_trial = False
        self._sent = 0
        self._reasons.clear()

    def unusable(self, answer: Completion, reason: str, why: str = "") -> None:
        """Note an answer that could not be used: the reason in a word, and why in words."""
        if answer.replayed:
            return
        self._reasons[reason] += 1
        self._words.setdefault(reason, _WORDS.get(reason, why))
        said = answer.said
        self._quote = said if said.strip() else self._quote

    def failed(self, reason: str) -> None:
        """Note a request that got no answer."""
        self._reasons[reason] += 1
        self._words.setdefault(reason, _WORDS.get(reason, ""))

    @property
    def awaited(self) -> int:
        """How many requests nobody has said yet what became of them."""
        return self._sent - self._reasons.total()

    def hopeless(self, server: str) -> BackendError | None:
        """Return the end of the run where nothing usable has come for too long."""
        if self._sent < (ON_TRIAL if self.on_trial else IN_A_ROW):
            return None
        counts = self._reasons.most_common(_SHOWN)
        reasons = "; ".join(f"{reason} {count:,}{self._in_words(reason)}" for reason, count in counts)
        shown = one_line(self._quote, _LONGEST_QUOTE)
        last = f"one answer: {shown!r}" if shown else "no answer held any text"
        return BackendError(
            f"none of the {'first' if self.on_trial else 'last'} {self._sent:,} requests to {server} got an answer "
            f"that could be used. The commonest reasons: {reasons or 'none was told'}; {last}. {self._remedy}. "
            "Nothing is lost: the same command goes on"
        )

    def _in_words(self, reason: str) -> str:
        words = one_line(self._words.get(reason, ""), _LONGEST_QUOTE)
        return f" ({words})" if words else ""
