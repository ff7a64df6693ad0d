"""Blueprints of the kinds over domains, one file per family."""
