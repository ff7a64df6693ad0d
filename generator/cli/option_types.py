"""Values of options that say what is wrong with them, one of a few words or a path; options of several commands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from generator.suggestions import did_you_mean

_Command = TypeVar("_Command", bound=Callable[..., Any])
tokenizer_option = click.option(
    "--tokenizer",
    metavar="FILE",
    help="The tokenizer.json of your model, or its folder, to count tokens with; without it they are estimated.",
)
"""What counts tokens."""

max_length_option = click.option(
    "--max-length",
    "most",
    type=click.IntRange(1),
    metavar="N",
    help="Leave out records of more tokens than this.",
)
"""The most tokens of a record that is written."""


def makers_option(deed: str = "make records") -> Callable[[_Command], _Command]:
    """Return the option for how many processes make the records of a run, which a plural verb names."""
    processes = click.IntRange(1, 256)
    told = f"Processes that {deed}."
    return click.option("--jobs", type=processes, default=1, show_default=True, metavar="N", help=told)


class Choice(click.Choice[str]):
    """A `click.Choice` of strings whose error message suggests the nearest valid value."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the valid value, or fail naming every valid one and the nearest."""
        if value in self.choices:
            return str(value)
        hint = did_you_mean(str(value), self.choices)
        message = f"{value!r} is not one of {', '.join(self.choices)}"
        return self.fail(f"{message}; {hint}" if hint else message, param, ctx)


class FilePath(click.ParamType[Path]):
    """The path of a file or folder; the empty text of an unset shell variable is none."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path, or fail where the text is empty."""
        return Path(value) if str(value) else self.fail("the path is empty", param, ctx)
