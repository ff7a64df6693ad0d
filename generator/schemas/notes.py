"""Note: what reading a schema found, changed or could not keep."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Level = Literal["changed", "lost", "advice", "deviation", "error"]
"""What a note means for the definition.

changed, lost: loading made the definition fit for its consumers. advice: a recommendation is not followed.
deviation: a rule is broken but there is one safe reading; strict loading refuses it. error: unusable.
"""


@dataclass(frozen=True, slots=True)
class Note:
    """One finding; `pointer` is a JSON pointer relative to what was read."""

    pointer: str
    level: Level
    message: str
    remedy: str = ""
    code: str = ""
    """The code of the rule that was broken, e.g. `ADM233`; "" where no rule of a specification was."""


def under(prefix: str, notes: Iterable[Note]) -> list[Note]:
    """Return the notes with their pointers put under a prefix."""
    return [replace(note, pointer=prefix + note.pointer) for note in notes]
