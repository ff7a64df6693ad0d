"""Values of Faker: many, different, the same on every machine, in every locale."""

from __future__ import annotations

import pytest

from generator.values.locales import PROVIDERS, provided

LOCALES = ("en_US", "de_DE", "ja_JP")
FEW = {
    "currency_code",
    "country_code",
    "country",
    "timezone",
    "credit_card_provider",
    "color_name",
    "state",
    "job",
    "word",
}


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("name", PROVIDERS)
def test_every_provider_gives_different_texts(name: str, locale: str) -> None:
    values = provided(name, locale)
    assert len(values) == len(set(values)) >= (8 if name in FEW else 40)
    assert all(isinstance(value, str) and value.strip() for value in values)
    assert provided(name, locale) is values


def test_they_are_drawn_once_from_a_seed_of_their_own() -> None:
    before = provided("first_name", "en_US")
    provided.cache_clear()
    provided("company", "en_US")
    assert provided("first_name", "en_US") == before


def test_names_are_first_and_last_names_alone() -> None:
    firsts, lasts = set(provided("first_name", "en_US")), set(provided("last_name", "en_US"))
    for name in provided("name", "en_US"):
        first, _, last = name.partition(" ")
        assert first in firsts
        assert last in lasts


def test_a_locale_without_a_provider_takes_the_default() -> None:
    assert provided("iban", "ja_JP")
    assert provided("name", "ja_JP") != provided("name", "en_US")
