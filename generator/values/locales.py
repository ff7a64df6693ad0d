"""The locales that values can be made for."""

from __future__ import annotations


def known_locales() -> frozenset[str]:
    """Return the names of all locales, such as `de_DE`."""
    from faker.config import AVAILABLE_LOCALES

    return frozenset(AVAILABLE_LOCALES)
