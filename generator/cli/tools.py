"""`toolgen tools`: tool files, or what an MCP server lists, as they will be used, or written in another format."""

from __future__ import annotations

import functools
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from generator.assets import asset_folder
from generator.cli.option_types import Choice, FilePath
from generator.cli.terminal import PIPED, columns_of, folded, printable, say, say_json, tell
from generator.errors import Problem
from generator.formats.loading.mcp_servers import DEFAULT_TIMEOUT, Listing, McpServer, list_tools
from generator.formats.loading.tool_files import LoadedCatalog, OnConflict, load_catalog
from generator.formats.writing import TOOL_FORMATS, dump_as_trained, dump_tools
from generator.jsontext import JsonObject, JsonValue, dump_pretty
from generator.reports.problems import in_few_words
from generator.reports.tools import Described, changes_of_all, described
from generator.tools import Tool

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
_LABEL = 9
_SHOWN_MERGED = 5


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


@click.command(
    epilog="""\b
Examples:
  toolgen tools my_tools.json
  toolgen tools servers/ more.yaml --json
  toolgen tools my_tools.json --to mcp -o tools.mcp.json
  toolgen tools my_tools.json --as-trained -o serve.json
  toolgen tools my_tools.json --domain my_tools.domain.yaml
  toolgen tools api.yaml
  toolgen tools my_package.my_module:my_function
  toolgen tools --mcp "npx -y @modelcontextprotocol/server-everything" -o everything.json
  toolgen tools --mcp http://localhost:8000/mcp
  curl -s localhost:8000/tools | toolgen tools -"""
)
@click.argument("sources", metavar="[FILE|FOLDER|GLOB|MODULE:FUNCTION|-]...", nargs=-1)
@mcp_options
@click.option("--json", "as_json", is_flag=True, help="Print the tools, their changes and all warnings as JSON.")
@click.option("--verbose", is_flag=True, help="Tell the changes of each tool with their places, and every warning.")
@click.option("--to", type=Choice(TOOL_FORMATS), help="Write the tools in this format; losses go to stderr.")
@click.option(
    "--as-trained", is_flag=True, help="Write the tools as records show them: serve the tuned model with these."
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Write to this file, not to stdout."
)
@click.option(
    "--domain",
    "domains",
    multiple=True,
    type=FilePath(),
    metavar="FILE",
    help="A domain file: what is known of the tools; before those beside the files. Repeatable.",
)
@click.option("--strict", is_flag=True, help="Refuse deviations from a specification, unknown fields among them.")
@click.option("--skip-invalid", is_flag=True, help="Go on without the definitions that cannot be used.")
@click.option(
    "--on-conflict",
    type=Choice(("refuse", "source")),
    default="refuse",
    show_default=True,
    help="Different definitions of one name: refuse them, or let each source be a toolset of its own.",
)
def command(
    sources: tuple[str, ...],
    as_json: bool,
    verbose: bool,
    to: str | None,
    as_trained: bool,
    output: Path | None,
    domains: tuple[Path, ...],
    server: McpServer | None,
    strict: bool,
    skip_invalid: bool,
    on_conflict: OnConflict,
) -> None:
    """Show tool files as they will be used, or write them in another format.

    Reads ADM, OpenAI, MCP, Anthropic and bare definitions and OpenAPI documents, in JSON, JSON lines or YAML, told
    apart by content, and Python functions as package.module:function. Without files it shows the bundled tools.
    """
    is_rewritten = as_trained or to is not None
    if as_json and is_rewritten:
        raise click.UsageError("--json prints the working form: leave out --to and --as-trained")
    listing = _asked(server, sources)
    loaded = load_catalog(
        () if listing else _or_bundled(sources),
        skip_invalid=skip_invalid,
        on_conflict=on_conflict,
        strict=strict,
        domains=domains,
        listed={listing.place: listing.document} if listing else {},
    )
    if as_json:
        _write(dump_pretty(_as_json(loaded)), output)
        return
    _report(loaded, verbose=verbose)
    if is_rewritten:
        _write(dump_pretty(_written(loaded.catalog.tools, to, as_trained)), output)
    elif listing and output:
        _save(listing, output)
    else:
        _show(loaded.catalog.tools, output, verbose=verbose)


