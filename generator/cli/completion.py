"""`toolgen completion`: what a shell offers where TAB is pressed, by click's own machinery.

A shell asks at every press, so nothing of the product is imported: the commands are built from what
`assets/completion.json` says of them, which is made from their declarations.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    add_completion_class,
    get_completion_class,
    shell_complete,
)

from generator.assets import asset_file
from generator.cli.option_types import Choice
from generator.cli.shell import COMPLETION, PROGRAM
from generator.cli.terminal import say

if TYPE_CHECKING:  # a shell waits for what is imported
    from generator.jsontext import JsonObject

FILE = "file"
"""What a parameter takes whose values the shell itself completes."""

START_LINES = {
    "bash": ("~/.bashrc", 'eval "$(toolgen completion bash)"'),
    "zsh": ("~/.zshrc", 'eval "$(toolgen completion zsh)"'),
    "fish": ("~/.config/fish/config.fish", "toolgen completion fish | source"),
}
"""Where each shell reads its start from, and the line that belongs there."""
_COMPLETIONS_OF_ZSH = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }"
"""The script calls compdef, which a start file without compinit does not know."""


@click.command(
    epilog="""\b
Examples:
  toolgen completion bash
  eval "$(toolgen completion zsh)"
  toolgen completion fish | source"""
)
@click.argument("shell", type=Choice(tuple(START_LINES)), metavar="bash|zsh|fish")
def command(shell: str) -> None:
    """Print the script that completes words at TAB.

    Its first lines, and on a terminal the last, tell the one line for the shell's start file.
    """
    known = get_completion_class(shell)
    if known is None:
        raise click.UsageError(f"this release of click knows no completion for {shell}; update click")
    file, line = START_LINES[shell]
    script = known(click.Group(), {}, PROGRAM, COMPLETION).source()
    head, _, rest = script.partition("\n")
    if shell == "zsh":  # which looks into the first line alone
        rest = f"{_COMPLETIONS_OF_ZSH}\n{rest}"
    else:
        head, rest = "", script
    say("\n".join(filter(None, [head, f"# In {file}: {line}", rest.rstrip()])))
    if sys.stdout.isatty():
        say(f"\nPut this line into {file}, and start a new shell:\n  {line}", err=True)


def answer_shell() -> int:
    """Print what a shell asks for and return the exit code."""
    add_completion_class(_Bash)
    table = json.loads(asset_file("completion.json").read_bytes())
    program = _group(PROGRAM, table, table["words"])
    return shell_complete(program, {}, PROGRAM, COMPLETION, os.environ.get(COMPLETION, ""))


class _Bash(BashComplete):
    """Bash takes `=` for the end of a word: its parts are put together, and what it has already is not said again."""

    _had = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the one that is completed, and that one."""
        args, incomplete = super().get_completion_args()
        words: list[str] = []
        for word in [*args, incomplete]:
            if words and (word == "=" or words[-1].endswith("=")):
                words[-1] += word
            else:
                words.append(word)
        value = words[-1].partition("=")[2] if words[-1].startswith("-") else words[-1]
        self._had = "".join(value.rpartition("=")[:2])
        return words[:-1], words[-1]

    def format_completion(self, item: CompletionItem[str]) -> str:
        """Return what bash puts in the place of the word."""
        return f"{item.type},{item.value.removeprefix(self._had)}"


class _Words(click.ParamType[str]):
    """A value of which the table knows something: that it is a file, or one of these words."""

    name = "text"

    def __init__(self, takes: str | dict[str, str], *, listed: bool) -> None:
        self._takes = takes
        self._listed = listed

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem[str]]:
        """Return the words that begin so; of a list, its last part is completed."""
        if isinstance(self._takes, str):
            return [CompletionItem(incomplete, type=FILE)] if self._takes == FILE else []
        before, comma, last = incomplete.rpartition(",") if self._listed else ("", "", incomplete)
        begun = [(word, told) for word, told in self._takes.items() if word.casefold().startswith(last.casefold())]
        return [CompletionItem(f"{before}{comma}{word}", help=told or None) for word, told in begun]


def _group(name: str, table: JsonObject, words: JsonObject) -> click.Group:
    commands: dict[str, click.Command] = {
        each: _group(each, told, words) if "commands" in told else _command(each, told, words)
        for each, told in table["commands"].items()
    }
    return click.Group(name, commands, params=[*_parameters(table, words)], help=table["help"])


def _command(name: str, table: JsonObject, words: JsonObject) -> click.Command:
    return click.Command(name, params=[*_parameters(table, words)], help=table["help"])


def _parameters(table: JsonObject, words: JsonObject) -> Iterator[click.Parameter]:
    for told in table["parameters"]:
        takes = told.get("takes", "")
        kind = _Words(words.get(takes, takes) if isinstance(takes, str) else takes, listed=told.get("listed", False))
        many = told.get("many", False)
        if not told["names"][0].startswith("-"):
            yield click.Argument(told["names"], type=kind, nargs=-1 if many else 1, required=False)
            continue
        flag: dict[str, Any] = {"is_flag": True} if told.get("flag") else {"type": kind, "multiple": many}
        yield click.Option(told["names"], help=told["help"], **flag)
