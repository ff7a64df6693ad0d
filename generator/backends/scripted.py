"""A backend that answers from a script: for tests of prompts and pipelines, without a server."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from generator.backends.backend import Completion, CompletionRequest, Unavailable
from generator.backends.protocols.protocol import split_thoughts

Answer = Completion | str | Exception


class ScriptedBackend:
    """Answers with the given answers in order, or with what a function returns for each request.

    A string stands for a completion that says it, as a server would pass it on; an exception is raised. `requests`
    keeps what was asked.
    """

    def __init__(self, answers: Iterable[Answer] | Callable[[CompletionRequest], Answer]) -> None:
        self.requests: list[CompletionRequest] = []
        self._answer = answers if callable(answers) else _in_order(answers)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the next answer of the script."""
        self.requests.append(request)
        answer = self._answer(request)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Completion):
            return answer
        text, thoughts = split_thoughts(answer)
        return Completion(text=text, thoughts=thoughts, finish_reason="stop")


def _in_order(answers: Iterable[Answer]) -> Callable[[CompletionRequest], Answer]:
    remaining = iter(answers)

    def answer(request: CompletionRequest) -> Answer:
        return next(remaining, Unavailable("script_ended", "the script has no answer left"))

    return answer
