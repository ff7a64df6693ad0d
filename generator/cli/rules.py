"""`toolgen rules` lists the rules that records are held to, `toolgen rule CODE` explains one."""

from __future__ import annotations

from dataclasses import asdict

import click

from generator.cli.terminal import columns_of, folded, say, say_json
from generator.jsontext import dump_pretty
from generator.reports.codes import TOPICS, Meaning, attempt_codes
from generator.reports.codes import explain as explained
from generator.validation.rule_reference import GROUPS, Entry, choose_rules, entry, every_rule

_WIDE = 100
"""Columns from which on severities have one of their own."""
_DEEPER = 7


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
    columns = columns_of()
    width = max(len(each.severities) for each in entries)
    blocks = [
        folded("\n".join([title, *(_listed(each, width, columns) for each in group)]), columns, _DEEPER)
        for title, group in _grouped(entries)
    ]
    closing = f"{len(entries)} rules; `toolgen rule CODE` explains one, and every other code that is printed"
    return "\n\n".join([*blocks, folded(f"{closing}: {', '.join(attempt_codes())} ...", columns)])


def _listed(rule: Entry, width: int, columns: int) -> str:
    """Return a rule in a line: its severity in a column where there is room, else at the end."""
    if columns < _WIDE:
        return f"  {rule.code:<7}{rule.summary} ({rule.severities})"
    return f"  {rule.code:<7}{rule.severities:<{width + 2}}{rule.summary}"


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


@click.command(
    epilog="""\b
Examples:
  toolgen rule DF004
  toolgen rule unknown_tool_call
  toolgen rule PL001
  toolgen rule TC011 --json"""
)
@click.argument("code")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def explain(code: str, as_json: bool) -> None:
    """Explain a code: why it matters, and what helps.

    CODE is whatever is printed as one: a rule's code, or the error code that its source gives it; why a run rejected
    an attempt (PL001), why an answer could not be used (no_json), a fix, a level of evidence, an exit code.
    """
    found = explained(code)
    if as_json:
        say_json(dump_pretty(asdict(found)))
    else:
        say("\n".join(_of_rule(found) if isinstance(found, Entry) else _of_meaning(found)))


def _prose(text: str) -> str:
    return folded(text, columns_of(), 0)


def _of_rule(rule: Entry) -> list[str]:
    """Tell of a rule; examples keep their lines, since they are JSON."""
    name = f" ({rule.name})" if rule.name else ""
    return [
        _prose(f"{rule.code}{name}: {rule.summary}"),
        _prose(f"Severity: {rule.severities}. Source: {rule.source}."),
        "",
        _prose(rule.why),
        "",
        "Bad:",
        *(f"  {line}" for line in rule.bad),
        "Good:",
        *(f"  {line}" for line in rule.good),
        *(["", "Measured:", *(_prose(f"  {line}") for line in rule.measured)] if rule.measured else []),
        *(["", "Fixable:", *(_prose(f"  {line}") for line in rule.fixes)] if rule.fixes else []),
    ]


def _of_meaning(told: Meaning) -> list[str]:
    examples = (("Bad" if told.bad else "", told.bad), ("Good" if told.bad else "Example", told.good))
    return [
        _prose(f"{told.code} ({TOPICS[told.topic]}): {told.summary}"),
        *(["", _prose(told.reason)] if told.reason else []),
        *([""] if told.good else []),
        *(line for head, example in examples if example for line in (f"{head}:", f"  {example}")),
        *(["", _prose(f"What helps: {told.remedy}.")] if told.remedy else []),
    ]
