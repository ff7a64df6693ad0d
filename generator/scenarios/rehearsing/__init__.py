"""Rehearsing: every way and task of a domain gone over many worlds before a record is made of it."""

from generator.scenarios.rehearsing.rehearsal import Rehearsal, rehearse

__all__ = ["Rehearsal", "rehearse"]
