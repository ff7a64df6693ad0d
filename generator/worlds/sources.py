"""Sources: where the value of a field or of a draw comes from.

A plain value is itself, `$name.field` a value in scope, and an object with one of the keys of `SOURCES` draws.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import lru_cache
from random import Random
from typing import Any, Literal

from generator.errors import ValueSynthesisError
from generator.jsontext import JsonValue, digest
from generator.streams import stream
from generator.values import Context, synthesize_value
from generator.values.pattern_text import pattern_text
from generator.values.providers import PROVIDERS, provided
from generator.worlds.compiler import Compiler, Path, Value
from generator.worlds.rows import ABSENT, Ref, Row, Scope, Worded
from generator.worlds.settings import SETTINGS
from generator.worlds.speech import Unsayable
from generator.worlds.values import compile_value

Taken = dict[int, set[Any]]
"""What the sources of one table have given already, so that its rows differ."""
Source = Callable[[Scope, Random, Taken], Any]


class NothingToDraw(Exception):
    """No row or value is there for a draw: the way cannot be gone in this world."""


class TooMuch(NothingToDraw, Unsayable):
    """A domain asks for more than a world gives: more steps, longer texts, views within themselves."""


_MOST_TRIES = 24
_MOST_LISTED = 100
_LARGEST = 2**53


def compile_source(spec: JsonValue, path: Path, compiler: Compiler) -> Source:
    """Compile a source; what is wrong with it is noted as a fault."""
    if not isinstance(spec, dict):
        value = compile_value(spec, path, compiler)
        return lambda scope, random, taken: value(scope)
    name = next((key for key in spec if key in SOURCES), "")
    if not name:
        if len(spec) == 1 and next(iter(spec)).startswith("$"):
            value = compile_value(spec, path, compiler)
            return lambda scope, random, taken: value(scope)
        compiler.faults.unknown(path, "source", next(iter(spec), ""), SOURCES)
        return lambda scope, random, taken: ABSENT
    make, further, _ = SOURCES[name]
    for key in spec:
        if key != name and key not in further:
            compiler.faults.unknown((*path, key), f"setting of {name}", key, further)
    if not _fits(spec, [name, *further], path, compiler):
        return lambda scope, random, taken: ABSENT
    return make(spec, path, compiler)


def _fits(spec: dict[str, Any], keys: list[str], path: Path, compiler: Compiler) -> bool:
    """Say whether each setting of a source is of its kind; note those that are not."""
    wrong = [key for key in keys if key in spec and key in SETTINGS and not SETTINGS[key][0](spec[key])]
    for key in wrong:
        compiler.faults.add((*path, key), f"`{key}` takes {SETTINGS[key][1]}")
    return not wrong


def drawn(spec: JsonValue, path: Path, compiler: Compiler) -> Value:
    """Compile `{$draw: source}`: the same arguments in the same world always draw the same."""
    source = compile_source(spec, path, compiler)
    label = "/".join(map(str, path))

    def value(scope: Scope) -> Any:
        given = scope.get("args")
        random = stream(scope.world.seed, "draw", label, digest(given) if isinstance(given, dict) else "")
        return source(scope, random, {})

    return value


def _pool(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    name = spec["pool"]
    entries: list[Any] = list(name) if isinstance(name, list) else list(compiler.domain.pools.get(name, ()))
    if not entries:
        compiler.faults.unknown(path, "pool", name, compiler.domain.pools)
        entries = [""]
    return lambda scope, random, taken: _distinct(taken, id(entries), lambda: random.choice(entries))


def _distinct(taken: Taken, source: int, make: Callable[[], Any]) -> Any:
    """Return a value that this source has not given in this table, as far as there is one."""
    before = taken.setdefault(source, set())
    value = make()
    for _ in range(_MOST_TRIES):
        mark = value if isinstance(value, str | int | float) else repr(value)
        if mark not in before:
            before.add(mark)
            break
        value = make()
    return value


def _from(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    choices = spec["from"]
    if not isinstance(choices, list) or not choices:
        compiler.faults.add(path, "`from` takes a list of values")
        return lambda scope, random, taken: ABSENT
    parts = [compile_value(each, (*path, "from", place), compiler) for place, each in enumerate(choices)]
    weights = spec.get("weights")
    if weights is None:
        return lambda scope, random, taken: parts[int(random.random() * len(parts))](scope)
    if not (isinstance(weights, list) and len(weights) == len(parts)):
        compiler.faults.add((*path, "weights"), "`weights` takes one number for each value of `from`")
        return lambda scope, random, taken: ABSENT
    return lambda scope, random, taken: random.choices(parts, weights)[0](scope)


def _one_of(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    parts = [compile_source(each, (*path, "one_of", place), compiler) for place, each in enumerate(spec["one_of"])]
    return lambda scope, random, taken: parts[int(random.random() * len(parts))](scope, random, taken)


def _faker(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    name = spec["faker"]
    if name not in PROVIDERS:
        compiler.faults.unknown(path, "provider", name, PROVIDERS)
        return lambda scope, random, taken: ABSENT
    return lambda scope, random, taken: _distinct(
        taken, hash(name), lambda: random.choice(provided(name, scope.world.locale))
    )


def _pattern(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    pattern = str(spec["pattern"])
    try:
        make = pattern_text(pattern)
    except ValueError as error:
        compiler.faults.add(path, f"the pattern {pattern[:80]!r} cannot be read: {error}")
        return lambda scope, random, taken: ABSENT
    return lambda scope, random, taken: _distinct(taken, hash(pattern), lambda: make(random))


def _bounds(spec: dict[str, Any], key: str, path: Path, compiler: Compiler) -> tuple[Value, Value]:
    bounds = spec[key]
    if not (isinstance(bounds, list) and len(bounds) == 2):
        compiler.faults.add((*path, key), f"`{key}` takes [from, to]")
        bounds = [0, 0]
    low, high = (compile_value(each, (*path, key, place), compiler) for place, each in enumerate(bounds))
    return low, high


def _numbers_between(first: Any, last: Any) -> tuple[float, float]:
    """Return two bounds between which there is a number that JSON can hold."""
    for each in (first, last):
        if not isinstance(each, int | float) or isinstance(each, bool) or not abs(each) <= _LARGEST:
            raise NothingToDraw("a bound is no number")
    if last < first:
        raise NothingToDraw("no number lies between the bounds")
    return first, last


def _integer(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    low, high = _bounds(spec, "integer", path, compiler)
    step = spec.get("step", 1)

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        first, last = _numbers_between(low(scope), high(scope))
        return int(first) + step * int(random.random() * ((int(last) - int(first)) // step + 1))

    return source


def _number(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    low, high = _bounds(spec, "number", path, compiler)
    decimals, step = spec.get("decimals", 2), spec.get("step")

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        first, last = _numbers_between(low(scope), high(scope))
        value = first + random.random() * (last - first)
        return round(round((value - first) / step) * step + first, 6) if step else round(value, decimals)

    return source


def _start(spec: dict[str, Any], path: Path, compiler: Compiler) -> Value:
    return compile_value(spec.get("from", "$today"), (*path, "from"), compiler)


def _day(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    low, high = _bounds(spec, "day", path, compiler)
    start, form, only = _start(spec, path, compiler), spec.get("as"), spec.get("only", "")

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        day = _day_in(start(scope), low(scope), high(scope), random)
        if only == "weekdays" and day.weekday() > 4:
            day += timedelta(days=7 - day.weekday())
        return day.strftime(form) if form else day.isoformat()

    return source


def _day_in(start: Any, low: Any, high: Any, random: Random) -> date:
    try:
        return date.fromisoformat(str(start)[:10]) + timedelta(days=random.randint(int(low), int(high)))
    except (ValueError, TypeError, OverflowError) as error:
        raise NothingToDraw("no day to start from") from error


def _clock(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    low, high = _bounds(spec, "clock", path, compiler)
    every = int(spec.get("every", 30))
    form = spec.get("as", "%H:%M")
    return lambda scope, random, taken: _time_in(low(scope), high(scope), every, random).strftime(form)


def _time_in(low: Any, high: Any, every: int, random: Random) -> datetime:
    try:
        first, last = (int(str(each)[:2]) * 60 + int(str(each)[3:5]) for each in (low, high))
        minutes = first + every * int(random.random() * ((last - first) // every + 1))
        return datetime(2000, 1, 1) + timedelta(minutes=minutes)  # noqa: DTZ001 - a time of day belongs to no zone
    except (ValueError, ZeroDivisionError) as error:
        raise NothingToDraw("no time of day lies between the bounds") from error


def _moment(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    low, high = _bounds(spec, "moment", path, compiler)
    start = _start(spec, path, compiler)
    first, last = spec.get("hours", ["08:00", "20:00"])
    every, form = int(spec.get("every", 15)), spec.get("as", "%Y-%m-%dT%H:%M:%S")

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        day = _day_in(start(scope), low(scope), high(scope), random)
        return datetime.combine(day, _time_in(first, last, every, random).time()).strftime(form)

    return source


def _text(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    value = compiler.parts.text(str(spec["text"]), path, compiler)
    return lambda scope, random, taken: value(scope)


def _maybe(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    chance = float(spec["maybe"])
    inner = compile_source(spec.get("value", True), (*path, "value"), compiler)
    other = compile_value(spec.get("else"), (*path, "else"), compiler)
    return lambda scope, random, taken: inner(scope, random, taken) if random.random() < chance else other(scope)


def _chance(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    chance = float(spec["chance"])
    return lambda scope, random, taken: random.random() < chance


def _list(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    inner = compile_source(spec["list"], (*path, "list"), compiler)
    low, high = spec.get("count", [1, 3])
    high = min(int(high), _MOST_LISTED)

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        own: Taken = {}
        scope.world.strain(high)
        found = [inner(scope, random, own) for _ in range(random.randint(min(int(low), high), high))]
        return list({repr(value) if isinstance(value, list | dict) else value: value for value in found}.values())

    return source


def _known_entity(name: Any, path: Path, compiler: Compiler) -> bool:
    if name in compiler.domain.entities:
        return True
    compiler.faults.unknown(path, "entity", name, compiler.domain.entities)
    return False


def _row(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw an existing row, another one than the draws before it have."""
    name = spec["row"]
    if not _known_entity(name, path, compiler):
        return lambda scope, random, taken: ABSENT
    test = compiler.parts.conditions(spec.get("where", []), (*path, "where"), compiler, name)

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        rows = _free_rows(scope, name, test)
        return rows[int(random.random() * len(rows))]

    return source


