"""Tables and entries laid out for the columns that there are: nothing is cut, whatever the screen.

A table that is too wide for a screen gives its last column of text several lines; where that is not enough, its rows
become short lists.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from generator.cli.terminal import folded
from generator.reports.table import Column, Entry, Table

_GAP = "  "
_NARROWEST_TEXT = 28
_LABEL = 12


def laid_out(table: Table, columns: int) -> str:
    """Return a table in so many columns."""
    rows = [*table.rows, *([table.total] if table.total else [])]
    heads = tuple(column.head for column in table.columns)
    widths = [max(map(len, cells)) for cells in zip(heads, *rows, strict=True)]
    if table.columns[-1].justify == "left":
        widths[-1] = min(widths[-1], max(_NARROWEST_TEXT, columns - sum(widths[:-1]) - len(_GAP) * len(widths[:-1])))
    if sum(widths) + len(_GAP) * (len(widths) - 1) > columns:
        return "\n".join(line for row in rows for line in _as_list(heads, row, columns))
    body = [_line(table.columns, row, widths) for row in table.rows]
    last = ["", _line(table.columns, table.total, widths)] if table.total else []
    return "\n".join([_line(table.columns, heads, widths), *body, *last])


def _line(columns: Sequence[Column], cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row, in several lines where its last cell takes them."""
    parts = textwrap.wrap(cells[-1], widths[-1], break_on_hyphens=False) if len(cells[-1]) > widths[-1] else [cells[-1]]
    ahead = [_cell(*each) for each in zip(columns[:-1], cells[:-1], widths[:-1], strict=True)]
    first = _GAP.join([*ahead, _cell(columns[-1], parts[0], widths[-1])])
    before = " " * (sum(widths[:-1]) + len(_GAP) * (len(widths) - 1))
    return "\n".join([first.rstrip(), *(before + part for part in parts[1:])])


def _cell(column: Column, text: str, width: int) -> str:
    return text.ljust(width) if column.justify == "left" else text.rjust(width)


def _as_list(heads: Sequence[str], cells: Sequence[str], columns: int) -> list[str]:
    """Return a row as its name and, below it, what its other cells say."""
    rest = ", ".join(f"{head} {cell}" for head, cell in zip(heads[1:], cells[1:], strict=True) if cell)
    return [cells[0], folded(f"  {rest}", columns, 0)]


def entry_text(entry: Entry, columns: int) -> str:
    """Return an entry: its text beside its word, broken between words where it may be; in 0 columns in one line."""
    line = f"{entry.label:<{_LABEL}}{entry.text}"
    if entry.whole or not columns:
        return line
    ahead = len(line) - len(line.lstrip())
    return folded(line, columns, _LABEL - ahead)
