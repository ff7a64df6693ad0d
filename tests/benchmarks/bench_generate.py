"""CPU per record and peak memory of `toolgen generate` with the offline author.

    python -m tests.benchmarks.bench_generate [--counts 1000,100000] [--by-kind RECORDS] [TOOLS...]

The mix is the default one, of every kind that the tools serve. Each count is a run of its own in a process of its
own, into a temporary folder. CPU is user and system time of the whole process; "per further record" is the difference
to the smallest count, which leaves out the start. With `--by-kind` that many records are made in this process instead,
after some to warm up, and told kind by kind.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from generator.assets import asset_folder
from generator.formats.loading.tool_files import load_catalog
from generator.job import Job
from generator.record import Producer

CHECKOUT = Path(__file__).resolve().parents[2]
_KILOBYTES_PER_MEGABYTE = 1024
_WARM_UP = 300


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one run cost."""

    count: int
    records: int
    rejected: int
    cpu_seconds: float
    peak_megabytes: float
    record_bytes: int


def measure(count: int, tools: list[str]) -> Measurement:
    """Run the command and return what it cost; fail where it does not make every record."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        options = ["--count", str(count), "--out", str(out), "--quiet", "--skip-invalid", "--on-conflict", "source"]
        command = [sys.executable, "-m", "generator", "generate", *tools, *options]
        process = subprocess.Popen(command, cwd=CHECKOUT)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            raise SystemExit(f"the run ended with {process.returncode}")
        summary = json.loads((out / "summary.json").read_text())
        return Measurement(
            count=count,
            records=summary["records"],
            rejected=summary["rejected"],
            cpu_seconds=usage.ru_utime + usage.ru_stime,
            peak_megabytes=usage.ru_maxrss / _KILOBYTES_PER_MEGABYTE,
            record_bytes=(out / "records.jsonl").stat().st_size // max(1, summary["records"]),
        )


def by_kind(records: int, tools: list[str]) -> None:
    """Print what a record of each kind costs without being stored, and how many attempts at it are rejected."""
    sources = tools or [str(asset_folder("tool_specs"))]
    catalog = load_catalog(sources, skip_invalid=True, on_conflict="source").catalog
    producer = Producer(Job(count=_WARM_UP + records, seed=7), catalog)
    for index in range(_WARM_UP):
        producer.produce(index)
    made: Counter[str] = Counter()
    rejected: Counter[str] = Counter()
    nanoseconds: Counter[str] = Counter()
    for index in range(_WARM_UP, _WARM_UP + records):
        began = time.process_time_ns()
        outcome = producer.produce(index)
        nanoseconds[outcome.kind] += time.process_time_ns() - began
        made[outcome.kind] += outcome.line is not None
        rejected[outcome.kind] += len(outcome.rejections)
    for kind, count in made.most_common():
        each = nanoseconds[kind] / max(1, count) / 1000
        print(f"{kind:<22}{count:>6,} records, {each:>6,.0f} us CPU each, {rejected[kind]:>4,} attempts rejected")
    print(f"{nanoseconds.total() / max(1, made.total()) / 1000:,.0f} us CPU a record over the mix")


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("tools", nargs="*")
    options.add_argument("--counts", default="1000,100000")
    options.add_argument("--by-kind", type=int, metavar="RECORDS")
    given = options.parse_args()
    if given.by_kind is not None:
        by_kind(given.by_kind, given.tools)
        return
    found = [measure(int(count), given.tools) for count in given.counts.split(",")]
    for run in found:
        print(
            f"{run.count:>9,} asked: {run.records:,} records of {run.record_bytes:,} bytes, {run.rejected:,} rejected "
            f"attempts; {run.cpu_seconds:.2f} s CPU ({run.cpu_seconds / run.count * 1e6:.0f} us a record), "
            f"peak {run.peak_megabytes:.0f} MB"
        )
    for first, last in pairwise(found):
        further = (last.cpu_seconds - first.cpu_seconds) / (last.count - first.count) * 1e6
        print(f"{further:.0f} us CPU per further record, {last.peak_megabytes - first.peak_megabytes:+.0f} MB")


if __name__ == "__main__":
    main()
