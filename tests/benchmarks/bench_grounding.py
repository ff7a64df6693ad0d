"""CPU per record of the grounding rules alone: arguments and answers, the view of the record already at hand.

    python -m tests.benchmarks.bench_grounding [RECORDS.jsonl]

Without a file the records are made offline from the bundled tools with the default mix, and so are grounded; with
one value of each changed the slow levels of evidence are measured as well. The best of several rounds.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import orjson

from generator import generate_records, load_tools
from generator.assets import asset_folder
from generator.jsontext import JsonObject
from generator.validation.grounding.rules import CHECKS
from generator.validation.view import RecordView

RECORDS = 2000
ROUNDS = 5


def made() -> list[JsonObject]:
    """Records over the bundled tools."""
    tools = load_tools(asset_folder("tool_specs"))
    return [record.to_dict() for record in generate_records(tools, count=RECORDS, seed=7, attempts=48)]


def with_a_wrong_value(document: JsonObject) -> JsonObject:
    """The record with the first string of its first call changed, so that no level explains it."""
    changed: JsonObject = orjson.loads(orjson.dumps(document))
    for message in changed["messages"]:
        for call in message.get("tool_calls", ()):
            arguments = call["function"]["arguments"]
            for name, value in arguments.items():
                if isinstance(value, str):
                    arguments[name] = "Ouagadougou Central"
                    return changed
    return changed


def seconds_of(documents: list[JsonObject]) -> float:
    """Return the CPU seconds of asking every rule of every record, one record after the other."""
    best = float("inf")
    for _ in range(ROUNDS):
        spent = 0.0
        for document in documents:
            view = RecordView(document)
            started = time.process_time()
            for rule in CHECKS.values():
                if not rule.scope or getattr(view, rule.scope):
                    for _finding in rule.find(view):
                        continue
            spent += time.process_time() - started
        best = min(best, spent)
    return best


def main(arguments: list[str]) -> None:
    """Measure and print."""
    lines = Path(arguments[0]).read_bytes().splitlines()[:RECORDS] if arguments else None
    documents = made() if lines is None else [orjson.loads(line) for line in lines]
    for what, held in (("as they are", documents), ("one value wrong", [*map(with_a_wrong_value, documents)])):
        print(f"{what}: {seconds_of(held) / len(held) * 1e6:.1f} us of CPU per record, {len(held)} records")


if __name__ == "__main__":
    main(sys.argv[1:])
