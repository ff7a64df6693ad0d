"""Any OpenAI-compatible server, through the openai package: one client, one retry policy, SDK errors mapped once."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

import httpx2
import openai
import orjson
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt

from generator.backends.answer import read_completion
from generator.backends.backend import Completion, CompletionRequest, RequestRefused, Unavailable
from generator.backends.breaker import Breaker
from generator.backends.retry import Transient, TransientFailure, WaitAsTold, retry_after
from generator.errors import BackendError, UsageError

DEFAULT_BASE_URL = "https://api.openai.com/v1"
CONNECT_TIMEOUT = 30.0
"""Seconds; with hundreds of requests in flight a connection may take long to come."""
_LARGEST_ANSWER = 8 * 1024 * 1024
_REFUSALS_OF_FORM = frozenset({400, 404, 422, 501})
_FORM_WORDS = ("response_format", "json_schema", "json_object", "schema", "tool", "function", "grammar", "format")
_NO_KEY = "none"
"""What is sent to a local server that needs no key: the SDK insists on one."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where the server is and how long to wait for it. Times in seconds."""

    base_url: str = ""
    api_key_env: str = "OPENAI_API_KEY"
    timeout: float = 120.0
    """The longest one request may take, from sending to its last byte."""
    tries: int = 6
    connections: int = 64
    shortest_wait: float = 0.5

    @property
    def url(self) -> str:
        """The server's base URL: the option, else OPENAI_BASE_URL, else OpenAI's."""
        return self.base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL

    @property
    def masked_url(self) -> str:
        """The base URL without credentials and query, fit for logs and files."""
        return mask_url(self.url)

    def require_usable(self) -> None:
        """Refuse what cannot work before anything is sent.

        Raises:
            UsageError: the URL is none, or OpenAI's own server is asked without a key.
        """
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"the base URL {self.masked_url!r} is none; give one like http://localhost:8000/v1")
        if self.url.rstrip("/") == DEFAULT_BASE_URL and not self.key:
            raise UsageError(
                f"no API key: set the environment variable {self.api_key_env}, "
                "or give --base-url for a server of your own"
            )

    @property
    def key(self) -> str:
        """The key from the environment, "" where there is none."""
        return os.environ.get(self.api_key_env, "").strip()


def mask_url(url: str) -> str:
    """Replace user, password and query of a URL: they may be secrets."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    secret = "***@" if "@" in parts.netloc else ""
    return urlunsplit((parts.scheme, secret + host, parts.path, "***" if parts.query else "", ""))


class OpenAIBackend:
    """Completions from one server. Use `open_backend` to have its client closed.

    Raises:
        UsageError: the URL is none, or OpenAI's own server is asked without a key.
    """

    def __init__(self, options: ServerOptions, client: openai.AsyncOpenAI) -> None:
        self._options = options
        self._client = client
        self._breaker = Breaker()
        self._wait = WaitAsTold(options.shortest_wait)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Send the request, trying again what a later try may not meet (see `Backend`)."""
        policy = AsyncRetrying(
            retry=retry_if_exception_type(TransientFailure),
            stop=stop_after_attempt(self._options.tries),
            wait=self._wait,
            reraise=True,
        )
        try:
            answer: Completion = await policy(self._try, request)
        except TransientFailure as error:
            raise Unavailable(error.failure.reason, f"{error} (after {self._options.tries} tries)") from error
        return answer

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
        response = await self._client.post("/chat/completions", cast_to=httpx2.Response, body=request.body)
        content = await response.aread()
        if len(content) > _LARGEST_ANSWER:
            raise TransientFailure(Transient("oversized", f"an answer of {len(content):,} bytes"))
        try:
            document = orjson.loads(content)
        except orjson.JSONDecodeError as error:
            raise TransientFailure(Transient("not_json", f"the server's answer is not JSON: {error}")) from error
        return read_completion(document, request)


@asynccontextmanager
async def open_backend(options: ServerOptions) -> AsyncIterator[OpenAIBackend]:
    """Open the one client of a run, and close it at the end."""
    options.require_usable()
    limits = httpx2.Limits(max_connections=options.connections, max_keepalive_connections=options.connections)
    timeout = httpx2.Timeout(options.timeout, connect=min(CONNECT_TIMEOUT, options.timeout))
    transport = openai.DefaultAioHttpClient(limits=limits, timeout=timeout, trust_env=False, follow_redirects=False)
    client = openai.AsyncOpenAI(
        base_url=options.url, api_key=options.key or _NO_KEY, max_retries=0, timeout=timeout, http_client=transport
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
    except (openai.APITimeoutError, TimeoutError, httpx2.TimeoutException) as error:
        raise TransientFailure(Transient("timeout", f"no answer within {options.timeout:g} s")) from error
    except (openai.APIError, httpx2.HTTPError, OSError, UnicodeError) as error:
        text = _clean(str(error) or type(error).__name__, options)
        raise TransientFailure(Transient("connection", f"the connection failed: {text}")) from error


def _from_status(error: openai.APIStatusError, options: ServerOptions) -> Exception:
    status, text = error.status_code, _clean(error.message, options)
    if status in (408, 409, 425, 429) or status >= 500 and status != 501:
        return TransientFailure(
            Transient(f"http_{status}", f"HTTP {status}: {text}", retry_after(error.response.headers))
        )
    if status in _REFUSALS_OF_FORM and (status != 404 or any(word in text.lower() for word in _FORM_WORDS)):
        return RequestRefused(status, f"HTTP {status}: {text}")
    remedy = {
        401: f"check the key in {options.api_key_env}",
        403: "the key may not use this model",
        404: "check --base-url (it usually ends in /v1) and --model",
    }.get(status, "check --base-url and --model")
    return BackendError(f"{options.masked_url} refused the request for good: HTTP {status}: {text} ({remedy})")


_LONGEST_TEXT = 300


def _clean(text: str, options: ServerOptions) -> str:
    """Shorten a server's text to one line and take the key out of it, should the server echo it."""
    key = options.key
    masked = text.replace(key, "***") if len(key) > 3 else text
    masked = masked.replace(options.url, options.masked_url)
    line = " ".join(masked.split())
    return line if len(line) <= _LONGEST_TEXT else line[:_LONGEST_TEXT] + "…"
