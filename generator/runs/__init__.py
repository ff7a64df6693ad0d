"""Runs: a job in its folder, its store, its engines and what is published."""
