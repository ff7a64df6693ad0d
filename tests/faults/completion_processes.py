"""The loopback server and runs against it, each in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

from tests.run_processes import finish, start

_DIRECT = build_opener(ProxyHandler({}))
PATIENCE = 30.0


@dataclass(frozen=True)
class Served:
    """A server at work."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def told(self) -> dict[str, Any]:
        """What the server has seen."""
        with _DIRECT.open(f"http://127.0.0.1:{self.port}/counts", timeout=PATIENCE) as answer:
            return dict(json.load(answer))

    @property
    def requests(self) -> int:
        return int(self.told()["counts"].get("requests", 0))

    def wait_for_requests(self, count: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.requests < count:
            assert time.monotonic() < deadline, "the requests do not come"
            time.sleep(0.02)


TOOLS = ("tool_specs/weather.json", "tool_specs/reading.json")
"""Tools that have their domain and are read soon."""
PLAIN = "simple=6,multiple=5,parallel=3,parallel_multiple=3,irrelevance=3"
"""The kinds whose messages the server knows how to write."""


@contextmanager
def served(*options: str) -> Iterator[Served]:
    """Run the server while the block runs."""
    process = start([sys.executable, "-m", "tests.faults.completion_server", *options])
    try:
        assert process.stdout is not None
        yield Served(int(process.stdout.readline()))
    finally:
        process.kill()
        process.communicate()


def start_llm(
    out: Path, server: Served, count: int, *options: str, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start `toolgen generate --author llm` against a server."""
    wanted = ["--author", "llm", "--model", "m", "--count", str(count), "--seed", "3", "--out", str(out)]
    where = [] if "--base-url" in options else ["--base-url", server.url]
    mix = [] if {"--mix", "--job"} & set(options) else ["--mix", PLAIN]
    tools = [] if any(option.endswith("tools.json") for option in options) else TOOLS
    command = [sys.executable, "-m", "generator", "generate", *tools, *wanted, *where, *mix, *options]
    return start(command, {"OPENAI_API_KEY": "", **(environment or {})})


def run_llm(
    out: Path, server: Served, count: int, *options: str, environment: Mapping[str, str] | None = None
) -> tuple[int, str, str]:
    """Run it to its end and return exit code, stdout and stderr."""
    return finish(start_llm(out, server, count, *options, environment=environment), patience=180)
