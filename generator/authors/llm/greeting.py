"""The greeting: the shortest question that proves server, key and model before anything depends on them."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from generator.authors.llm.session import LLMSession, model_of
from generator.backends.backend import CompletionRequest, RequestRefused, Unavailable
from generator.backends.http import open_backend
from generator.errors import BackendError
from generator.job import Job

_SAID = "Say: ready"
_LONGEST = 64
"""Tokens of the answer, what is thought included."""
_TRIES = 2


def greet(session: LLMSession, job: Job) -> int:
    """Ask the model of a job, with all its options, for a word, and return how many tokens that took.

    Raises:
        BackendError: the server does not answer, or refuses the key, the model or an option.
        LimitError: a limit leaves no room for it.
    """
    model = replace(model_of(job), max_output_tokens=min(_LONGEST, job.max_output_tokens))
    request = CompletionRequest(model, ({"role": "user", "content": _SAID},))

    async def asked() -> int:
        server = replace(session.server, tries=_TRIES)
        async with open_backend(server, budget=session.budget, notify=session.notify) as backend:
            try:
                answer = await backend.complete(request)
            except (RequestRefused, Unavailable) as error:
                raise BackendError(f"{server.masked_url}: {error}") from error
            return answer.prompt_tokens + answer.completion_tokens

    return asyncio.run(asked())
