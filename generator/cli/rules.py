"""`toolgen rules` lists the rules that records are held to, `toolgen rule CODE` explains one."""

from __future__ import annotations

import textwrap
from dataclasses import asdict

import click

from generator.cli.terminal import say, say_json
from generator.jsontext import dump_pretty
from generator.validation.rule_reference import GROUPS, Entry, choose_rules, entry, every_rule, find_rule


@click.command(
    epilog="""\b
Examples:
  toolgen rules
  toolgen rules --select TC,OA01
  toolgen rules --json"""
)
@click.option("--select", multiple=True, metavar="CODE,...", help="Only these rules, by their codes or their starts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array, with why and examples.")
@click.option("--markdown", is_flag=True, help="Print tables as the page of rules has them.")
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


_WIDTH = 100


@click.command(
    epilog="""\b
Examples:
  toolgen rule DF004
  toolgen rule unknown_tool_call
  toolgen rule TC011 --json"""
)
@click.argument("code")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def explain(code: str, as_json: bool) -> None:
    """Explain a rule: why it matters, with a bad and a good example.

    CODE is a rule's code, or the error code that its source gives it.
    """
    explained = entry(find_rule(code))
    if as_json:
        say_json(dump_pretty(asdict(explained)))
    else:
        say(_explanation(explained))


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _explanation(rule: Entry) -> str:
    name = f" ({rule.name})" if rule.name else ""
    return "\n".join(
        [
            f"{rule.code}{name}: {rule.summary}",
            f"Severity: {rule.severities}. Source: {rule.source}.",
            "",
            textwrap.fill(rule.why, _WIDTH),
            "",
            "Bad:",
            *(f"  {line}" for line in rule.bad),
            "Good:",
            *(f"  {line}" for line in rule.good),
            *(["", "Measured:", *map(_wrapped, rule.measured)] if rule.measured else []),
            *(["", "Fixable:", *(f"  {line}" for line in rule.fixes)] if rule.fixes else []),
        ]
    )
