"""The locales that values can be made for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from generator.errors import UsageError

DEFAULT = "en_US"
_RENAMED = {"fr_QC": "fr_CA"}
"""Locales that Faker knows under another name, and warns of."""


@lru_cache(maxsize=1)
def known_locales() -> frozenset[str]:
    """Return the names of all locales, such as `de_DE`."""
    from faker.config import AVAILABLE_LOCALES

    return frozenset(AVAILABLE_LOCALES)


def locale_for(locale: str | Sequence[str] | None, random: Random) -> str:
    """Return the locale of one value: the one given, or one of several.

    Raises:
        UsageError: there is no such locale.
    """
    if locale is None or locale == DEFAULT:
        return DEFAULT
    names = _split(locale) if isinstance(locale, str) else _checked(tuple(locale))
    return names[0] if len(names) == 1 else names[int(random.random() * len(names))]


@lru_cache(maxsize=256)
def _split(names: str) -> tuple[str, ...]:
    return _checked(tuple(filter(None, map(str.strip, names.split(",")))))


@lru_cache(maxsize=256)
def _checked(names: tuple[str, ...]) -> tuple[str, ...]:
    unknown = [name for name in names if name not in known_locales()]
    if unknown:
        raise UsageError(f"unknown locale {unknown[0]!r}; give one of Faker's, such as en_US, de_DE or ja_JP")
    return tuple(_RENAMED.get(name, name) for name in names) or (DEFAULT,)
