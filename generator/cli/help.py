"""`toolgen help`: the README of a room, read on a terminal."""

from __future__ import annotations

import re
import sys
from posixpath import dirname, normpath
from typing import TYPE_CHECKING, NamedTuple

import click

from generator.assets import asset_document
from generator.cli.terminal import fitted, say
from generator.errors import UsageError
from generator.suggestions import did_you_mean

if TYPE_CHECKING:  # imported where they are used, so that --help costs nothing
    from rich.console import Console
    from rich.theme import Theme


class Topic(NamedTuple):
    """What a topic prints, by its path in the repository, and what it is about in a line."""

    path: str
    summary: str


TOPICS: dict[str, Topic] = {
    "start": Topic("README.md", "What toolgen is, and the way from a clone to a trained model."),
    "tools": Topic("generator/formats/loading/README.md", "Tool files: their formats, OpenAPI, Python functions."),
    "domains": Topic("generator/domains/README.md", "Domain files: what is known of tools beyond their schemas."),
    "domain-format": Topic("generator/domains/REFERENCE.md", "Every key that a domain file may hold."),
    "bundled": Topic("tool_specs/README.md", "The example tools that ship with toolgen."),
    "kinds": Topic("generator/scenarios/README.md", "The kinds of records, the mix, masked names."),
    "runs": Topic("generator/runs/README.md", "The folder of a run, job files, damage, coverage, determinism."),
    "ranges": Topic("generator/runs/RANGES.md", "A job over many machines: ranges, job arrays, merging."),
    "builds": Topic("generator/builds/README.md", "Data sets of which only what changed is made anew."),
    "nightly": Topic(
        "generator/assets/examples/README.md", "Runs that nobody watches: logs, metrics, cron, systemd, CI."
    ),
    "models": Topic("generator/authors/llm/README.md", "Records that a model writes, and second opinions."),
    "servers": Topic("generator/backends/README.md", "Completion servers: protocols, keys, budgets, failures."),
    "batches": Topic("generator/batches/README.md", "Runs whose model is asked in batches, at half the price."),
    "exams": Topic("generator/exams/README.md", "The exam of a model over held-out records."),
    "prompts": Topic("prompts/README.md", "The prompts, their variables, and how to use your own."),
    "formats": Topic("generator/formats/README.md", "The formats of records: what each keeps and loses."),
    "templates": Topic("generator/chat_templates/README.md", "--for MODEL: what chat templates make of records."),
    "datasets": Topic("generator/datasets/README.md", "Files of records, splits, and what trainers take."),
    "serving": Topic("generator/serving/README.md", "toolgen serve: a server that plays the model."),
    "reports": Topic("generator/reports/README.md", "toolgen report: a run as one page to read and search."),
    "rules": Topic("generator/validation/README.md", "Every rule, and how toolgen validate reads records."),
    "grounding": Topic("generator/validation/grounding/README.md", "Where values come from; what the rules catch."),
    "fixes": Topic("generator/validation/fixes/README.md", "What toolgen fix mends."),
    "testing": Topic("generator/TESTING.md", "Records for tests of your own, and files to keep."),
    "grading": Topic("generator/grading/README.md", "What a model's answers are worth; rewards for GRPO."),
    "library": Topic("generator/README.md", "What Python programs may use, and what toolgen depends on."),
    "measured": Topic("tests/README.md", "Time and memory, how they were measured, and the tests."),
    "changes": Topic("generator/CHANGELOG.md", "What changed from version to version."),
}
"""The topics in the order in which somebody new to toolgen needs them."""

_WIDEST = 100
_LINK = re.compile(r"\[([^\]\n]+)\]\((?!https?:)([^)#\s]+)(?:#[^)\s]*)?\)")
_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)
_TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)
_BAR = re.compile(r"(?<!\\)\|")


