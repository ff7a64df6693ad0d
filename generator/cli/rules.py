"""`toolgen rules`: list the rules that records are held to."""

from __future__ import annotations

from dataclasses import asdict

import click

from generator.cli.terminal import say, say_json
from generator.jsontext import dump_pretty
from generator.validation.rulebook import GROUPS, Entry, choose_rules, entry, every_rule


@click.command(
    epilog="""\b
Examples:
  toolgen rules
  toolgen rules --select TC,OA01
  toolgen rules --json"""
)
@click.option("--select", multiple=True, metavar="CODE,...", help="Only these rules, by their codes or their starts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array, with why and examples.")
@click.option("--markdown", is_flag=True, help="Print tables as the README has them.")
def command(select: tuple[str, ...], as_json: bool, markdown: bool) -> None:
    """List the rules that records are held to.

    Each with its code, what holds where it is kept, and its severity in records that toolgen writes and in those
    that are only read.
    """
    words = [word for option in select for word in option.replace(",", " ").split()]
    chosen = choose_rules(words, (), always=False)
    entries = [entry(code) for code in every_rule() if chosen is None or code in chosen]
    if as_json:
        say_json(dump_pretty([asdict(each) for each in entries]))
    else:
        say((markdown_tables if markdown else _text)(entries))


def _text(entries: list[Entry]) -> str:
    width = max(len(each.severities) for each in entries)
    blocks = [
        "\n".join([title, *(f"  {each.code:<7}{each.severities:<{width + 2}}{each.summary}" for each in group)])
        for title, group in _grouped(entries)
    ]
    return "\n\n".join([*blocks, f"{len(entries)} rules; toolgen rule CODE explains one"])


def markdown_tables(entries: list[Entry]) -> str:
    """Return one table per group."""
    blocks = []
    for title, group in _grouped(entries):
        rows = [f"| {each.code} | {_cell(each.summary)} | {each.severities} |" for each in group]
        blocks.append("\n".join([f"**{title}**", "", "| code | what holds | severity |", "|---|---|---|", *rows]))
    return "\n\n".join(blocks)


def _grouped(entries: list[Entry]) -> list[tuple[str, list[Entry]]]:
    groups = [(title, [each for each in entries if each.group == letters]) for letters, title in GROUPS.items()]
    return [(title, group) for title, group in groups if group]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
