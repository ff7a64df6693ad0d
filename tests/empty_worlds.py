"""A world with nothing in it, for scenarios that are written by hand."""

from __future__ import annotations

from datetime import date

from generator.domains.domain import Domain
from generator.worlds.program import compiled_domain
from generator.worlds.world import World


def empty_world(seed: int = 99) -> World:
    """The world of a domain that knows nothing."""
    return World(
        compiled_domain(Domain(name="nothing", origin="derived"), ()).program, seed, date(2026, 1, 15), "en_US"
    )
