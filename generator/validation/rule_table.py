"""The rules as data: the tables in `assets/rules`, one for each document, and what they tell of a rule.

An example is the text of JSON, or places in a record with the JSON that stands there. Long texts are written in
parts, of which `[part, times]` is repeated; a `#` in it counts from 0.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from generator.assets import asset_file
from generator.validation.verdict import Severity

Parts = str | list[str | list[str | int]]
"""A text, or the parts of a long one."""
Places = Mapping[str, Parts]
"""JSON pointer to the JSON that stands there; a last part `-` appends to an array."""

LEFT_OUT = "(left out)"
"""Stands in an example for a key that is not there; no JSON is written so."""
_UNCHANGED = "(as it was)"
_SHOWN = 160
_OFF = "off"


@dataclass(frozen=True, slots=True)
class Row:
    """What is told of one rule."""

    code: str
    summary: str
    """What holds where the rule is kept, in one line."""
    source: str
    """The document and section that demands it."""
    written: Severity | None
    """Severity in what toolgen writes; None: the rule is asked where the tool is loaded instead."""
    read: Severity | None
    """Severity in what other people wrote; None: the rule is not asked there."""
    reason: str
    """What goes wrong where the rule is broken."""
    bad: Parts | Places
    """What breaks the rule alone."""
    good: Parts | Places
    """What just passes."""
    name: str = ""
    """The error code the source gives it, which starts its messages."""
    record: str = "called"
    """The record that the places of both examples are changed in: one that calls, fails, speaks ..."""
    shared: Places = field(default_factory=dict)
    """The places that both examples change first."""

    def lines(self, example: Parts | Places) -> tuple[str, ...]:
        """Show one of the two examples: its text, or each place that they differ in, with what stands there."""
        if not isinstance(self.bad, Mapping) or not isinstance(self.good, Mapping):
            return (joined(example),) if not isinstance(example, Mapping) else ()
        return tuple(f"{where or '/'}  {_shown(example, where)}" for where in {**self.bad, **self.good})


def _shown(example: Parts | Places, where: str) -> str:
    if not isinstance(example, Mapping) or where not in example:
        return _UNCHANGED
    text = joined(example[where])
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"


def joined(parts: Parts) -> str:
    """Return the text that parts are of."""
    return parts if isinstance(parts, str) else "".join(map(_repeated, parts))


def _repeated(part: str | list[str | int]) -> str:
    if isinstance(part, str):
        return part
    text, times = str(part[0]), int(part[1])
    return "".join(text.replace("#", str(number)) for number in range(times))


@cache
def rows(document: str) -> dict[str, Row]:
    """Return the rows of a document's rules by their codes."""
    table = tomllib.loads(asset_file(f"rules/{document}.toml").read_text("utf-8"))
    return {code: _row(code, told) for code, told in table.items()}


def _row(code: str, told: dict[str, object]) -> Row:
    severities = {which: None if told[which] == _OFF else told[which] for which in ("written", "read")}
    return Row(code=code, **{**told, **severities})  # type: ignore[arg-type]  # tests hold the tables to these fields
