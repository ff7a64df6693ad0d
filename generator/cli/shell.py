"""The group of sub-commands: known by name and summary, imported one at a time."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple, NoReturn

import click

from generator.cli.terminal import say
from generator.cli.unattended_options import LOG_FORMAT
from generator.errors import EXIT_CODES
from generator.suggestions import did_you_mean
from generator.version import VERSION

PROGRAM = "toolgen"
COMPLETION = "_TOOLGEN_COMPLETE"
"""The variable by which a shell asks what it may offer; its value is as click writes it."""


class Target(NamedTuple):
    """Where a sub-command lives (`module:attribute`) and its summary, so that help imports none of them."""

    path: str
    summary: str


COMMANDS: dict[str, Target] = {
    "generate": Target(
        "generator.cli.generate:command", "Generate records from tool files: only those that pass the full validator."
    ),
    "batch": Target("generator.cli.batch:command", "Ask the model of a run in batches, at half the price."),
    "merge": Target("generator.cli.merge:command", "Join runs of ranges of one job to the run of the whole."),
    "init": Target("generator.cli.init:command", "Write a job file with every key explained, over your tools."),
    "build": Target(
        "generator.cli.build:command", "Build a data set from its job file: only what changed, proven, published."
    ),
    "verify": Target("generator.cli.verify:command", "Prove a build from its manifest; name every damage."),
    "diff": Target("generator.cli.diff:command", "Tell what changed from one build to another, and why."),
    "tools": Target(
        "generator.cli.tools:command", "Show tool files as they will be used, or write them in another format."
    ),
    "domain": Target(
        "generator.cli.domain:command",
        "Check, list, describe or write domain files.",
    ),
    "validate": Target("generator.cli.validate:command", "Check records by every rule."),
    "rules": Target("generator.cli.rules:command", "List the rules that records are held to."),
    "rule": Target("generator.cli.rules:explain", "Explain a code: why it matters, and what helps."),
    "fix": Target("generator.cli.fix:command", "Mend records of any origin."),
    "kinds": Target("generator.cli.kinds:command", "List the kinds of records, or explain one over your own tools."),
    "show": Target("generator.cli.show:command", "Print records as readable conversations."),
    "report": Target("generator.cli.report:command", "Write a run, a build or an exam as one HTML page."),
    "evaluate": Target("generator.cli.evaluate:command", "Examine a model over held-out records, turn by turn."),
    "prompts": Target("generator.cli.prompts:command", "Print the messages that --author llm sends."),
    "convert": Target(
        "generator.cli.convert:command",
        "Write records of any origin in another format.",
    ),
    "export": Target("generator.cli.export:command", "Write the records of a run in another format, checked again."),
    "fixtures": Target("generator.cli.fixtures:command", "Write small files of records, to keep beside tests."),
    "push": Target("generator.cli.push:command", "Push a folder of data to the Hugging Face Hub or a URL."),
    "serve": Target(
        "generator.cli.serve:command", "Answer requests of a model's API with the turns of records, offline."
    ),
    "completion": Target("generator.cli.completion:command", "Print the script that completes words at TAB."),
    "help": Target("generator.cli.help:command", "Explain a topic, or list the topics."),
}

_EXAMPLES = """\b
Examples:
  toolgen generate --count 300
  toolgen generate my_tools.json --count 5000 --seed 7 --out runs/mine
  toolgen tools my_tools.json
  toolgen show runs/mine -n 3 --kind parallel
  toolgen validate runs/mine/records.jsonl
  toolgen export runs/mine --format trl -o train.jsonl"""

_CODES = "\b\nExit codes:\n" + "\n".join(f"  {code:>3}  {meaning}" for code, meaning in EXIT_CODES.items())


class LazyGroup(click.Group):
    """A group whose commands are imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order of a user's work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command, or return None for a name that is none."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name].path.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        if LOG_FORMAT not in command.params:
            command.params.append(LOG_FORMAT)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the first argument names, or suggest the nearest."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            self._refuse(ctx, args[0])
        return super().resolve_command(ctx, args)

    def _refuse(self, ctx: click.Context, name: str) -> NoReturn:
        hint = did_you_mean(name, COMMANDS) or f"the commands are {', '.join(COMMANDS)}"
        ctx.fail(f"no such command: {name}; {hint}")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, target.summary) for name, target in COMMANDS.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Close with examples and exit codes."""
        for block in (_EXAMPLES, _CODES):
            formatter.write_paragraph()
            formatter.write_text(block)


def _print_version(ctx: click.Context, _: click.Parameter, value: Any) -> None:
    if value:
        say(f"toolgen {VERSION}")
        ctx.exit()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Print the version and exit.",
)
@click.pass_context
def toolgen(ctx: click.Context) -> None:
    """Generate tool-calling training sets of which every record passed the full validator."""
    if ctx.invoked_subcommand is None:
        say(ctx.get_help(), err=True)
        ctx.exit(2)
