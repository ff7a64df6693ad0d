"""Values of Faker by the names of its providers, drawn once for each locale and then picked from."""

from __future__ import annotations

from functools import lru_cache
from itertools import cycle

from generator.values.entities import cached_faker

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
