"""MCP servers as a source of tools: what one lists, over stdio or HTTP, through the official SDK. No tool is called."""

from __future__ import annotations

import logging
import os
import shlex
import shutil
import string
from collections.abc import Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO, cast
from urllib.parse import urlsplit

from generator.errors import McpServerError, UsageError
from generator.extras import missing
from generator.formats.loading.parsing import MAX_FILE_BYTES
from generator.jsontext import JsonObject
from generator.version import VERSION

if TYPE_CHECKING:  # the SDK is an extra, and slow to import
    from collections.abc import AsyncGenerator, AsyncIterator

    import httpx2
    from anyio import CancelScope
    from mcp import Client
    from mcp.client import Transport

DEFAULT_TIMEOUT = 30.0
"""Seconds for all of it: start, handshake and every page of the list."""
MOST_PAGES = 1_000
_LAST_WORDS = 5
"""Lines that an error tells of a server's stderr, and of what it wrote among its messages."""
_LONGEST_LINE = 200
_REFUSALS = frozenset({401, 402, 403, 407, 429})
_MOST_STDERR = 4_096


@dataclass(frozen=True, slots=True)
class McpServer:
    """Where a server is, and what it is given."""

    address: str
    """A command with its arguments, as in a shell, or a URL."""
    environment: Sequence[str] = ()
    """Names of variables that the command gets, besides PATH, HOME and the like."""
    headers: Sequence[str] = ()
    """`Name: value` of each request to a URL; `$VARIABLE` in a value is read from the environment."""
    timeout: float = DEFAULT_TIMEOUT

    @property
    def is_url(self) -> bool:
        """Say whether it is reached over HTTP."""
        return self.address.lower().startswith(("http://", "https://"))

    @property
    def place(self) -> str:
        """How messages name it: a URL without what may be secret in it, a command by its first words."""
        if not self.is_url:
            return f"mcp:{self.address}"
        parts = urlsplit(self.address)
        return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


@dataclass(frozen=True, slots=True)
class Listing:
    """What a server lists."""

    place: str
    """How messages name the server."""
    name: str
    """What it calls itself, with its version; "" where it does not say."""
    document: JsonObject
    """Its answer to `tools/list`, all pages together: a tool file of the format `mcp`."""


def list_tools(server: McpServer) -> Listing:
    """Ask a server for its tools; when this returns or raises, the command that was started has ended.

    Raises:
        UsageError: the extra `mcp` is not installed, the address is none, or a variable is not set.
        McpServerError: the server cannot be reached, breaks the protocol, or takes too long.
    """
    _check(server)
    import asyncio
    import tempfile

    try:
        import mcp  # noqa: F401 - asked for here, so that what is missing is said before anything is started
    except ImportError:
        raise missing("an MCP server is asked through", "mcp", "mcp", "save its list of tools as a file") from None
    # The SDK tells failures twice: by what it raises, and with tracebacks in its log.
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)
    strange: list[str] = []
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as file:
        stderr = cast("TextIO", file)
        try:
            return asyncio.run(_listed(server, stderr, strange))
        except McpServerError as error:
            raise McpServerError(f"{server.place}: {error}{_last_words(stderr)}") from None
        except Exception as error:
            known = _in_words(error, server)
            if known is None:
                raise
            raise McpServerError(f"{server.place}: {known}{_strange_words(strange)}{_last_words(stderr)}") from error


def _check(server: McpServer) -> None:
    """Refuse what cannot be started or reached at all."""
    try:
        words = shlex.split(server.address)
    except ValueError as error:
        raise UsageError(f"{server.place}: {error}; write the command as in a shell") from None
    if not words:
        raise UsageError("the MCP server is empty: give the command that starts it, or its URL")
    if not server.is_url and shutil.which(words[0]) is None:
        raise UsageError(f"{server.place}: there is no command {words[0]!r}: check it, or give a URL with http://")
    if server.is_url and server.environment:
        raise UsageError(f"{server.place}: a URL takes no variables; give what it needs as a header")
    if not server.is_url and server.headers:
        raise UsageError(f"{server.place}: a command takes no headers; give what it needs as a variable")
    _variables(server)
    _headers(server)


def _variables(server: McpServer) -> dict[str, str]:
    unset = [name for name in server.environment if name not in os.environ]
    if unset:
        raise UsageError(
            f"the variable {unset[0]} is not set: set it, or leave it out; its value is never written here"
        )
    return {name: os.environ[name] for name in server.environment}


def _headers(server: McpServer) -> dict[str, str]:
    headers = {}
    for header in server.headers:
        name, colon, value = header.partition(":")
        if not (colon and name.strip()):
            raise UsageError(f"{header!r} is no header: write 'Authorization: Bearer $TOKEN', in single quotes")
        try:
            headers[name.strip()] = string.Template(value.strip()).substitute(os.environ)
        except KeyError as error:
            raise UsageError(
                f"the header {name.strip()} needs the variable {error.args[0]}, which is not set"
            ) from None
        except ValueError:
            raise UsageError(f"the header {name.strip()}: a dollar sign itself is written $$") from None
    return headers


async def _listed(server: McpServer, stderr: TextIO, strange: list[str]) -> Listing:
    """Connect, list every page, and leave; an interrupt ends it in good order. What is no message goes to `strange`.

    The SDK ends what it started where it is cancelled through a scope; where its task is cancelled, that can be lost.
    """
    import asyncio

    import anyio

    scope = anyio.CancelScope()
    asking = asyncio.ensure_future(_asked(server, stderr, strange, scope))
    try:
        return await asyncio.shield(asking)
    except asyncio.CancelledError:
        scope.cancel()
        await asyncio.wait({asking})
        raise


