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
    """Return what is found of a record in a mode."""
    if mode == "bare":
        record = {key: value for key, value in record.items() if key != "metadata"}
    return check(record, generated=mode == "written")


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
    """Return that many records of a class, as far as it applies, from sources and kinds in turn."""
    found: list[Corrupted] = []
    more: list[Corrupted] = []
    fair = Counter[str]()
    for base in mixed(bases, Random(f"{seed} {corruption.name}")):
        if len(found) == count:
            break
        if fair[base.source] == -(-count // FEWEST_SOURCES) and len(more) >= count:
            continue
        rng = Random(f"{seed} {corruption.name} {base.name}")
        line = json.dumps(base.record)  # several times as fast as a deep copy
        record = corruption.apply(json.loads(line), rng)
        if (
            record is None
            or record in (base.record, *(each.record for each in found))
            or breaks_form(record, base.record)
        ):
            continue
        fair[base.source] += 1
        (found if fair[base.source] <= -(-count // FEWEST_SOURCES) else more).append(Corrupted(base, record))
    return (found + more)[:count]


def caught(made: Sequence[Corrupted], mode: str) -> Caught:
    """Return what is found of records of one class."""
    total = Caught(records=len(made))
    for base, record in made:
        found = new_findings(record, base.record, mode)
        if found:
            total.surest[min((each.severity for each in found), key=SEVERITIES.index)] += 1
        total.rules.update({each.rule for each in found})
    return total


def false_alarms(bases: Iterable[Base], mode: str) -> dict[str, Counter[tuple[str, str]]]:
    """Return by source how many good records have findings, by rule and severity; under ("", "") stand all."""
    total: dict[str, Counter[tuple[str, str]]] = {}
    for base in bases:
        found = violations(base.record, mode)
        here = total.setdefault(base.source, Counter())
        here["", ""] += 1
        here.update({(each.rule, str(each.severity)) for each in found})
        if found:
            here["any", min((str(each.severity) for each in found), key=list(SEVERITIES).index)] += 1
    return total
