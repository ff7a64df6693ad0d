"""Checking data sets of any size in one process or several: the findings come in the order of the lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.runs.in_order import work_in_order
from generator.runs.origin import Origin
from generator.validation.lines import Batch, Findings, Once, batches, check_batch, read_lines
from generator.validation.standard import Standard


@dataclass(frozen=True, slots=True)
class Task:
    """One stream of lines, and what they are held to."""

    origin: Origin
    standard: Standard


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
    once = [Once() for _ in tasks]
    for number, findings in work_in_order(checker, _batches(tasks), jobs):
        yield tasks[number].origin, once[number](findings)


def _batches(tasks: Sequence[Task]) -> Iterator[tuple[int, Batch]]:
    for number, task in enumerate(tasks):
        with task.origin.open() as stream:
            for batch in batches(read_lines(stream)):
                yield number, batch
