"""Currency conversions whose amount follows from their rate."""

from __future__ import annotations

from random import Random

import pytest

from generator.jsontext import JsonObject
from generator.results.currencies import exchange


def test_the_amount_follows_from_a_plausible_rate() -> None:
    arguments = {"amount": 200, "from_currency": "EUR", "to_currency": "KRW"}
    result = exchange({"converted_amount": 1, "rate": 1}, arguments, Random(3))
    assert 1300 < result["rate"] < 1600
    assert result["converted_amount"] == round(200 * result["rate"], 2)


def test_currencies_are_known_by_their_names_and_the_same_currency_stays() -> None:
    result = exchange({"exchange_rate": 9}, {"base_currency": "dollars", "target_currency": "usd"}, Random(1))
    assert result == {"exchange_rate": 1}


@pytest.mark.parametrize(
    "arguments",
    [
        {"amount": 200, "from_currency": "XYZ", "to_currency": "USD"},
        {"amount": 200, "from_currency": 3, "to_currency": "USD"},
        {"city": "Oslo"},
        {},
    ],
)
def test_what_is_no_conversion_of_common_currencies_is_left_alone(arguments: JsonObject) -> None:
    assert exchange({"rate": 9, "result": 3}, arguments, Random(1)) == {"rate": 9, "result": 3}
