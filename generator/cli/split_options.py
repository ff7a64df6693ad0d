"""The options of splits: their shares, the tools held out, what counts as a near duplicate, and what is remembered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from generator.datasets.splits import HELD_OUT, LEAST_NEAR, NEAR, Splits, read_splits
from generator.domains.catalog import Catalog
from generator.errors import UsageError
from generator.formats.deepfabric import HF
from generator.suggestions import did_you_mean

_Command = TypeVar("_Command", bound=Callable[..., Any])
_OPTIONS = (
    click.option(
        "--splits",
        metavar="NAME=SHARE,...",
        help=f"With {HF}: the share of each split, e.g. train=0.9,test=0.1. The digest of its request decides where a "
        "record goes; near duplicates stay together.",
    ),
    click.option(
        "--hold-out",
        "hold_out",
        multiple=True,
        metavar="TOOL",
        help=f"With {HF}: records that show or call this tool go to the split {HELD_OUT}, into no other. Repeatable.",
    ),
    click.option(
        "--near",
        type=click.FloatRange(LEAST_NEAR, 1),
        metavar="P",
        help=f"How alike requests are that may not be in two splits, {LEAST_NEAR} to 1: the share of three words in a "
        f"row that both have.  [default: {NEAR}]",
    ),
    click.option(
        "--split-index",
        metavar="FILE",
        help="Keep in this file where each request went, so that it goes there again in the next export.",
    ),
)


def split_options(command: _Command) -> _Command:
    """Give a command the options of splits."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class SplitsAsked:
    """What the options say of splits."""

    shares: dict[str, float]
    hold_out: Collection[str]
    near: float
    index: Path | None

    @property
    def are_several(self) -> bool:
        """Whether records can go to different splits, or are to be remembered."""
        return len(self.shares) > 1 or bool(self.hold_out) or self.index is not None

    @property
    def names(self) -> Sequence[str]:
        """The splits in their order."""
        return [*self.shares, HELD_OUT] if self.hold_out else list(self.shares)

    def open(self) -> Splits:
        """Return the splits, to be used in a block of `with`."""
        return Splits(self.shares, self.hold_out, self.near, self.index)


def splits_asked(options: dict[str, Any], target: str, catalog: Catalog | None) -> SplitsAsked:
    """Take the options of splits out of those of a command.

    Raises:
        UsageError: the format has no splits, the shares are none, or the catalog has no such tool to hold out.
    """
    given = {name: options.pop(name) for name in ("splits", "hold_out", "near", "split_index")}
    for name, value in given.items():
        if value and target != HF:
            raise UsageError(f"--{name.replace('_', '-')} is for --format {HF}")
    known = [tool.name for tool in catalog.tools] if catalog is not None else []
    for tool in given["hold_out"]:
        if known and tool not in known:
            raise UsageError(
                f"--hold-out {tool}: the run has no such tool; {did_you_mean(tool, known) or 'see `toolgen tools`'}"
            )
    index = Path(given["split_index"]) if given["split_index"] else None
    return SplitsAsked(read_splits(given["splits"]), given["hold_out"], given["near"] or NEAR, index)
