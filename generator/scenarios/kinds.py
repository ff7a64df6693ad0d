"""The kinds of records.

A kind is one name in three places: its blueprint here, its wording in authors, its check in validation.
"""

from __future__ import annotations

from generator.scenarios.families import (
    choosing,
    clarifying,
    confirming,
    context,
    conversation,
    dependent,
    no_call,
    outcomes,
    single_turn,
)
from generator.scenarios.kind import Kind

_FAMILIES = (
    single_turn.KINDS,
    no_call.KINDS,
    conversation.KINDS,
    context.KINDS,
    clarifying.KINDS,
    dependent.KINDS,
    outcomes.KINDS,
    confirming.KINDS,
    choosing.KINDS,
)

KINDS: dict[str, Kind] = {kind.name: kind for family in _FAMILIES for kind in family}
"""Every kind by its name, family after family."""
