"""What a build costs where little changed: `python -m tests.benchmarks.bench_builds [--tools N] [--records N]`.

First over many tools, one of which changes: records and seconds of the whole and of the second build. Then over many
records with nothing changed: seconds of CPU, and by the clock, of the command in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory
from time import monotonic, process_time
from typing import Any

from generator.builds.build import BuildReport, Order, build
from generator.builds.settings import read_build

MIX = "{simple = 2, multiple = 2, parallel = 1, irrelevance = 1}"


def definition(number: int, more: str = "") -> dict[str, Any]:
    """One of many tools, alike but for their names."""
    schema = {"type": "object", "properties": {"name": {"type": "string", "description": "Its name"}}}
    name = f"find_part_{number}"
    return {"name": name, "description": f"Find part {number} of the store.{more}", "parameters": schema}


def job(folder: Path, tools: int, records: int, changed: int = -1) -> Path:
    """Write the tools and the job file."""
    written = [definition(number, " Changed." if number == changed else "") for number in range(tools)]
    (folder / "tools.json").write_text(json.dumps(written), encoding="utf-8")
    path = folder / "job.toml"
    text = f'name = "bench"\ntools = ["tools.json"]\ncount = {records}\nmix = {MIX}\n[gates]\nmin_records = 0\n'
    path.write_text(text, encoding="utf-8")
    return path


def timed(work: Callable[[], BuildReport]) -> tuple[BuildReport, float, float]:
    """Return what a build made, and the seconds of CPU and by the clock that it took."""
    cpu, clock = process_time(), monotonic()
    report = work()
    return report, process_time() - cpu, monotonic() - clock


def one_changed(folder: Path, tools: int, records: int) -> None:
    """Build over many tools, then with one of them changed."""
    for what, changed in (("all", -1), ("one tool changed", tools // 2)):
        order = Order(read_build(job(folder, tools, records, changed)), folder / "out")
        report, cpu, clock = timed(lambda order=order: build(order))  # type: ignore[misc]  # the default binds it
        manifest = report.manifest
        if manifest is None:
            raise SystemExit(f"{what}: nothing was built")
        share = manifest.attempts.records / manifest.records
        print(
            f"{tools:,} tools, {what}: {manifest.records:,} records, {manifest.attempts.records:,} made anew "
            f"({share:.2%}), {cpu:.1f} s of CPU, {clock:.1f} s"
        )


def nothing_changed(folder: Path, records: int) -> None:
    """Build many records, then ask for the same again, in a process of its own."""
    path = job(folder, 1000, records)
    report, cpu, clock = timed(lambda: build(Order(read_build(path), folder / "out")))
    made = report.manifest.records if report.manifest is not None else 0
    print(f"{made:,} records: {cpu:.1f} s of CPU, {clock:.1f} s")
    for _ in range(3):
        before, clock = resource.getrusage(resource.RUSAGE_CHILDREN), monotonic()
        command = [sys.executable, "-m", "generator", "build", str(path), "--out", str(folder / "out"), "--quiet"]
        run(command, check=True)
        after, clock = resource.getrusage(resource.RUSAGE_CHILDREN), monotonic() - clock
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"{made:,} records, nothing changed: {cpu:.2f} s of CPU, {clock:.2f} s")


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tools", type=int, default=1000)
    parser.add_argument("--over", type=int, default=5000, help="records over these tools")
    parser.add_argument("--records", type=int, default=50_000)
    options = parser.parse_args()
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        one_changed(Path(one), options.tools, options.over)
        nothing_changed(Path(other), options.records)


if __name__ == "__main__":
    main()
