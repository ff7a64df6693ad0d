"""The answer ladder: up to four ways to ask for one JSON object, from the firmest to the most portable.

    json_schema    the answer is to meet its schema
    tools          one tool is to be called, whose parameters are that schema
    json_object    the answer is to be an object; the prompt tells the shape
    text           plain text; the first balanced object counts

How each is worded, and which of them there are, is the affair of the server's protocol. A server that refuses a rung is
asked on the next one, and so is everything after it: the rung is remembered for the run, and in its store for its
continuation. A rung that has served before is left only for the one question that is refused: its schema may be too
much for the server, the next may not be.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from generator.authors.llm.extract import BadAnswer, extract_object
from generator.backends.backend import (
    MODES,
    Backend,
    Completion,
    CompletionRequest,
    Mode,
    RequestRefused,
    Unavailable,
)
from generator.backends.model import ModelOptions
from generator.backends.verdicts import Verdicts
from generator.errors import BackendError
from generator.jsontext import JsonObject

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the conversation with the model, and the schema of the answer."""

    messages: tuple[JsonObject, ...]
    schema: JsonObject
    strict: bool
    """Whether the schema meets the strict mode of seeds/003, so that the server may be told to enforce it."""
    salt: str
    """Tells two askings of the same words apart."""


class Ladder:
    """Asks a backend on the highest rung that its server accepts."""

    def __init__(
        self,
        backend: Backend,
        model: ModelOptions,
        *,
        rungs: Sequence[Mode] = MODES,
        rung: Mode | None = None,
        on_rung: Callable[[str], None] = lambda rung: None,
        verdicts: Verdicts | None = None,
    ) -> None:
        self._backend = backend
        self._model = model
        self._rungs = tuple(rungs)
        self._rung = 0 if rung is None else self._rungs.index(rung)
        self._on_rung = on_rung
        self._served: set[int] = set()
        self.verdicts = verdicts or Verdicts()
        """Whoever reads the answers tells here whether they could be used."""

    @property
    def rung(self) -> str:
        """The rung in use."""
        return self._rungs[self._rung]

    async def ask(self, question: Question) -> Completion:
        """Return the server's answer on the highest rung it accepts.

        Raises:
            BackendError: the server refuses every rung, or for good.
            Unavailable: no answer after every retry, or this question alone is refused.
        """
        rung = self._rung
        while True:
            try:
                completion = await self._backend.complete(self._request(question, self._rungs[rung]))
            except RequestRefused as refusal:
                rung = self._below(rung, refusal)
            else:
                self._served.add(rung)
                return completion

    def _below(self, refused: int, refusal: RequestRefused) -> int:
        """Requests in flight may be refused together: only the first refusal of a rung moves the ladder."""
        lowest = refused + 1 == len(self._rungs)
        if self._served and (lowest or not refusal.named):
            raise Unavailable(f"refused_{refusal.status}", str(refusal)) from refusal
        if lowest:
            raise BackendError(f"the server refuses every form of request; the last: {refusal}") from refusal
        if refused in self._served:
            return refused + 1
        if refused == self._rung:
            self._rung += 1
            log.warning("the server refuses %s (%s); going on with %s", self._rungs[refused], refusal, self.rung)
            self._on_rung(self.rung)
        return max(refused + 1, self._rung)

    def _request(self, question: Question, mode: Mode) -> CompletionRequest:
        return CompletionRequest(self._model, question.messages, question.schema, question.strict, mode, question.salt)


def read_object(completion: Completion, keys: Collection[str] = ()) -> JsonObject:
    """Return the JSON object of an answer on any rung; where it holds several, the one with these keys.

    Raises:
        BadAnswer: it is cut, refused, filtered, empty, or holds no JSON object; a cut answer is never used,
            even where what there is of it could be read.
    """
    if completion.finish_reason == "length":
        raise BadAnswer("length", "your answer was cut at the token limit; write a shorter one")
    if completion.finish_reason == "content_filter":
        raise BadAnswer("content_filter", "the server's content filter stopped your answer")
    if completion.refusal:
        raise BadAnswer("refusal", "you refused; the request is harmless: write the example")
    text = next((call.arguments for call in completion.calls), completion.text)
    if not text.strip():
        raise BadAnswer("empty", "your answer was empty")
    return extract_object(text, keys)
