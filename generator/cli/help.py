"""`toolgen help`: the README of a room, read on a terminal."""

from __future__ import annotations

import re
import sys
from pathlib import PurePosixPath
from typing import NamedTuple

import click

from generator.assets import asset_document
from generator.cli.terminal import say
from generator.errors import UsageError
from generator.suggestions import did_you_mean


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
    "models": Topic("generator/authors/llm/README.md", "Records that a model writes, and second opinions."),
    "servers": Topic("generator/backends/README.md", "Completion servers: protocols, keys, budgets, failures."),
    "prompts": Topic("prompts/README.md", "The prompts, their variables, and how to use your own."),
    "formats": Topic("generator/formats/README.md", "The formats of records: what each keeps and loses."),
    "datasets": Topic("generator/datasets/README.md", "Files of records, splits, and what trainers take."),
    "rules": Topic("generator/validation/README.md", "Every rule, and how toolgen validate reads records."),
    "grounding": Topic("generator/validation/grounding/README.md", "Where values come from; what the rules catch."),
    "fixes": Topic("generator/validation/fixes/README.md", "What toolgen fix mends."),
    "library": Topic("generator/README.md", "What Python programs may use, and what toolgen depends on."),
    "measured": Topic("tests/README.md", "Time and memory, how they were measured, and the tests."),
    "changes": Topic("generator/CHANGELOG.md", "What changed from version to version."),
}
"""The topics in the order in which somebody new to toolgen needs them."""

_WIDEST = 100
_LINK = re.compile(r"\[([^\]\n]+)\]\((?!https?:)([^)#\s]+)(?:#[^)\s]*)?\)")
_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)


@click.command(
    epilog="""\b
Examples:
  toolgen help
  toolgen help domains
  toolgen help rules | grep TC2

\b
Exit codes: 0 good, 2 usage: no such topic."""
)
@click.argument("topic", required=False)
def command(topic: str | None) -> None:
    """Explain a topic, or list the topics.

    On a terminal it is laid out for its width; in a pipe it is the Markdown of the page.
    """
    if topic is None:
        say(_listed())
        return
    if topic not in TOPICS:
        hint = did_you_mean(topic, TOPICS) or f"the topics are {', '.join(TOPICS)}"
        raise UsageError(f"no such topic: {topic}; {hint}")
    text = page(topic)
    if sys.stdout.isatty():
        _render(text)
    else:
        say(text)


def page(topic: str) -> str:
    """Return the page of a topic as Markdown, its links as the topics that they lead to."""
    path = TOPICS[topic].path
    text = asset_document(path).read_text(encoding="utf-8")
    return _COMMENT.sub("", _LINK.sub(lambda link: _led(link[1], link[2], path), text)).rstrip("\n")


def _led(words: str, target: str, path: str) -> str:
    """Return what a link says, with the topic that shows its target, if there is one."""
    there = _joined(PurePosixPath(path).parent, target)
    topic = next((name for name, known in TOPICS.items() if known.path == there), None)
    return f"{words} (`toolgen help {topic}`)" if topic else words


def _joined(folder: PurePosixPath, target: str) -> str:
    parts = list(folder.parts)
    for part in PurePosixPath(target).parts:
        if part == "..":
            parts = parts[:-1]
        else:
            parts.append(part)
    return "/".join(parts)


def _listed() -> str:
    width = max(map(len, TOPICS))
    lines = [f"  {name:<{width}}  {topic.summary}" for name, topic in TOPICS.items()]
    return "\n".join(["Topics:", *lines, "", "toolgen help TOPIC explains one; toolgen COMMAND --help tells the options."])


def _render(text: str) -> None:
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.width = min(console.width, _WIDEST)
    console.print(Markdown(text, hyperlinks=False))
