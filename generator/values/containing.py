"""What `contains` asks of a list: which of its positions serve it, and which must not."""

from __future__ import annotations

from generator.errors import GaveUp
from generator.jsontext import JsonObject, JsonValue
from generator.values.compiling import Compiling
from generator.values.draw import Draw, Maker
from generator.values.hints import Hint
from generator.values.merging import merged

_MOST_CONTAINED = 50_000


class Containing:
    """The `contains` of an array node and of its conjuncts; falsy where there is none."""

    def __init__(self, node: JsonObject, hint: Hint, plan: Compiling) -> None:
        self._plan, self._hint = plan, hint
        self._parts = [part for part in (node, *node.get("allOf", [])) if isinstance(part, dict) and "contains" in part]
        self._first: list[JsonValue] = node.get("prefixItems", [])
        self._rest: JsonValue = node.get("items", {})
        self._makers: dict[tuple[int, int], Maker | None] = {}
        self.wanted = [at for at, part in enumerate(self._parts) for _ in range(_count(part))]
        """For each element that must be contained, the number of the `contains` that asks for it."""

    def __bool__(self) -> bool:
        return bool(self._parts)

    @property
    def takes_all(self) -> bool:
        """Whether every element behind the first positions is contained, whose number is bounded."""
        return self._beside(len(self._first)) is None

    def makers(self, length: int, draw: Draw) -> list[Maker | None]:
        """Return a maker for each position of a list of this length; None where nothing may stand."""
        first = len(self._first)
        kinds = [min(at, first) for at in range(length)]
        # The best position stands last: one that is contained anyway, one behind the first positions, a late one.
        free = sorted(range(length), key=lambda at: (self._beside(kinds[at]) is None, kinds[at] >= first, at))
        found: list[Maker | None] = [self._beside(kind) or self._plain(kind) for kind in kinds]
        for number in self.wanted:
            order = range(len(free) - 1, -1, -1)
            if draw.exploring and free and draw.chance(0.5):
                order = range(draw.whole(0, len(free) - 1), -1, -1)
            place = next((at for at in order if self._serving(kinds[free[at]], number) is not None), None)
            if place is None:
                break
            position = free.pop(place)
            found[position] = self._serving(kinds[position], number)
        return found

    def _plain(self, kind: int) -> Maker | None:
        return self._made(kind, -2, [])

    def _serving(self, kind: int, number: int) -> Maker | None:
        """Return a maker of contained elements at a position; None where there are none."""
        return self._made(kind, number, [self._parts[number]["contains"]])

    def _beside(self, kind: int) -> Maker | None:
        """Return a maker of elements that do not count as contained, where too many would be too many."""
        return self._made(kind, -1, [{"not": part["contains"]} for part in self._parts if "maxContains" in part])

    def _made(self, kind: int, purpose: int, demands: list[JsonValue]) -> Maker | None:
        key = (kind, purpose)
        if key not in self._makers:
            node = self._first[kind] if kind < len(self._first) else self._rest
            whole = merged(self._plan, [node, *demands]) if demands else node
            index = kind if kind < len(self._first) else None
            inner = self._hint.element(self._plan.raw, index)
            self._makers[key] = None if whole is False or whole == {"not": {}} else self._plan.maker(whole, inner)
        return self._makers[key]


def _count(part: JsonObject) -> int:
    count = int(part.get("minContains", 1))
    if count > _MOST_CONTAINED:
        raise GaveUp(f"minContains {count:,} is over the limit of {_MOST_CONTAINED:,} elements")
    return count
