"""What the wording of a kind is to the offline author."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.records.calls import Exchange
from generator.scenarios.scenario import Scenario

Write = Callable[[Scenario, tuple[Exchange, ...]], str]
"""Writes a text of step number `len(history)`; raises NoDraft where nothing good enough can be written."""


@dataclass(frozen=True, slots=True)
class Wording:
    """How a kind's texts are written: what the user says, and what the assistant replies."""

    request: Write
    reply: Write
