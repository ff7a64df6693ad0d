"""Where the value of a field or of a draw comes from: each source of a domain file becomes a function that draws."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from random import Random
from typing import Any, Literal

from generator.errors import GaveUp, ValueSynthesisError
from generator.jsontext import JsonValue, digest
from generator.random_streams import stream
from generator.schemas.validators import InvalidSchema, validator_for
from generator.values import Context, synthesize_value
from generator.values.meanings.entities import PROVIDERS, provided
from generator.values.patterns.texts import pattern_text
from generator.worlds.compiler import (
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
    Compiler,
    Path,
    Setting,
    Value,
    fit,
    fits,
    is_entity,
    is_number,
    weight_of,
)
from generator.worlds.formulas import sound
from generator.worlds.rows import ABSENT, NothingToDraw, Row, Scope, Source, Taken, Worded, distinct, picked
from generator.worlds.speech import compile_form
from generator.worlds.values import compile_value

CompileSource = Callable[[JsonValue, Path, Compiler], Source]


def nothing(scope: Scope, random: Random, taken: Taken) -> Any:
    """Give nothing: what stands for a source that cannot be compiled."""
    return ABSENT


Choose = Callable[[Scope], list[Row]]
Pick = Callable[[Scope, Random], Row | None]
_TRIES = 8
"""Rows that are tried by chance before all are looked through: each that fits is as likely either way."""


def _picked(name: str, spec: dict[str, Any], path: Path, compiler: Compiler, *, free: bool) -> Pick:
    """Return what draws a row that fulfils the source's `where`; None where there is none."""
    choose = _chosen(name, spec, path, compiler)
    test = None
    if "where" in spec:
        test = compiler.parts.conditions(spec["where"], (*path, "where"), compiler, name)

    def pick(scope: Scope, random: Random) -> Row | None:
        rows = list(scope.world.table(name).values())
        held = _held(scope) if free else []
        for _ in range(_TRIES if rows else 0):
            row = rows[int(random.random() * len(rows))]
            if row not in held and (test is None or test(Scope(scope.world, {}, scope, row))):
                return row
        fitting = [row for row in choose(scope) if row not in held]
        return fitting[int(random.random() * len(fitting))] if fitting else None

    return pick


def _held(scope: Scope) -> list[Row]:
    """Return the rows that draws have drawn before, and the user."""
    return [value for value in (*scope.names.values(), scope.world.me) if isinstance(value, Row)]


def _chosen(name: str, spec: dict[str, Any], path: Path, compiler: Compiler) -> Choose:
    """Return what gives the rows of an entity that fulfil the source's `where`."""
    if "where" not in spec:
        return lambda scope: list(scope.world.table(name).values())
    test = compiler.parts.conditions(spec["where"], (*path, "where"), compiler, name)
    weight = weight_of(spec["where"])

    def choose(scope: Scope) -> list[Row]:
        rows = scope.world.table(name).values()
        if not scope.world.spend(weight * len(rows)):
            raise NothingToDraw(f"looking through every {name} takes too long")
        return [row for row in rows if test(Scope(scope.world, {}, scope, row))]

    return choose


def _free(choose: Choose, name: str) -> Choose:
    """Return what gives those rows that no draw has drawn before, and that are not the user."""

    def free(scope: Scope) -> list[Row]:
        rows = choose(scope)
        if held := _held(scope):
            rows = [row for row in rows if row not in held]
        if not rows:
            raise NothingToDraw(f"no {name} fulfils the conditions")
        return rows

    return free


