"""CPU per record and peak memory of `toolgen generate` with the offline author.

    python -m tests.benchmarks.bench_generate [--counts 1000,100000] [TOOLS...]

Each count is a run of its own in a process of its own, into a temporary folder. CPU is user and system time of
the whole process; "per further record" is the difference to the smallest count, which leaves out the start.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[2]
_KILOBYTES_PER_MEGABYTE = 1024


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


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("tools", nargs="*")
    options.add_argument("--counts", default="1000,100000")
    given = options.parse_args()
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
