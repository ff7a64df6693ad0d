"""The loopback server and runs against it: in this process, or each in one of its own where the process matters."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import pytest

from generator.cli import main
from tests.checkout import CHECKOUT
from tests.faults.completion_server import serve, server_of
from tests.run_processes import start

_DIRECT = build_opener(ProxyHandler({}))
PATIENCE = 240.0


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
    """Run the server in a thread while the block runs."""
    begun: Future[tuple[int, Callable[[], object]]] = Future()

    async def work() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        await serve(
            server_of(options),
            lambda port: begun.set_result((port, lambda: loop.call_soon_threadsafe(stop.set))),
            stop,
        )

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(asyncio.run, work())
        port, stop = begun.result(PATIENCE)
        try:
            yield Served(port)
        finally:
            stop()
            done.result(PATIENCE)


@contextmanager
def served_apart(*options: str) -> Iterator[Served]:
    """Run the server in a process of its own while the block runs."""
    process = start([sys.executable, "-m", "tests.faults.completion_server", *options])
    try:
        assert process.stdout is not None
        yield Served(int(process.stdout.readline()))
    finally:
        process.kill()
        process.communicate()


def _generate(out: Path, server: Served, count: int, options: tuple[str, ...]) -> list[str]:
    """The arguments of `toolgen generate --author llm` against a server."""
    wanted = ["--author", "llm", "--model", "m", "--count", str(count), "--seed", "3", "--out", str(out)]
    where = [] if "--base-url" in options else ["--base-url", server.url]
    mix = [] if {"--mix", "--job"} & set(options) else ["--mix", PLAIN]
    tools = [] if any(option.endswith("tools.json") for option in options) else TOOLS
    return ["generate", *tools, *wanted, *where, *mix, *options]


def start_llm(
    out: Path, server: Served, count: int, *options: str, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start the command in a process of its own."""
    command = [sys.executable, "-m", "generator", *_generate(out, server, count, options)]
    return start(command, {"OPENAI_API_KEY": "", **(environment or {})})


def run_llm(
    out: Path, server: Served, count: int, *options: str, environment: Mapping[str, str] | None = None
) -> tuple[int, str, str]:
    """Run the command in this process to its end and return exit code, stdout and stderr."""
    told = [TextIOWrapper(BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(told[0]), redirect_stderr(told[1]):
        for name, value in {"OPENAI_API_KEY": "", **(environment or {})}.items():
            patch.setenv(name, value)
        patch.chdir(CHECKOUT)
        code = main(_generate(out, server, count, options))
    return code, *(stream.buffer.getvalue().decode() for stream in told)
