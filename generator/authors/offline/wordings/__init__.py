"""How the offline author words each kind; one file per family."""

from __future__ import annotations

from generator.authors.offline.wordings import (
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
from generator.authors.offline.wordings.wording import Wording

WORDINGS: dict[str, Wording] = {
    **single_turn.WORDINGS,
    **no_call.WORDINGS,
    **conversation.WORDINGS,
    **context.WORDINGS,
    **clarifying.WORDINGS,
    **dependent.WORDINGS,
    **outcomes.WORDINGS,
    **confirming.WORDINGS,
    **choosing.WORDINGS,
}
"""The wording of each kind, by its name."""
