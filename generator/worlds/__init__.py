"""Worlds: the state of one record, on which its calls are executed."""
