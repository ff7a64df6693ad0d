"""Answers: what the assistant says or calls in one turn, within what the request allows, and what it costs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from generator.ids import draw_call_ids
from generator.lengths import ESTIMATE
from generator.random_streams import stream
from generator.serving.refusals import Refusal

Finish = Literal["stop", "tool_calls", "length"]


class Call(NamedTuple):
    """One call: the nine characters of its id, the function, and its arguments as JSON text."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where an answer comes from."""

    match: Literal["whole", "calls", "none"] = "none"
    """`whole`: the request is a record's conversation; `calls`: all but for the results; `none`: of no record."""
    record: str = ""
    """The id of the record."""
    turn: int = 0
    """The number of the turn among the assistant's, from 0."""


NOWHERE = Source()


@dataclass(frozen=True, slots=True)
class Answer:
    """One turn of the assistant's."""

    text: str
    calls: tuple[Call, ...] = ()
    source: Source = NOWHERE
    finish: Finish = "stop"

    @property
    def tokens(self) -> int:
        """About how many tokens it has."""
        parts = (self.text, *(f"{call.name}{call.arguments}" for call in self.calls))
        return sum(ESTIMATE.count(part) for part in parts if part)


class Limits(NamedTuple):
    """What a request allows of an answer."""

    most_tokens: int | None = None
    stops: tuple[str, ...] = ()
    must_call: bool = False


def within(answer: Answer, limits: Limits) -> Answer:
    """Return the answer as far as it may go: up to a text it stops at, and as many tokens as are allowed.

    Raises:
        Refusal: a call is demanded that does not fit: part of a call is none.
    """
    if answer.calls:
        return _calls_within(answer, limits)
    places = [place for stop in limits.stops if stop and (place := answer.text.find(stop)) >= 0]
    text = answer.text[: min(places)] if places else answer.text
    if limits.most_tokens is not None and text and ESTIMATE.count(text) > limits.most_tokens:
        return replace(answer, text=_cut(text, limits.most_tokens), finish="length")
    return replace(answer, text=text, finish="stop")


def _calls_within(answer: Answer, limits: Limits) -> Answer:
    if limits.most_tokens is None or answer.tokens <= limits.most_tokens:
        return replace(answer, finish="tool_calls")
    if limits.must_call:
        message = (
            "Could not finish the message because max_tokens was reached. Please try again with higher max_tokens."
        )
        raise Refusal(400, message, param="max_tokens")
    return replace(answer, calls=(), text=_cut(answer.text, limits.most_tokens), finish="length")


def _cut(text: str, tokens: int) -> str:
    """Return the longest beginning of a text that has no more tokens."""
    least, most = 0, len(text)
    while least < most:
        middle = (least + most + 1) // 2
        if ESTIMATE.count(text[:middle]) <= tokens:
            least = middle
        else:
            most = middle - 1
    return text[:least]


def with_new_ids(answer: Answer, taken: set[str], *label: int | str) -> Answer:
    """Return the answer with an id of its own for each call whose id the conversation has already."""
    if not any(call.id in taken for call in answer.calls):
        return answer
    drawn = draw_call_ids(
        len(taken) + len(answer.calls), stream(0, "served", *label, *(call.id for call in answer.calls))
    )
    fresh = iter([identity for identity in drawn if identity not in taken])
    calls = tuple(call._replace(id=next(fresh)) if call.id in taken else call for call in answer.calls)
    return replace(answer, calls=calls)
