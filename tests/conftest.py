"""What several test files share: records over the bundled tools, made once."""

from __future__ import annotations

import gc

import pytest
from hypothesis import HealthCheck, settings

from generator.garbage_collection import take_for_kept
from generator.jsontext import JsonObject
from generator.kinds import KINDS
from generator.record import generate_records
from tests.bundled import bundled_tools

# How long an example takes says how busy the machine is; whatever else the machine's own profile says holds.
settings.register_profile(
    "any machine", parent=settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")

# What is imported and collected stays to the end: to look through it for garbage, again and again, finds none.
gc.disable()


def pytest_collection_finish() -> None:
    gc.enable()
    take_for_kept()


@pytest.fixture(scope="session")
def generated() -> list[JsonObject]:
    """120 records of every kind over the bundled tools, a fifth of their calls failing."""
    return [record.to_dict() for record in generate_records(bundled_tools(), count=120, seed=11, error_rate=0.2)]


@pytest.fixture(scope="session")
def of_every_kind() -> list[JsonObject]:
    """Four records of each kind over the bundled tools, some of their calls failing."""
    mix = dict.fromkeys(KINDS, 1)
    made = generate_records(bundled_tools(), count=4 * len(KINDS), seed=12, error_rate=0.2, mix=mix)
    return [record.to_dict() for record in made]
