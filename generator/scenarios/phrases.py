"""Phrases that belong to no domain: outages, confirmations, changes of mind; from `assets/phrases.toml`."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from typing import Any

from generator.assets import asset_file


@lru_cache(maxsize=1)
def phrases() -> dict[str, Any]:
    """Return the phrases that ship with toolgen, read once."""
    return tomllib.loads(asset_file("phrases.toml").read_text("utf-8"))
