"""Plain questions: what may be asked where there is no tool at all, with the answers that are right.

Facts come from `plain_questions.toml`; sums, shares and conversions are worked out, so there are as many as wanted.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from generator.assets import asset_file
from generator.scenarios.talk.texts import upper_first

_SHARE_OF_FACTS = 0.55
_TOLD_FIRST = ("I've ", "I came ")
"""How a question begins that tells something first, so that nothing suits before it."""
_ROMAN = ((100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))


@dataclass(frozen=True, slots=True)
class Facts:
    """Questions of one form: `{}` is what is asked about, `{answer}` what is right."""

    questions: tuple[str, ...]
    answers: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PlainQuestions:
    """All facts, and how people begin and end a question."""

    facts: tuple[Facts, ...]
    openings: tuple[str, ...]
    closings: tuple[str, ...]


@lru_cache(maxsize=1)
def load_plain_questions() -> PlainQuestions:
    """Read the questions that ship with toolgen, once."""
    data = tomllib.loads(asset_file("talk/plain_questions.toml").read_text("utf-8"))
    facts = tuple(
        Facts(
            tuple(each["questions"]),
            tuple(each["answers"]),
            tuple((about, answer) for about, answer in each["pairs"]),
        )
        for each in data["facts"]
    )
    return PlainQuestions(facts, tuple(data["openings"]), tuple(data["closings"]))


def draw_question(random: Random) -> tuple[str, str]:
    """Draw a question and its answer."""
    known = load_plain_questions()
    asked, answer = _fact(random, known) if random.random() < _SHARE_OF_FACTS else random.choice(_WORKED_OUT)(random)
    opening = "" if asked.startswith(_TOLD_FIRST) else random.choice(known.openings)
    text = f"{opening}{asked if opening.endswith((': ', ', ')) else upper_first(asked)}{random.choice(known.closings)}"
    return upper_first(text), upper_first(answer)


def _fact(random: Random, known: PlainQuestions) -> tuple[str, str]:
    facts = random.choice(known.facts)
    about, answer = random.choice(facts.pairs)
    return random.choice(facts.questions).format(about), random.choice(facts.answers).format(about, answer=answer)


def _product(random: Random) -> tuple[str, str]:
    first, second = random.randint(6, 49), random.randint(6, 49)
    asked = random.choice(("what's {} times {}?", "how much is {} times {}?", "can you multiply {} by {} for me?"))
    return asked.format(first, second), f"{first} times {second} is {first * second:,}."


def _total(random: Random) -> tuple[str, str]:
    first, second = random.randint(120, 980), random.randint(120, 980)
    asked = random.choice(("what's {} plus {}?", "can you add {} and {} for me?", "what do {} and {} add up to?"))
    return asked.format(first, second), f"{first} plus {second} is {first + second:,}."


def _share(random: Random) -> tuple[str, str]:
    percent, whole = random.choice((5, 10, 15, 20, 25, 30, 40, 60, 75, 80)), 20 * random.randint(3, 60)
    asked = random.choice(("what's {}% of {}?", "how much is {} percent of {}?", "what do I get for {} percent of {}?"))
    return asked.format(percent, whole), f"{percent}% of {whole:,} is {percent * whole / 100:g}."


def _length(random: Random) -> tuple[str, str]:
    count, (unit, other, factor) = random.randint(2, 90), random.choice(_LENGTHS)
    asked = random.choice(("how many {1} are {0} {2}?", "what is {0} {2} in {1}?", "can you convert {0} {2} to {1}?"))
    return asked.format(count, other, unit), f"{count} {unit} are about {count * factor:.1f} {other}."


_LENGTHS = (
    ("miles", "kilometers", 1.609344), ("kilometers", "miles", 1 / 1.609344), ("inches", "centimeters", 2.54),
    ("feet", "meters", 0.3048), ("meters", "feet", 1 / 0.3048), ("pounds", "kilograms", 0.45359237),
    ("kilograms", "pounds", 1 / 0.45359237), ("gallons", "liters", 3.785411784), ("yards", "meters", 0.9144),
)  # fmt: skip


def _duration(random: Random) -> tuple[str, str]:
    count, (unit, other, factor) = random.randint(2, 60), random.choice(_DURATIONS)
    asked = random.choice(("how many {1} are in {0} {2}?", "{0} {2} are how many {1}?", "how many {1} are {0} {2}?"))
    return asked.format(count, other, unit), f"{count} {unit} are {count * factor:,} {other}."


_DURATIONS = (("days", "hours", 24), ("weeks", "days", 7), ("hours", "minutes", 60), ("dozen", "pieces", 12),
              ("years", "months", 12), ("minutes", "seconds", 60))  # fmt: skip


def _roman(random: Random) -> tuple[str, str]:
    number = random.randint(4, 199)
    written, rest = "", number
    for value, letters in _ROMAN:
        written += letters * (rest // value)
        rest %= value
    asked = random.choice(("how do you write {} in Roman numerals?", "what's {} as a Roman numeral?"))
    return asked.format(number), f"{number} is {written} in Roman numerals."


_WORKED_OUT: tuple[Callable[[Random], tuple[str, str]], ...] = (_product, _total, _share, _length, _duration, _roman)
