"""A backend over HTTP, whatever the protocol: what is tried again, what the budget pays, which option is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import orjson
from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception_type,
    stop_after_attempt,
    wait_random_exponential,
)
from tenacity.wait import wait_base

from generator.backends.address import Credentials
from generator.backends.admission import Admission, Notify, Ticket, nobody
from generator.backends.backend import (
    AnsweredCall,
    Completion,
    CompletionRequest,
    ModelOptions,
    RequestRefused,
    Reworded,
    Transient,
    TransientFailure,
    Unavailable,
    Verdicts,
)
from generator.backends.budget import NO_USAGE, Budget, Usage, most_tokens
from generator.backends.protocols.protocol import ServerProtocol
from generator.backends.server import ServerOptions, protocol_of
from generator.backends.wire import Wire, open_wire, refusal_of, way_out
from generator.errors import BackendError
from generator.jsontext import JsonObject, dump_exactly

_LONGEST_REASON = 100


class Backoff(wait_base):
    """Wait exponentially with full jitter; not at all where the server told how long: every request waits then."""

    def __init__(self, shortest: float = 0.5, longest: float = 30.0) -> None:
        self._untold = wait_random_exponential(multiplier=shortest, max=longest)

    def __call__(self, retry_state: RetryCallState) -> float:
        """Return the seconds to wait before the next try."""
        outcome = retry_state.outcome
        error = outcome.exception() if outcome else None
        if isinstance(error, TransientFailure) and error.failure.retry_after is not None:
            return 0.0
        return float(self._untold(retry_state))


class HttpBackend:
    """Completions from one server. Use `open_backend` to have its connections closed."""

    def __init__(
        self, protocol: ServerProtocol, options: ServerOptions, wire: Wire, budget: Budget, admission: Admission
    ) -> None:
        self._protocol = protocol
        self._path = protocol.path(options.address)
        self._options = options
        self._credentials = options.credentials
        self._wire = wire
        self._budget = budget
        self._admission = admission
        self._has_answered = False
        self._wait = Backoff(options.shortest_wait)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Send the request, trying again what a later try may not meet (see `Backend`)."""
        failed: list[str] = []
        policy = AsyncRetrying(
            retry=retry_if_exception_type(TransientFailure),
            stop=stop_after_attempt(self._options.tries),
            wait=self._wait,
            before_sleep=lambda state: failed.append(_reason(state)),
            reraise=True,
        )
        try:
            answer: Completion = await policy(self._try, request)
        except TransientFailure as error:
            message = f"{error} (after {self._options.tries} tries)"
            raise Unavailable(error.failure.reason, message, failed=failed) from error
        return answer.model_copy(update={"failed": tuple(failed)}) if failed else answer

    async def _try(self, request: CompletionRequest) -> Completion:
        try:
            return await self._send(request)
        except Reworded:
            return await self._send(request)

    async def _send(self, request: CompletionRequest) -> Completion:
        body = self._protocol.body(request)
        content = dump_exactly(body)
        most = most_tokens(request, len(content)) if self._budget.limits.count_tokens else NO_USAGE
        ticket = await self._admission.enter(most)
        taken = most  # also where it is given up while it is under way: its answer may be made all the same
        try:
            answer = await self._ask(request, body, content, ticket)
            taken = Usage(answer.prompt_tokens, answer.completion_tokens)
        except TransientFailure as error:
            taken = most if error.failure.billed else NO_USAGE
            self._admission.failed(ticket, error.failure)
            raise
        except (Unavailable, RequestRefused) as error:
            taken = NO_USAGE
            self._admission.refused(error.reason)
            raise
        finally:
            self._admission.leave(ticket, taken)
        self._admission.answered(ticket)
        self._has_answered = True
        return answer

    async def _ask(self, request: CompletionRequest, body: JsonObject, content: bytes, ticket: Ticket) -> Completion:
        try:
            async with asyncio.timeout(self._options.timeout):
                reply = await self._wire.post(self._path, content)
        except TimeoutError as error:
            message = f"no answer within {self._options.timeout:g} s"
            raise TransientFailure(Transient("timeout", message, billed=True)) from error
        if not reply.is_answer:
            raise self._weighed(refusal_of(reply, self._options), request, body)
        self._admission.heard(ticket, reply.headers)
        try:
            document = orjson.loads(reply.content)
        except orjson.JSONDecodeError as error:
            message = f"the server's answer is not JSON: {error}"
            raise TransientFailure(Transient("not_json", message, billed=True)) from error
        return masked(self._protocol.read(document, body, len(content)), self._credentials)

    def _weighed(self, refusal: Exception, request: CompletionRequest, body: JsonObject) -> Exception:
        """Return what a refusal is in view of what was asked; whoever has answered does not refuse an option."""
        if not isinstance(refusal, RequestRefused):
            return refusal
        if self._protocol.reword(refusal, body):
            return Reworded(refusal.status, str(refusal))
        return refusal if self._has_answered else of_option(refusal, self._protocol, request.model, self._options)


def of_option(
    refusal: RequestRefused, protocol: ServerProtocol, model: ModelOptions, server: ServerOptions
) -> RequestRefused | BackendError:
    """Return the end of the run where a server refuses an option that the user gave, else the refusal as it is."""
    chosen = {f"--{name.replace('_', '-')}" for name in model.given}
    given = {word: option for word, option in protocol.options.items() if option in chosen}
    given |= {key: f"{key!r} of --extra-body" for key in model.extra_body}
    remedy = way_out(refusal, given)
    return BackendError(f"{server.masked_url} refuses an option: {refusal} ({remedy})") if remedy else refusal


def masked(completion: Completion, credentials: Credentials) -> Completion:
    """Return a completion without the credentials that its server may have said back: it is stored and published."""
    mask = credentials.masked_answer
    calls = tuple(AnsweredCall(name=mask(call.name), arguments=mask(call.arguments)) for call in completion.calls)
    texts = {"text": mask(completion.text), "refusal": mask(completion.refusal), "thoughts": mask(completion.thoughts)}
    return completion.model_copy(
        update={**texts, "calls": calls, "finish_reason": mask(completion.finish_reason)[:_LONGEST_REASON]}
    )


def _reason(state: RetryCallState) -> str:
    error = state.outcome.exception() if state.outcome else None
    return error.failure.reason if isinstance(error, TransientFailure) else "unknown"


@asynccontextmanager
async def open_backend(
    options: ServerOptions,
    *,
    budget: Budget | None = None,
    verdicts: Verdicts | None = None,
    notify: Notify = nobody,
) -> AsyncIterator[HttpBackend]:
    """Open the connections of a run, and close them at the end.

    Args:
        options: where the server is.
        budget: what the session may spend; without it there is no limit.
        verdicts: where readers of the answers tell whether they can be used.
        notify: is told of long waits.
    """
    options.require_usable()
    budget = budget or Budget()
    admission = Admission(
        options.masked_url,
        budget,
        verdicts or Verdicts(),
        most=options.connections,
        shortest_wait=options.shortest_wait,
        notify=notify,
    )
    protocol = protocol_of(options)
    async with open_wire(options, protocol.headers(options.address)) as wire:
        yield HttpBackend(protocol, options, wire, budget, admission)
