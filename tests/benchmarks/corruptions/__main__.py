"""The benchmark's command; see the package."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tests.benchmarks.corruptions.bases import Base, all_bases
from tests.benchmarks.corruptions.classes import CLASSES, classes_of
from tests.benchmarks.corruptions.keeping import kept
from tests.benchmarks.corruptions.measuring import (
    MODES,
    Caught,
    Corrupted,
    caught,
    corrupted,
    false_alarms,
    new_findings,
)
from tests.benchmarks.corruptions.tables import alarms_table, families, full_table, short_table
from tests.shared_data import SHARED


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.corruptions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--per-class", type=int, default=20, help="records of each class")
    parser.add_argument("--bases", type=int, default=400, help="good records written offline")
    parser.add_argument("--without-metadata", action="store_true", help="read bare records alone")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, help="keep the figures in this file: generator/assets/measured.json")
    parser.add_argument("--table", action="store_true", help="the short table alone")
    parser.add_argument("--classes", type=Path, action="append", default=[], help="a file with further classes")
    parser.add_argument("--only", action="append", default=[], help="these classes alone")
    parser.add_argument("--good", type=Path, action="append", default=[], help="a file with further good records")
    parser.add_argument(
        "--bfcl", type=Path, default=SHARED / "corpus" / "bfcl_gold", help="the folder with BFCL's files"
    )
    parser.add_argument("--show", action="store_true", help="print the corrupted records and what was found of them")
    return parser.parse_args()


def as_json(measured: dict[str, dict[str, Caught]], alarms: dict[str, object]) -> str:
    """Return everything as one object."""
    told = {
        name: {
            mode: {"records": each.records, **each.surest, "rules": dict(each.rules)} for mode, each in modes.items()
        }
        for name, modes in measured.items()
    }
    return json.dumps({"classes": told, "false_alarms": alarms}, indent=1)


def main() -> None:
    """Measure and print."""
    asked = options()
    modes = MODES[-1:] if asked.without_metadata else MODES
    classes = [*CLASSES, *(each for file in asked.classes for each in classes_of(file))]
    classes = [each for each in classes if not asked.only or each.name in asked.only]
    bases: list[Base] = all_bases(asked.seed, asked.bases, asked.bfcl, asked.good)
    made = {each.name: corrupted(each, bases, asked.per_class, asked.seed) for each in classes}
    if asked.show:
        show(made, modes[-1])
        return
    measured = {name: {mode: caught(records, mode) for mode in modes} for name, records in made.items()}
    alarms = {mode: false_alarms(bases, mode) for mode in modes}
    by_family = families({each.name: each.family for each in classes}, measured)
    if asked.write:
        figures = kept({each.name: each.wrong for each in classes}, measured, by_family, alarms)
        asked.write.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if asked.json:
        told = {
            m: {s: {" ".join(k).strip() or "records": n for k, n in c.items()} for s, c in a.items()}
            for m, a in alarms.items()
        }
        print(as_json({**measured, **by_family}, told))
    elif asked.table:
        print(short_table(measured, by_family))
    else:
        print(full_table({each.name: each.wrong for each in classes}, measured, by_family))
        print(alarms_table(alarms))
        if not asked.bfcl.is_dir():
            print(f"BFCL left out: there is no {asked.bfcl.name} beside the checkout; --bfcl names the folder.")


def show(made: dict[str, list[Corrupted]], mode: str) -> None:
    """Print each corrupted record as a conversation, with what was found of it."""
    for name, records in made.items():
        for base, record in records:
            print(f"\n### {name}: {base.source}, {base.name} ({base.kind})")
            for message in record["messages"]:
                for call in message.get("tool_calls", ()):
                    arguments = json.dumps(call["function"]["arguments"], ensure_ascii=False)
                    print(f"  call {call['function']['name']} {arguments}")
                if message["role"] != "system" and message.get("content"):
                    print(f"  {message['role']}: {message['content'][:700]}")
            for each in new_findings(record, base.record, mode):
                print(f"  -> {each.severity} {each.rule} {each.message[:160]}")


if __name__ == "__main__":
    main()
