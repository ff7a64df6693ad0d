"""What a node needs of the plan it is compiled for: makers of its parts, references followed, parts checked."""

from __future__ import annotations

from typing import Protocol

from generator.jsontext import JsonValue
from generator.values.draw import Maker
from generator.values.hints import Hint


class Compiling(Protocol):
    """A plan, as its nodes see it."""

    @property
    def form(self) -> JsonValue:
        """The schema in canonical form, or as it was where there is none."""

    @property
    def raw(self) -> JsonValue:
        """The schema as it was written, with its names and descriptions."""

    def maker(self, node: JsonValue, hint: Hint) -> Maker:
        """Compile one node of the form."""

    def resolve(self, reference: str) -> JsonValue:
        """Return the node of the form a reference points to."""

    def admits(self, node: JsonValue, value: JsonValue) -> bool:
        """Say whether one node of the form accepts the value."""

    def height(self, node: JsonValue) -> int:
        """Return the least number of references below a node on its way to a finite value."""
