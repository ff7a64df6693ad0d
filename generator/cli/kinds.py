"""`toolgen kinds`: what kinds of records there are."""

from __future__ import annotations

import json
import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from generator.cli.terminal import columns_of, folded, say, say_json
from generator.job_choices import DEFAULT_SEED
from generator.jsontext import JsonObject, dump_pretty

if TYPE_CHECKING:  # imported where they are used, so that --help costs nothing
    from generator.domains.catalog import Catalog
    from generator.reports.kinds import KindEntry, KindExplained

_LONGEST = 160


@click.command(
    epilog="""\b
Examples:
  toolgen kinds
  toolgen kinds missing_parameter
  toolgen kinds sequential my_tools.json
  toolgen kinds --json

Exit codes: 0 good, 2 usage: no such kind, or a tool file that cannot be used."""
)
@click.argument("name", metavar="[KIND]", required=False)
@click.argument("tools", metavar="[TOOLS]...", nargs=-1)
@click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True, metavar="S", help="Other examples.")
@click.option("--domain", "domains", multiple=True, metavar="FILE", help="A domain file of the tools. Repeatable.")
@click.option("--skip-invalid", is_flag=True, help="Go on without the definitions that cannot be used.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--markdown", is_flag=True, help="Print the table that the page of kinds has.")
def command(
    name: str | None,
    tools: tuple[str, ...],
    seed: int,
    domains: tuple[str, ...],
    skip_invalid: bool,
    as_json: bool,
    markdown: bool,
) -> None:
    """List the kinds of records, or explain one over your own tools.

    The list has an example of each. With a KIND: how it is laid out, what its check demands, and three records over
    your own TOOLS, or the bundled ones.
    """
    from generator.reports.kinds import explain_kind, list_kinds, markdown_table

    if markdown:
        say(markdown_table())
        return
    catalog = _catalog(tools, domains, skip_invalid)
    if name is None:
        entries = list(list_kinds(catalog, seed))
        if as_json:
            say_json(dump_pretty([asdict(entry) for entry in entries]))
        else:
            say(_fitting("\n\n".join(map(_listed, entries))))
        return
    explained = explain_kind(name, catalog, seed)
    if as_json:
        say_json(dump_pretty(asdict(explained)))
    else:
        _explain(explained)


def _catalog(tools: tuple[str, ...], domains: tuple[str, ...], skip_invalid: bool) -> Catalog:
    from generator.assets import asset_folder
    from generator.formats.loading.tool_files import load_catalog

    sources = list(tools) or [str(asset_folder("tool_specs"))]
    return load_catalog(sources, skip_invalid=skip_invalid, domains=domains).catalog


def _listed(entry: KindEntry) -> str:
    share = f"{entry.share:g} %" if entry.share else "on request"
    lines = [f"{entry.name} ({share}): {entry.summary}"]
    if entry.example is None:
        lines.append(f"  these tools cannot serve it: it needs {entry.need}")
    else:
        lines += [f"  {line}" for line in _told(entry.example)]
    return "\n".join(lines)


def _told(record: JsonObject) -> list[str]:
    """Tell a record in a line for each text of the user and the assistant, and for each turn of calls."""
    spoken = [message for message in record["messages"] if message["role"] in ("user", "assistant")]
    return [textwrap.shorten(_said(message), _LONGEST, placeholder=" ...") for message in spoken]


def _said(message: JsonObject) -> str:
    if message["role"] == "user":
        return f"user: {message['content']}"
    calls = [call["function"] for call in message.get("tool_calls", ())]
    called = ", ".join(f"{call['name']} {json.dumps(call['arguments'], ensure_ascii=False)}" for call in calls)
    return f"call: {called}" if called else f"assistant: {message['content']}"


def _fitting(text: str) -> str:
    return folded(text, columns_of())


def _explain(explained: KindExplained) -> None:
    from rich.console import Console

    from generator.cli.conversation_text import portray

    entry = explained.entry
    share = f"{entry.share:g} % of the default mix" if entry.share else "on request: --mix"
    lines = [
        f"{entry.name}: {entry.summary} ({share}; {entry.tools:,} of these tools can lead one)",
        "",
        *f"Blueprint: {explained.layout}".splitlines(),
        *(f"  {number}. {step}" for number, step in enumerate(explained.steps, start=1)),
        *f"Check: {explained.claim}".splitlines(),
    ]
    if not explained.records:
        lines += ["", f"These tools cannot serve it: it needs {entry.need}."]
    say(_fitting("\n".join(lines)))
    console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)
    for number, record in enumerate(explained.records, start=1):
        console.print()
        for text in portray(record, number):
            console.print(text)
