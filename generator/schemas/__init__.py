"""Schemas: JSON Schema as data, brought to one working form, and the cached validators that judge by it."""
