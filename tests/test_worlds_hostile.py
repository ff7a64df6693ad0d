"""Hostile domain files: each is refused with a fault where it is read, or bounded where it runs; never a traceback."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.domains.reading import read_domain
from generator.jsontext import JsonObject, JsonValue
from generator.random_streams import stream
from generator.records import ToolResult
from generator.worlds.execution import Unfit, execute
from generator.worlds.program import CompiledDomain, compiled_domain
from generator.worlds.rows import ABSENT, NothingToDraw
from generator.worlds.speech import Speech, Unsayable
from generator.worlds.world import World
from tests.bounded import bounded
from tests.domains_library import DESK, DESK_TOOLS, LIBRARY, LIBRARY_TOOLS, TODAY, domain_of, tool
from tests.tables import each_row

PROBE = tool("probe", None, (), x="string", n="integer", many={"type": "array"})
MANY: JsonObject = {"thing": {"rows": 200, "fields": {"id": {"pattern": "[a-z]{6}"}, "size": {"integer": [1, 9]}}}}
BOUND = 6.0
"""Seconds that the worst of them may take, on a busy machine."""


def probed(result: JsonValue = None, effect: JsonValue = (), **domain: JsonValue) -> CompiledDomain:
    """A domain of one tool, `probe`."""
    value = {"domain": 1, **domain, "tools": {"probe": {"effect": list(effect), "result": result}}}
    return compiled_domain(domain_of(value), [PROBE])


def answered(compiled: CompiledDomain, **arguments: Any) -> ToolResult:
    world = World(compiled.program, 3, TODAY, "en_US")
    result = execute(world, PROBE, arguments).result
    assert isinstance(result.message_text, str)
    return result


def deep(levels: int, innermost: JsonValue, wrap: Any) -> JsonValue:
    value = innermost
    for _ in range(levels):
        value = wrap(value)
    return value


FAULTY: dict[str, tuple[JsonValue, str]] = {
    "formula too long": ({"$calc": "1+" * 300 + "1"}, "at most 500 characters"),
    "formula too deep": ({"$calc": "-" * 400 + "1"}, "nests at most"),
    "formula of parentheses": ({"$calc": "(" * 240 + "1" + ")" * 240}, "is no formula"),
    "formula that imports": ({"$calc": "__import__('os').system('true')"}, "a formula holds"),
    "formula that loops": ({"$calc": "[x for x in n]"}, "a formula holds"),
    "formula with a lambda": ({"$calc": "(lambda: 1)()"}, "a formula holds"),
    "values nested 1000 deep": (deep(1000, 1, lambda inner: [inner]), "nested too deeply"),
    "operators nested 1000 deep": (deep(1000, 1, lambda inner: {"$not": inner}), "nested too deeply"),
    "conditions nested 1000 deep": (
        {"$if": [deep(1000, [["$n", "=", 1]], lambda inner: [{"not": inner}]), 1, 2]}, "nested too deeply",
    ),
    "a condition of 100,000 lines": ({"$if": [[["$n", "=", 1]] * 100_000, 1, 2]}, "at most 50"),
    "a template nested 1000 deep": ({"$text": "<many: " * 1000 + "x" + ">" * 1000}, "nest at most"),
    "a template of 10^6 characters": ({"$text": "x" * 10**6}, "at most 20,000 characters"),
    "a slot that is not closed": ({"$text": "{n"}, "not closed"),
    "a huge number": (2**63, "64-bit"),
    "a draw beyond 64 bits": ({"$draw": {"integer": [0, 2**70]}}, "64-bit"),
    "a pattern of a million characters": ({"$draw": {"pattern": "a{1000000}"}}, "cannot be read"),
    "a pattern of patterns": ({"$draw": {"pattern": "(a{200}){200}"}}, "cannot be read"),
    "a pattern that nests": ({"$draw": {"pattern": "(" * 500 + ")" * 500}}, "cannot be read"),
    "a pattern that matches nothing": ({"$draw": {"pattern": "$a"}}, "cannot be read"),
    "a long pattern": ({"$draw": {"pattern": "a" * 501}}, "at most 500 characters"),
    "a form too long": ({"$draw": {"day": [0, 1], "as": "%Y" * 40}}, "64 characters"),
    "a form of the platform": ({"$draw": {"day": [0, 1], "as": "%c"}}, "a form of dates"),
    "a form that ends too early": ({"$draw": {"day": [0, 1], "as": "%"}}, "a form of dates"),
    "a step of nothing": ({"$draw": {"integer": [0, 9], "step": 0}}, "above 0"),
    "a step that is no number": ({"$draw": {"integer": [0, 9], "step": "x"}}, "above 0"),
    "decimals without end": ({"$draw": {"number": [0, 9], "decimals": 10**9}}, "from 0 to 10"),
    "minutes of nothing": ({"$draw": {"clock": ["08:00", "09:00"], "every": 0}}, "minutes"),
    "hours that are none": ({"$draw": {"moment": [0, 1], "hours": ["8", 9]}}, "times of day"),
    "a list without end": ({"$draw": {"list": 1, "count": [0, 10**9]}}, "whole numbers up to"),
    "a list of a word": ({"$draw": {"list": 1, "count": "many"}}, "whole numbers up to"),
    "a probability of two": ({"$draw": {"chance": 2}}, "probability"),
    "a probability in words": ({"$draw": {"maybe": "often"}}, "probability"),
    "bounds of a word": ({"$draw": {"integer": "many"}}, "[from, to]"),
    "weights of a word": ({"$draw": {"from": [1, 2], "weights": "heavy"}}, "list of numbers"),
    "weights of nothing": ({"$draw": {"from": [1, 2], "weights": [0, 0]}}, "list of numbers"),
    "one of nothing": ({"$draw": {"one_of": []}}, "list of sources"),
    "one of a word": ({"$draw": {"one_of": "x"}}, "list of sources"),
    "a pool of objects": ({"$draw": {"pool": {"a": 1}}}, "unknown pool"),
    "a row of a list": ({"$draw": {"row": ["thing"]}}, "unknown entity"),
    "a provider of a list": ({"$draw": {"faker": ["name"]}}, "unknown provider"),
    "a provider with a secret": ({"$draw": {"faker": "__class__"}}, "unknown provider"),
    "a wording of an object": ({"$draw": {"wording": {}}}, "unknown wording"),
    "a schema that is none": ({"$draw": {"schema": {"type": 5}}}, "/type"),
    "an argument of a format": ({"$text": "{n|round:9999999}"}, "whole number"),
    "a cut of words": ({"$text": "{n|cut:many}"}, "whole number"),
}  # fmt: skip


@each_row("value", [value for value, _ in FAULTY.values()], ids=list(FAULTY))
def test_what_is_hostile_is_refused_where_it_is_read(value: JsonValue) -> None:
    said = next(said for other, said in FAULTY.values() if other is value)
    with bounded(BOUND):
        compiled = probed(value)
        assert any(said in f"{fault.what} {fault.remedy}" for fault in compiled.faults), compiled.faults
        answered(compiled, n=1, x="a", many=[1])


STEPS: dict[str, tuple[JsonValue, str]] = {
    "no steps": ([{"go": 5}], "unknown effect"),
    "too many steps": ([{"let": {"a": 1}}] * 101, "at most 100 steps"),
    "an entity of a list": ([{"get": ["thing"]}], "unknown entity"),
    "a name of a list": ([{"get": "thing", "as": ["x"]}], "a name"),
    "an error of a word": ([{"get": "thing", "else": "no"}], "{name: value}"),
    "an error that is none": ([{"get": "thing", "else": {"GONE": "x"}}], "unknown error type"),
    "an update of a number": ([{"update": 5, "set": {}}], "`$name`"),
    "an update of words": ([{"get": "thing"}, {"update": "$it", "set": "x"}], "{name: value}"),
    "a field that is none": ([{"get": "thing"}, {"update": "$it", "set": {"sise": 1}}], "unknown field"),
    "a let of a list": ([{"let": [1]}], "{name: value}"),
    "steps of a word": ([{"each": "$many", "do": "x"}], "a list"),
    "a search of a word": ([{"list": "thing", "search": "x"}], "`search` takes"),
    "a sort of fields": ([{"list": "thing", "sort": {"fields": [1]}}], "`fields` takes"),
    "a sort by nothing": ([{"list": "thing", "sort": "sise"}], "unknown field"),
    "steps nested 1000 deep": (
        [deep(1000, {"let": {"a": 1}}, lambda inner: {"if": [], "then": [inner]})], "nested too deeply",
    ),
}  # fmt: skip


@each_row("name", STEPS)
def test_steps_that_are_none_are_faults(name: str) -> None:
    effect, said = STEPS[name]
    compiled = probed("$n", effect, entities=MANY)
    assert any(said in f"{fault.what} {fault.remedy}" for fault in compiled.faults), compiled.faults
    answered(compiled, n=1)


ENTITIES: dict[str, tuple[JsonObject, str]] = {
    "a million rows": ({"a": {"rows": 10**6, "fields": {"id": 1}}}, "from 0 to 200"),
    "rows below none": ({"a": {"rows": -4, "fields": {"id": 1}}}, "from 0 to 200"),
    "rows the wrong way round": ({"a": {"rows": [9, 3], "fields": {"id": 1}}}, "from 0 to 200"),
    "rows of rows of rows": (
        {
            "a": {"rows": 200, "fields": {"id": {"pattern": "[a-z]{9}"}}},
            "b": {"in": "a", "rows": 200, "fields": {"id": {"pattern": "[a-z]{9}"}}},
            "c": {"in": "b", "rows": 200, "fields": {"id": {"pattern": "[a-z]{9}"}}},
        },
        "up to 8,000,000 rows",
    ),
    "an entity in itself": ({"a": {"in": "a", "fields": {"id": 1}}}, "refers back"),
    "entities in a circle": (
        {"a": {"in": "b", "fields": {"id": 1}}, "b": {"in": "a", "fields": {"id": 1}}}, "refers back",
    ),
    "references in a circle": (
        {
            "a": {"fields": {"id": 1, "x": {"list": {"ref": "b"}}}},
            "b": {"fields": {"id": 1, "x": {"maybe": 1, "value": {"ref": "a"}}}},
        },
        "refers back",
    ),
    "a thousand entities": ({f"e{n}": {"fields": {"id": 1}} for n in range(1000)}, "at most 60"),
    "no key": ({"a": {"fields": {"name": "x"}}}, "no field 'id' identifies"),
}  # fmt: skip


@pytest.mark.parametrize("name", ENTITIES)
def test_worlds_that_are_too_large_are_faults(name: str) -> None:
    entities, said = ENTITIES[name]
    with bounded(BOUND):
        compiled = probed("$n", [{"list": next(iter(entities))}], entities=entities)
        assert any(said in f"{fault.what} {fault.remedy}" for fault in compiled.faults), compiled.faults
        answered(compiled, n=1)


UNREADABLE: dict[str, tuple[JsonValue, tuple[str | int, ...], str]] = {
    "a huge number": ({"pools": {"a": [1, 2**70]}}, ("pools", "a", 1), "64-bit"),
    "half a character": ({"about": "\ud800"}, ("about",), "no Unicode"),
    "half a character in a key": ({"pools": {"\ud800": []}}, (), "no text"),
    "data nested 1000 deep": ({"pools": {"a": deep(1000, 1, lambda inner: [inner])}}, ("pools", "a"), "nests over"),
    "no mapping": ([1], (), "a mapping"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_no_json_holds_is_told_where_it_stands(name: str) -> None:
    value, path, said = UNREADABLE[name]
    domain, faults = read_domain({"domain": 1, **value} if isinstance(value, dict) else value, "x")
    assert domain is None
    assert [fault.path[: len(path)] for fault in faults] == [path]
    assert said in faults[0].what


EACH: JsonValue = deep(5, "$size", lambda inner: {"$each": ["$all", inner]})
GROWING = [{"let": {"t0": "xxxxxxxxxx"}}] + [
    {"let": {f"t{n + 1}": {"$text": f"{{t{n}}}{{t{n}}}{{t{n}}}"}}} for n in range(60)
]
DOUBLING = [{"let": {"l0": [1]}}] + [{"let": {f"l{n + 1}": [f"$l{n}", f"$l{n}"]}} for n in range(60)]
BOUNDED: dict[str, tuple[JsonValue, JsonValue]] = {
    "loops in loops in loops": ([{"list": "thing"}], EACH),
    "steps in steps in steps": (
        [
            {"list": "thing"},
            deep(5, {"let": {"a": 1}}, lambda inner: {"each": "$all", "do": [inner]}),
        ],
        1,
    ),
    "lists that double": (DOUBLING, "$l60"),
    "objects that double": (
        [{"let": {"o0": {"a": 1}}}] + [{"let": {f"o{n + 1}": {"a": f"$o{n}", "b": f"$o{n}"}}} for n in range(60)],
        {"$merge": ["$o60", "$o59"]},
    ),
    "texts in loops": ([{"list": "thing"}], {"$text": "<all: <all: <all: <all: {size}>>>>"}),
    "views in views": ([{"list": "thing"}], "$all|full"),
    "conditions in loops": (
        [
            {"list": "thing"},
            {"each": "$all", "do": [{"each": "$all", "as": "o", "do": [{"list": "thing", "as": "r"}]}]},
        ],
        1,
    ),
}


@pytest.mark.parametrize("name", BOUNDED)
def test_what_grows_without_end_is_refused(name: str) -> None:
    effect, result = BOUNDED[name]
    thing = {**MANY["thing"], "views": {"full": {"a": "$thing|full", "b": "$thing|full"}}}
    compiled = probed(result, effect, entities={"thing": thing})
    assert compiled.faults == ()
    with bounded(BOUND):
        result = answered(compiled)
    assert result.error_type in ("SERVICE_UNAVAILABLE", "INVALID_STATE") or result.content is None, result.content


ABSENT_RESULTS: dict[str, JsonValue] = {
    "a text ten billion times": {"$calc": "'a' * 10**9"},
    "a list ten billion times": {"$calc": "many * 10**9"},
    "a power of powers": {"$calc": "9**9**9"},
    "powers of powers": {"$calc": "(10**15)**64"},
    "a large product": {"$calc": "10**60 * 10**60"},
    "digits without end": {"$calc": "round(7, -1000000000)"},
    "rounding without end": {"$round": [7, -1000000000]},
    "no number at all": {"$calc": "1e308 * 10"},
    "a division by nothing": {"$calc": "n / 0"},
    "a date out of range": {"$shift": ["$today", 10**9]},
    "a date before all dates": {"$shift": ["$today", -(10**6), "years"]},
    "a unit that is none": {"$shift": ["$today", 1, "fortnights"]},
    "an amount in words": {"$shift": ["$today", "soon"]},
    "a time that is none": {"$between": ["$x", "$today"]},
    "text that doubles": {"$text": "{t61}"},
    "a joined text too long": {"$join": [["x" * 15_000, "y" * 15_000]]},
    "a split of nothing": {"$split": ["$x", ""]},
    "objects that are none": {"$merge": ["$x", "$n"]},
    "a number of too many digits": {"$number": "9" * 400},
    "a sum of words": {"$sum": "$many"},
    "the first of an object": {"$first": [{"a": 1}, 2]},
    "the mean of nothing": {"$average": [[]]},
    "a day without end": {"$draw": {"day": [10**8, 10**9]}},
    "a day beyond the end of time": {"$draw": {"day": [1, 1], "from": "9999-12-31", "only": "weekdays"}},
    "a day from nowhere": {"$draw": {"day": [0, 1], "from": "$x"}},
    "a day the wrong way round": {"$draw": {"day": [5, 1]}},
    "a time the wrong way round": {"$draw": {"clock": ["18:00", "08:00"]}},
    "a time that is no time": {"$draw": {"clock": ["99:99", "x"]}},
    "a number between words": {"$draw": {"number": ["$x", "$x"]}},
    "numbers too far apart": {"$draw": {"number": [-1.7e308, 1.7e308]}},
    "whole numbers beyond 64 bits": {"$draw": {"integer": [1e300, 1e301]}},
    "a separator that is none": {"$join": ["$many", {"a": 1}]},
    "a split by a list": {"$split": ["$x", ["a"]]},
    "no whole number": {"$draw": {"integer": [0.2, 0.8]}},
    "a row that is not there": {"$draw": {"row": "thing", "where": [["size", ">", 99]]}},
    "too many rows": {"$draw": {"rows": "thing", "where": [["size", ">", 99]], "count": [2, 3]}},
}


@each_row("name", ABSENT_RESULTS)
def test_what_has_no_result_is_nothing(name: str) -> None:
    compiled = probed({"found": {"$or": [ABSENT_RESULTS[name], "nothing"]}}, GROWING, entities=MANY)
    with bounded(BOUND):
        result = answered(compiled, x="words", n=1, many=["a", "b"])
    assert result.content == {"found": "nothing"}, result


def test_arguments_that_nest_without_end_are_refused() -> None:
    compiled = probed({"many": "$many"})
    assert answered(compiled, many=deep(40, 1, lambda inner: [inner])).error_type is None
    for levels in (70, 500, 5_000):
        result = answered(compiled, many=deep(levels, 1, lambda inner: [inner]))
        assert result.error_type == "PARAMETER_VALIDATION_FAILED"
    assert answered(compiled, many=[2**70]).error_type == "PARAMETER_VALIDATION_FAILED"


def test_names_that_hold_themselves_cannot_be_said() -> None:
    thing = {**MANY["thing"], "say": ["the one called {thing}"]}
    compiled = probed({"a": {"$text": "<all|3: {it}>"}}, [{"list": "thing"}], entities={"thing": thing})
    assert answered(compiled).content == {}


def test_data_of_100_000_rows_costs_little() -> None:
    data = [{"id": f"t{n}", "size": n} for n in range(100_000)]
    compiled = probed({"$count": "$all"}, [{"list": "thing"}], entities={"thing": {"rows": [3, 5], "data": data}})
    answered(compiled)
    with bounded(0.2):
        assert 3 <= answered(compiled).content <= 5


JUNK = st.sampled_from(
    [
        None, True, 0, -1, 2.5, 2**70, float("inf"), "", "$", "$$", "$it.x.y", "$x|none", "{", "<", "{x|day}", "%Q",
        [], {}, [[]], ["$x"], {"$calc": "1/"}, {"$if": 1}, {"$each": [1, 2]}, {"day": "x"}, {"ref": "loan"},
        {"from": []}, "loan", "$l.id", "\ud800", {"$nope": 1}, {"a": {"$sum": 5}}, ["a", "=", "b"], {"not": 5},
        {"any": 5}, "x" * 5000, {"pool": "titles"},
    ]
)  # fmt: skip


def places(value: JsonValue, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place of a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, each in inner for place in places(each, (*path, key)))]


def replaced(value: JsonValue, path: tuple[Any, ...], new: JsonValue) -> JsonValue:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = replaced(copy[path[0]], path[1:], new)
    return copy


GIVEN: list[JsonObject] = [
    {"id": 100}, {"loan_id": "L-1"}, {"member_id": "M"}, {"query": "sea"}, {"title": "x"}, {"status": "open"}, {},
]  # fmt: skip


def played(value: JsonValue, tools: tuple[Any, ...]) -> None:
    """Read a document, compile it, draw and say all of it, and execute its tools: nothing raises what it may not."""
    domain, faults = read_domain(value, "hostile")
    assert (domain is None) == bool(faults)
    if domain is None:
        return
    compiled = compiled_domain(domain, tools)
    world = World(compiled.program, 5, TODAY, "en_US")
    world.digest()
    for each in tools:
        for ids in (
            {"id": 100},
            {"loan_id": "L-1"},
            {"member_id": "M"},
            {"query": "sea"},
            {"title": "x"},
            {"status": "open"},
            {},
        ):
            try:
                world = execute(world, each, ids).world
            except Unfit:
                continue
    for way in (way for ways in compiled.ways.values() for way in ways):
        scope, speech = world.scope(), Speech(stream(1))
        try:
            for name, source in way.draws.items():
                scope.names[name] = source(scope, stream(2), {})
        except NothingToDraw:
            continue
        values = [each(scope) for each in way.arguments.values.values()]
        assert all(each is ABSENT or each is not scope for each in values)
        for text in (*way.requests, *compiled.context):
            try:
                text.write(scope, speech)
            except Unsayable:
                continue


PLACES = [(LIBRARY, LIBRARY_TOOLS, path) for path in places(LIBRARY)] + [
    (DESK, DESK_TOOLS, path) for path in places(DESK)
]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(range(len(PLACES))), JUNK)
def test_no_part_of_a_domain_can_be_replaced_so_that_anything_breaks(number: int, junk: JsonValue) -> None:
    value, tools, path = PLACES[number]
    played(replaced(value, path, junk), tools)


@pytest.mark.slow
@settings(max_examples=6000, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(range(len(PLACES))), JUNK, st.sampled_from(range(len(PLACES))), JUNK)
def test_no_two_parts_of_a_domain_either(one: int, junk: JsonValue, other: int, more: JsonValue) -> None:
    value, tools, path = PLACES[one]
    value = replaced(value, path, junk)
    further = places(value)
    played(replaced(value, further[other % len(further)], more), tools)
