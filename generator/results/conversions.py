"""Unit conversions: the true amount in another unit, where both units are known and of one dimension."""

from __future__ import annotations

from generator.jsontext import JsonObject

_FACTORS: dict[str, dict[str, float]] = {
    "length": {
        "m meter meters metre metres": 1,
        "km kilometer kilometers kilometre kilometres": 1000,
        "cm centimeter centimeters centimetre centimetres": 0.01,
        "mm millimeter millimeters": 0.001,
        "mi mile miles": 1609.344,
        "ft foot feet": 0.3048,
        "in inch inches": 0.0254,
        "yd yard yards": 0.9144,
    },
    "mass": {
        "kg kilogram kilograms": 1,
        "g gram grams": 0.001,
        "mg milligram milligrams": 1e-6,
        "lb lbs pound pounds": 0.45359237,
        "oz ounce ounces": 0.028349523125,
        "tonne tonnes": 1000,
    },
    "volume": {
        "l liter liters litre litres": 1,
        "ml milliliter milliliters millilitre millilitres": 0.001,
        "gal gallon gallons": 3.785411784,
        "cup cups": 0.2365882365,
        "pint pints": 0.473176473,
        "quart quarts": 0.946352946,
        "tbsp tablespoon tablespoons": 0.01478676478125,
        "tsp teaspoon teaspoons": 0.00492892159375,
    },
    "time": {
        "s sec second seconds": 1,
        "min minute minutes": 60,
        "h hr hour hours": 3600,
        "day days": 86400,
        "week weeks": 604800,
    },
}
_UNITS: dict[str, tuple[str, float]] = {
    name: (dimension, factor)
    for dimension, units in _FACTORS.items()
    for names, factor in units.items()
    for name in names.split()
}
_SCALES = {"c": "c", "celsius": "c", "f": "f", "fahrenheit": "f", "k": "k", "kelvin": "k"}
_FROM = ("from_unit", "source_unit", "unit_from", "from", "fromunit", "unit_in")
_TO = ("to_unit", "target_unit", "unit_to", "to", "tounit", "unit_out")
_AMOUNTS = ("value", "amount", "quantity", "number", "temperature")


def convert(arguments: JsonObject) -> float | None:
    """Return the amount of a unit conversion in its target unit; None where the arguments are no such thing."""
    names = {name.lower(): name for name in arguments}
    keys = [next((names[name] for name in wanted if name in names), None) for wanted in (_AMOUNTS, _FROM, _TO)]
    if None in keys or len(arguments) > 4:
        return None
    amount, source, target = (arguments[key] for key in keys if key is not None)
    if not isinstance(amount, int | float) or not isinstance(source, str) or not isinstance(target, str):
        return None
    return _converted(float(amount), source.strip().lower(), target.strip().lower())


def _converted(amount: float, source: str, target: str) -> float | None:
    if source in _SCALES and target in _SCALES:
        return _temperature(amount, _SCALES[source], _SCALES[target])
    if source not in _UNITS or target not in _UNITS or _UNITS[source][0] != _UNITS[target][0]:
        return None
    return amount * _UNITS[source][1] / _UNITS[target][1]


def _temperature(amount: float, source: str, target: str) -> float:
    celsius = {"c": amount, "f": (amount - 32) * 5 / 9, "k": amount - 273.15}[source]
    return {"c": celsius, "f": celsius * 9 / 5 + 32, "k": celsius + 273.15}[target]
