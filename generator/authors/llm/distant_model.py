"""A distant model: what a worker elsewhere asks is asked by the process that has the server, the limits and the log.

So a key never leaves that process, its limits hold to the last request, and an answer is in its log before a worker
sees it, which may be lost at any moment.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from generator.authors.llm.response_formats import Model, Question
from generator.backends.backend import Completion, Judges, Unavailable

WRITER, REVIEWER = "writer", "reviewer"
"""Who is asked: the model that writes, and the one that gives second opinions."""
_LONGEST_QUOTE = 400
"""Characters of an answer that could not be used which go back: a message may quote them."""


class Post(Protocol):
    """The way from a worker to the process that asks."""

    async def ask(self, whom: str, what: object) -> Any:
        """Return what is answered there."""
        ...

    def tell(self, whom: str, what: object) -> None:
        """Say something that nobody answers."""
        ...


@dataclass(frozen=True, slots=True)
class _NoAnswer:
    """That no usable answer came (see `Unavailable`)."""

    reason: str
    message: str
    failed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Verdict:
    """What became of an answer: no reason where it could be used."""

    answer: Completion
    reason: str = ""
    why: str = ""


class DistantModel:
    """In a worker: the model of that name, asked by post."""

    def __init__(self, post: Post, name: str) -> None:
        self._post = post
        self._name = name
        self.verdicts = _DistantJudges(post, name)

    async def ask(self, question: Question) -> Completion:
        """Return the answer (see `FormatFallback`).

        Raises:
            Unavailable: no answer after every retry, or this question alone is refused.
        """
        answer: Completion | _NoAnswer = await self._post.ask(self._name, question)
        if isinstance(answer, _NoAnswer):
            raise Unavailable(answer.reason, answer.message, failed=answer.failed)
        return answer


class _DistantJudges:
    def __init__(self, post: Post, name: str) -> None:
        self._post = post
        self._name = name

    def used(self, answer: Completion) -> None:
        self._post.tell(self._name, _Verdict(Completion(replayed=answer.replayed)))

    def unusable(self, answer: Completion, reason: str, why: str = "") -> None:
        said = Completion(text=answer.said[:_LONGEST_QUOTE], replayed=answer.replayed)
        self._post.tell(self._name, _Verdict(said, reason, why))


Answers = Mapping[str, Callable[[Any], Awaitable[object]]]
"""What answers whom a worker asks."""
Hearing = Mapping[str, Callable[[Any], None]]
"""What hears whom a worker tells."""


def answering(models: Mapping[str, Model]) -> tuple[Answers, Hearing]:
    """Return what answers and hears, by the name of a model, in the process that asks."""
    return {name: _asked_of(model) for name, model in models.items()}, {
        name: _told_to(model.verdicts) for name, model in models.items()
    }


def _asked_of(model: Model) -> Callable[[Question], Awaitable[object]]:
    async def answer(question: Question) -> Completion | _NoAnswer:
        try:
            return await model.ask(question)
        except Unavailable as error:
            return _NoAnswer(error.reason, str(error), error.failed)

    return answer


def _told_to(judges: Judges) -> Callable[[_Verdict], None]:
    def hear(verdict: _Verdict) -> None:
        if verdict.reason:
            judges.unusable(verdict.answer, verdict.reason, verdict.why)
        else:
            judges.used(verdict.answer)

    return hear
