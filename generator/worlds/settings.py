"""Settings: what the settings of sources and effects must be. Domain files are others' text: each is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from generator.jsontext import JsonValue
from generator.worlds.compiler import Compiler, Path
from generator.worlds.times import compile_form

Setting = tuple[Callable[[Any], bool], str]
"""Whether a value fits, and what it must be."""

_MOST_DRAWN = 100


def is_number(value: Any) -> bool:
    """Say whether a value is a number, and no flag."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_whole(value: Any, low: int, high: int) -> bool:
    """Say whether a value is a whole number within bounds."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _is_pair(value: Any) -> bool:
    whole = isinstance(value, list) and len(value) == 2 and all(is_whole(each, 0, _MOST_DRAWN) for each in value)
    return bool(whole and value[0] <= value[1])


def _is_form(value: Any) -> bool:
    try:
        return isinstance(value, str) and compile_form(value) is not None
    except ValueError:
        return False


def is_clock(value: Any) -> bool:
    """Say whether a value is a time of day, HH:MM."""
    digits = value.split(":") if isinstance(value, str) and len(value) == len("09:30") else []
    return len(digits) == 2 and all(each.isascii() and each.isdecimal() for each in digits) and value < "24:00"


ANYTHING: Setting = (lambda value: True, "anything")
NAME: Setting = (lambda value: isinstance(value, str) and 0 < len(value) <= 80 and "." not in value, "a name")
MAPPING: Setting = (lambda value: isinstance(value, dict), "{name: value}")
LIST: Setting = (lambda value: isinstance(value, list), "a list")
FLAG: Setting = (lambda value: isinstance(value, bool), "true or false")
WHOLE_STEP: Setting = (lambda value: is_whole(value, 1, 10**15), "a whole number above 0")
STEP: Setting = (lambda value: is_number(value) and 1e-6 <= value <= 1e15, "a number above 0")
DECIMALS: Setting = (lambda value: is_whole(value, 0, 10), "a whole number from 0 to 10")
MINUTES: Setting = (lambda value: is_whole(value, 1, 1440), "a number of minutes from 1 to 1440")
FORM: Setting = (_is_form, "a form of dates and times such as %Y-%m-%d %H:%M, of 64 characters at most")
WEEKDAYS: Setting = (lambda value: value == "weekdays", "`weekdays`")
HOURS: Setting = (
    lambda value: isinstance(value, list) and len(value) == 2 and all(map(is_clock, value)),
    'two times of day such as ["08:00", "20:00"]',
)
COUNT: Setting = (_is_pair, f"[from, to], whole numbers up to {_MOST_DRAWN}")
WEIGHTS: Setting = (
    lambda value: (
        isinstance(value, list) and all(is_number(each) and 0 <= each < 1e15 for each in value) and sum(value) > 0
    ),
    "a list of numbers, not all of them 0",
)
PROBABILITY: Setting = (lambda value: is_number(value) and 0 <= value <= 1, "a probability from 0 to 1")


def fit(spec: Mapping[str, JsonValue], name: str, known: Mapping[str, Setting], path: Path, compiler: Compiler) -> bool:
    """Say whether the settings beside `name` are known ones and as they must be; note faults where not."""
    fits = True
    for key, value in spec.items():
        if key == name:
            continue
        if key not in known:
            compiler.faults.unknown((*path, key), f"setting of {name}", key, known)
        elif not known[key][0](value):
            compiler.faults.add((*path, key), f"`{key}` must be {known[key][1]}")
        else:
            continue
        fits = False
    return fits


def fits(value: JsonValue, setting: Setting, path: Path, compiler: Compiler) -> bool:
    """Say whether a value is as it must be; note a fault where it is not."""
    if not setting[0](value):
        compiler.faults.add(path, f"must be {setting[1]}")
        return False
    return True


def is_entity(name: Any, path: Path, compiler: Compiler) -> bool:
    """Say whether a name is that of an entity; note a fault where it is not."""
    if isinstance(name, str) and name in compiler.domain.entities:
        return True
    compiler.faults.unknown(path, "entity", name, compiler.domain.entities)
    return False


def weight_of(spec: JsonValue) -> int:
    """Return how many parts a value is made of, as a measure of what it costs."""
    total = 0
    waiting: list[Any] = [spec]
    while waiting:
        value = waiting.pop()
        total += 1
        inner: Iterable[Any] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        waiting.extend(inner)
    return total
