"""Sessions with a model that is a function: runs with a model, without a server and without waiting."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from generator.authors.llm.session import LLMSession, prepare_session
from generator.backends.answers import AnswerLog, LoggedBackend
from generator.backends.backend import Backend, Completion, CompletionRequest
from generator.backends.scripted import Answer, ScriptedBackend
from generator.backends.server import ServerOptions
from generator.job import Job

Model = Callable[[CompletionRequest], Answer]


@dataclass(frozen=True, slots=True)
class ScriptedSession(LLMSession):
    """Asks a function; `asked` counts how often it answered each request, in whatever response mode."""

    model: Model = lambda request: ""
    asked: Counter[str] = field(default_factory=Counter)

    @asynccontextmanager
    async def _backend(self, log: AnswerLog) -> AsyncIterator[Backend]:
        if self.wanted is not None:
            async with LLMSession._backend(self, log) as backend:
                yield backend
            return
        async with LoggedBackend(ScriptedBackend(self._answered), log) as logged:
            yield logged

    def _answered(self, request: CompletionRequest) -> Answer:
        answer = self.model(request)
        if isinstance(answer, str):
            answer = Completion(text=answer, finish_reason="stop", prompt_tokens=100, completion_tokens=10)
        if isinstance(answer, Completion):
            self.asked[as_text(request).key] += 1
        return answer


def as_text(request: CompletionRequest) -> CompletionRequest:
    """The same request in the mode that all servers know."""
    return replace(request, mode="text")


def scripted(job: Job, model: Model) -> tuple[Job, ScriptedSession]:
    """Complete a job for a model that is a function."""
    job, session = prepare_session(job, ServerOptions(base_url="http://127.0.0.1:9/v1"), None, at_once=False)
    return job, ScriptedSession(session.server, session.prompts, model=model)
