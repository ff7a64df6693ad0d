"""What a value is drawn from: the context it is made for, and the randomness and memory of one drawing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any, Literal, TypeAlias

from generator.errors import GaveUp
from generator.jsontext import JsonValue
from generator.schemas.limits import MOST_MADE

REFERENCE_DATE = date(2026, 1, 15)
"""The day dates are near to unless the caller says otherwise: a constant of the release, never today."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a value is for.

    `name` and `description` are those of the tool (or of the field) the schema belongs to. `include` names the
    optional root properties to give (None lets the synthesizer decide), `fixed` the root properties whose value
    is given, `known` the values to echo where a field of that name occurs at any depth of a result.
    An `argument` is what a person can say in a sentence; a `result` is fuller.
    """

    reference_date: date = REFERENCE_DATE
    name: str = ""
    description: str = ""
    include: frozenset[str] | None = None
    fixed: Mapping[str, JsonValue] = field(default_factory=dict)
    known: Mapping[str, JsonValue] = field(default_factory=dict)
    purpose: Literal["argument", "result"] = "argument"


DEEPEST = 5
"""Levels of recursion below which only what is required is given."""

_MOST_GENEROUS = 10_000
"""Nodes made in one try after which the rest of the value is as small as it may be."""

_REDRAWS = 4


@dataclass(slots=True)
class Refusals:
    """What was made in vain for one value, all tries together."""

    nodes: int = 0
    """Nodes of what was refused."""
    times: dict[str, int] = field(default_factory=dict)
    """How often something was refused, by what refused it."""

    def why(self, budget: int) -> str:
        """Say what used up a budget: the size of the value, or what refused most of what was made."""
        if self.nodes * 2 < budget:
            return f"the value needs over {budget:,} nodes; lower minItems, minProperties or the nesting"
        most = max(self.times, key=lambda by: self.times[by])
        return (
            f"no value was found among {budget:,} nodes made: {self.times[most]:,} times {most}; "
            "nor was a contradiction proven"
        )


@dataclass(slots=True)
class Draw:
    """The randomness, the context and the memory of one value.

    `scope` holds the people, places and choices of the object being made, so that its members agree;
    each element of a list has a scope of its own. After a first value failed its check, `exploring` turns
    preferences off, so that every branch of the schema is tried.
    """

    random: Random
    context: Context
    locale: str
    exploring: bool = False
    echo: bool = True
    budget: int = MOST_MADE
    depth: int = 0
    scope: dict[Any, Any] = field(default_factory=dict)
    used: dict[object, set[str]] = field(default_factory=dict)
    in_list: bool = False
    failures: dict[int, int] = field(default_factory=dict)
    """How often no value passed the check of a node, by the node's id."""
    refusals: Refusals = field(default_factory=Refusals)
    _lean_below: int = field(init=False)

    def __post_init__(self) -> None:
        self._lean_below = self.budget - _MOST_GENEROUS

    @property
    def is_deep(self) -> bool:
        """Whether only what is required is given from here on: the value nests deep, or has grown large."""
        return self.depth > DEEPEST or self.budget < self._lean_below

    @property
    def for_argument(self) -> bool:
        """Whether the value is an argument rather than a result."""
        return self.context.purpose == "argument"

    def spend(self, nodes: int = 1) -> None:
        """Account for `nodes` made.

        Raises:
            GaveUp: the value would become too large, or too much was made in vain.
        """
        self.budget -= nodes
        if self.budget < 0:
            raise GaveUp(self.refusals.why(MOST_MADE))

    def mark(self) -> tuple[int, int]:
        """Return where the account stands, for `refuse`."""
        return self.budget, self.refusals.nodes

    def refuse(self, since: tuple[int, int], by: str, nodes: int = 1) -> None:
        """Account for what was made since a mark and is refused, and for `nodes` more that refusing it takes."""
        refusals = self.refusals
        refusals.nodes = since[1] + since[0] - self.budget + nodes
        refusals.times[by] = refusals.times.get(by, 0) + 1
        self.spend(nodes)

    def pick(self, choices: Sequence[str], key: object = None) -> str:
        """Choose one, rather not one that this value has already chosen under the same key."""
        choice = self._choose(choices)
        if key is None:
            return choice
        used = self.used.setdefault(key, set())
        for _ in range(_REDRAWS):
            if choice not in used:
                break
            choice = self._choose(choices)
        used.add(choice)
        return choice

    def _choose(self, choices: Sequence[str]) -> str:
        return choices[int(self.random.random() * len(choices))]

    def chance(self, share: float) -> bool:
        """Be true in this share of the cases."""
        return self.random.random() < share

    def whole(self, low: int, high: int) -> int:
        """Draw a whole number from low to high, both included; much faster than randint."""
        return low + int(self.random.random() * (high - low + 1))


Maker: TypeAlias = Callable[[Draw], JsonValue]
"""Makes the value of one schema node."""

TextMaker: TypeAlias = Callable[[Draw], str]


def later(compiled: Callable[[], Maker]) -> Maker:
    """Return a maker that is compiled when a value is first asked for."""
    found: list[Maker] = []

    def make(draw: Draw) -> JsonValue:
        if not found:
            found.append(compiled())
        return found[0](draw)

    return make
