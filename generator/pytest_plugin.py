"""The pytest plugin: a fixture that gives valid records to the tests of whoever consumes them.

It is loaded by every pytest where toolgen is installed, so it imports nothing until the fixture is used.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol, Unpack

import pytest

from generator.job_choices import DEFAULT_SEED, OfflineOptions

if TYPE_CHECKING:
    from generator.records import Record
    from generator.serving.running import Records, Serving


class ToolRecords(Protocol):
    """What the fixture is: annotate the argument of a test with it."""

    def __call__(
        self, tools: Any, count: int = 10, seed: int = DEFAULT_SEED, **options: Unpack[OfflineOptions]
    ) -> list[Record]:
        """Return valid records over these tools."""


@pytest.fixture(scope="session")
def tool_records() -> ToolRecords:
    """Return `tool_records(tools, count=10, seed=0, **options)`, which gives valid records, offline and without files.

    `tools` are tool files, folders or definitions, one or a list of them; `options` are further fields of a job, e.g.
    `mix={"parallel": 1}`. Equal arguments give equal records.
    """

    def make(tools: Any, count: int = 10, seed: int = DEFAULT_SEED, **options: Unpack[OfflineOptions]) -> list[Record]:
        from generator.formats.loading.tool_files import load_tools
        from generator.record import generate_records

        sources = tools if isinstance(tools, list | tuple) else [tools]
        return list(generate_records(load_tools(*sources), count=count, seed=seed, **options))

    return make


class ToolCallingServer(Protocol):
    """What the fixture is: annotate the argument of a test with it."""

    def __call__(self, records: Records, **options: Any) -> Serving:
        """Run a server that plays the model with the turns of these records."""


@pytest.fixture
def tool_calling_server() -> Iterator[ToolCallingServer]:
    """Return `tool_calling_server(records, **options)`, which runs a server that plays the model until the test ends.

    `records` are a run folder or a file, or records as `tool_records` gives them; `options` are those of
    `generator.serving.running.serve_records`, e.g. `faults="429=0.5"`. What it gives has `base_url`, `api_key` and
    `records`. It needs the extra `serve`.
    """
    with ExitStack() as servers:

        def serve(records: Records, **options: Any) -> Serving:
            from generator.serving.running import serve_records

            return servers.enter_context(serve_records(records, **options))

        yield serve