def _free_rows(scope: Scope, name: str, test: Callable[[Scope], bool]) -> list[Row]:
    held = {value for value in scope.names.values() if isinstance(value, Row)}
    rows = [row for row in scope.world.table(name).values() if row not in held and test(scope.inside(row))]
    if not rows:
        raise NothingToDraw(f"no {name} fulfils the conditions")
    return rows


def _rows(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    name = spec["rows"]
    if not _known_entity(name, path, compiler):
        return lambda scope, random, taken: ABSENT
    test = compiler.parts.conditions(spec.get("where", []), (*path, "where"), compiler, name)
    low, high = spec.get("count", [2, 3])

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        rows = _free_rows(scope, name, test)
        if len(rows) < low:
            raise NothingToDraw(f"there are only {len(rows)} such rows of {name}")
        return random.sample(rows, random.randint(low, min(high, len(rows))))

    return source


def _ref(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    name = spec["ref"]
    if not _known_entity(name, path, compiler):
        return lambda scope, random, taken: ABSENT
    test = compiler.parts.conditions(spec["where"], (*path, "where"), compiler, name) if "where" in spec else None

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        rows = list(scope.world.table(name).values())
        if test is not None:
            rows = [row for row in rows if test(scope.inside(row))]
        if not rows:
            raise NothingToDraw(f"there is no {name} to refer to")
        if not spec.get("distinct"):
            return rows[int(random.random() * len(rows))].ref
        return _distinct(taken, id(spec), lambda: rows[int(random.random() * len(rows))].ref)

    return source


def _new(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw a row that the world does not have: something to be created, or not to be found."""
    name = spec["new"]
    if not _known_entity(name, path, compiler):
        return lambda scope, random, taken: ABSENT
    given = {key: compile_source(each, (*path, "set", key), compiler) for key, each in (spec.get("set") or {}).items()}
    for key in given:
        if key not in compiler.fields_of(name):
            compiler.faults.unknown((*path, "set", key), f"field of {name}", key, compiler.fields_of(name))

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        fields = {key: each(scope, random, taken) for key, each in given.items()}
        return scope.world.imagine(name, fields, random, scope)

    return source


def _wording(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    name = spec["wording"]
    entries = compiler.domain.wordings.get(name)
    if not entries:
        compiler.faults.unknown(path, "wording", name, compiler.domain.wordings)
        return lambda scope, random, taken: ABSENT
    worded = [Worded(entry.value, entry.say, entry.means) for entry in entries]
    return lambda scope, random, taken: worded[int(random.random() * len(worded))]


def _schema(spec: dict[str, Any], path: Path, compiler: Compiler) -> Source:
    """Draw a value of a schema; with `give`, the values of these properties as a list."""
    schema, given = spec["schema"], spec.get("give")
    names = [str(name) for name in given] if isinstance(given, list) else None
    field = spec.get("field")
    named = {"type": "object", "properties": {field: schema}, "required": [field]}
    whole = named if isinstance(field, str) else schema
    purpose: Literal["argument", "result"] = "result" if isinstance(field, str) else "argument"

    def source(scope: Scope, random: Random, taken: Taken) -> Any:
        context = Context(
            reference_date=scope.world.today,
            name=str(spec.get("tool", "")),
            description=str(spec.get("description", "")),
            include=None if names is None else frozenset(names),
            purpose=purpose,
        )
        try:
            value = synthesize_value(whole, seed=random, context=context, locale=scope.world.locale)
        except ValueSynthesisError as error:
            raise NothingToDraw(str(error)) from error
        if isinstance(field, str):
            return value[field]
        return value if names is None else [value.get(name, ABSENT) for name in names]

    return source


Make = Callable[[dict[str, Any], Path, Compiler], Source]
SOURCES: dict[str, tuple[Make, tuple[str, ...], str]] = {
    "pool": (_pool, (), "an entry of a pool, or of a list; another one for each row"),
    "integer": (_integer, ("step",), "a whole number, [from, to]"),
    "number": (_number, ("decimals", "step"), "a number, [from, to]"),
    "day": (_day, ("from", "as", "only"), "a day, [from, to] in days from today or from another day; `only: weekdays`"),
    "clock": (_clock, ("every", "as"), "a time of day, [from, to], every so many minutes"),
    "moment": (_moment, ("from", "hours", "every", "as"), "a day and a time, [from, to] in days"),
    "faker": (_faker, (), "a value of Faker in the record's locale"),
    "pattern": (_pattern, (), "a text that matches a regular expression"),
    "text": (_text, (), "a template, written from the fields before it"),
    "maybe": (_maybe, ("value", "else"), "a source with a probability, else another value or null"),
    "chance": (_chance, (), "true with a probability"),
    "list": (_list, ("count",), "a list of different values of a source, `count: [from, to]`"),
    "ref": (_ref, ("where", "distinct"), "a reference to a row of an entity"),
    "row": (_row, ("where",), "a row of the world that fulfils conditions, another one than those drawn before"),
    "rows": (_rows, ("where", "count"), "several of them"),
    "new": (_new, ("set",), "a row that the world does not have"),
    "wording": (_wording, (), "an entry of a wording: a value with words"),
    "schema": (_schema, ("give", "field", "tool", "description"), "a value of a JSON Schema"),
    "one_of": (_one_of, (), "one of several sources"),
    "from": (_from, ("weights",), "one of several values"),
}
"""By name: what compiles it, its further settings, and what it gives."""


@lru_cache(maxsize=1)
def source_names() -> frozenset[str]:
    """Return the keys by which a source is known."""
    return frozenset(SOURCES)


def is_new(value: Any) -> bool:
    """Say whether a row is one that the world does not have."""
    return isinstance(value, Row) and value.number < 0


def refers(value: Any) -> bool:
    """Say whether a field refers to another row."""
    return isinstance(value, Ref)
