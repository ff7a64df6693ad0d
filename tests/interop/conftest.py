"""The records that other projects judge: over the bundled tools, and over tools as people write them."""

from __future__ import annotations

import pytest

from generator.formats.loading.tool_files import load_tools
from generator.jsontext import JsonObject
from generator.kinds import KINDS
from generator.record import generate_records
from tests.bundled import bundled_tools
from tests.shared_data import SHARED

CORPUS = ("github_mcp", "adm_spec", "playwright_mcp", "openai_sdk", "tau2")


@pytest.fixture(scope="session")
def from_the_corpus() -> list[JsonObject]:
    """150 records over a few hundred real tools."""
    if not SHARED.is_dir():
        pytest.skip("needs the folder `shared` beside the checkout")
    folders = [SHARED / "corpus" / name for name in CORPUS]
    tools = load_tools(*folders, skip_invalid=True, on_conflict="source")
    return [record.to_dict() for record in generate_records(tools, count=150, seed=7)]


@pytest.fixture(scope="session", params=["generated", "from_the_corpus"])
def judged(request: pytest.FixtureRequest) -> list[JsonObject]:
    """Records of either origin."""
    records: list[JsonObject] = request.getfixturevalue(request.param)
    return records


@pytest.fixture(scope="session")
def two_thousand() -> list[JsonObject]:
    """2,000 records of every kind over the bundled tools, a fifth of their calls failing."""
    tools = bundled_tools()
    mix = dict.fromkeys(KINDS, 1)
    records = [record.to_dict() for record in generate_records(tools, count=2000, seed=21, error_rate=0.2, mix=mix)]
    assert len(records) == 2000
    assert {record["metadata"]["kind"] for record in records} == set(KINDS)
    return records
