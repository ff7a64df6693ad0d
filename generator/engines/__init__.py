"""Engines: where the outcomes of a run are made."""
