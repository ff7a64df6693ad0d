"""Values of many locales, and Faker's words of each."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from generator.errors import UsageError
from generator.schemas.validators import validator_for
from generator.values import Context, synthesize_value
from generator.values.meanings.entities import PROVIDERS, known_locales, provided
from tests.tables import each_row

NAMES = (
    "first_name last_name full_name city country address email phone_number company username title comment street "
    "postal_code currency"
).split()
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        **{name: {"type": "string"} for name in NAMES},
        "contact": {"type": "string", "format": "idn-email"},
        "mail": {"type": "string", "format": "email"},
        "host": {"type": "string", "format": "idn-hostname"},
        "site": {"type": "string", "format": "iri"},
        "nickname": {"type": "string", "minLength": 3, "maxLength": 8},
        "born": {"type": "string", "format": "date"},
        "balance": {"type": "number"},
    },
}
SCHEMA["required"] = list(SCHEMA["properties"])
RESULT = Context(purpose="result")


@pytest.mark.slow
def test_every_locale_makes_valid_values_without_a_warning() -> None:
    assert len(known_locales()) > 100
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for locale in sorted(known_locales()):
            for seed in (1, 2):
                value = synthesize_value(SCHEMA, seed=seed, locale=locale, context=RESULT)
                assert validator_for(SCHEMA).is_valid(value), (locale, value)
                assert value == synthesize_value(SCHEMA, seed=seed, locale=locale, context=RESULT), locale


@pytest.mark.parametrize("mixed", [["ja_JP", "el_GR", "ru_RU"], "ja_JP, el_GR,ru_RU", ("ja_JP", "el_GR", "ru_RU")])
def test_locales_may_be_mixed(mixed: Any) -> None:
    first = [synthesize_value(SCHEMA, seed=seed, locale=mixed)["last_name"][0] for seed in range(30)]
    assert {_script(letter) for letter in first} == {"Greek", "Cyrillic", "Japanese"}
    assert first == [synthesize_value(SCHEMA, seed=seed, locale=mixed)["last_name"][0] for seed in range(30)]


def _script(letter: str) -> str:
    point = ord(letter)
    return "Greek" if 0x370 <= point < 0x400 else "Cyrillic" if 0x400 <= point < 0x530 else "Japanese"


def test_each_value_speaks_one_language() -> None:
    for seed in range(20):
        value = synthesize_value(SCHEMA, seed=seed, locale=["ja_JP", "en_US"])
        assert value["first_name"].isascii() == value["last_name"].isascii()


@pytest.mark.parametrize("locale", ["xx_XX", "en_US,xx_XX", ["de_DE", "xx_XX"]])
def test_an_unknown_locale_is_named(locale: Any) -> None:
    with pytest.raises(UsageError, match="unknown locale 'xx_XX'"):
        synthesize_value({"type": "integer"}, seed=1, locale=locale)


def test_a_renamed_locale_is_that_of_its_new_name() -> None:
    old = synthesize_value(SCHEMA, seed=3, locale="fr_QC")
    assert old == synthesize_value(SCHEMA, seed=3, locale="fr_CA")


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


@each_row("locale", LOCALES)
@each_row("name", PROVIDERS)
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


@pytest.mark.parametrize("locale", ["en_US", "de_DE", "ja_JP", "pt_BR"])
def test_names_follow_the_locale(locale: str) -> None:
    names = ["full_name", "email", "phone", "city"]
    schema = {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": names}
    value = synthesize_value(schema, seed=4, locale=locale)
    assert all(value.values())
    assert value["email"].isascii()
    assert synthesize_value(schema, seed=4, locale=locale) == value
