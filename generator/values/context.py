"""Context: what is known about the place a value is made for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from generator.jsontext import JsonValue

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
