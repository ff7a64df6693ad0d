"""The base of every model that crosses the process boundary: file, network or configuration."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class BoundaryModel(BaseModel):
    """Frozen, closed to unknown keys, and strict about nothing it can read exactly."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
