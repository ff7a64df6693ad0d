"""What a record costs here whose model is asked in batches: CPU and wall time, rounds, requests paid twice, bytes.

    python -m tests.benchmarks.bench_batch [--count 2000] [--small 200] [--steps]

A loopback server in a process of its own takes the batches and has them done at the first look. "Per further record" is
the difference to the small run, which leaves out the start. The same model is then asked at once, in as many records:
the files must be the same. `--steps` takes a command for each step in place of `batch run`, and tells the CPU time of
each; every one of them begins a process, loads the tools and looks at all that is settled.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.faults.batch_server import BatchServer, batches_served
from tests.faults.completion_processes import PLAIN

CHECKOUT = Path(__file__).resolve().parents[2]
_KILOBYTES_PER_MEGABYTE = 1024


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one run cost."""

    count: int
    cpu_seconds: float
    wall_seconds: float
    peak_megabytes: float


def measure(command: list[str], count: int, *, quiet: bool = False) -> Measurement:
    """Run a command that makes `count` records and return what it cost."""
    began = time.monotonic()
    out = subprocess.DEVNULL if quiet else None
    process = subprocess.Popen(command, cwd=CHECKOUT, env={**os.environ, "OPENAI_API_KEY": "none"}, stdout=out)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command} ended with {process.returncode}")
    return Measurement(
        count,
        usage.ru_utime + usage.ru_stime,
        time.monotonic() - began,
        usage.ru_maxrss / _KILOBYTES_PER_MEGABYTE,
    )


def by_steps(folder: Path, told: list[str], count: int) -> Measurement:
    """Write, submit and collect until nothing is lacking; print what each of the three cost, and return the sum."""
    program = [sys.executable, "-m", "generator", "batch"]
    took: dict[str, list[Measurement]] = {"write": [], "submit": [], "collect": []}
    while True:
        told = told if not took["write"] else ["--quiet"]
        took["write"].append(measure([*program, "write", str(folder), *told], count, quiet=True))
        rounds = sorted((folder / "batches").glob("round-*/round.json"))
        if len(rounds) < len(took["write"]):
            break
        took["submit"].append(measure([*program, "submit", str(folder), "--quiet"], count))
        took["collect"].append(measure([*program, "collect", str(folder), "--quiet"], count))
    for name, each in took.items():
        cpu = sum(one.cpu_seconds for one in each) / count * 1000
        print(f"batch {name}: {cpu:.2f} ms CPU a record, {len(each)} times")
    every = [one for each in took.values() for one in each]
    cpu, wall = (sum(getattr(one, name) for one in every) for name in ("cpu_seconds", "wall_seconds"))
    return Measurement(count, cpu, wall, max(one.peak_megabytes for one in every))


def job(count: int, url: str) -> list[str]:
    """The options of a job of so many records."""
    return ["--model", "m", "--base-url", url, "--count", str(count), "--mix", PLAIN, "--quiet"]


@contextmanager
def served_apart() -> Iterator[str]:
    """Run the server in a process of its own; its last words are what it has seen."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.bench_batch", "--serve"],
        cwd=CHECKOUT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        print("the server:", process.communicate()[0].strip())


def serve() -> None:
    """Serve until the standard input ends, then tell what was seen."""
    with batches_served(BatchServer()) as server:
        print(server.url, flush=True)
        sys.stdin.read()
        lines = sum(len(batch["lines"]) for batch in server.batches.values())
        told = {"batches": len(server.batches), "requests in them": lines, "of these twice": len(server.twice)}
        print(json.dumps({**told, "asked at once": server.counts["chat"]}))


def report(name: str, small: Measurement, large: Measurement) -> None:
    """Print what a record costs."""
    further = large.count - small.count
    cpu = (large.cpu_seconds - small.cpu_seconds) / further * 1000
    print(
        f"{name:<8} {large.count:,} records: {cpu:.2f} ms CPU per further record; CPU {large.cpu_seconds:.1f} s, "
        f"wall {large.wall_seconds:.1f} s; peak {small.peak_megabytes:.0f} -> {large.peak_megabytes:.0f} MB"
    )


def compare(counts: tuple[int, int], folder: Path, *, steps: bool) -> None:
    """Measure batches, then the same at once, and print whether the files are the same."""
    program = [sys.executable, "-m", "generator"]
    batches = []
    for each in counts:  # a server for each run: the two ask the same requests
        with served_apart() as url:
            out, told = folder / f"b{each}", job(each, url)
            command = [*program, "batch", "run", str(out), *told, "--pause", "5"]
            batches.append(by_steps(out, told, each) if steps else measure(command, each))
    rounds = len(list((folder / f"b{counts[1]}" / "batches").glob("round-*")))
    with served_apart() as url:
        once = [
            measure([*program, "generate", "--author", "llm", "--out", str(folder / f"o{each}"), *job(each, url)], each)
            for each in counts
        ]
    report("batches", *batches)
    report("at once", *once)
    same = all(
        (folder / f"b{counts[1]}" / name).read_bytes() == (folder / f"o{counts[1]}" / name).read_bytes()
        for name in ("records.jsonl", "rejections.jsonl")
    )
    print(f"{rounds} rounds; the same bytes: {same}")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=2000)
    options.add_argument("--small", type=int, default=200)
    options.add_argument("--steps", action="store_true", help="a command for each step in place of `batch run`")
    options.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.serve:
        serve()
        return
    with tempfile.TemporaryDirectory() as folder:
        compare((given.small, given.count), Path(folder), steps=given.steps)


if __name__ == "__main__":
    main()
