"""Node: one schema object while it is being read, and the notes of what was found in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Literal

from generator.jsontext import JsonObject, JsonValue, dump_compact, pointer
from generator.schemas.keywords import Path

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


@dataclass(slots=True)
class Node:
    """One schema object, a copy that steps may change; `path` is where it stood in the file."""

    schema: JsonObject
    path: Path
    notes: list[Note]
    origins: dict[str, Path] = field(default_factory=dict)
    """Where the value of a keyword stood, for keywords that were renamed."""
    branches: bool = False
    """Whether `anyOf` was made from what the object itself said."""

    def note(self, level: Level, message: str, *parts: str | int, remedy: str = "") -> None:
        """Note something about the object, or about a part of it."""
        self.notes.append(Note(pointer((*self.path, *parts)), level, message, remedy))

    def rename(self, old: str, new: str) -> None:
        """Give a keyword its name of today, at the end of the object."""
        self.schema[new] = self.schema.pop(old)
        self.origins[new] = (*self.path, old)

    def unfold(self) -> None:
        """Say that the branches of `anyOf` stood where the object itself stands."""
        self.branches = True

    def old_path(self, keyword: str, *parts: str | int) -> Path:
        """Return where a part of a keyword stood in the file."""
        if keyword == "anyOf" and self.branches:
            return self.path
        return (*self.origins.get(keyword, (*self.path, keyword)), *parts)


Step = Callable[[Node], None]
"""One change, or one check, of one schema object."""


def shown(value: JsonValue, length: int = 60) -> str:
    """Return a value as a message shows it: compact JSON, cut."""
    text = dump_compact(value)
    return text if len(text) <= length else text[: length - 3] + "..."
