"""Job: what to generate."""

from __future__ import annotations

from datetime import date
from typing import Literal

from pydantic import Field

from generator.boundary import BoundaryModel

DEFAULT_REFERENCE_DATE = date(2026, 1, 15)
"""The day every date is relative to unless the job says otherwise: a constant of the release, never today."""


class Job(BoundaryModel):
    """A generation job; together with its catalog it decides every byte of its records."""

    name: str = "bundled"
    tools: tuple[str, ...] = ()
    """Tool files, folders and globs as given; none means the bundled tool_specs."""
    count: int = Field(default=100, ge=1)
    seed: int = Field(default=0, ge=0, lt=2**53)
    author: Literal["offline", "llm"] = "offline"
    mix: dict[str, float] | None = None
    """Weight of each kind; None is the default mix, whose unserved kinds give their weight to the others."""
    error_rate: float = Field(default=0.1, ge=0, le=1)
    locale: tuple[str, ...] = ("en_US",)
    reference_date: date = DEFAULT_REFERENCE_DATE
    on_conflict: Literal["refuse", "source"] = "refuse"
    skip_invalid: bool = False
    attempts: int = Field(default=8, ge=1)
    """How often one index is planned before it is given up."""
    metadata: bool = True
