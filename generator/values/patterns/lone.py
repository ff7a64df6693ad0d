"""A text for a regular expression, without a schema around it."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from random import Random

from generator.errors import GaveUp, ValueSynthesisError
from generator.schemas.validators import InvalidSchema, validator_for
from generator.values.patterns.syntax import Parser, Piece
from generator.values.patterns.texts import PatternTexts

_LONGEST_PATTERN = 500
_LONGEST = 200
_FREE_REPEATS = 3
_MOST_TRIES = 20
_MOST_IN_PAIRS = 70
_PLAIN = ("chars", "sequence", "group", "plain")

Make = Callable[[Random], str]


@lru_cache(maxsize=1024)
def pattern_text(pattern: str) -> Make:
    """Return a maker of texts that match a pattern, of 200 characters or a little more at most.

    The maker raises GaveUp in the rare case that no try matches.

    Raises:
        ValueError: the pattern cannot be read, or no short text was found that matches it.
    """
    if len(pattern) > _LONGEST_PATTERN:
        raise ValueError(f"a pattern has at most {_LONGEST_PATTERN} characters")
    try:
        root = _without_anchors(Parser(pattern).parse())
        make = (_simple(root) if _width(root) <= _LONGEST else None) or _checked(pattern)
        make(Random(0))  # noqa: S311 - tried once, so that what cannot be made is told where it is written
    except InvalidSchema as error:
        raise ValueError("it is no regular expression") from error
    except ValueSynthesisError as error:
        raise ValueError(str(error)) from error
    return make


def _without_anchors(piece: Piece) -> Piece:
    """Leave out `^` at the start and `$` at the end: the whole text matches anyhow."""
    if piece.kind != "sequence" or not piece.parts:
        return piece
    first = int(piece.parts[0].kind == "start")
    last = len(piece.parts) - int(piece.parts[-1].kind == "end")
    return Piece("sequence", parts=piece.parts[first:last])


def _width(piece: Piece) -> int:
    """Return how many pieces a text can be made of at most."""
    if piece.kind == "repeat":
        return _most(piece) * _width(piece.parts[0])
    widths = [_width(part) for part in piece.parts]
    return max(1, max(widths, default=1) if piece.kind == "either" else sum(widths))


def _most(piece: Piece) -> int:
    """Return how often a repeat is written at most: not much more often than it must be."""
    free = piece.low + _FREE_REPEATS
    return max(1, free if piece.high is None else min(free, piece.high))


def _simple(piece: Piece) -> Make | None:
    """Return a maker for a pattern of characters and bounded repeats, which matches by itself; None for others."""
    if piece.kind == "chars":
        return _one_of(piece.chars, 1, 1)
    if piece.kind in _PLAIN:
        return _sequence(piece.parts)
    if piece.kind == "either":
        options = [_simple(part) for part in piece.parts]
        ready = [each for each in options if each is not None]
        return (lambda random: ready[int(random.random() * len(ready))](random)) if ready == options else None
    if piece.kind == "repeat":
        return _repeat(piece)
    return None


def _one_of(chars: str, low: int, high: int) -> Make | None:
    """Return a maker of some of these characters."""
    if not chars:
        return None
    if len(chars) == 1 and low == high:
        text = chars * low
        return lambda random: text
    if low == high == 1:
        many = len(chars)
        return lambda random: chars[int(random.random() * many)]
    if low == high and len(chars) <= _MOST_IN_PAIRS:
        return _by_pairs(chars, low)
    return lambda random: "".join(random.choices(chars, k=random.randint(low, high)))


def _by_pairs(chars: str, length: int) -> Make:
    """Return a maker of so many of these characters, two at a time: ids are what most rows begin with."""
    pairs = _pairs(chars)
    many, odd, twos = len(chars), length % 2, range(length // 2)

    def make(random: Random) -> str:
        draw = random.random
        text = "".join([pairs[int(draw() * many * many)] for _ in twos])
        return text + chars[int(draw() * many)] if odd else text

    return make


@lru_cache(maxsize=64)
def _pairs(chars: str) -> tuple[str, ...]:
    return tuple(first + second for first in chars for second in chars)


def _repeat(piece: Piece) -> Make | None:
    (inner,) = piece.parts
    low, high = piece.low, _most(piece)
    if piece.high is not None and piece.high < max(low, 1):
        return None
    if inner.kind == "chars":
        return _one_of(inner.chars, low, high)
    make = _simple(inner)
    if make is None:
        return None
    return lambda random: "".join([make(random) for _ in range(random.randint(low, high))])


def _sequence(parts: list[Piece]) -> Make | None:
    """Return a maker of one part after the other; characters that are always the same are written at once."""
    ready: list[Make] = []
    fixed = ""
    for part in parts:
        if part.kind == "chars" and len(part.chars) == 1:
            fixed += part.chars
            continue
        make = _simple(part)
        if make is None:
            return None
        ready.append(_behind(fixed, make))
        fixed = ""
    if fixed or not ready:
        ready.append(lambda random: fixed)
    if len(ready) == 1:
        return ready[0]
    return lambda random: "".join([make(random) for make in ready])


def _behind(fixed: str, make: Make) -> Make:
    return (lambda random: fixed + make(random)) if fixed else make


def _checked(pattern: str) -> Make:
    """Return a maker for any other pattern: texts are tried until one matches."""
    texts = PatternTexts(f"^(?:{pattern})$")
    validator = validator_for({"type": "string", "pattern": f"^(?:{pattern})$"})

    def make(random: Random) -> str:
        for _ in range(_MOST_TRIES):
            text = texts.make(random, 0, _LONGEST)
            if validator.is_valid(text):
                return text
        raise GaveUp(f"no text was found that matches the pattern {pattern[:80]!r}")

    return make
