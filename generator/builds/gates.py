"""Gates: what a build must fulfil to be published, each told with what it is and what it asks for."""

from __future__ import annotations

from collections.abc import Iterator

from generator.builds.manifest import Manifest
from generator.builds.settings import GateSettings
from generator.job import Job
from generator.scenarios.planner import Planner


def missed_gates(gates: GateSettings, build: Manifest, asked: int) -> tuple[str, ...]:
    """Return the gates that a build misses, in words; `asked` records were asked for."""
    return tuple(_missed(gates, build, asked))


def _missed(gates: GateSettings, build: Manifest, asked: int) -> Iterator[str]:
    fewest = asked if gates.min_records is None else gates.min_records
    if build.records < fewest:
        yield f"min_records: {build.records:,} records, and {fewest:,} are the fewest"
    for kind, least in gates.min_of_kind.items():
        there = build.kinds[kind].records if kind in build.kinds else 0
        if there < least:
            yield f"min_of_kind.{kind}: {there:,} records, and {least:,} are the fewest"
    tried = build.attempts
    if tried.all:
        yield from _below("min_yield", tried.records / tried.all, gates.min_yield)
        yield from _above("max_rejection_rate", tried.rejected / tried.all, gates.max_rejection_rate)
        yield from _above("max_duplicate_rate", tried.duplicates / tried.all, gates.max_duplicate_rate)
    if build.records:
        yield from _above("max_derived_share", build.derived / build.records, gates.max_derived_share)
    for name, count in build.unwritten.items():
        if count:
            yield f"formats: {count:,} records cannot be written as {name}"


def _below(name: str, rate: float, least: float | None) -> Iterator[str]:
    if least is not None and rate < least:
        yield f"{name}: {rate:.4f}, and {least:g} is the least"


def _above(name: str, rate: float, most: float | None) -> Iterator[str]:
    if most is not None and rate > most:
        yield f"{name}: {rate:.4f}, and {most:g} is the most"


def unreachable_gates(gates: GateSettings, job: Job, planner: Planner) -> tuple[str, ...]:
    """Return the gates that no build of this job can pass, in words."""
    return tuple(_unreachable(gates, job, planner))


def _unreachable(gates: GateSettings, job: Job, planner: Planner) -> Iterator[str]:
    if gates.min_records is not None and gates.min_records > job.count:
        yield f"gates.min_records: {gates.min_records:,}, and count asks for {job.count:,}"
    planned = planner.counts(job.count)
    for kind, least in gates.min_of_kind.items():
        if least > planned[kind]:
            why = f"; {kind} {planner.dropped[kind]}" if kind in planner.dropped else ""
            yield f"gates.min_of_kind.{kind}: {least:,}, and {planned[kind]:,} are planned{why}"
