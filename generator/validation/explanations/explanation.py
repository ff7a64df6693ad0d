"""What explains a rule beyond its summary: why it matters, and two examples that are tested."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from generator.jsontext import JsonValue


class LeftOut:
    """Stands in an example for a key that is not there."""

    def __repr__(self) -> str:
        return "(left out)"


LEFT_OUT: Final = LeftOut()

_UNCHANGED: Final = object()
_SHOWN = 160


def _shown(value: JsonValue) -> str:
    if value is _UNCHANGED:
        return "(as it was)"
    if value is LEFT_OUT:
        return repr(value)
    text = json.dumps(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}... ({len(text):,} characters)"


Change = Mapping[str, JsonValue]
"""JSON pointer to the value that stands there; a last part `-` appends to an array."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a rule over records matters, and one record that breaks it alone beside one that just passes.

    Both are one of `records.RECORDS`, named by `record`, with some places changed: first those that both
    examples share, then those in which they differ.
    """

    why: str
    bad: Change
    good: Change
    record: str = "called"
    shared: Change = field(default_factory=dict)
    texts: tuple[str, str] = ("", "")
    """Lines of text, bad and good, where no parsed record can show the difference; such a line breaks more rules."""

    def lines(self, example: Change) -> tuple[str, ...]:
        """Show one of the two examples: each place that they differ in, with what stands there."""
        if any(self.texts):
            return (self.texts[example is self.good],)
        places = dict.fromkeys([*self.bad, *self.good])
        return tuple(f"{where or '/'}  {_shown(example.get(where, _UNCHANGED))}" for where in places)