@click.command(
    epilog="""\b
Examples:
  toolgen help
  toolgen help domains
  toolgen help rules | grep TC2

Exit codes: 0 good, 2 usage: no such topic."""
)
@click.argument("topic", required=False)
@click.pass_context
def command(ctx: click.Context, topic: str | None) -> None:
    """Explain a topic, or list the topics.

    On a terminal a page is laid out for its width; in a pipe it is plain Markdown. The name of a command that is no
    topic prints the help of the command.
    """
    if topic is None:
        say(_listed())
    elif topic not in TOPICS:
        say(_help_of_command(ctx.find_root(), topic))
    elif sys.stdout.isatty():
        from rich.console import Console

        layout(page(topic), Console())
    else:
        say(page(topic))


def _listed() -> str:
    width = max(map(len, TOPICS))
    lines = [fitted(f"  {name:<{width}}  {topic.summary}", width + 2) for name, topic in TOPICS.items()]
    closing = "`toolgen help TOPIC` explains one; `toolgen COMMAND --help` has the options."
    return "\n".join(["Topics:", *lines, "", fitted(closing, 0)])


def _help_of_command(root: click.Context, name: str) -> str:
    """Return the help of a command, for a name that is no topic.

    Raises:
        UsageError: it is no command either.
    """
    group = root.command
    known = group.list_commands(root) if isinstance(group, click.Group) else []
    found = group.get_command(root, name) if isinstance(group, click.Group) else None
    if found is None:
        hint = did_you_mean(name, [*TOPICS, *known]) or f"the topics are {', '.join(TOPICS)}"
        raise UsageError(f"no such topic: {name}; {hint}")
    return found.get_help(click.Context(found, info_name=name, parent=root))


def page(topic: str) -> str:
    """Return the page of a topic as Markdown, its links as the topics that they lead to."""
    path = TOPICS[topic].path
    text = asset_document(path).read_text(encoding="utf-8")
    return _COMMENT.sub("", _LINK.sub(lambda link: _led(link[1], link[2], path), text)).rstrip("\n")


def _led(words: str, target: str, path: str) -> str:
    """Return what a link says, with the topic that shows its target, if there is one."""
    there = normpath(f"{dirname(path)}/{target}") if dirname(path) else normpath(target)
    topic = next((name for name, known in TOPICS.items() if known.path == there), None)
    if topic is None:
        return words
    return f"`toolgen help {topic}`" if words == topic else f"{words} (`toolgen help {topic}`)"


def layout(text: str, console: Console) -> None:
    """Print Markdown for the width of a terminal."""
    from rich.markdown import Markdown

    console.width = min(console.width, _WIDEST)
    text = _TABLE.sub(lambda table: _fitted(table[0], console.width), f"{text}\n")
    with console.use_theme(_theme()):
        console.print(Markdown(text, hyperlinks=False, code_theme="ansi_dark"))


def _theme() -> Theme:
    """Return styles that can be read on dark and on light ground alike."""
    from rich.theme import Theme

    return Theme({"markdown.code": "cyan", "markdown.code_block": "cyan", "markdown.block_quote": "none"})


def _fitted(table: str, width: int) -> str:
    """Return a table as it stands where it fits or has a column that may be broken; else an entry for each row."""
    header, _, *rows = (_BAR.split(line.strip().strip("|")) for line in table.splitlines())
    first, *others = (max(len(row[at].strip()) for row in rows) if rows else 0 for at in range(len(header)))
    fixed = first + sum(others[:-1]) + 3 * len(header)
    if fixed + min(others[-1] if others else 0, width // 2) <= width:
        return table
    return "\n".join(_entry([cell.strip() for cell in header], [cell.strip() for cell in row]) for row in rows) + "\n"


def _entry(header: list[str], row: list[str]) -> str:
    """Return a row of a table as an entry of a list."""
    named = [(f"{name}: " if len(header) > 2 else "", cell) for name, cell in zip(header, row, strict=False)]
    told = [f"  - {name}{cell}" for name, cell in named[1:] if cell]
    return "\n".join([f"- {row[0]}", *told]).replace("\\|", "|")
