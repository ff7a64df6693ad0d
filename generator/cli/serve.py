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

Exit codes: 2 usage, or the port is in use; 5 a file could not be read; 130 and 143 it was stopped."""
)
@click.argument("records", metavar="RUN|FILE")
@click.option(
    "--port", type=click.IntRange(0, 65535), default=0, metavar="PORT", help="Where to listen.  [a free port]"
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
    help="Tool files with domain files, for requests of no record; repeatable.  [those of the run, and the bundled]",
)
@click.option(
    "--seed", type=int, default=DEFAULT_SEED, show_default=True, help="Seed of the answers of no record, and of faults."
)
@click.option(
    "--fault",
    "faults",
    default="",
    metavar="NAME=SHARE,...",
    help="The share of requests that go wrong: an HTTP status, hang, cut, malformed, slow.",
)
@click.option("--ready-file", type=FilePath(), metavar="FILE", help="Write the base URL here once the server answers.")
def command(records: str, host: str, port: int, ready_file: Path | None, **options: Any) -> None:
    """Answer requests of a model's API with the turns of records, offline.

    Serves OpenAI's API: chat completions, responses and models. A request that continues a conversation of the
    records is answered with the next turn of that record; others are answered over the tools they send. Prints
    `base_url=URL` when it answers, and ends at Ctrl-C.
    """
    from generator.serving.running import serve_records

    if host not in _LOOPBACK:
        key = "" if options["api_key"] else "; --api-key KEY lets in who bears it alone"
        tell(f"warning: {host} is no loopback address: others may reach the server{key}", err=True)
    with serve_records(records, host=host, port=port, **options) as serving:
        say_line(f"base_url={serving.base_url}")
        if ready_file is not None:
            write_ready_file(ready_file, serving.base_url)
        tell("Ctrl-C ends it", err=True)
        serving.wait()
        raise StorageError("the server ended by itself")


def write_ready_file(path: Path, base_url: str) -> None:
    """Write the base URL into a file that appears whole."""
    from generator.disk import write_whole

    write_whole(path, [f"{base_url}\n".encode()])
