"""Pools: the words values are made of, hand-written in text files beside this module.

A pool file holds sections: a line `[name] field names, separated by commas` and then entries separated by
semicolons over any number of lines. An entry may hold slots: `{pool}`, `{3-20}` (a whole number), `{a|b}`
(one of these), and those of `generator.values.meanings.specials`. A `.rows` file holds one line of fields per row.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent / "pools"
_HEADER = re.compile(r"^\[([a-z_]+)\]\s*(.*)$")


@dataclass(frozen=True, slots=True)
class Pool:
    """The entries of one pool and the field names that mean it, each as words with spaces."""

    entries: tuple[str, ...]
    field_names: tuple[str, ...]


@lru_cache(maxsize=1)
def all_pools() -> dict[str, Pool]:
    """Read every pool file, once."""
    found: dict[str, Pool] = {}
    for path in sorted(_FOLDER.glob("*.txt")):
        found.update(_read(path.read_text(encoding="utf-8")))
    return found


def _read(text: str) -> dict[str, Pool]:
    found: dict[str, Pool] = {}
    name, names, lines = "", "", []
    for line in [*text.splitlines(), "[end]"]:
        header = _HEADER.match(line)
        if header is None:
            lines.append("" if line.startswith("# ") else line.replace("\\n", "\n"))
            continue
        if name:
            found[name] = Pool(_split(" ".join(lines), ";"), _split(names, ","))
        name, names, lines = header[1], header[2], []
    return found


def _split(text: str, separator: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(separator) if part.strip())


def pool(name: str) -> tuple[str, ...]:
    """Return the entries of a pool."""
    return all_pools()[name].entries


@lru_cache(maxsize=8)
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a `.rows` file, each split at its bars."""
    text = (_FOLDER / f"{name}.rows").read_text(encoding="utf-8")
    return tuple(tuple(line.split("|")) for line in text.splitlines() if line and not line.startswith("#"))
