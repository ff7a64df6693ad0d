"""What a corruption is: a named way to break the label of a good record and to keep its shape."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

Json = Any  # parsed JSON
Corrupt = Callable[[Json, Random], Json | None]


class Corruption(NamedTuple):
    """One class of errors. `apply` may change the record it is given, which is a copy, and returns it or another one.

    It returns None where it does not apply: above all where a careful reader could not be sure that the record is
    wrong afterwards.
    """

    name: str
    family: str
    wrong: str
    """What is wrong with the records it makes, in one line."""
    apply: Corrupt
