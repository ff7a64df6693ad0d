"""The pytest plugin: a fixture that gives valid records to the tests of whoever consumes them.

It is loaded by every pytest where toolgen is installed, so it imports nothing until the fixture is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from generator.records import Record

ToolRecords = Callable[..., "list[Record]"]


@pytest.fixture(scope="session")
def tool_records() -> ToolRecords:
    """Return `tool_records(tools, count=10, seed=7, **options)`, which gives valid records, offline and without files.

    `tools` are tool files, folders or definitions, one or a list of them; `options` are further fields of a job, e.g.
    `mix={"parallel": 1}`. Equal arguments give equal records.
    """

    def make(tools: Any, count: int = 10, seed: int = 7, **options: Any) -> list[Record]:
        from generator.formats.loading.tool_files import load_tools
        from generator.record import generate_records

        sources = tools if isinstance(tools, list | tuple) else [tools]
        return list(generate_records(load_tools(*sources), count=count, seed=seed, **options))

    return make
