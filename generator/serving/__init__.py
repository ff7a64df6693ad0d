"""Serving records: the worlds that their calls are executed on."""
