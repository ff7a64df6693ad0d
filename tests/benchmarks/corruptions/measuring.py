"""What the examiner finds of corrupted records, beyond what it finds of the good ones."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

from generator.validation import Violation, check
from generator.validation.verdict import SEVERITIES, Severity
from tests.benchmarks.corruptions.bases import Base, mixed
from tests.benchmarks.corruptions.corruption import Corruption

Json = Any  # parsed JSON
FORM = ("DF", "OA", "ADM")
FEWEST_SOURCES = 5
"""No source gives more than its share of a class, where the others have enough."""
MODES = ("written", "read", "bare")


class Corrupted(NamedTuple):
    """A good record and what became of it."""

    base: Base
    record: Json


@dataclass(slots=True)
class Caught:
    """Of one class in one mode: how many records, and how many of them have a new finding of which sureness."""

    records: int = 0
    surest: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)

    def at_least(self, severity: Severity) -> int:
        """Return how many have a finding that is at least as sure."""
        return sum(self.surest[each] for each in SEVERITIES[: SEVERITIES.index(severity) + 1])

    def __add__(self, other: Caught) -> Caught:
        return Caught(self.records + other.records, self.surest + other.surest, self.rules + other.rules)


def violations(record: Json, mode: str) -> list[Violation]:
    """Return what is found of a record in a mode; only what toolgen wrote is held to what it writes."""
    if mode == "bare":
        record = {key: value for key, value in record.items() if key != "metadata"}
    return check(record, generated=mode == "written" and is_written(record))


def is_written(record: Json) -> bool:
    """Say whether a record is one of toolgen's own, by its metadata."""
    return "toolgen_version" in (record.get("metadata") or {})


def new_findings(record: Json, good: Json, mode: str) -> list[Violation]:
    """Return what a rule finds of a record, and of the good one neither at the same place nor in the same words."""
    known: dict[tuple[str, str], int] = {}
    for each in violations(good, mode):
        for mark in (each.pointer, each.message):
            key = (each.rule, mark)
            known[key] = min(known.get(key, len(SEVERITIES)), SEVERITIES.index(each.severity))
    return [
        each
        for each in violations(record, mode)
        if all(
            known.get((each.rule, mark), 9) > SEVERITIES.index(each.severity) for mark in (each.pointer, each.message)
        )
    ]


def breaks_form(record: Json, good: Json) -> bool:
    """Say whether a record breaks a rule of the written formats that the good one keeps."""
    return any(each.rule.startswith(FORM) for each in new_findings(record, good, "written"))


def corrupted(corruption: Corruption, bases: Iterable[Base], count: int, seed: int) -> list[Corrupted]:
    """Return that many records of a class, as far as it applies, from sources and kinds in turn.

    Where too few good records serve, they serve once more, as long as something else becomes of them.
    """
    order = mixed(bases, Random(f"{seed} {corruption.name}"))
    share = -(-count // FEWEST_SOURCES)
    found: list[Corrupted] = []
    more: list[Corrupted] = []
    taken = Counter[str]()
    for turn in (1, 2):
        for base in order:
            if len(found) == count or (turn == 2 and len(found) + len(more) >= count):
                break
            if taken[base.source] >= share and len(more) >= count:
                continue
            record = _apply(corruption, base, f"{seed} {corruption.name} {base.name} {turn}")
            if record is not None and all(record != each.record for each in (*found, *more)):
                (found if taken[base.source] < share else more).append(Corrupted(base, record))
                taken[base.source] += 1
    return (found + more)[:count]


def _apply(corruption: Corruption, base: Base, chance: str) -> Json | None:
    """Return what becomes of a good record; None where the class does not apply or the record loses its form."""
    line = json.dumps(base.record)  # several times as fast as a deep copy
    record = corruption.apply(json.loads(line), Random(chance))
    return None if record is None or record == base.record or breaks_form(record, base.record) else record


def caught(made: Sequence[Corrupted], mode: str) -> Caught:
    """Return what is found of records of one class."""
    total = Caught(records=len(made))
    for base, record in made:
        found = new_findings(record, base.record, mode)
        if found:
            total.surest[min((each.severity for each in found), key=SEVERITIES.index)] += 1
        total.rules.update({each.rule for each in found})
    return total


def is_of_meaning(rule: str) -> bool:
    """Say whether a rule speaks of what a record means; the others speak of its form."""
    return rule == "TC114" or rule.startswith("TC2")


def false_alarms(bases: Iterable[Base], mode: str) -> dict[str, Counter[tuple[str, str]]]:
    """Return by source how many good records have findings, by rule and severity; under ("", "") stand all."""
    total: dict[str, Counter[tuple[str, str]]] = {}
    for base in bases:
        found = violations(base.record, mode)
        if mode == "written" and not is_written(base.record):
            continue
        here = total.setdefault(base.source, Counter())
        here["", ""] += 1
        here.update({(each.rule, str(each.severity)) for each in found})
        if found:
            here["any", min((str(each.severity) for each in found), key=list(SEVERITIES).index)] += 1
        meant = [str(each.severity) for each in found if is_of_meaning(each.rule)]
        if meant:
            here["meaning", min(meant, key=list(SEVERITIES).index)] += 1
        elif found:
            here["form", ""] += 1
    return total
