"""What a kind of record is to the planner."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

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
