"""What a record of each kind claims, and whether it holds; one file per family."""

from __future__ import annotations

from generator.validation.kinds import clarifying, conversation, outcomes, single_turn
from generator.validation.kinds.turns import KindCheck, UnderWay

KIND_CHECKS: dict[str, KindCheck] = {
    **single_turn.CHECKS,
    **conversation.CHECKS,
    **clarifying.CHECKS,
    **outcomes.CHECKS,
}
"""The check of each kind, by its name."""

UNDER_WAY: dict[str, UnderWay] = {**conversation.UNDER_WAY, **outcomes.UNDER_WAY}
"""What can be told of a record before it is whole, by its kind."""
