"""Every class of errors of the repository, and further ones from a file."""

from __future__ import annotations

import runpy
from pathlib import Path

from tests.benchmarks.corruptions import answers, calls, exchanges, requests, results, set_aside, values
from tests.benchmarks.corruptions.corruption import Corruption

CLASSES: tuple[Corruption, ...] = (
    *exchanges.CLASSES,
    *values.CLASSES,
    *requests.CLASSES,
    *calls.CLASSES,
    *answers.CLASSES,
    *results.CLASSES,
    *set_aside.CLASSES,
)


def classes_of(file: Path) -> tuple[Corruption, ...]:
    """Return the classes of a file of Python, which names them CLASSES as the modules here do."""
    found = runpy.run_path(str(file))["CLASSES"]
    return tuple(Corruption(*each) for each in found)
