"""What a turn of an exam costs here: CPU of the whole `toolgen evaluate` process, the server being in another one.

    python -m tests.benchmarks.bench_evaluate [--records 2000] [--small 200] [--latency 0.0]

The server answers every turn rightly. "A further turn" is the difference to the small exam, which leaves out the start;
"with the start" is all that the process took, divided by its turns.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.run_processes import start

CHECKOUT = Path(__file__).resolve().parents[2]


def measure(records: Path, out: Path, url: str) -> tuple[int, float, float]:
    """Hold an exam and return its turns, the seconds of CPU and the seconds that it took."""
    command = [sys.executable, "-m", "generator", "evaluate", str(records), "--model", "m", "--base-url", url]
    began = time.monotonic()
    process = subprocess.Popen(
        [*command, "--out", str(out), "--quiet"], cwd=CHECKOUT, env={**os.environ, "OPENAI_API_KEY": "none"}
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"the exam ended with {process.returncode}")
    exam = json.loads((out / "exam.json").read_text(encoding="utf-8"))
    right = exam["models"][0]["figures"]["metrics"]["right"]
    if right["count"] != right["of"]:
        raise SystemExit(f"only {right['count']:,} of {right['of']:,} turns are right")
    return right["of"], usage.ru_utime + usage.ru_stime, time.monotonic() - began


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--records", type=int, default=2000)
    options.add_argument("--small", type=int, default=200)
    options.add_argument("--latency", type=float, default=0.0)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run, small = Path(folder) / "run", Path(folder) / "small.jsonl"
        command = [sys.executable, "-m", "generator", "generate", "--count", str(given.records), "--out", str(run)]
        subprocess.run([*command, "--quiet"], cwd=CHECKOUT, check=True)
        lines = (run / "records.jsonl").read_bytes().splitlines(keepends=True)
        small.write_bytes(b"".join(lines[: given.small]))
        served = [sys.executable, "-m", "tests.exam_server", str(run / "records.jsonl")]
        process = start([*served, "--latency", str(given.latency)])
        try:
            assert process.stdout is not None
            url = f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
            few, few_cpu, _ = measure(small, Path(folder) / "few", url)
            many, cpu, wall = measure(run, Path(folder) / "many", url)
        finally:
            process.kill()
            process.communicate()
    further = (cpu - few_cpu) / (many - few) * 1000
    print(
        f"{many:,} turns of {given.records:,} records: {further:.2f} ms CPU a further turn, "
        f"{cpu / many * 1000:.2f} ms with the start; wall {wall:.1f} s"
    )


if __name__ == "__main__":
    main()
