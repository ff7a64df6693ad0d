"""Sources of days, times of day, and moments."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any

from generator.worlds.compiler import Compiler, Path, Value
from generator.worlds.drawing import NothingToDraw, Source, Taken
from generator.worlds.rows import Scope
from generator.worlds.times import compile_form
from generator.worlds.values import compile_value

_FIRST_WEEKEND_DAY = 5


def bounds(spec: dict[str, Any], key: str, path: Path, compiler: Compiler) -> tuple[Value, Value]:
    """Compile `key: [from, to]`."""
    given = spec[key]
    if not (isinstance(given, list) and len(given) == 2):
        compiler.faults.add((*path, key), f"`{key}` takes [from, to]")
        given = [0, 0]
    low, high = (compile_value(each, (*path, key, place), compiler) for place, each in enumerate(given))
    return low, high


def _start(spec: dict[str, Any], path: Path, compiler: Compiler) -> Value:
    return compile_value(spec.get("from", "$today"), (*path, "from"), compiler)


def _day_in(start: Any, low: Any, high: Any, random: Random, *, weekdays: bool = False) -> date:
    try:
        first, last = int(low), int(high)
        if last < first:
            raise NothingToDraw("no day lies between the bounds")
        day = date.fromisoformat(str(start)[:10]) + timedelta(days=first + int(random.random() * (last - first + 1)))
        if weekdays and day.weekday() >= _FIRST_WEEKEND_DAY:
            day += timedelta(days=7 - day.weekday())
        return day
    except (ValueError, TypeError, OverflowError) as error:
        raise NothingToDraw("no day to start from") from error


def _minute_in(low: Any, high: Any, every: int, random: Random) -> time:
    try:
        first, last = (time.fromisoformat(str(each)) for each in (low, high))
    except ValueError as error:
        raise NothingToDraw("no time of day lies between the bounds") from error
    start = first.hour * 60 + first.minute
    room = last.hour * 60 + last.minute - start
    if room < 0:
        raise NothingToDraw("no time of day lies between the bounds")
    hour, minute = divmod(start + every * int(random.random() * (room // every + 1)), 60)
    return time(hour, minute)


def day_source(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw a day, so many days from another."""
    low, high = bounds(spec, "day", path, compiler)
    start, weekdays = _start(spec, path, compiler), "only" in spec
    form = compile_form(spec["as"]) if "as" in spec else None

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        day = _day_in(start(scope), low(scope), high(scope), random, weekdays=weekdays)
        return day.isoformat() if form is None else form(datetime.combine(day, time()))

    return source


def clock_source(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw a time of day."""
    low, high = bounds(spec, "clock", path, compiler)
    every = spec.get("every", 30)
    form: Callable[[datetime], str] = compile_form(spec.get("as", "%H:%M"))
    return lambda scope, random, taken: form(
        datetime.combine(date(2000, 1, 1), _minute_in(low(scope), high(scope), every, random))
    )


def moment_source(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw a day and a time of day."""
    low, high = bounds(spec, "moment", path, compiler)
    start = _start(spec, path, compiler)
    first, last = spec.get("hours", ["08:00", "20:00"])
    every = spec.get("every", 15)
    form = compile_form(spec.get("as", "%Y-%m-%dT%H:%M:%S"))

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        day = _day_in(start(scope), low(scope), high(scope), random)
        return form(datetime.combine(day, _minute_in(first, last, every, random)))

    return source
