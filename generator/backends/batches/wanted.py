"""What a round wants: a backend that answers from what is kept, and notes what is not there yet instead of asking."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from generator.backends.answers import AnswerLog, kept_completion
from generator.backends.backend import (
    Completion,
    CompletionRequest,
    Mode,
    RequestRefused,
    Unavailable,
    Verdicts,
)
from generator.boundary import BoundaryModel

if TYPE_CHECKING:  # a run that asks nobody does without it
    from generator.backends.server import ServerOptions

MOST_TRIES = 6
"""How often a request may fail before it is given up, as often as one that is sent alone."""


class Outstanding(Exception):
    """The answer is not there yet: what needs it is made in a later round."""


class Failure(BoundaryModel):
    """What came back for a request in place of an answer, over all tries so far."""

    reasons: tuple[str, ...]
    """Why each try failed, in a word; the last one last."""
    message: str
    """What was said last."""
    status: int = 0
    """The HTTP status of a refusal, 0 of anything else."""
    final: bool = False
    """Whether it is asked for no more."""
    is_of_form: bool = False
    """Whether the form of the request is refused, so that another one may be accepted."""
    named: bool = True
    parameters: tuple[str, ...] = ()
    """See `RequestRefused`."""

    @property
    def error(self) -> RequestRefused | Unavailable:
        """The same as a backend raises it."""
        if self.is_of_form:
            return RequestRefused(self.status, self.message, named=self.named, parameters=self.parameters)
        return Unavailable(self.reasons[-1], self.message, failed=self.reasons[:-1])


class Wanted(Protocol):
    """Knows what has failed in earlier rounds, and takes what the next one is to ask."""

    def failure(self, key: str) -> Failure | None:
        """Return what came back for a request in place of an answer, None where nothing did."""
        ...

    def served(self, server: ServerOptions, model: str) -> Collection[Mode]:
        """Return the response modes in which this model has answered in a batch."""
        ...

    def want(self, server: ServerOptions, request: CompletionRequest, key: str, tries: int) -> None:
        """Take a request that is to be asked, after so many tries that failed."""
        ...


@dataclass(frozen=True, slots=True)
class RoundBackend:
    """Answers from the log; a request that is not answered there is wanted, and whoever asked it is left."""

    answers: AnswerLog
    wanted: Wanted
    server: ServerOptions
    verdicts: Verdicts

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the kept answer, without ever waiting.

        Raises:
            Outstanding: there is none yet.
            RequestRefused, Unavailable: what came back in its place, for good.
        """
        key = request.key
        if (kept := kept_completion(self.answers, key)) is not None:
            self.verdicts.sent()
            return kept.model_copy(update={"replayed": False})  # it was paid for in this run: it proves the server
        failure = self.wanted.failure(key)
        if failure is not None and failure.final:
            self.verdicts.sent()
            self.verdicts.failed(failure.reasons[-1])
            raise failure.error
        self.wanted.want(self.server, request, key, 0 if failure is None else len(failure.reasons))
        raise Outstanding(key)
