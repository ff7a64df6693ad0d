"""Languages: closed classes of words as data in `assets/language`, one file per language with a table per concern."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

from generator.assets import asset_file

LANGUAGES = ("en", "de", "es", "fr", "zh")
"""The languages in which requests and answers are read."""


@cache
def table(language: str, concern: str) -> dict[str, Any]:
    """Return the table of a concern; an empty one where the language has none, or nothing is known of it."""
    found: dict[str, Any] = _file(language).get(concern, {}) if language in languages() else {}
    return found


@cache
def languages() -> tuple[str, ...]:
    """Return the codes of the languages of which anything is known, English first."""
    names = [path.name for path in asset_file("language").iterdir()]
    codes = sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml"))
    return tuple(sorted(codes, key=lambda code: code != "en"))


@cache
def _file(language: str) -> dict[str, Any]:
    return tomllib.loads(asset_file(f"language/{language}.toml").read_text("utf-8"))


@cache
def every(concern: str) -> dict[str, list[str]]:
    """Return the words of a concern in all languages together, by what they are words for."""
    found: dict[str, list[str]] = {}
    for language in LANGUAGES:
        for key, words in table(language, concern).items():
            found.setdefault(key, []).extend(words)
    return found


@cache
def words_for(concern: str, key: str) -> frozenset[str]:
    """Return the words of one entry of a concern in all languages together."""
    return frozenset(every(concern).get(key, ()))
