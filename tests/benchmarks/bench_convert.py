"""Records converted per second, and the memory it takes.

    python -m tests.benchmarks.bench_convert [--lines 10000] [--memory]

The records are those of bench_validate; figures are CPU time of one core, reading, parsing, recognising and writing
included, the best of several rounds. `--memory` converts ten thousand and a million lines in processes of their own
and prints the peak of each.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import time

from generator.datasets.conversion import Conversion
from generator.formats.recognition import WRITTEN
from generator.formats.writing import Shaping
from generator.validation.lines import batches, read_lines
from tests.benchmarks.bench_validate import made_lines

ROUNDS = 3
PAIRS = [("", "openai"), ("", "deepfabric"), ("deepfabric", "openai"), ("openai", "deepfabric"), ("", "llamafactory")]
PAIRS += [
    ("", "qwen3"),
    ("", "qwen3-text"),
    ("", "hermes"),
    ("", "anthropic"),
    ("", "gemini"),
    ("", "adm"),
    ("", "trl"),
]
"""What is measured: the format read, "" for whichever it is, and the one written."""
CHILD = """
import sys
from generator.cli import main
code = main(["convert", "-", "--to", "openai", "-o", "/dev/null"])
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1])
sys.exit(code)
"""


def measure(lines: list[bytes], source: str, target: str) -> float:
    """Return the best CPU seconds of converting the lines."""
    data, conversion = b"".join(lines), Conversion(source, Shaping(WRITTEN[target]))
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.process_time()
        written = sum(conversion(batch).written for batch in batches(read_lines(io.BytesIO(data))))
        best = min(best, time.process_time() - started)
        assert written == len(lines)
    return best


def in_format(lines: list[bytes], name: str) -> list[bytes]:
    """Return the lines in a format."""
    conversion = Conversion("deepfabric", Shaping(WRITTEN[name or "deepfabric"]))
    return conversion(list(enumerate(lines, 1))).lines.splitlines(keepends=True)


def peak(lines: list[bytes], count: int) -> int:
    """Return the peak memory, in MB, of converting so many lines in a process of its own (Linux)."""
    child = subprocess.Popen([sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdin is not None
    assert child.stdout is not None
    for start in range(0, count, len(lines)):
        child.stdin.write(b"".join(lines[: count - start]))
    child.stdin.close()
    said = child.stdout.read()
    assert child.wait() == 0
    return int(said) // 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=6000)
    parser.add_argument("--memory", action="store_true")
    options = parser.parse_args()
    lines = made_lines()[: options.lines]
    print(f"{len(lines)} records of {sum(map(len, lines)) / len(lines):.0f} bytes")
    for source, target in PAIRS:
        seconds = measure(in_format(lines, source), source, target)
        print(f"{source or 'auto':>12} to {target:<14} {len(lines) / seconds:>8,.0f} records/s/core")
    if options.memory:
        for count in (10_000, 1_000_000):
            print(f"{count:>9,} lines: peak {peak(lines, count)} MB")


if __name__ == "__main__":
    main()