async def _asked(server: McpServer, stderr: TextIO, strange: list[str], scope: CancelScope) -> Listing:
    import anyio
    from mcp import Client
    from mcp.types import Implementation

    async def heard(message: object) -> None:
        if isinstance(message, Exception) and len(strange) < _LAST_WORDS:
            strange.append(_line_of(message))

    with scope, anyio.fail_after(server.timeout):
        async with _transport(server, stderr) as transport:
            himself = Implementation(name="toolgen", version=VERSION)
            async with Client(transport, client_info=himself, cache=None, message_handler=heard) as client:
                tools = await _pages(client)
                told = client.server_info
                name = f"{told.name} {told.version}".strip() if told is not None else ""
                return Listing(server.place, name, {"tools": tools})
    raise McpServerError("it was not asked to the end")


async def _pages(client: Client) -> list[JsonObject]:
    """Return the tools of all pages as the server wrote them."""
    if client.server_capabilities.tools is None:
        raise McpServerError("it offers no tools")
    tools: list[JsonObject] = []
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        tools += [tool.model_dump(mode="json", by_alias=True, exclude_unset=True) for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            return tools
        if cursor in seen:
            raise McpServerError("its list of tools never ends: it gives the same page again")
        seen.add(cursor)
    raise McpServerError(f"its list of tools never ends: it has more than {MOST_PAGES:,} pages")


@asynccontextmanager
async def _transport(server: McpServer, stderr: TextIO) -> AsyncIterator[Transport]:
    """Give the way to a server, not yet entered: a command's pipes, or HTTP whose answers are bounded."""
    if not server.is_url:
        from mcp import StdioServerParameters, stdio_client

        command, *arguments = shlex.split(server.address)
        yield stdio_client(
            StdioServerParameters(
                command=command, args=arguments, env=_variables(server), encoding_error_handler="replace"
            ),
            errlog=stderr,
        )
        return
    import httpx2
    from mcp.client.sse import sse_client
    from mcp.client.streamable_http import streamable_http_client

    def client(headers: dict[str, str] | None = None, timeout: Any = None, auth: Any = None) -> httpx2.AsyncClient:
        hooks = {"response": [_checked]}
        return httpx2.AsyncClient(headers=headers, timeout=timeout, auth=auth, event_hooks=hooks)

    headers, seconds = _headers(server), server.timeout
    if urlsplit(server.address).path.rstrip("/").endswith("/sse"):  # the transport before Streamable HTTP
        yield sse_client(server.address, headers, seconds, seconds, httpx_client_factory=client)
        return
    async with client(headers, seconds) as http:
        yield streamable_http_client(server.address, http_client=http, max_sse_event_size=MAX_FILE_BYTES)


async def _checked(response: httpx2.Response) -> None:
    """Take no refusal for an older server, and let no answer grow beyond what a tool file may have."""
    if response.status_code in _REFUSALS or response.is_server_error:
        also = "; --mcp-header gives it what it asks for" if response.status_code in _REFUSALS else ""
        raise McpServerError(f"it answers {response.status_code} {response.reason_phrase}{also}")
    whole = response.aiter_raw

    async def parts(chunk_size: int | None = None) -> AsyncGenerator[bytes, None]:
        had = 0
        async for part in whole(chunk_size):
            had += len(part)
            if had > MAX_FILE_BYTES:
                raise McpServerError(f"its answer is larger than {MAX_FILE_BYTES:,} bytes")
            yield part

    response.aiter_raw = parts  # type: ignore[method-assign]  # the one place that every way of reading goes through


def _in_words(error: BaseException, server: McpServer) -> str | None:
    """Say what went wrong; None where it is a fault of this program."""
    for each in _leaves(error):
        if isinstance(each, McpServerError):
            return str(each)
    told = [_one_in_words(each, server) for each in _leaves(error)]
    return next(filter(None, told), None)


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors of a group of tasks; a single one is its own."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _leaves(each)
    else:
        yield error


def _one_in_words(error: BaseException, server: McpServer) -> str | None:
    import httpx2
    from mcp import MCPError
    from mcp.types import CONNECTION_CLOSED
    from pydantic import ValidationError

    if isinstance(error, TimeoutError):
        return f"no list of tools within {server.timeout:g} s; --timeout gives it more"
    if isinstance(error, MCPError) and error.error.code == CONNECTION_CLOSED:
        return "it ended without a list of tools: is it an MCP server?"
    if isinstance(error, MCPError):
        return f"it gave no list of tools: {error.error.message}"
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False)[0]
        at = "/".join(map(str, first["loc"]))
        return f"its answer breaks the protocol ({error.error_count()} times): {at}: {first['msg']}"
    if isinstance(error, httpx2.HTTPError | OSError | httpx2.InvalidURL):
        return f"it cannot be reached: {str(error) or type(error).__name__}"
    return None


def _line_of(error: Exception) -> str:
    """Return the line that was no message, or else what was said of it."""
    from pydantic import ValidationError

    found = error.errors(include_url=False)[0]["input"] if isinstance(error, ValidationError) else error
    return str(found).strip()[:_LONGEST_LINE]


def _strange_words(strange: Sequence[str]) -> str:
    """Return what a server wrote among its messages, as a program does that prints to its stdout."""
    return "".join(f"\n  it wrote what is no message of MCP: {line!a}" for line in strange)


def _last_words(stderr: TextIO) -> str:
    """Return the end of what the server wrote to its stderr, where it is often said what is missing."""
    stderr.seek(0, os.SEEK_END)
    stderr.seek(max(0, stderr.tell() - _MOST_STDERR))
    lines = [line.strip() for line in stderr.read().splitlines() if line.strip()]
    return "".join(f"\n  it said: {line}" for line in lines[-_LAST_WORDS:])
