"""The options that name an MCP server, and the one value that a command gets of them."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from generator.formats.loading.mcp_servers import DEFAULT_TIMEOUT, McpServer

_OPTIONS = (
    click.option(
        "--mcp",
        "address",
        metavar="COMMAND|URL",
        help="Ask an MCP server for its tools: the command that starts it, in quotes, or its URL. It is asked for the "
        "list alone; a command runs as you would run it. With -o FILE the list is saved as a tool file.",
    ),
    click.option(
        "--mcp-env",
        "environment",
        multiple=True,
        metavar="NAME",
        help="A variable of yours that the command gets, besides PATH, HOME and the like. Repeatable.",
    ),
    click.option(
        "--mcp-header",
        "headers",
        multiple=True,
        metavar="HEADER",
        help="A header for the URL, as 'Authorization: Bearer $TOKEN': variables are filled in here. Repeatable.",
    ),
    click.option(
        "--timeout",
        type=click.FloatRange(0, 3_600, min_open=True),
        metavar="SECONDS",
        help=f"Wait this long for the server at most.  [default: {DEFAULT_TIMEOUT:g}]",
    ),
)


def mcp_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options, and with them `server`: an McpServer, or None where none is named."""

    @functools.wraps(command)
    def with_server(**options: Any) -> Any:
        given = {name: options.pop(name) for name in ("address", "environment", "headers", "timeout")}
        return command(**options, server=_server(**given))

    for option in reversed(_OPTIONS):
        with_server = option(with_server)
    return with_server


def _server(
    address: str | None, environment: tuple[str, ...], headers: tuple[str, ...], timeout: float | None
) -> McpServer | None:
    if address is None:
        if environment or headers or timeout is not None:
            raise click.UsageError("--mcp-env, --mcp-header and --timeout are for --mcp: name the server")
        return None
    return McpServer(address, environment, headers, timeout or DEFAULT_TIMEOUT)
