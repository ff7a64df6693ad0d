"""Arithmetic expressions, read without running anything: + - * / ** % ( ) and a few functions."""

from __future__ import annotations

import math
import re

LENGTH_LIMIT = 120
"""Characters of an expression at most; longer ones are not evaluated."""
LARGEST_EXPONENT = 64

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?)|(sqrt)|(\*\*|[-+*/%^()]))")


def evaluate(text: str) -> float | None:
    """Return the value of an arithmetic expression; None where the text is something else.

    Raises:
        ArithmeticError: the expression has no value, such as a division by zero.
    """
    if len(text) > LENGTH_LIMIT:
        return None
    tokens, end = [], 0
    stripped = text.strip()
    while end < len(stripped):
        match = _TOKEN.match(stripped, end)
        if match is None:
            return None
        tokens.append(match.group().strip())
        end = match.end()
    reader = _Reader(tokens)
    try:
        value = reader.total()
    except IndexError:
        return None
    return value if reader.done and len(tokens) > 1 else None


class _Reader:
    """Reads tokens by precedence; raises IndexError where the expression is cut short or malformed."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0

    @property
    def done(self) -> bool:
        return self._at == len(self._tokens)

    def _take(self, *wanted: str) -> str:
        if not self.done and self._tokens[self._at] in wanted:
            self._at += 1
            return self._tokens[self._at - 1]
        return ""

    def total(self) -> float:
        value = self._term()
        while sign := self._take("+", "-"):
            value = value + self._term() if sign == "+" else value - self._term()
        return value

    def _term(self) -> float:
        value = self._power()
        while sign := self._take("*", "/", "%"):
            other = self._power()
            value = value * other if sign == "*" else value / other if sign == "/" else value % other
        return value

    def _power(self) -> float:
        if self._take("-"):
            return -self._power()
        base = self._atom()
        if not self._take("**", "^"):
            return base
        exponent = self._power()
        if abs(exponent) > LARGEST_EXPONENT or (base < 0 and exponent != int(exponent)):
            raise ArithmeticError("the power is too large or not real")
        return math.pow(base, exponent)

    def _atom(self) -> float:
        if self._take("sqrt"):
            if not self._take("("):
                raise IndexError
            value = self._closing()
            if value < 0:
                raise ArithmeticError("the root of a negative number")
            return math.sqrt(value)
        if self._take("("):
            return self._closing()
        token = self._tokens[self._at]
        if not token[0].isdigit():
            raise IndexError
        self._at += 1
        return float(token) if "." in token else int(token)

    def _closing(self) -> float:
        value = self.total()
        if not self._take(")"):
            raise IndexError
        return value
