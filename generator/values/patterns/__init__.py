"""Texts that match patterns and formats, by luck or by automata."""
