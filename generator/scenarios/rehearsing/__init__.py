"""Rehearsing: every way and task of a domain gone over many worlds before a record is made of it."""

from generator.scenarios.rehearsing.rehearsal import Rehearsal, rehearse, tell_unsaid

__all__ = ["Rehearsal", "rehearse", "tell_unsaid"]
