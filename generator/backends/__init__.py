"""Backends: where completions come from."""
