"""What `toolgen fixtures` costs: CPU and wall time of the whole command, which makes and writes 100 records.

    python -m tests.benchmarks.bench_fixtures [FILES]

Without files it takes those of the README. Bytecode is kept, as an installation has it, in a folder of its own.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.checkout import CHECKOUT
from tests.readmes import make_desk

COUNT = 100
ROUNDS = 10


def run(files: list[str], place: Path, number: int) -> tuple[float, float]:
    """CPU and wall seconds of one run, into a folder that is not there yet."""
    command = [sys.executable, "-m", "generator", "fixtures", *files, "-o", f"data{number}", "--count", str(COUNT)]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": str(CHECKOUT), "PYTHONPYCACHEPREFIX": str(place / "bytecode")}
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, cwd=place, env=environment, check=True, capture_output=True)
    took, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, took


def main() -> None:
    """Measure and print."""
    files = [str(Path(name).absolute()) for name in sys.argv[1:]] or ["my_tools.json"]
    with tempfile.TemporaryDirectory() as folder:
        place = make_desk(Path(folder))
        run(files, place, 0)  # writes the bytecode
        rounds = [run(files, place, number) for number in range(1, ROUNDS + 1)]
    cpu, wall = (min(each) for each in zip(*rounds, strict=True))
    print(f"{COUNT} records over {', '.join(map(os.path.basename, files))}: {cpu:.2f} s CPU, {wall:.2f} s in all")


if __name__ == "__main__":
    main()
