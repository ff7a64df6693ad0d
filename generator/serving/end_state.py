"""How the world of a record ended: what changed in it, and by which calls; compared with how the record left it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from generator.jsontext import JsonObject, dump_compact

_LONGEST_CALL = 200
_MOST_TOLD = 3


@dataclass(frozen=True, slots=True)
class Deed:
    """A call that changed the world, or may have."""

    place: int | None
    """The number of the record's call that it is, among all calls of the record; None for a call that is none."""
    turn: int
    """The number of the assistant's turn that has this call in the record; -1 for none."""
    name: str
    arguments: JsonObject

    def __str__(self) -> str:
        text = f"{self.name}({dump_compact(self.arguments)})"
        return text if len(text) <= _LONGEST_CALL else f"{text[:_LONGEST_CALL]}...)"


@dataclass(frozen=True, slots=True)
class EndState:
    """The state in which calls left the world of a record."""

    is_remade: bool
    """Whether it is that of the record's own world; otherwise what changed is told by the calls alone."""
    digest: str
    """16 hex digits of the state of every row; "" where the world is only like the record's."""
    changes: tuple[JsonObject, ...]
    """Each change of a row: `change`, `entity`, `id`, `before`, `after`; none where the world is only like it."""
    deeds: tuple[Deed, ...]

    def difference(self, own: EndState) -> str:
        """Say how this state differs from the record's own; "" where it is the same.

        Calls of one turn may come in any order, and calls that change nothing count for nothing.
        """
        if self.digest and self.digest == own.digest:
            return ""
        needless = [each for each in self.deeds if each.place is None or each.place not in _places(own.deeds)]
        made = Counter(each.place for each in self.deeds)
        again = [each for each in own.deeds if made[each.place] > 1]
        missing = [each for each in own.deeds if not made[each.place]]
        told = [
            _told("it was left undone", missing),
            _told("it was done besides", needless),
            _told("it was done more than once", again),
        ]
        if any(told):
            return "; ".join(filter(None, told))
        turns = [each.turn for each in self.deeds]
        return "" if turns == sorted(turns) else "what was done came in another order"


def _places(deeds: Sequence[Deed]) -> set[int | None]:
    return {each.place for each in deeds}


def _told(what: str, deeds: Sequence[Deed]) -> str:
    if not deeds:
        return ""
    more = f" and {len(deeds) - _MOST_TOLD:,} more" if len(deeds) > _MOST_TOLD else ""
    return f"{what}: {', '.join(map(str, deeds[:_MOST_TOLD]))}{more}"
