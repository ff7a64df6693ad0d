"""Splits of large sets: records a second, memory, and the size of the index.

    python -m tests.benchmarks.bench_splits --counts 100000,1000000

Requests are drawn from 800 patterns of 8 to 40 words in which one to four words are changed, so that many are alike
and some are near duplicates. Each size runs in a process of its own; time is CPU time of that process, memory the
growth of its resident set.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from generator.datasets.splits import Splits
from generator.jsontext import JsonObject

PATTERNS = 800


def requests(count: int) -> Iterator[JsonObject]:
    random = Random(1)
    patterns = [[f"word{random.randrange(5_000)}" for _ in range(random.randint(8, 40))] for _ in range(PATTERNS)]
    for _ in range(count):
        words = list(random.choice(patterns))
        for _ in range(random.randint(1, 4)):
            words[random.randrange(len(words))] = f"name{random.randrange(100_000)}"
        yield {"messages": [{"role": "user", "content": " ".join(words)}]}


def measure(count: int, index: Path) -> None:
    """Place so many records, and print a row of figures."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    making = -time.process_time()
    for _ in requests(count):
        pass
    making += time.process_time()
    start = time.process_time()
    with Splits({"train": 0.9, "test": 0.1}, index=index) as splits:
        for document in requests(count):
            splits.split_of(document)
    seconds = time.process_time() - start - making
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    size = index.stat().st_size / 1e6
    rate = count / seconds
    print(f"{count:>9,} records: {rate:,.0f} a second, {grown:,.0f} MB of memory, index {size:,.0f} MB", flush=True)
    print(*splits.account(), sep="\n", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--counts", default="100000,1000000")
    parser.add_argument("--one", type=int)
    parser.add_argument("--index", type=Path)
    options = parser.parse_args()
    if options.one is not None:
        measure(options.one, options.index)
        return
    for count in options.counts.split(","):
        with tempfile.TemporaryDirectory() as folder:
            command = ["--one", count, "--index", str(Path(folder) / "index")]
            subprocess.run([sys.executable, "-m", "tests.benchmarks.bench_splits", *command], check=True)


if __name__ == "__main__":
    main()
