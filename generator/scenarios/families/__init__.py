"""Blueprints of the kinds, one file per family."""
