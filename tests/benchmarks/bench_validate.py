"""Records validated per second and core, JSON parsing included.

    python -m tests.benchmarks.bench_validate [FILE.jsonl] [CATALOG.json]

Without a file the records are those of the tests, of every kind, with further tools up to 3.4 kB a line; the
figures are CPU time, the best of several rounds, since wall times on shared machines mean little.
"""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

from generator.domains.catalog import Catalog
from generator.jsontext import JsonObject, dump_line
from generator.validation.lines import check_lines
from generator.validation.rulebook import choose_rules
from generator.validation.standard import Standard
from generator.validation.tally import Tally
from tests.record_examples import CATALOG, KINDS

LINE_BYTES = 3400
RECORDS = 6000
ROUNDS = 5


def distractor(number: int) -> JsonObject:
    """A tool of the usual size that nothing calls."""
    properties = {
        f"field_{part}": {"type": "string", "description": "Narrows the search by one more field of the entry."}
        for part in range(4)
    }
    description = "Search the entries of an archive by their fields, newest entries first, with a limit."
    parameters = {"type": "object", "properties": properties, "required": ["field_0"]}
    name = f"search_archive_{number}"
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def made_lines() -> list[bytes]:
    """Lines of about LINE_BYTES: records of every kind but `simple`, which shows one tool, with distractors."""
    lines = []
    for number in range(RECORDS):
        name, make = list(KINDS.items())[number % len(KINDS)]
        document = make()
        while name not in ("simple", "failed") and len(dump_line(document)) < LINE_BYTES:
            document["tools"].append(distractor((number + len(document["tools"])) % 300))
        document["messages"][1]["content"] += f" Number {number}."
        if name in ("simple", "failed"):
            document["messages"][1]["content"] += " I would like to know it well before I leave." * 40
        lines.append(dump_line(document))
    return lines


def measure(lines: list[bytes], catalog: Catalog | None, ignored: tuple[str, ...] = ()) -> tuple[float, Tally]:
    """Return the best CPU seconds of a pass over the lines, and what was found; ignored rules are not asked."""
    standard = Standard(catalog, "written", rules=choose_rules((), ignored))
    best, tally = float("inf"), Tally()
    for _ in range(ROUNDS):
        tally = Tally()
        started = time.process_time()
        for _located in check_lines(io.BytesIO(b"".join(lines)), tally, standard):
            continue
        best = min(best, time.process_time() - started)
    return best, tally


def main(arguments: list[str]) -> None:
    """Measure and print."""
    if arguments:
        lines = Path(arguments[0]).read_bytes().splitlines(keepends=True)[:RECORDS]
        catalog = Catalog.model_validate_json(Path(arguments[1]).read_bytes()) if len(arguments) > 1 else None
    else:
        lines, catalog = made_lines(), CATALOG
    size = sum(map(len, lines)) / len(lines)
    for what, ignored in (("every rule", ()), ("without the rules of grounding", ("TC20",))):
        seconds, tally = measure(lines, catalog, ignored)
        print(f"{len(lines)} records of {size:.0f} bytes, {tally.errors} errors, {tally.warnings} warnings, {what}:")
        print(f"  {len(lines) / seconds:,.0f} records/s/core, {seconds / len(lines) * 1e6:.1f} us of CPU each")


if __name__ == "__main__":
    main(sys.argv[1:])
