"""Languages: closed classes of words as data, one file per language, each table read when it is first asked for."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from generator.assets import asset_file

LANGUAGES = ("en", "de", "es", "fr", "zh")
"""The languages whose words are known."""


@cache
def _file(language: str) -> dict[str, Any]:
    return tomllib.loads(asset_file(f"language/{language}.toml").read_text("utf-8"))


@cache
def every(table: str) -> dict[str, list[str]]:
    """Return the words of a table in all languages together, by what they are words for."""
    found: dict[str, list[str]] = {}
    for language in LANGUAGES:
        for key, words in _file(language).get(table, {}).items():
            found.setdefault(key, []).extend(words)
    return found


@cache
def words_for(table: str, key: str) -> frozenset[str]:
    """Return the words of one entry of a table in all languages together."""
    return frozenset(every(table).get(key, ()))
