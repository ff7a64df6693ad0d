"""Grounding: where every value of a record comes from, and what an answer may tell."""

from generator.validation.grounding.explaining import explain, explain_view
from generator.validation.grounding.sources import RUNGS

__all__ = ["RUNGS", "explain", "explain_view"]
