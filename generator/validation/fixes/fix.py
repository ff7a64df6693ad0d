"""What a fix is: one small function that mends what some rules find, in a record that it may change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from generator.jsontext import JsonObject


@dataclass(frozen=True, slots=True)
class Fix:
    """One mend. Its function changes the record it is given, whatever JSON that holds, and never raises."""

    name: str
    summary: str
    """What it does, in one line."""
    codes: tuple[str, ...]
    """The rules whose findings it mends."""
    mend: Callable[[JsonObject], None]
    loses: str = ""
    """What may be lost or changed in meaning; "" for a fix that is safe. The others run where they are asked for."""

    @property
    def is_safe(self) -> bool:
        """Whether the record means what it meant before."""
        return not self.loses
