"""Checking data sets of any size in one process or several: findings in the order of the lines, and calls expected.

A file that shows tools and yields no call was most likely not understood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from generator.datasets.origin import Origin, find_origins
from generator.engines.pool import work_in_order
from generator.validation.lines import Batch, Findings, OncePerDataSet, batches, check_batch, read_lines
from generator.validation.verdict import Mode, Standard, Tally


@dataclass(frozen=True, slots=True)
class Task:
    """One stream of lines, and what they are held to."""

    origin: Origin
    standard: Standard

    @property
    def lacks_catalog(self) -> bool:
        """Whether nothing says what results are to be like."""
        return self.standard.catalog is None and self.standard.judge is None


def tasks_of(names: Iterable[str], answers: str | None, standard: Standard) -> list[Task]:
    """Return the tasks of checking everything that some names mean; `answers` are those of a benchmark.

    All records of a run are held to the rules of what is written, also those without metadata.
    """
    is_plain = standard.judge is not None
    found = [origin for name in names for origin in find_origins(name, answers, line_by_line=is_plain)]
    return [_task(origin, standard) for origin in found]


def _task(origin: Origin, standard: Standard) -> Task:
    mode: Mode = "written" if standard.mode == "auto" and origin.is_run else standard.mode
    return Task(origin, replace(standard, mode=mode, catalog=standard.catalog or origin.catalog))


@dataclass(frozen=True, slots=True)
class _Checker:
    """Checks batches of any of the tasks; it travels to other processes."""

    standards: tuple[Standard, ...]

    def __call__(self, given: tuple[int, Batch]) -> tuple[int, Findings]:
        number, batch = given
        return number, check_batch(batch, self.standards[number])


def check_all(tasks: Sequence[Task], jobs: int = 1) -> Iterator[tuple[Origin, Findings]]:
    """Check every line of every origin; yield what was found, batch by batch, in their order.

    What is yielded does not depend on `jobs`, the number of processes.

    Raises:
        StorageError: an origin cannot be read (to its end); what was found before has been yielded.
        UsageError: an origin cannot be unpacked for want of a package.
        EngineError: a process was lost.
    """
    checker = _Checker(tuple(task.standard for task in tasks))
    once = [OncePerDataSet() for _ in tasks]
    for number, findings in work_in_order(checker, _batches(tasks), jobs):
        yield tasks[number].origin, once[number](findings)


def _batches(tasks: Sequence[Task]) -> Iterator[tuple[int, Batch]]:
    for number, task in enumerate(tasks):
        with task.origin.open() as stream:
            for batch in batches(read_lines(stream)):
                yield number, batch


Expected = Literal["some", "none", "any"]
EXPECTED: tuple[Expected, ...] = ("some", "none", "any")


def unmet(name: str, tally: Tally, expected: Expected) -> str:
    """Say in which way one input disappoints what is expected of its calls; "" where it does not.

    Records that say of themselves that their kind is one without calls are no disappointment.
    """
    if expected == "none" and tally.calls:
        return f"{name}: {_count(tally.calls, 'call')} read, where none was expected (--expect-calls none)"
    if expected == "some" and tally.silent and not tally.calls:
        shown = _count(tally.tools, "tool")
        return (
            f"{name}: {shown} shown in {_count(tally.silent, 'record')}, and not one call was read: "
            "either it is not understood, or it holds none; then say --expect-calls none"
        )
    return ""


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"


def account(tally: Tally) -> str:
    """Say what was read, and what was not."""
    read = [_count(tally.calls, "call"), _count(tally.results, "result"), _count(tally.tools, "tool")]
    columns = ", ".join(f"{name} ({count:,})" for name, count in sorted(tally.columns.items()))
    return f"read {', '.join(read)}" + (f"; not looked into: {columns}" if columns else "")
