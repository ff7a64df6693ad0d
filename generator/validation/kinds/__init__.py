"""What a record of each kind claims, and whether it holds; one file per family."""

from __future__ import annotations

from generator.validation.kinds import (
    choosing,
    clarifying,
    context,
    conversation,
    dependent,
    no_call,
    outcomes,
    single_turn,
)
from generator.validation.kinds.turns import KindCheck, UnderWay

KIND_CHECKS: dict[str, KindCheck] = {
    **single_turn.CHECKS,
    **no_call.CHECKS,
    **conversation.CHECKS,
    **context.CHECKS,
    **clarifying.CHECKS,
    **dependent.CHECKS,
    **outcomes.CHECKS,
    **choosing.CHECKS,
}
"""The check of each kind, by its name."""

UNDER_WAY: dict[str, UnderWay] = {**conversation.UNDER_WAY, **dependent.UNDER_WAY}
"""What can be told of a record before it is whole, by its kind."""
