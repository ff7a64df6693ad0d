"""Sources: where the value of a field or of a draw comes from.

A plain value is itself, `$name.field` a value in scope, and an object with one of the keys of `SOURCES` draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random
from typing import Any

from generator.errors import GaveUp
from generator.jsontext import JsonValue, digest
from generator.streams import stream
from generator.values.locales import PROVIDERS, provided
from generator.values.patterns.lone import pattern_text
from generator.worlds.calculation import sound
from generator.worlds.compiler import Compiler, Path, Value
from generator.worlds.drawing import NothingToDraw as NothingToDraw  # noqa: PLC0414 - also named by those who draw
from generator.worlds.drawing import Source as Source  # noqa: PLC0414 - likewise
from generator.worlds.drawing import Taken as Taken  # noqa: PLC0414 - likewise
from generator.worlds.drawing import distinct, picked
from generator.worlds.row_sources import new_source, nothing, ref_source, row_source, rows_source
from generator.worlds.rows import ABSENT, Scope, Worded
from generator.worlds.schema_source import schema_source
from generator.worlds.settings import (
    ANYTHING,
    COUNT,
    DECIMALS,
    FLAG,
    FORM,
    HOURS,
    LIST,
    MAPPING,
    MINUTES,
    NAME,
    PROBABILITY,
    STEP,
    WEEKDAYS,
    WEIGHTS,
    WHOLE_STEP,
    Setting,
    fit,
    fits,
    is_number,
)
from generator.worlds.time_sources import bounds, clock_source, day_source, moment_source
from generator.worlds.values import compile_value


def compile_source(spec: JsonValue, path: Path, compiler: Compiler) -> Source:
    """Compile a source; what is wrong with it is noted as a fault."""
    if compiler.is_too_deep(path):
        return nothing
    if not isinstance(spec, dict):
        return _value(spec, path, compiler)
    name = source_name(spec)
    if not name:
        if len(spec) == 1 and next(iter(spec)).startswith("$"):
            return _value(spec, path, compiler)
        compiler.faults.unknown(path, "source", next(iter(spec), ""), SOURCES)
        return nothing
    make, settings, _ = SOURCES[name]
    return make(spec, path, compiler) if fit(spec, name, settings, path, compiler) else nothing


def source_name(spec: dict[str, Any]) -> str:
    """Return the key that says which source this is: `from` is one by itself and a setting of `day`."""
    known = [key for key in spec if key in SOURCES]
    return next((key for key in known if spec.keys() <= {key, *SOURCES[key][1]}), known[0] if known else "")


def _value(spec: JsonValue, path: Path, compiler: Compiler) -> Source:
    value = compile_value(spec, path, compiler)
    return lambda scope, random, taken: value(scope)


def drawn(spec: JsonValue, path: Path, compiler: Compiler) -> Value:
    """Compile `{$draw: source}`: the same arguments in the same world always draw the same."""
    source = compile_source(spec, path, compiler)
    label = "/".join(map(str, path))

    def value(scope: Scope) -> Any:
        given = scope.get("args")
        random = stream(scope.world.seed, "draw", label, digest(given) if isinstance(given, dict) else "")
        try:
            return source(scope, random, {})
        except NothingToDraw:
            return ABSENT

    return value


def _pool(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    name = spec["pool"]
    entries: list[Any] = list(name) if isinstance(name, list) else list(compiler.domain.pools.get(str(name), ()))
    if not entries:
        compiler.faults.unknown(path, "pool", name, compiler.domain.pools)
        return nothing
    key = object()
    return lambda scope, random, taken: picked(taken, key, entries, random)


def _from(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    choices = spec["from"]
    if not isinstance(choices, list) or not choices:
        compiler.faults.add((*path, "from"), "`from` takes a list of values")
        return nothing
    parts = [compile_value(each, (*path, "from", place), compiler) for place, each in enumerate(choices)]
    weights = spec.get("weights")
    if weights is None:
        return lambda scope, random, taken: parts[int(random.random() * len(parts))](scope)
    if len(weights) != len(parts):
        compiler.faults.add((*path, "weights"), "`weights` takes one number for each value of `from`")
        return nothing
    return lambda scope, random, taken: random.choices(parts, weights)[0](scope)


def _one_of(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    if not isinstance(spec["one_of"], list) or not spec["one_of"]:
        compiler.faults.add((*path, "one_of"), "`one_of` takes a list of sources")
        return nothing
    parts = [compile_source(each, (*path, "one_of", place), compiler) for place, each in enumerate(spec["one_of"])]
    return lambda scope, random, taken: parts[int(random.random() * len(parts))](scope, random, taken)


def _faker(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    name = spec["faker"]
    if name not in PROVIDERS:
        compiler.faults.unknown(path, "provider", name, PROVIDERS)
        return nothing

    return lambda scope, random, taken: picked(taken, name, provided(name, scope.world.locale), random)


def _pattern(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    pattern = str(spec["pattern"])
    try:
        make = pattern_text(pattern)
    except ValueError as error:
        compiler.faults.add(path, f"the pattern {pattern[:80]!r} cannot be read: {str(error)[:200]}")
        return nothing

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        try:
            return distinct(taken, pattern, make, random)
        except GaveUp as error:
            raise NothingToDraw(str(error)) from error

    return source


_LARGEST = 2**53


def _numbers(low: Value, high: Value, scope: Scope) -> tuple[float, float]:
    first, last = low(scope), high(scope)
    if not (is_number(first) and is_number(last) and math.isfinite(first) and math.isfinite(last)) or last < first:
        raise NothingToDraw("no number lies between the bounds")
    if max(abs(first), abs(last)) > _LARGEST:
        raise NothingToDraw("a bound is beyond what every reader of JSON holds exactly")
    return first, last


def _integer(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    low, high = bounds(spec, "integer", path, compiler)
    step = spec.get("step", 1)

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        first, last = _numbers(low, high, scope)
        start = math.ceil(first)
        many = (math.floor(last) - start) // step + 1
        if many < 1:
            raise NothingToDraw("no whole number lies between the bounds")
        value = sound(start + step * int(random.random() * many))
        if value is ABSENT:
            raise NothingToDraw("the bounds lie outside the signed 64-bit range")
        return value

    return source


def _number(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    low, high = bounds(spec, "number", path, compiler)
    decimals, step = spec.get("decimals", 2), spec.get("step")

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        first, last = _numbers(low, high, scope)
        width = random.random() * (last - first)
        if not math.isfinite(width):
            raise NothingToDraw("the bounds lie too far apart")
        value = first + (math.floor(width / step) * step if step else width)
        return min(max(round(value, 6 if step else decimals), first), last)

    return source


def _text(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    value = compiler.parts.text(str(spec["text"]), path, compiler)
    return lambda scope, random, taken: value(scope)


def _maybe(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    if not fits(spec["maybe"], PROBABILITY, (*path, "maybe"), compiler):
        return nothing
    chance = spec["maybe"]
    inner = compile_source(spec.get("value", True), (*path, "value"), compiler)
    other = compile_value(spec.get("else"), (*path, "else"), compiler)

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        if random.random() >= chance:
            return other(scope)
        try:
            return inner(scope, random, taken)
        except NothingToDraw:
            return other(scope)

    return source


def _chance(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    if not fits(spec["chance"], PROBABILITY, (*path, "chance"), compiler):
        return nothing
    chance = spec["chance"]
    return lambda scope, random, taken: random.random() < chance


def _list(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    inner = compile_source(spec["list"], (*path, "list"), compiler)
    low, high = spec.get("count", [1, 3])

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        own: Taken = {}
        many = random.randint(low, high)
        if not scope.world.spend(many):
            raise NothingToDraw("a list of too many values")
        found = [inner(scope, random, own) for _ in range(many)]
        return [value for place, value in enumerate(found) if value is not ABSENT and value not in found[:place]]

    return source


def _new(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    return new_source(spec, path, compiler, compile_source)


def _wording(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    name = spec["wording"]
    entries = compiler.domain.wordings.get(str(name))
    if not entries:
        compiler.faults.unknown(path, "wording", name, compiler.domain.wordings)
        return nothing
    worded = [Worded(entry.value, entry.say, entry.means) for entry in entries]
    return lambda scope, random, taken: worded[int(random.random() * len(worded))]


Make = Callable[[dict[str, Any], Path, Compiler], Source]
SOURCES: dict[str, tuple[Make, dict[str, Setting], str]] = {
    "pool": (_pool, {}, "an entry of a pool, or of a list; another one for each row"),
    "integer": (_integer, {"step": WHOLE_STEP}, "a whole number, [from, to]"),
    "number": (_number, {"decimals": DECIMALS, "step": STEP}, "a number, [from, to]"),
    "day": (
        day_source, {"from": ANYTHING, "as": FORM, "only": WEEKDAYS},
        "a day, [from, to] in days from today or from another day; `only: weekdays`",
    ),
    "clock": (clock_source, {"every": MINUTES, "as": FORM}, "a time of day, [from, to], every so many minutes"),
    "moment": (
        moment_source, {"from": ANYTHING, "hours": HOURS, "every": MINUTES, "as": FORM},
        "a day and a time, [from, to] in days",
    ),
    "faker": (_faker, {}, "a value of Faker in the record's locale"),
    "pattern": (_pattern, {}, "a text that matches a regular expression"),
    "text": (_text, {}, "a template, written from the fields before it"),
    "maybe": (
        _maybe, {"value": ANYTHING, "else": ANYTHING}, "a source with a probability, else another value or null",
    ),
    "chance": (_chance, {}, "true with a probability"),
    "list": (_list, {"count": COUNT}, "a list of different values of a source, `count: [from, to]`"),
    "ref": (ref_source, {"where": ANYTHING, "distinct": FLAG}, "a reference to a row of an entity"),
    "row": (
        row_source, {"where": ANYTHING},
        "a row of the world that fulfils conditions, another one than those drawn before",
    ),
    "rows": (rows_source, {"where": ANYTHING, "count": COUNT}, "several of them"),
    "new": (_new, {"set": MAPPING}, "a row that the world does not have"),
    "wording": (_wording, {}, "an entry of a wording: a value with words"),
    "schema": (
        schema_source, {"give": LIST, "field": NAME, "tool": ANYTHING, "description": ANYTHING},
        "a value of a JSON Schema",
    ),
    "one_of": (_one_of, {}, "one of several sources"),
    "from": (_from, {"weights": WEIGHTS}, "one of several values"),
}  # fmt: skip
"""By name: what compiles it, its further settings, and what it gives."""
