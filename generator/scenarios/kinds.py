"""The kinds of records.

A kind is one name in three places: its blueprint here, its wording in authors, its check in validation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.scenarios.families import no_call, single_turn
from generator.scenarios.sketch import Blueprint, Sketch
from generator.scenarios.stock import Stock


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind: what it is, which tools can lead a record of it, and how such a record is laid out."""

    name: str
    summary: str
    leads: Callable[[Stock], tuple[str, ...]]
    """Keys of the tools that can lead; none means that the catalog cannot serve the kind."""
    need: str
    """What the catalog lacks where no tool can lead."""
    blueprint: Callable[[Sketch], Blueprint]
    calls: bool = True
    """Whether the leading tool is called, so that the record counts for its coverage."""


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("simple", "one tool shown, one call", lambda stock: stock.every, "a tool", single_turn.simple),
        Kind(
            "multiple",
            "several tools shown, one of them fits, one call",
            lambda stock: stock.accompanied,
            "at least two tools that may be shown together",
            single_turn.multiple,
        ),
        Kind(
            "parallel",
            "one tool, several independent calls at once",
            lambda stock: stock.repeatable,
            "a tool that is not strict and has a parameter with more than one value",
            single_turn.parallel,
        ),
        Kind(
            "parallel_multiple",
            "several tools called at once",
            lambda stock: stock.combinable,
            "at least two tools that are not strict and may be shown together",
            single_turn.parallel_multiple,
        ),
        Kind(
            "irrelevance",
            "tools shown, none fits, no call",
            lambda stock: stock.every,
            "a tool",
            no_call.irrelevance,
            calls=False,
        ),
    )
}
