"""How a large run goes on: rate, memory and disk for each ten thousand records, the parent and its workers apart.

    python -m tests.benchmarks.bench_scale --count 200000 --jobs 2
    python -m tests.benchmarks.bench_scale --count 1000000 --out DIR --compress zst --shard 100000

What it does not know itself are options of `toolgen generate`; a run in `--out` stays, and is gone on with.

Prints one row per `--every` records: records a second of wall time since the row before; CPU in milliseconds a record
of the parent and of the workers since then; the most memory that the parent has held so far, in MB, and what each
worker holds now. At the end the bytes of the files, and the digest of the records.
"""

from __future__ import annotations

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_LOOK = 1.0


class Look(NamedTuple):
    """A run as it is at one moment."""

    at: float
    records: int
    parent_cpu: float
    workers_cpu: float
    parent_mb: int
    workers_mb: int


def status(pid: int, name: str) -> int:
    """A figure of `/proc/PID/status` in kB, 0 of a process that has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(name)), 0)


def cpu(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / _TICKS


def children(pid: int) -> list[int]:
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def settled(database: Path) -> int:
    """The highest index that is committed, which comes last, and one."""
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=5) as store:
            return int(store.execute("SELECT coalesce(max(position) + 1, 0) FROM outcome").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def look(pid: int, database: Path) -> Look:
    workers = children(pid)
    return Look(
        time.monotonic(),
        settled(database),
        cpu(pid),
        sum(map(cpu, workers)),
        status(pid, "VmHWM:") // 1024,
        max((status(each, "VmRSS:") // 1024 for each in workers), default=0),
    )


def row(before: Look, now: Look) -> str:
    made = max(1, now.records - before.records)
    rate = made / max(now.at - before.at, 1e-6)
    parent, workers = (1000 * (b - a) / made for a, b in ((before.parent_cpu, now.parent_cpu),
                                                         (before.workers_cpu, now.workers_cpu)))  # fmt: skip
    return f"{now.records:>10,} {rate:>9.0f} {parent:>10.2f} {workers:>11.2f} {now.parent_mb:>10} {now.workers_mb:>10}"


def tell_sizes(run: Path) -> None:
    """Tell what the run has on disk: its records in however many files."""
    records = sum(each.stat().st_size for each in run.glob("records*.jsonl*"))
    store, rejections = (sum(each.stat().st_size for each in run.glob(name)) for name in ("run.db", "rejections*"))
    print(f"run.db {store / 1e6:,.0f} MB, records {records / 1e6:,.0f} MB, rejections {rejections / 1e6:,.0f} MB")
    print(f"sha256 of all records: {digest(run)}")


def digest(run: Path) -> str:
    return str(json.loads((run / "summary.json").read_text())["sha256"]["records.jsonl"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=10_000)
    parser.add_argument("--out", type=Path)
    given, further = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        run = given.out or Path(folder) / "run"
        command = ["generate", "--count", str(given.count), "--jobs", str(given.jobs), "--out", str(run), "--quiet"]
        command += further
        process = subprocess.Popen([sys.executable, "-m", "generator", *command])
        print(
            f"{'records':>10} {'a second':>9} {'parent ms':>10} {'workers ms':>11} {'parent MB':>10} {'worker MB':>10}"
        )
        before = look(process.pid, run / "run.db")
        while process.poll() is None:
            time.sleep(_LOOK)
            now = look(process.pid, run / "run.db")
            if now.records >= before.records + given.every:
                print(row(before, now), flush=True)
                before = now
        tell_sizes(run)
        return process.returncode


if __name__ == "__main__":
    sys.exit(main())
