"""What a record of the llm author costs here: CPU, wall time against the ideal, memory; and the bare client beside it.

    python -m tests.benchmarks.bench_llm [--count 2000] [--small 200] [--concurrency 64] [--latency 0.05] [--address A]

A loopback server in a process of its own answers after `--latency`; each record takes two requests. CPU is that of
the whole run in its own process; "per further record" is the difference to the small run, which leaves out the start.
With `--address` the records are made by the workers of that Ray cluster, whose CPU is not counted: what is left is the
part of the process that asks and settles. The floor sends as many requests through the bare client, and does nothing
else.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.faults.completion_processes import PLAIN, Served, served_apart

CHECKOUT = Path(__file__).resolve().parents[2]
_KILOBYTES_PER_MEGABYTE = 1024
_REQUESTS = 2


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one run cost."""

    count: int
    requests: int
    cpu_seconds: float
    wall_seconds: float
    peak_megabytes: float


def measure(command: list[str], count: int, server: Served) -> Measurement:
    """Run a command that makes `count` records and return what it cost."""
    before, began = server.requests, time.monotonic()
    process = subprocess.Popen(command, cwd=CHECKOUT, env={**os.environ, "OPENAI_API_KEY": "none"})
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return Measurement(
        count=count,
        requests=server.requests - before,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        wall_seconds=time.monotonic() - began,
        peak_megabytes=usage.ru_maxrss / _KILOBYTES_PER_MEGABYTE,
    )


def toolgen(count: int, server: Served, concurrency: int, folder: str, address: str = "") -> Measurement:
    """Measure the real command."""
    out = str(Path(folder) / str(count))
    where = ["--model", "m", "--base-url", server.url, "--out", out, "--max-concurrency", str(concurrency), "--quiet"]
    where += ["--mix", PLAIN, *(["--engine", "ray", "--address", address] if address else [])]
    command = [sys.executable, "-m", "generator", "generate", "--author", "llm", "--count", str(count), *where]
    return measure(command, count, server)


def floor(count: int, server: Served, concurrency: int) -> Measurement:
    """Measure the bare client with the same number of requests."""
    command = [sys.executable, "-m", "tests.benchmarks.bench_llm", "--floor", server.url]
    return measure([*command, "--count", str(count), "--concurrency", str(concurrency)], count, server)


async def send_all(url: str, count: int, concurrency: int) -> None:
    """Send what `count` records would send, with the client as its documentation shows it."""
    import openai

    schema = {"type": "object", "properties": {"reply": {"type": "string"}}, "required": ["reply"]}
    form: Any = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": True}}
    left = iter(range(count * _REQUESTS))
    async with openai.AsyncOpenAI(base_url=url, http_client=openai.DefaultAioHttpClient()) as client:

        async def work() -> None:
            for number in left:
                answer = await client.chat.completions.create(
                    model="m",
                    messages=[{"role": "user", "content": f'{number}: {{"reply": "..."}} {"x" * 3000}'}],
                    response_format=form,
                )
                json.loads(answer.choices[0].message.content or "")

        await asyncio.gather(*(work() for _ in range(concurrency)))


def report(name: str, small: Measurement, large: Measurement, latency: float, concurrency: int) -> None:
    """Print what a record costs."""
    further = large.count - small.count
    cpu = (large.cpu_seconds - small.cpu_seconds) / further * 1000
    wall = large.wall_seconds - small.wall_seconds
    ideal = latency * (large.requests - small.requests) / concurrency
    print(
        f"{name:<8} {large.count:,} records, {large.requests / large.count:.2f} requests a record: {cpu:.2f} ms CPU "
        f"per further record; wall {wall:.1f} s, {wall / ideal:.2f} x the ideal {ideal:.1f} s; "
        f"peak {small.peak_megabytes:.0f} -> {large.peak_megabytes:.0f} MB"
    )


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--small", type=int, default=200)
    options.add_argument("--concurrency", type=int, default=64)
    options.add_argument("--latency", type=float, default=0.05)
    options.add_argument("--address", default="")
    options.add_argument("--floor", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.floor:
        asyncio.run(send_all(given.floor, given.count, given.concurrency))
        return
    counts = (given.small, given.count)
    with served_apart("--latency", str(given.latency)) as server, tempfile.TemporaryDirectory() as folder:
        runs = [toolgen(count, server, given.concurrency, folder, given.address) for count in counts]
        report("toolgen", runs[0], runs[1], given.latency, given.concurrency)
        bare = [floor(count, server, given.concurrency) for count in counts]
        report("floor", bare[0], bare[1], given.latency, given.concurrency)


if __name__ == "__main__":
    main()
