"""Classes of errors that were set aside until the rules stood: nobody had seen them who wrote a rule."""

from __future__ import annotations

from tests.benchmarks.corruptions.corruption import Corruption
from tests.benchmarks.corruptions.set_aside import answers, calls, exchanges, requests, results, values

CLASSES: tuple[Corruption, ...] = (
    *exchanges.CLASSES,
    *values.CLASSES,
    *requests.CLASSES,
    *calls.CLASSES,
    *answers.CLASSES,
    *results.CLASSES,
)
