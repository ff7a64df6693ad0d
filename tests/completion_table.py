"""What shells complete, from the declarations of the commands.

`python -m tests.completion_table` writes `assets/completion.json` anew.
"""

from __future__ import annotations

import json
from typing import Any

import click

from generator.assets import asset_file
from generator.cli import shell
from generator.cli.completion import FILE
from generator.cli.option_types import FilePath
from generator.kinds import KINDS
from generator.validation.rule_reference import every_rule, summary_of
from generator.values.meanings.entities import known_locales

TABLE = asset_file("completion.json")
LONGEST = 70
TAKES = {
    "KIND": "kinds", "KIND,": "kinds", "KIND=W,...": "mix", "CODE": "rules", "CODE,...": "rules", "L,...": "locales",
    **dict.fromkeys(["FILE", "DIR", "RUN", "FOLDER", "TOOLS", "FILE|FOLDER|GLOB|MODULE:FUNCTION|-", "RUN|FILE"], FILE),
}  # fmt: skip
"""What a value is, by the word that stands for it in the help."""
HELP = {"names": ["-h", "--help"], "help": "Show this message and exit", "flag": True}
"""An option of every command; click makes it anew for each context."""


def words() -> dict[str, dict[str, str]]:
    """The words that values are taken from, each with what it means."""
    return {
        "kinds": {name: short(kind.summary) for name, kind in KINDS.items()},
        "mix": {f"{name}=": short(kind.summary) for name, kind in KINDS.items()},
        "rules": {code: short(summary_of(code)) for code in every_rule()},
        "locales": dict.fromkeys(sorted(known_locales()), ""),
    }


def short(text: str) -> str:
    first = text.replace("\n", " ")
    for end in (".  [", ". ", "; ", ": "):
        first = first.partition(end)[0]
    first = first.rstrip(".")
    return first if len(first) <= LONGEST else first[:LONGEST].rpartition(" ")[0] + " ..."


def table() -> dict[str, Any]:
    return {"words": words(), **described(shell.toolgen, "")}


def described(command: click.Command, summary: str) -> dict[str, Any]:
    """A command and what is below it."""
    context = click.Context(command)
    told: dict[str, Any] = {
        "help": short(summary or command.get_short_help_str(200)),
        "parameters": [*map(parameter, command.params), HELP],
    }
    if isinstance(command, click.Group):
        names = command.list_commands(context)
        known = {name: command.get_command(context, name) for name in names}
        summaries = {name: target.summary for name, target in shell.COMMANDS.items()} if not summary else {}
        told["commands"] = {name: described(each, summaries.get(name, "x")) for name, each in known.items() if each}
    return told


def parameter(each: click.Parameter) -> dict[str, Any]:
    word = (each.metavar or each.name or "").upper().strip("[].")
    told: dict[str, Any] = {"names": [*each.opts, *each.secondary_opts]}
    if isinstance(each, click.Option):
        told["help"] = short(each.help or "")
        told |= {"flag": True} if each.is_flag else {}
    if each.multiple or each.nargs == -1:
        told["many"] = True
    takes = taken(each, word)
    return {**told, **({"takes": takes} if takes else {}), **({"listed": True} if "," in word else {})}


def taken(each: click.Parameter, word: str) -> str | dict[str, str]:
    if isinstance(each.type, click.Choice):
        return dict.fromkeys(map(str, each.type.choices), "")
    found = TAKES.get(each.metavar or "") or TAKES.get(word)
    if found is None and isinstance(each.type, FilePath | click.Path):
        return FILE
    return found or ""


def text() -> str:
    # a line an entry, so that two changes seldom meet in one
    return json.dumps(table(), indent=0, separators=(",", ":"), ensure_ascii=False) + "\n"


if __name__ == "__main__":
    TABLE.write_text(text(), encoding="utf-8")
