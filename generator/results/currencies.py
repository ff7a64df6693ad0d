"""Currency conversions: plausible rates between common currencies, and amounts that follow from them."""

from __future__ import annotations

from random import Random

from generator.jsontext import JsonObject, JsonValue

_PER_DOLLAR: dict[str, float] = {
    "USD": 1, "EUR": 0.92, "GBP": 0.79, "JPY": 149, "CNY": 7.2, "INR": 83, "KRW": 1330, "CAD": 1.36, "AUD": 1.52,
    "NZD": 1.65, "CHF": 0.88, "SEK": 10.5, "NOK": 10.6, "DKK": 6.9, "PLN": 4.0, "CZK": 23, "HUF": 355, "TRY": 32,
    "RUB": 91, "BRL": 5.0, "MXN": 17, "ZAR": 18.7, "SGD": 1.35, "HKD": 7.8, "THB": 36, "IDR": 15800, "MYR": 4.7,
    "PHP": 56, "AED": 3.67, "SAR": 3.75, "ILS": 3.7, "EGP": 48,
}  # fmt: skip
_NAMES = {
    "dollar": "USD", "dollars": "USD", "us dollars": "USD", "euro": "EUR", "euros": "EUR", "pound": "GBP",
    "pounds": "GBP", "british pounds": "GBP", "yen": "JPY", "japanese yen": "JPY", "yuan": "CNY", "rupees": "INR",
    "canadian dollars": "CAD", "australian dollars": "AUD", "swiss francs": "CHF", "won": "KRW",
}  # fmt: skip
_FROM = ("from_currency", "base_currency", "source_currency", "currency_from", "from", "base")
_TO = ("to_currency", "target_currency", "currency_to", "to", "target")
_CONVERTED = ("converted_amount", "converted_value", "exchanged_value", "converted", "result")
_RATES = ("rate", "exchange_rate", "conversion_rate")
_SPREAD = 0.02


def exchange(value: JsonValue, arguments: JsonObject, stream: Random) -> JsonValue:
    """Return the result of a currency conversion with a plausible rate and the amount that it gives."""
    source, target = _code(arguments, _FROM), _code(arguments, _TO)
    if source is None or target is None or not isinstance(value, dict):
        return value
    wobble = 1 if source == target else stream.uniform(1 - _SPREAD, 1 + _SPREAD)
    rate = float(f"{_PER_DOLLAR[target] / _PER_DOLLAR[source] * wobble:.5g}")
    told: JsonObject = {name: rate for name in _RATES if name in value}
    amount = arguments.get("amount", arguments.get("value"))
    if isinstance(amount, int | float) and not isinstance(amount, bool):
        converted = round(amount * rate, 2)
        told.update({name: converted for name in _CONVERTED if type(value.get(name)) in (int, float)})
    return {**value, **told}


def _code(arguments: JsonObject, names: tuple[str, ...]) -> str | None:
    """Return the code of the currency that an argument names; None where it is not a common one."""
    given = next((arguments[name] for name in names if name in arguments), None)
    if not isinstance(given, str):
        return None
    code = _NAMES.get(given.strip().lower(), given.strip().upper())
    return code if code in _PER_DOLLAR else None
