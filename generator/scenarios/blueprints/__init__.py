"""How records of each kind are laid out; one file per family."""

from __future__ import annotations

from generator.scenarios.blueprints import clarifying, conversation, outcomes, single_turn
from generator.scenarios.planning_context import Layout

LAYOUTS: dict[str, Layout] = {
    **single_turn.LAYOUTS,
    **conversation.LAYOUTS,
    **clarifying.LAYOUTS,
    **outcomes.LAYOUTS,
}
"""The layout of each kind, by its name."""