def _asked(server: McpServer | None, sources: tuple[str, ...]) -> Listing | None:
    """Return what a server lists, where one is named."""
    if server is not None and sources:
        raise click.UsageError("--mcp names a server in place of files: leave out one of them")
    if server is None:
        return None
    if sys.stderr.isatty():
        tell(f"asking {server.place} for its tools, {server.timeout:g} s at most", err=True)
    return list_tools(server)


def _or_bundled(sources: tuple[str, ...]) -> Sequence[str | Path]:
    if sources:
        return sources
    tell("no tool files given: the bundled ones are used", err=True)
    return [asset_folder("tool_specs")]


def _as_json(loaded: LoadedCatalog) -> JsonObject:
    return {
        **loaded.catalog.dump(),
        "skipped": [_problem_json(problem) for problem in loaded.skipped],
        "warnings": [_problem_json(problem) for problem in loaded.warnings],
        "merged": list(loaded.merged),
    }


def _problem_json(problem: Problem) -> JsonObject:
    return {"where": problem.where, "what": problem.what, "remedy": problem.remedy}


def _report(loaded: LoadedCatalog, *, verbose: bool) -> None:
    """Say on stderr what was skipped, warned of and merged: what is alike once, unless all is asked for."""
    for kind, problems in (("skipped", loaded.skipped), ("warning", loaded.warnings)):
        for text in map(str, problems) if verbose else in_few_words(problems, everything="--verbose tells all"):
            _say(kind, text)
    for merged in loaded.merged if verbose else loaded.merged[:_SHOWN_MERGED]:
        _say("merged", merged)
    if not verbose and len(loaded.merged) > _SHOWN_MERGED:
        _say("merged", f"{len(loaded.merged) - _SHOWN_MERGED:,} more; --verbose tells them all")


def _say(kind: str, message: str) -> None:
    tell(f"{kind}: {message}", err=True)


def _written(tools: Sequence[Tool], to: str | None, as_trained: bool) -> JsonValue:
    """Write the tools, and say on stderr what the format could not hold."""
    if as_trained:
        # The names that records show, not those the tools came with.
        tools = [tool.model_copy(update={"original_name": tool.name}) for tool in tools]
    if to is None:
        return dump_as_trained(tools)
    dump = dump_tools(tools, to)
    for name, losses in dump.losses.items():
        for loss in losses:
            _say("lost", f"{name}{loss.pointer}: {loss.message}")
    return dump.document


def _write(text: str, output: Path | None) -> None:
    if output is None:
        say_json(text)
    else:
        output.write_text(text, encoding="utf-8")


def _show(tools: Sequence[Tool], output: Path | None, *, verbose: bool) -> None:
    """Lay the tools out for people."""
    if output is None:
        say(_listing(tools, columns_of(), verbose=verbose))
    else:
        output.write_text(f"{_listing(tools, PIPED, verbose=verbose)}\n", encoding="utf-8")


def _save(listing: Listing, output: Path) -> None:
    """Write what a server listed as a tool file, and say what it is good for."""
    _write(dump_pretty(listing.document), output)
    count = len(listing.document["tools"])
    tell(f"{count:,} tool{'' if count == 1 else 's'} of {listing.name or 'the server'}: {output}", err=True)
    tell(f"next: `toolgen generate {shlex.quote(str(output))}`", err=True)


def _listing(tools: Sequence[Tool], columns: int, *, verbose: bool) -> str:
    """Lay the tools out, and what loading changed in them: of each where `verbose`, else of all together."""
    blocks = [f"{len(tools):,} tool{'' if len(tools) == 1 else 's'}"]
    blocks += ["\n".join(_lines(described(tool), columns, verbose=verbose)) for tool in tools]
    changed = [] if verbose else list(changes_of_all(tools))
    if changed:
        head = folded("Changed on loading (--verbose: of each tool, with every place)", columns)
        blocks.append("\n".join([head, *(folded(f"  {printable(change)}", columns, 4) for change in changed)]))
    return "\n\n".join(blocks)


def _lines(tool: Described, columns: int, *, verbose: bool) -> Iterator[str]:
    """Yield the lines of one tool; none is cut, however few columns there are."""
    yield printable(tool.name)
    told = [("toolset", tool.toolset), ("takes", tool.parameters or "nothing"), ("gives", tool.result)]
    told += [("changed", change) for change in tool.changes] if verbose else []
    for label, text in told:
        if text:
            yield folded(f"  {label:<{_LABEL}}{printable(text)}", columns, _LABEL)
