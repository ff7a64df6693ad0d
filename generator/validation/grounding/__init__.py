"""Grounding: where every value of a record comes from."""
