"""`toolgen rule CODE`: explain a rule."""

from __future__ import annotations

import textwrap
from dataclasses import asdict

import click

from generator.cli.terminal import say, say_json
from generator.jsontext import dump_pretty
from generator.validation.rulebook import Entry, entry, find_rule

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
def command(code: str, as_json: bool) -> None:
    """Explain a rule: why it matters, with a bad and a good example.

    CODE is a rule's code, or the error code that its source gives it.
    """
    told = entry(find_rule(code))
    if as_json:
        say_json(dump_pretty(asdict(told)))
    else:
        say(_text(told))


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _WIDTH, initial_indent="  ", subsequent_indent="  ")


def _text(told: Entry) -> str:
    name = f" ({told.name})" if told.name else ""
    return "\n".join(
        [
            f"{told.code}{name}: {told.summary}",
            f"Severity: {told.severities}. Source: {told.source}.",
            "",
            textwrap.fill(told.why, _WIDTH),
            "",
            "Bad:",
            *(f"  {line}" for line in told.bad),
            "Good:",
            *(f"  {line}" for line in told.good),
            *(["", "Measured:", *map(_wrapped, told.measured)] if told.measured else []),
            *(["", "Fixable:", *(f"  {line}" for line in told.fixes)] if told.fixes else []),
        ]
    )
