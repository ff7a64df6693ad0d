"""Locales that values can be made for, and Faker's words of each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import cycle
from random import Random

from generator.errors import UsageError
from generator.values.meanings.entities import cached_faker

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


PROVIDERS: tuple[str, ...] = (
    "name", "first_name", "last_name", "company", "job", "street_address", "street_name", "city", "postcode", "country",
    "phone_number", "user_name", "safe_email", "color_name", "word", "sentence", "catch_phrase", "bs", "iban", "swift",
    "license_plate", "ipv4_private", "ipv6", "mac_address", "uuid4", "sha1", "ean13", "isbn13", "file_name",
    "currency_code", "country_code", "timezone", "credit_card_provider",
)  # fmt: skip
"""What a domain file may ask Faker for: providers without arguments that give one text."""

_MANY = 600
_SEED = 20260115


@lru_cache(maxsize=256)
def provided(name: str, locale: str) -> tuple[str, ...]:
    """Return some hundred different values of a provider; the same on every machine.

    A locale without the provider takes those of the default locale.
    """
    fake = cached_faker(locale)
    if name == "name":  # Faker puts titles before and degrees behind many of its names
        pairs = zip(provided("first_name", locale), cycle(provided("last_name", locale)[::-1]), strict=False)
        return tuple(f"{first} {last}" for first, last in pairs)
    make = getattr(fake, name, None) or getattr(cached_faker("en_US"), name)
    fake.seed_instance(_SEED)
    return tuple(dict.fromkeys(str(make()) for _ in range(_MANY)))
