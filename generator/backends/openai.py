"""Any OpenAI-compatible server, through the openai package: one client, one retry policy, SDK errors mapped once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import httpx2
import openai
import orjson
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt

from generator.backends.answer import read_completion
from generator.backends.backend import Completion, CompletionRequest, RequestRefused, Unavailable
from generator.backends.breaker import Breaker
from generator.backends.retry import LONGEST_WAIT, Transient, TransientFailure, WaitAsTold, retry_after
from generator.backends.server import ServerOptions
from generator.errors import BackendError

CONNECT_TIMEOUT = 30.0
"""Seconds; with hundreds of requests in flight a connection may take long to come."""
_LARGEST_ANSWER = 8 * 1024 * 1024
_REFUSALS_OF_FORM = frozenset({400, 404, 422, 501})
_MAY_PASS = frozenset({408, 409, 425, 429})
_REMEDIES = {
    401: "check the key in {key}",
    403: "the key may not use this model",
    404: "check --base-url (it usually ends in /v1) and --model",
}
_REQUEST_WORDS = ("context length", "context_length", "context size", "context window", "too long", "content_filter")
"""What servers say of one request that they cannot take, where the next may be taken."""
_FORM_WORDS = ("response_format", "json_schema", "json_object", "schema", "tool", "function", "grammar", "format")
_NO_KEY = "none"
"""What is sent to a local server that needs no key: the SDK insists on one."""


class OpenAIBackend:
    """Completions from one server. Use `open_backend` to have its client closed."""

    def __init__(self, options: ServerOptions, client: openai.AsyncOpenAI) -> None:
        self._options = options
        self._client = client
        self._breaker = Breaker()
        self._wait = WaitAsTold(options.shortest_wait)

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
            with _translated(self._options):
                async with asyncio.timeout(self._options.timeout):
                    answer = await self._send(request)
        except TransientFailure as error:
            self._breaker.failed(str(error), self._options.masked_url)
            raise
        self._breaker.answered()
        return answer

    async def _send(self, request: CompletionRequest) -> Completion:
        body = orjson.dumps(request.body)  # a tenth of what the SDK takes for it
        response = await self._client.post("/chat/completions", cast_to=httpx2.Response, content=body)
        content = await response.aread()
        if len(content) > _LARGEST_ANSWER:
            raise TransientFailure(Transient("oversized", f"an answer of {len(content):,} bytes"))
        try:
            document = orjson.loads(content)
        except orjson.JSONDecodeError as error:
            raise TransientFailure(Transient("not_json", f"the server's answer is not JSON: {error}")) from error
        return read_completion(document, request)


def _reason(state: RetryCallState) -> str:
    error = state.outcome.exception() if state.outcome else None
    return error.failure.reason if isinstance(error, TransientFailure) else "unknown"


@asynccontextmanager
async def open_backend(options: ServerOptions) -> AsyncIterator[OpenAIBackend]:
    """Open the one client of a run, and close it at the end."""
    options.require_usable()
    limits = httpx2.Limits(max_connections=options.connections, max_keepalive_connections=options.connections)
    timeout = httpx2.Timeout(options.timeout, connect=min(CONNECT_TIMEOUT, options.timeout))
    transport = openai.DefaultAioHttpClient(limits=limits, timeout=timeout, trust_env=False, follow_redirects=False)
    client = openai.AsyncOpenAI(
        base_url=options.plain_url,
        api_key=options.key or _NO_KEY,
        max_retries=0,
        timeout=timeout,
        http_client=transport,
        default_headers={"Authorization": options.authorization} if options.authorization else None,
        default_query=options.query or None,
    )
    try:
        yield OpenAIBackend(options, client)
    finally:
        await client.close()


@contextmanager
def _translated(options: ServerOptions) -> Iterator[None]:
    """Turn every error of the SDK and its transport into one of ours; the only place that knows theirs."""
    try:
        yield
    except openai.APIStatusError as error:
        raise _from_status(error, options) from error
    except (openai.APIError, httpx2.HTTPError, OSError, UnicodeError) as error:
        if _is_timeout(error):
            raise TransientFailure(Transient("timeout", f"no answer within {options.timeout:g} s")) from error
        text = options.clean(str(error) or type(error).__name__)
        raise TransientFailure(Transient("connection", f"the connection failed: {text}")) from error


def _is_timeout(error: BaseException) -> bool:
    """The transport calls a lost connection a timeout, too: what it came from tells."""
    while error.__cause__ is not None and not isinstance(error, TimeoutError):
        error = error.__cause__
    return isinstance(error, TimeoutError | httpx2.TimeoutException)


def _from_status(error: openai.APIStatusError, options: ServerOptions) -> Exception:
    status, text = error.status_code, options.clean(error.message)
    if status in _MAY_PASS or (status >= 500 and status != 501):
        wait = retry_after(error.response.headers)
        if wait is not None and wait > LONGEST_WAIT:
            return BackendError(
                f"{options.masked_url} asks to wait {wait:,.0f} s (HTTP {status}); run the command again then"
            )
        return TransientFailure(Transient(f"http_{status}", f"HTTP {status}: {text}", wait))
    if status == 413 or (status in _REFUSALS_OF_FORM and any(word in text.lower() for word in _REQUEST_WORDS)):
        return Unavailable(f"http_{status}", f"HTTP {status}: {text}")
    named = any(word in text.lower() for word in _FORM_WORDS)
    if status in _REFUSALS_OF_FORM and (status != 404 or named):
        return RequestRefused(status, f"HTTP {status}: {text}", named=named)
    remedy = _REMEDIES.get(status, "check --base-url and --model").format(key=options.api_key_env)
    return BackendError(f"{options.masked_url} refused the request for good: HTTP {status}: {text} ({remedy})")
