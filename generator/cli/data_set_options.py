"""Options of the commands that read data sets: `validate`, `convert` and `fix`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from generator.cli.choices import Choice
from generator.runs.expectation import EXPECTED
from generator.runs.in_order import available_cores

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
