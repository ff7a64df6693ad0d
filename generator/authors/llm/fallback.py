"""Response-format fallback: up to four ways to ask for one JSON object, and how it is found in what comes back.

    json_schema    the answer is to meet its schema
    tools          one tool is to be called, whose parameters are that schema
    json_object    the answer is to be an object; the prompt tells the shape
    text           plain text; the first balanced object counts

How each is worded, and which of them there are, is the affair of the server's protocol. A server that refuses one is
asked in the next, and so is everything after it: that is remembered for the run, and in its store for its
continuation. One that has served before is left only for the one question that is refused: its schema may be too
much for the server, the next may not be. In a text, prose and fences around the object are left, nothing is repaired.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import orjson

from generator.backends.backend import (
    MODES,
    Backend,
    Completion,
    CompletionRequest,
    Mode,
    ModelOptions,
    RequestRefused,
    Unavailable,
)
from generator.backends.usability import Verdicts
from generator.errors import BackendError
from generator.jsontext import JsonObject


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked: the conversation with the model, and the schema of the answer."""

    messages: tuple[JsonObject, ...]
    schema: JsonObject
    strict: bool
    """Whether the schema meets the strict mode of seeds/003, so that the server may be told to enforce it."""
    salt: str
    """Tells two askings of the same words apart."""


class FormatFallback:
    """Asks a backend in the firmest response format that its server accepts."""

    def __init__(
        self,
        backend: Backend,
        model: ModelOptions,
        *,
        modes: Sequence[Mode] = MODES,
        mode: Mode | None = None,
        on_mode: Callable[[str], None] = lambda mode: None,
        verdicts: Verdicts | None = None,
    ) -> None:
        self._backend = backend
        self._model = model
        self._modes = tuple(modes)
        self._place = 0 if mode is None else self._modes.index(mode)
        self._on_mode = on_mode
        self._served: set[int] = set()
        self.verdicts = verdicts or Verdicts()
        """Whoever reads the answers tells here whether they could be used."""

    @property
    def mode(self) -> str:
        """The response format in use."""
        return self._modes[self._place]

    async def ask(self, question: Question) -> Completion:
        """Return the server's answer in the firmest response format it accepts.

        Raises:
            BackendError: the server refuses every response format, or for good.
            Unavailable: no answer after every retry, or this question alone is refused.
        """
        place = self._place
        while True:
            try:
                completion = await self._backend.complete(self._request(question, self._modes[place]))
            except RequestRefused as refusal:
                place = self._below(place, refusal)
            else:
                self._served.add(place)
                return completion

    def _below(self, refused: int, refusal: RequestRefused) -> int:
        """Requests in flight may be refused together: only the first refusal of a response format moves on."""
        lowest = refused + 1 == len(self._modes)
        if self._served and (lowest or not refusal.named):
            raise Unavailable(f"refused_{refusal.status}", str(refusal)) from refusal
        if lowest:
            raise BackendError(f"the server refuses every form of request; the last: {refusal}") from refusal
        if refused in self._served:
            return refused + 1
        if refused == self._place:
            self._place += 1
            log.warning("the server refuses %s (%s); going on with %s", self._modes[refused], refusal, self.mode)
            self._on_mode(self.mode)
        return max(refused + 1, self._place)

    def _request(self, question: Question, mode: Mode) -> CompletionRequest:
        return CompletionRequest(self._model, question.messages, question.schema, question.strict, mode, question.salt)


def read_object(completion: Completion, keys: Collection[str] = ()) -> JsonObject:
    """Return the JSON object of an answer in any response format; where it holds several, the one with these keys.

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


LARGEST_TEXT = 200_000
"""Characters; a longer answer is refused unread."""
DEEPEST = 40
"""Levels of nesting; a deeper object is refused."""

_MOST_SCANNED = 5 * LARGEST_TEXT
"""Characters that are looked at in search of the object: braces in prose may each seem to begin one."""
_LEAST_SCANNED = 1000
"""What a brace counts for at least, so that a thousand of them are enough."""


class BadAnswer(Exception):
    """A model's answer that cannot be used; `reason` is a short word for the summary."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        super().__init__(message)


def extract_object(text: str, keys: Collection[str] = ()) -> JsonObject:
    """Return the JSON object of a text: the first that holds every one of the keys, else the longest there is.

    Prose around it may hold braces of its own, and small objects as well. Where what would be longer is no object,
    that is the answer, and what is found inside is a part of it.

    Raises:
        BadAnswer: there is none, it is cut, too large or too deep.
    """
    if len(text) > LARGEST_TEXT:
        raise BadAnswer("oversized", f"your answer has {len(text):,} characters; write a short one")
    best: tuple[int, JsonObject] | None = None
    worst: tuple[int, BadAnswer] = (-1, BadAnswer("no_json", "your answer holds no JSON object"))
    for length, found in _candidates(text):
        if isinstance(found, BadAnswer):
            worst = max(worst, (length, found), key=_length)
        elif keys and all(key in found for key in keys):
            return found
        else:
            best = (length, found) if best is None else max(best, (length, found), key=_length)
    if best is None or worst[0] > best[0]:
        raise worst[1]
    return best[1]


def _length(candidate: tuple[int, object]) -> int:
    return candidate[0]


def _candidates(text: str) -> Iterator[tuple[int, JsonObject | BadAnswer]]:
    """Yield what stands at each opening brace, with its length: an object, or why it is none."""
    start, scanned = text.find("{"), 0
    while start >= 0 and scanned < _MOST_SCANNED:
        end, fault = _balanced(text, start)
        scanned += max(end - start, _LEAST_SCANNED)
        found = fault or _parsed(text[start:end])
        yield (len(text) if fault else end) - start, found
        start = text.find("{", start + 1 if isinstance(found, BadAnswer) else end)


def _parsed(span: str) -> JsonObject | BadAnswer:
    try:
        return dict(orjson.loads(span))
    except orjson.JSONDecodeError as error:
        return BadAnswer("wrong_json", f"your answer is not valid JSON: {error}")


_STRUCTURE = re.compile(r'["{}\[\]]')
_REST_OF_STRING = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


def _balanced(text: str, start: int) -> tuple[int, BadAnswer | None]:
    """Return where the brackets that open at `start` are closed; where they are not, how far one looked, and why."""
    depth, at = 0, start
    while match := _STRUCTURE.search(text, at):
        at = match.end()
        if match[0] == '"':
            rest = _REST_OF_STRING.match(text, at)
            if rest is None:
                break
            at = rest.end()
            continue
        depth += 1 if match[0] in "{[" else -1
        if depth == 0:
            return at, None
        if depth > DEEPEST:
            return at, BadAnswer("too_deep", f"your JSON is nested deeper than {DEEPEST} levels")
    return len(text), BadAnswer("cut_json", "your JSON object ends before it is complete")


log = logging.getLogger(__name__)
