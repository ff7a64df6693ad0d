"""How records of each kind are laid out; one file per family."""

from __future__ import annotations

from generator.scenarios.blueprints import (
    choosing,
    clarifying,
    context,
    conversation,
    correcting,
    dependent,
    no_call,
    outcomes,
    single_turn,
)
from generator.scenarios.lead_tools import Layout

LAYOUTS: dict[str, Layout] = {
    **choosing.LAYOUTS,
    **clarifying.LAYOUTS,
    **context.LAYOUTS,
    **conversation.LAYOUTS,
    **correcting.LAYOUTS,
    **dependent.LAYOUTS,
    **no_call.LAYOUTS,
    **outcomes.LAYOUTS,
    **single_turn.LAYOUTS,
}
"""The layout of each kind, by its name."""