def row_source(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw an existing row, another one than the draws before it have."""
    name = spec["row"]
    if not is_entity(name, path, compiler):
        return nothing
    pick = _picked(name, spec, path, compiler, free=True)

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        row = pick(scope, random)
        if row is None:
            is_alone = list(scope.world.table(name).values()) == [scope.world.me]
            raise NothingToDraw(f"the user is the only {name}" if is_alone else f"no {name} fulfils the conditions")
        return row

    return source


def rows_source(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw several of them."""
    name = spec["rows"]
    if not is_entity(name, path, compiler):
        return nothing
    free = _free(_chosen(name, spec, path, compiler), name)
    low, high = spec.get("count", [2, 3])

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        rows = free(scope)
        if len(rows) < low:
            raise NothingToDraw(f"there are only {len(rows)} such rows of {name}")
        return random.sample(rows, random.randint(low, min(high, len(rows))))

    return source


def ref_source(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw a reference to a row."""
    name = spec["ref"]
    if not is_entity(name, path, compiler):
        return nothing
    pick = _picked(name, spec, path, compiler, free=False)
    key, is_distinct = object(), spec.get("distinct", False)

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        def drawn(random: Random) -> Any:
            row = pick(scope, random)
            if row is None:
                raise NothingToDraw(f"there is no {name} to refer to")
            return row.ref

        return distinct(taken, key, drawn, random) if is_distinct else drawn(random)

    return source


def new_source(spec: dict[str, Any], path: Path, compiler: Compiler, compile_source: CompileSource) -> Source:
    """Draw a row that the world does not have: something to be created, or not to be found."""
    name = spec["new"]
    if not is_entity(name, path, compiler):
        return nothing
    given = {key: compile_source(each, (*path, "set", key), compiler) for key, each in (spec.get("set") or {}).items()}
    for key in given:
        if key not in compiler.fields_of(name):
            compiler.faults.unknown((*path, "set", key), f"field of {name}", key, compiler.fields_of(name))

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        fields = {key: each(scope, random, taken) for key, each in given.items()}
        return scope.world.imagine(name, fields, random)

    return source


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


def schema_source(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw a value of a schema; with `give`, the values of these properties as a list."""
    schema, given, field = spec["schema"], spec.get("give"), spec.get("field")
    names = None if given is None else [str(name) for name in given]
    whole = schema if field is None else {"type": "object", "properties": {field: schema}, "required": [field]}
    purpose: Literal["argument", "result"] = "argument" if field is None else "result"
    try:
        validator_for(whole)
    except InvalidSchema as error:
        compiler.faults.add((*path, "schema"), str(error)[:200])
        return nothing

    name, description = str(spec.get("tool", "")), str(spec.get("description", ""))

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        context = Context(
            reference_date=scope.world.today, name=name, description=description,
            include=None if names is None else frozenset(names), purpose=purpose,
        )  # fmt: skip
        try:
            value = synthesize_value(whole, seed=random, context=context, locale=scope.world.locale)
        except ValueSynthesisError as error:
            raise NothingToDraw(str(error)) from error
        if field is not None:
            return value[field]
        return value if names is None else [value.get(name, ABSENT) for name in names]

    return source


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
    if isinstance(choices, str) and choices.startswith("$") and "weights" not in spec:
        return _from_list(compile_value(choices, (*path, "from"), compiler), choices)
    if not isinstance(choices, list) or not choices:
        compiler.faults.add((*path, "from"), "`from` takes a list of values, or `$name.field` that is one")
        return nothing
    parts = [compile_value(each, (*path, "from", place), compiler) for place, each in enumerate(choices)]
    weights = spec.get("weights")
    if weights is None:
        return lambda scope, random, taken: parts[int(random.random() * len(parts))](scope)
    if len(weights) != len(parts):
        compiler.faults.add((*path, "weights"), "`weights` takes one number for each value of `from`")
        return nothing
    return lambda scope, random, taken: random.choices(parts, weights)[0](scope)


def _from_list(listed: Value, name: str) -> Source:
    """Return what draws an element of a list that a row or an earlier draw holds."""

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        found = listed(scope)
        if not isinstance(found, list) or not found:
            raise NothingToDraw(f"{name} is no list of values")
        return found[int(random.random() * len(found))]

    return source


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
    "from": (_from, {"weights": WEIGHTS}, "one of several values, or of a list that `$name.field` is"),
}  # fmt: skip
"""By name: what compiles it, its further settings, and what it gives."""
