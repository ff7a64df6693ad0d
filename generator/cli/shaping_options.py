"""The options of commands that write records in a format, and what they make of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from generator.formats.format import Format
from generator.formats.writing import Shaping

_Command = TypeVar("_Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option("--no-metadata", is_flag=True, help="Leave the metadata out."),
    click.option("--system", metavar="TEXT", help="Give every record this system message, in place of its own."),
    click.option(
        "--serialize-parallel",
        is_flag=True,
        help="Write calls that were made together one after the other, each with its result; "
        "such a record loses its metadata, which tells of another conversation.",
    ),
    click.option("--tools-as-string", is_flag=True, help="Write the list of tools as JSON text."),
    click.option("--variant", default="", metavar="NAME", help="A variant: qwen3-text has thinking and instruct."),
)


def shaping_options(command: _Command) -> _Command:
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
    )
