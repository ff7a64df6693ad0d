"""What commands that read and write data sets share: their options, how records are shaped, where output goes.

With `--for` records take the form that a model's chat template renders whole, in place of the options of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from generator.cli.option_types import Choice
from generator.cli.terminal import say_line
from generator.datasets.checking import EXPECTED
from generator.datasets.origin import Origin
from generator.disk import disk_errors
from generator.engines.pool import available_cores
from generator.errors import UsageError
from generator.formats.deepfabric import HF
from generator.formats.format import Format
from generator.formats.writing import Shaping
from generator.runs.folder import RunFolder

if TYPE_CHECKING:
    from generator.chat_templates.fitting import Fit
    from generator.chat_templates.passage import Passage

_TRL = "trl"

for_option = click.option(
    "--for",
    "model",
    metavar="MODEL",
    help="Choose format and options for this model: its chat template file (.jinja), tokenizer_config.json or folder, "
    "which is tried with every kind of record; or its name, if templates of its family were tried "
    "(toolgen help templates lists them).",
)
"""The model that records are written for."""
_Command = Callable[..., Any]

answers_option = click.option(
    "--answers",
    metavar="FILE",
    help="A benchmark's accepted answers, joined to its questions by id; else possible_answer/NAME beside the file.",
)
"""Where the answers of a benchmark stand."""

expected_option = click.option(
    "--expect-calls",
    "expected",
    type=Choice(list(EXPECTED)),
    default="some",
    show_default=True,
    help="some: a file that shows tools and yields no call was hardly understood, and the exit code is 1; none: for "
    "sets without calls, each of which fails; any: expect nothing.",
)
"""Which calls a file must yield."""


class FormChoice(NamedTuple):
    """The format and the options to write with, and why."""

    target: str
    options: dict[str, Any]
    fit: Fit | None = None

    def passage(self) -> Passage | None:
        """Return the way of records through the chat template, where one is at hand."""
        return None if self.fit is None else self.fit.passage()

    def explain(self, shortened: int = 0) -> None:
        """Tell which form was chosen, if one was, and of how many records text beside calls was dropped."""
        for line in self.fit.lines(shortened) if self.fit is not None else ():
            say_line(line, err=True)


def chosen(model: str | None, target: str | None, options: dict[str, Any], format_option: str) -> FormChoice:
    """Return what the user chose, or what is right for a model.

    Raises:
        UsageError: neither is given, or both and they differ, or no form is right for the model.
    """
    if model is None:
        if target is None:
            raise UsageError(f"give {format_option} NAME, or --for MODEL, which chooses it")
        return FormChoice(target, options)
    if target not in (None, _TRL, HF):
        raise UsageError(
            f"--for: chat templates are given records as {_TRL} or {HF}; leave {format_option} {target} out, "
            f"or --for {model}: other formats have a way of their own to the model"
        )
    if options["variant"]:
        raise UsageError(f"--for chooses the variant: leave --variant {options['variant']} out")
    from generator.chat_templates.fitting import fit

    found = fit(model)
    form = found.form
    if target == HF and form.variant:
        raise UsageError(f"--for {model}: its chat template takes {form.options}, and {HF} holds no {form.variant}")
    more = {
        "variant": form.variant,
        "serialize_parallel": options["serialize_parallel"] or form.serialized,
        "merge_system": options["merge_system"] or form.merged,
    }
    return FormChoice(target or _TRL, {**options, **more}, found)


def jobs_option(deed: str) -> Callable[[_Command], _Command]:
    """Return the option for how many processes do a deed, which a plural verb names; commands get at least 1."""
    return click.option(
        "--jobs",
        type=click.IntRange(0, 256),
        default=1,
        show_default=True,
        metavar="N",
        callback=_each_core,
        help=f"Processes that {deed}; 0: one for each core. The output does not depend on it.",
    )


def _each_core(_context: click.Context, _option: click.Parameter, jobs: int) -> int:
    return jobs or available_cores()


_ShapingOptionsCommand = TypeVar("_ShapingOptionsCommand", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--no-metadata", is_flag=True, help="Leave the metadata out."),
    click.option("--system", metavar="TEXT", help="Give every record this system message, in place of its own."),
    click.option(
        "--merge-system",
        is_flag=True,
        help="Put the system message before the words of the first user message, for chat templates without a place "
        "for it; such a record loses its metadata.",
    ),
    click.option(
        "--serialize-parallel",
        is_flag=True,
        help="Write calls that were made together one after the other, each with its result; "
        "such a record loses its metadata, which tells of another conversation.",
    ),
    click.option("--tools-as-string", is_flag=True, help="Write the list of tools as JSON text."),
    click.option(
        "--variant",
        default="",
        metavar="NAME",
        help="A variant: qwen3-text has thinking and instruct, trl has objects and text, for the arguments of calls.",
    ),
)


def shaping_options(command: _ShapingOptionsCommand) -> _ShapingOptionsCommand:
    """Give a command the options of writing."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def shaping(target: Format, options: dict[str, Any]) -> Shaping:
    """Return what the options say.

    Raises:
        UsageError: the format cannot be written so.
    """
    return Shaping(
        target=target,
        system=options["system"],
        serialize_parallel=options["serialize_parallel"],
        metadata=not options["no_metadata"],
        tools_as_string=options["tools_as_string"],
        variant=options["variant"],
        merge_system=options["merge_system"],
    )


STDOUT = "-"


def writable(path: Path, origins: Iterable[Origin]) -> Path:
    """Return the path of a file to write, which is none that the records come from and none of a run's own.

    Its folder is made where there is none.

    Raises:
        UsageError: the path means another file than one to write.
        StorageError: its folder cannot be made.
    """
    if path.is_dir():
        raise UsageError(f"{path}: is a folder; give -o the file to write")
    if RunFolder(path.parent).owns(path):
        raise UsageError(f"{path}: is a file of the run in that folder; give -o another file")
    for origin in origins:
        if path.exists() and any(map(path.samefile, origin.files)):
            raise UsageError(f"{path}: is the file the records come from; give -o another file")
    with disk_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    return path
