"""The base of every model that crosses the process boundary: file, network or configuration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict


class BoundaryModel(BaseModel):
    """Frozen, closed to unknown keys, and strict about nothing it can read exactly."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """Copy the model with some fields changed; what cached properties computed from the old ones is not kept."""
        copy = super().model_copy(update=update, deep=deep)
        for name in [name for name in copy.__dict__ if name not in type(self).model_fields]:
            del copy.__dict__[name]
        return copy
