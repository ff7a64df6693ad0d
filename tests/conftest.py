"""What several test files share: records over the bundled tools, made once."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from generator.assets import asset_folder
from generator.formats.loading.tool_files import load_tools
from generator.jsontext import JsonObject
from generator.kinds import KINDS
from generator.record import generate_records

# How long an example takes says how busy the machine is; whatever else the machine's own profile says holds.
settings.register_profile(
    "any machine", parent=settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


@pytest.fixture(scope="session")
def generated() -> list[JsonObject]:
    """120 records of every kind over the bundled tools, a fifth of their calls failing."""
    tools = load_tools(asset_folder("tool_specs"))
    return [record.to_dict() for record in generate_records(tools, count=120, seed=11, error_rate=0.2)]


@pytest.fixture(scope="session")
def of_every_kind() -> list[JsonObject]:
    """Four records of each kind over the bundled tools, some of their calls failing."""
    tools = load_tools(asset_folder("tool_specs"))
    mix = dict.fromkeys(KINDS, 1)
    made = generate_records(tools, count=4 * len(KINDS), seed=12, error_rate=0.2, mix=mix)
    return [record.to_dict() for record in made]
