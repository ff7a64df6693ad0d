"""The answers that a run has taken over from its parts, in front of the backend that is asked for what they lack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from generator.backends.answers import AnswerFile, kept_completion
from generator.backends.backend import MODES, Backend, Completion, CompletionRequest


@dataclass(frozen=True, slots=True)
class TakenOverBackend:
    """Answers with what a part was answered, in whatever response mode; else as the backend behind it does.

    What such an answer has cost is told by the part that asked for it.
    """

    answers: AnswerFile
    backend: Backend

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the answer (see `Backend`)."""
        for key in _keys(request):
            if self.answers.has_taken_over(key) and (kept := kept_completion(self.answers, key)) is not None:
                return kept.model_copy(update={"told": True})
        return await self.backend.complete(request)


def _keys(request: CompletionRequest) -> Iterator[str]:
    """Yield the key of a request, then those of the same in the other modes: parts may have asked other servers."""
    yield request.key
    for mode in MODES:
        if mode != request.mode:
            yield replace(request, mode=mode).key
