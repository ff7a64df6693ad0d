"""Derivatives and integrals of polynomials in one variable, read from text such as `3x^2 + 2x - 1`."""

from __future__ import annotations

import re

from generator.jsontext import JsonObject, JsonValue

LENGTH_LIMIT = 120
HIGHEST_DEGREE = 40

_TERM = re.compile(r"([+-]?)(\d+(?:\.\d+)?)?\*?(?:([a-z])(?:(?:\^|\*\*)(\d{1,2}))?)?")
_APART = re.compile(r"[0-9a-z]\s+[0-9a-z]", re.IGNORECASE)
_FUNCTIONS = ("function", "func", "expression", "polynomial", "f")
_POINTS = ("value", "x_value", "x", "point", "at")
_LOWER = ("a", "start_x", "start", "lower_limit", "lower", "lower_bound")
_UPPER = ("b", "end_x", "end", "upper_limit", "upper", "upper_bound")


def differentiate(arguments: JsonObject) -> str | None:
    """Return the derivative that a call asks for, at its point where it names one; None where it cannot be said."""
    terms = _polynomial(arguments)
    if terms is None:
        return None
    slopes = {power - 1: power * factor for power, factor in terms.items() if power}
    point = _number(arguments, _POINTS)
    if point is None:
        return _written(slopes)
    return _short(sum(factor * point**power for power, factor in slopes.items()))


def integrate(arguments: JsonObject) -> float | None:
    """Return the definite integral that a call asks for; None where it cannot be said."""
    terms = _polynomial(arguments)
    low, high = _number(arguments, _LOWER), _number(arguments, _UPPER)
    if terms is None or low is None or high is None:
        return None
    return sum(f / (power + 1) * (high ** (power + 1) - low ** (power + 1)) for power, f in terms.items())


def _polynomial(arguments: JsonObject) -> dict[int, float] | None:
    text = next((arguments[name] for name in _FUNCTIONS if name in arguments), None)
    return read_polynomial(text) if isinstance(text, str) else None


def read_polynomial(text: str) -> dict[int, float] | None:
    """Return the factor of each power; None where the text is no polynomial in one variable."""
    packed = "".join(text.lower().split())
    terms: dict[int, float] = {}
    letters: set[str] = set()
    at = 0
    if not packed or len(packed) > LENGTH_LIMIT or _APART.search(text):
        return None
    while at < len(packed):
        match = _TERM.match(packed, at)
        if match is None or match.end() == at or not (match[2] or match[3]) or (at and not match[1]):
            return None
        power = int(match[4] or 1) if match[3] else 0
        factor = float(match[2] or 1) * (-1 if match[1] == "-" else 1)
        terms[power] = terms.get(power, 0) + factor
        letters.update(match[3] or "")
        at = match.end()
    return terms if len(letters) <= 1 and max(terms) <= HIGHEST_DEGREE else None


def _number(arguments: JsonObject, names: tuple[str, ...]) -> float | None:
    value: JsonValue = next((arguments[name] for name in names if name in arguments), None)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _short(number: float) -> str:
    return str(int(number)) if number == int(number) else str(round(number, 4))


def _written(terms: dict[int, float]) -> str:
    """Write a polynomial in x, the highest power first."""
    text = ""
    for power in sorted((power for power, factor in terms.items() if factor), reverse=True):
        factor = terms[power]
        sign = (" - " if factor < 0 else " + ") if text else ("-" if factor < 0 else "")
        size = "" if abs(factor) == 1 and power else _short(abs(factor))
        text += sign + size + ("" if power == 0 else "x" if power == 1 else f"x^{power}")
    return text or "0"
