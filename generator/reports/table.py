"""Tables and entries as they are told: plain text, which whoever prints it makes fit for a screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple


class Column(NamedTuple):
    """The head of a column, and how its cells stand."""

    head: str
    justify: Literal["left", "right"] = "right"


class Table(NamedTuple):
    """Rows of text under heads, with a last row that sums up, or none."""

    columns: tuple[Column, ...]
    rows: Sequence[tuple[str, ...]]
    total: tuple[str, ...] = ()


class Entry(NamedTuple):
    """A word on the left, and what is to be said under it."""

    label: str
    text: str
    whole: bool = False
    """Whether it is a command or a path, which nothing may break."""


def columns(first: str, *others: str) -> tuple[Column, ...]:
    """Return a column of names, and others of numbers."""
    return Column(first, "left"), *map(Column, others)
