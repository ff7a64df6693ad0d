"""What explains the rules over records: data, read only when somebody asks."""

from __future__ import annotations

from generator.validation.explanations import (
    adm,
    deepfabric,
    grounding,
    openai_messages,
    openai_tools,
    practice,
    practice_records,
    unread,
)
from generator.validation.explanations.explanation import Explanation

EXPLANATIONS: dict[str, Explanation] = {
    **deepfabric.EXPLANATIONS,
    **openai_messages.EXPLANATIONS,
    **openai_tools.EXPLANATIONS,
    **adm.EXPLANATIONS,
    **practice.EXPLANATIONS,
    **practice_records.EXPLANATIONS,
    **grounding.EXPLANATIONS,
    **unread.EXPLANATIONS,
}
"""The explanations by the codes of their rules."""
