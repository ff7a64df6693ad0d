"""Records validated per second and core, JSON parsing included.

    python -m tests.benchmarks.bench_validate [--count 4000] [--rounds 5] [FILE.jsonl [CATALOG.json]]

Without a file the records are of the default mix over the bundled tools, made by `toolgen generate` and kept under
the temporary folder for the next time. Figures are CPU time, the best of several rounds, since wall times on shared
machines mean little: with every rule, without the rules of grounding, and as `toolgen validate` reads a file whose
format it finds out by itself.
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from generator.datasets.origin import any_format
from generator.domains.catalog import Catalog
from generator.garbage_collection import take_for_kept
from generator.validation.grounding.rules import CHECKS as GROUNDING
from generator.validation.rule_reference import choose_rules
from generator.validation.verdict import Standard, Tally
from tests.lines_of_records import check_lines

RECORDS = 4000
ROUNDS = 5
SEED = 7
OF_GROUNDING = list(GROUNDING)


def made_run(count: int = RECORDS) -> Path:
    """Return the folder of a run of the default mix over the bundled tools, made where it is not there yet."""
    folder = Path(tempfile.gettempdir()) / f"toolgen-benchmark-{count}-{SEED}"
    if not (folder / "records.jsonl").is_file():
        print(f"making {count:,} records in {folder} ...", file=sys.stderr)
        command = [sys.executable, "-m", "generator", "generate", "--count", str(count), "--seed", str(SEED)]
        made = subprocess.run([*command, "--out", str(folder)], capture_output=True, text=True, check=False)
        if not (folder / "records.jsonl").is_file():
            raise SystemExit(made.stderr)
    return folder


def made_lines(count: int = RECORDS) -> list[bytes]:
    """Return the lines of that run."""
    return (made_run(count) / "records.jsonl").read_bytes().splitlines(keepends=True)


def measure(lines: list[bytes], standards: dict[str, Standard], rounds: int) -> dict[str, tuple[float, Tally]]:
    """Return the best CPU seconds of a pass over the lines by each standard, taken in turns, and what was found."""
    data = b"".join(lines)
    best: dict[str, tuple[float, Tally]] = {}
    for _ in range(rounds):
        for name, standard in standards.items():
            tally = Tally()
            started = time.process_time()
            for _located in check_lines(io.BytesIO(data), tally, standard):
                continue
            seconds = time.process_time() - started
            best[name] = min(best.get(name, (seconds, tally)), (seconds, tally), key=lambda each: each[0])
    return best


def main(arguments: list[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("catalog", nargs="?", type=Path)
    parser.add_argument("--count", type=int, default=RECORDS)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args(arguments)
    folder = made_run(options.count) if options.file is None else None
    file = options.file if folder is None else folder / "records.jsonl"
    known = options.catalog if folder is None else folder / "catalog.json"
    catalog = Catalog.model_validate_json(known.read_bytes()) if known is not None else None
    lines = file.read_bytes().splitlines(keepends=True)
    held = partial(Standard, catalog, "written")
    standards = {
        "every rule": held(),
        "without the rules of grounding": held(rules=choose_rules((), OF_GROUNDING)),
        "every rule, the format found out": held(reader=any_format),
    }
    take_for_kept()  # as the command does
    size = sum(map(len, lines)) / len(lines)
    print(f"{len(lines):,} records of {size:,.0f} bytes")
    for name, (seconds, tally) in measure(lines, standards, options.rounds).items():
        figure = f"{len(lines) / seconds:,.0f} records/s/core, {seconds / len(lines) * 1e6:.1f} us of CPU each"
        print(f"  {name}: {figure}; {tally.errors} errors, {tally.warnings} warnings")


if __name__ == "__main__":
    main(sys.argv[1:])
