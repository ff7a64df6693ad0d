"""`toolgen serve`: a server that plays the model, with the turns of records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from generator.cli.option_types import FilePath
from generator.cli.terminal import say_line, tell
from generator.errors import StorageError
from generator.job_choices import DEFAULT_SEED

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@click.command(
    epilog="""\b
Examples:
  toolgen serve runs/mine
  toolgen serve runs/mine --port 8080 --api-key secret
  toolgen serve records.jsonl --ready-file base_url.txt
  toolgen serve runs/mine --mcp --record 3
  toolgen serve runs/mine --mcp --port 8080

Exit codes: 2 usage, or the port is in use; 5 a file could not be read; 130 and 143 it was stopped."""
)
@click.argument("records", metavar="RUN|FILE")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=None, metavar="PORT", help="Where to listen.  [a free port]"
)
@click.option("--host", default="127.0.0.1", show_default=True, metavar="HOST", help="The address to listen on.")
@click.option(
    "--api-key",
    default="",
    envvar="TOOLGEN_API_KEY",
    show_envvar=True,
    metavar="KEY",
    help="The key that every request must bear.",
)
@click.option(
    "--model", "models", multiple=True, metavar="NAME", help="A model that may be asked; others are not found.  [any]"
)
@click.option(
    "--tools",
    "tools",
    multiple=True,
    metavar="TOOLS",
    help="Tool files with domain files, for requests of no record, and for the worlds of records that are those of no "
    "run. Repeatable.  [those of the run, and the bundled]",
)
@click.option("--domain", "domains", multiple=True, metavar="FILE", help="A domain file for the tools. Repeatable.")
@click.option(
    "--mcp", is_flag=True, help="Offer the tools as an MCP server: over stdio alone, or with --port also at /mcp."
)
@click.option(
    "--record", default="", metavar="ID", help="The record whose tools --mcp offers, or its index.  [the first]"
)
@click.option(
    "--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the answers of no record, and of faults."
)
@click.option(
    "--fault",
    "faults",
    default="",
    metavar="NAME=SHARE,...",
    help="The share of requests that go wrong: an HTTP status, hang, cut, malformed, slow, wrong_arguments, "
    "unknown_tool.",
)
@click.option("--ready-file", type=FilePath(), metavar="FILE", help="Write the base URL here once the server answers.")
def command(records: str, host: str, port: int | None, ready_file: Path | None, **options: Any) -> None:
    """Answer requests of a model's API with the turns of records, offline.

    Serves chat completions, responses and models. A request that continues a conversation of the records is answered
    with the next turn of that record; others are answered over the tools they send. A call that is posted to
    /tools/NAME is executed on the world of a record (?record=ID), of which each session (?session=NAME) has its own.
    Prints `base_url=URL` when it answers, and ends at Ctrl-C.
    """
    if options["record"] and not options["mcp"]:
        raise click.UsageError("--record is for --mcp; over HTTP requests say which record they mean: ?record=ID")
    if options["mcp"] and port is None:
        _serve_stdio(records, options)
        return
    from generator.serving.running import serve_records

    if host not in _LOOPBACK:
        key = "" if options["api_key"] else "; --api-key KEY lets in who bears it alone"
        tell(f"warning: {host} is no loopback address: others may reach the server{key}", err=True)
    with serve_records(records, host=host, port=port or 0, **options) as serving:
        say_line(f"base_url={serving.base_url}")
        if options["mcp"]:
            say_line(f"mcp_url={serving.mcp_url}")
        if ready_file is not None:
            write_ready_file(ready_file, serving.base_url)
        tell("Ctrl-C ends it", err=True)
        serving.wait()
        raise StorageError("the server ended by itself")


def _serve_stdio(records: str, options: dict[str, Any]) -> None:
    """Answer one MCP client over standard input and output, which belong to the protocol alone."""
    if records == "-":
        raise click.UsageError("over stdio --mcp takes its input for itself: give the records as a file, or --port")
    from generator.serving.mcp_server import serve_stdio
    from generator.serving.running import load

    serve_stdio(load(records, options["tools"], options["domains"]).worlds, options["record"])


def write_ready_file(path: Path, base_url: str) -> None:
    """Write the base URL into a file that appears whole."""
    from generator.disk import write_whole

    write_whole(path, [f"{base_url}\n".encode()])
