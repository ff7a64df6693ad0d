"""Grounding: where every value of a record comes from, and what an answer may tell."""
