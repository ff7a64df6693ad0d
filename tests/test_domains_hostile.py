"""Domain files of somebody who means harm: each is refused, or plays within its bounds, in moments."""

from datetime import date
from typing import Any

from generator.domains.domain import Domain
from generator.formats.loading.domain_files import compiled
from generator.scenarios.plan_state import new_plan_state
from generator.scenarios.scenario import PlanError
from generator.schemas import wording
from generator.worlds.execution import execute
from generator.worlds.program import CompiledDomain, compiled_domain
from tests.bounded import bounded
from tests.domain_examples import domain, tools
from tests.tables import each_row

TOOLS = tools()
MOST_SECONDS = 4.0
"""Some ten times what the slowest takes on a machine that does nothing else."""


def edit(path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """Return the domain with another value at a path."""
    whole = domain()
    held: Any = whole
    for part in path[:-1]:
        held = held[part]
    held[path[-1]] = value
    return whole


def both(effect: list[Any], result: Any = "$days") -> dict[str, Any]:
    """Return the domain with another effect and result of renew_loan."""
    whole = edit(E, effect)
    whole["tools"]["renew_loan"]["result"] = result
    return whole


def nest(times: int, before: str, after: str, core: str) -> str:
    return before * times + core + after * times


def deep(times: int, around: Any, core: Any) -> Any:
    for _ in range(times):
        core = around(core)
    return core


F = ("entities", "loan", "fields", "title")
W = ("tools", "renew_loan", "ways", 0)
E = ("tools", "renew_loan", "effect")
R = ("tools", "renew_loan", "result")
BIG = 10**9
CASES: dict[str, dict[str, Any]] = {
    "integer giant": edit(F, {"integer": [0, 2**63]}),
    "integer step0": edit(F, {"integer": [0, 5], "step": 0}),
    "integer step str": edit(F, {"integer": [0, 5], "step": "x"}),
    "integer float": edit(F, {"integer": [0.5, 1e308]}),
    "number dec": edit(F, {"number": [0, 1], "decimals": 10**9}),
    "number dec str": edit(F, {"number": [0, 1], "decimals": "a"}),
    "number step 0": edit(F, {"number": [0, 1], "step": 0}),
    "number step s": edit(F, {"number": [0, 1], "step": "q"}),
    "day giant": edit(F, {"day": [-(10**12), 10**12]}),
    "day from": edit(F, {"day": [0, 5], "from": "9999-12-31"}),
    "day as": edit(F, {"day": [0, 5], "as": 7}),
    "day as huge": edit(F, {"day": [0, 5], "as": "%999999999Y"}),
    "clock": edit(F, {"clock": ["00:00", "99:99"], "every": 0}),
    "clock2": edit(F, {"clock": [0, 1], "every": "x"}),
    "moment": edit(F, {"moment": [0, 1], "hours": "x"}),
    "moment2": edit(F, {"moment": [0, 1], "hours": [1, 2, 3]}),
    "moment3": edit(F, {"moment": [0, 1], "every": -5}),
    "maybe": edit(F, {"maybe": "x"}),
    "maybe2": edit(F, {"maybe": None}),
    "chance": edit(F, {"chance": []}),
    "list count": edit(F, {"list": {"integer": [0, BIG]}, "count": [BIG, BIG]}),
    "list nested": edit(F, deep(8, lambda c: {"list": c, "count": [500, 500]}, {"integer": [0, BIG]})),
    "list count bad": edit(F, {"list": {"integer": [0, BIG]}, "count": 7}),
    "list count bad2": edit(F, {"list": {"integer": [0, BIG]}, "count": ["a", None]}),
    "pool dict": edit(F, {"pool": {"a": 1}}),
    "pool list": edit(F, {"pool": [{"a": 1}, [2]]}),
    "pool none": edit(F, {"pool": None}),
    "faker list": edit(F, {"faker": ["name"]}),
    "one_of": edit(F, {"one_of": 7}),
    "one_of empty": edit(F, {"one_of": []}),
    "from weights": edit(F, {"from": [1, 2], "weights": ["a", "b"]}),
    "from weights neg": edit(F, {"from": [1, 2], "weights": [0, 0]}),
    "ref dict": edit(F, {"ref": {"a": 1}}),
    "row list": edit((*W, "draw", "l"), {"row": ["loan"]}),
    "rows count": edit((*W, "draw", "l"), {"rows": "loan", "count": "x"}),
    "rows count BIG": edit((*W, "draw", "l"), {"rows": "loan", "count": [1, BIG]}),
    "new set": edit((*W, "draw", "l"), {"new": "loan", "set": [1]}),
    "wording list": edit((*W, "draw", "l"), {"wording": [1]}),
    "pattern bomb": edit(F, {"pattern": "(a+)+$"}),
    "pattern bomb2": edit(F, {"pattern": "((a{1,1000}){1,1000}){1,1000}"}),
    "pattern bomb3": edit(F, {"pattern": "(?=a)(b|c)*\\1"}),
    "pattern long": edit(F, {"pattern": "(" * 5000 + ")" * 5000}),
    "pattern neg": edit(F, {"pattern": "[^\\s\\S]"}),
    "pattern unicode": edit(F, {"pattern": "\\p{L}{3}"}),
    "rows 1e9": edit(("entities", "loan", "rows"), BIG),
    "rows nested": domain(
        entities={
            **domain()["entities"],
            **{
                f"e{i}": {
                    "in": f"e{i - 1}" if i else "loan",
                    "rows": [200, 200],
                    "fields": {"id": {"pattern": "[0-9]{9}"}},
                }
                for i in range(6)
            },
        }
    ),
    "rows neg": edit(("entities", "loan", "rows"), [-5, -1]),
    "entity cycle": domain(
        entities={
            **domain()["entities"],
            "a": {"in": "b", "fields": {"id": "x"}},
            "b": {"in": "a", "fields": {"id": "y"}},
        }
    ),
    "entity self": domain(entities={**domain()["entities"], "a": {"in": "a", "fields": {"id": "x"}}}),
    "entity self ref": domain(entities={**domain()["entities"], "a": {"fields": {"id": {"one_of": [{"row": "a"}]}}}}),
    "entity deep ref": domain(
        entities={
            **domain()["entities"],
            "a": {"fields": {"id": "1", "x": {"maybe": 0.5, "value": {"ref": "b"}}}},
            "b": {"fields": {"id": "2", "x": {"list": {"ref": "a"}}}},
        }
    ),
    "self say": edit(("entities", "loan", "say"), ["{loan}"]),
    "self view": edit(("entities", "loan", "views", "full"), {"loan_id": "$id", "a": "$loan|full"}),
    "self view wide": edit(
        ("entities", "loan", "views", "full"), {"loan_id": "$id", "a": "$loan|full", "b": "$loan|full"}
    ),
    "parent view loop": edit(("entities", "member", "views"), {"full": {"x": "$member|full"}}),
    "template deep": edit((*W, "requests"), [nest(1000, "<l.x: ", ">", "a")]),
    "template many": edit((*W, "requests"), ["{l}" * 1000]),
    "template unclosed": edit((*W, "requests"), ["<" * 3999]),
    "formula": edit(R, {"$calc": "9**9**9**9"}),
    "formula2": edit(R, {"$calc": "(" * 200 + "1" + ")" * 200}),
    "formula3": edit(R, {"$calc": "-" * 400 + "1"}),
    "formula4": edit(R, {"$calc": "'a'*10**9"}),
    "formula5": edit(R, {"$calc": "2**64*2**64*" * 40 + "1"}),
    "formula6": edit(R, {"$calc": "10**15**2"}),
    "formula7": edit(R, {"$calc": "round(1e300*1e300, 10)"}),
    "formula8": edit(R, {"$calc": "sum(days)"}),
    "formula9": edit(R, {"$calc": "f(1)"}),
    "formula long": edit(R, {"$calc": "1+" * 100000 + "1"}),
    "formula cell": edit(R, {"$calc": "(2**64)**64"}),
    "formula cell2": edit(R, {"$calc": "((((2**64)**64)**64)**64)**64"}),
    "formula ceil": edit(R, {"$calc": "ceil(1e308*10)"}),
    "value deep": edit(R, deep(40, lambda c: {"$or": [c]}, "$days")),
    "value double": both(
        [{"let": {"a0": "x" * 100}}]
        + [{"let": {f"a{i + 1}": {"$join": [[f"$a{i}", f"$a{i}"], ""]}}} for i in range(60)],
        "$a60",
    ),
    "value double text": both(
        [{"let": {"a0": "x" * 100}}] + [{"let": {f"a{i + 1}": {"$text": f"{{a{i}}}{{a{i}}}"}}} for i in range(60)],
        "$a60",
    ),
    "value double list": both(
        [{"let": {"a0": [1]}}] + [{"let": {f"a{i + 1}": [f"$a{i}", f"$a{i}"]}} for i in range(60)], "$a60"
    ),
    "each nested": both(
        [
            {"list": "loan"},
            {"let": {"big": {"$split": ["a," * 1900, ","]}}},
            {"let": {"n": {"$each": ["$big", {"$each": ["$big", {"$each": ["$big", 1]}]}]}}},
        ],
        "$n",
    ),
    "effect each nested": both(
        [
            {"let": {"big": {"$split": ["a," * 490, ","]}}},
            deep(5, lambda c: {"each": "$big", "do": [c]}, {"let": {"z": 1}}),
        ]
    ),
    "effect create loop": both(
        [
            {"let": {"big": {"$split": ["a," * 490, ","]}}},
            {"each": "$big", "do": [{"each": "$big", "as": "q", "do": [{"create": "loan"}]}]},
        ]
    ),
    "effect 1e5": both([{"let": {"z": 1}}] * 100000),
    "effect deep": both([deep(30, lambda c: {"if": ["$days", ">", 0], "then": [c]}, {"let": {"z": 1}})]),
    "effect bad": both([{"get": {"a": 1}}]),
    "effect bad2": both([{"get": "loan", "as": ["x"]}]),
    "effect bad3": both([{"get": "loan", "where": 7}]),
    "effect bad4": both([{"update": {"a": 2}, "set": {"due": 1}}]),
    "effect bad5": both([{"list": "loan", "search": {"in": 7, "for": "$days"}}]),
    "effect bad6": both([{"list": "loan", "sort": {"by": "$days", "fields": [1]}}]),
    "effect bad7": both([{"list": "loan", "sort": 7}]),
    "effect bad8": both([{"require": [["$days", ">", 0]], "else": 7}]),
    "effect bad9": both([{"require": [["$days", ">", 0]], "else": {}}]),
    "effect bad10": both([{"each": "$days", "as": {"a": 1}}]),
    "effect bad11": both([{"each": "$days", "collect": [1]}]),
    "effect merge": both(
        [
            {"get": "loan"},
            {"update": "$it", "merge": {"title": "$days"}, "append": {"title": "x"}, "remove": {"title": 3}},
        ]
    ),
    "effect bad12": both([{"list": "loan", "search": {"in": [{"a": 1}], "for": "$days"}}]),
    "effect str": both(["x"]),
    "cond": edit(E, [{"require": [[[1], "=", 2], ["a", {"b": 1}, 3], [1, 2], ["$days", "in", None]]}]),
    "cond2": edit(E, [{"require": [{"any": 7}]}]),
    "cond contains": edit(
        E, [{"require": [["$days", "<", [1]], ["$days", "like", ["x"]], ["$days", "has all", {"a": 1}]]}]
    ),
    "shift": edit(R, {"$shift": ["2026-01-01", 10**18, "months"]}),
    "shift2": edit(R, {"$shift": ["2026-01-01", 10**18]}),
    "shift3": edit(R, {"$shift": ["2026-01-01", 1, "x"]}),
    "shift4": edit(R, {"$shift": ["2026-01-01", 1, {"a": 1}]}),
    "shift5": edit(R, {"$shift": ["x", 1]}),
    "shift6": edit(R, {"$shift": [{"a": 1}, 1]}),
    "between": edit(R, {"$between": ["2026-01-01", "2026-01-02T00:00:00Z"]}),
    "round": edit(R, {"$round": [1.5, 10**18]}),
    "round neg": edit(R, {"$round": [10**15, -(10**9)]}),
    "first": edit(R, {"$first": [{"a": 1}, 1]}),
    "first2": edit(R, {"$first": [[1], 1e400 if False else 1e300]}),
    "merge": edit(R, {"$merge": [1, 2]}),
    "pick": edit(R, {"$pick": [{"a": 1}, [1]]}),
    "pick none": edit(R, {"$pick": ["$days", None]}),
    "sort": edit(R, {"$sort": ["$days", {"a": 1}]}),
    "distinct": edit(R, {"$distinct": [[{"a": 1}]]}),
    "sum": edit(R, {"$sum": [["a", 1]]}),
    "number": edit(R, {"$number": ["9" * 5000]}),
    "number2": edit(R, {"$number": ["nan"]}),
    "number3": edit(R, {"$number": ["1e5"]}),
    "number4": edit(R, {"$number": ["1.e999"]}),
    "split": edit(R, {"$split": ["a", ""]}),
    "draw": edit(R, {"$draw": {"list": {"list": {"integer": [1, 9]}, "count": [500, 500]}, "count": [500, 500]}}),
    "draw self": edit(R, {"$draw": {"new": "loan"}}),
    "where": edit(R, {"$where": [["a"], 7]}),
    "text": edit(R, {"$text": 7}),
    "join": edit(R, {"$join": [["a"], {"b": 1}]}),
    "empty op": edit(R, {"$": 1}),
    "path": edit(R, "$"),
    "path2": edit(R, "$..."),
    "path3": edit(R, "$it." + "loan." * 2000 + "id"),
    "huge text": edit(R, {"$text": "{days}" * 20000}),
    "format arg": edit(
        (*W, "requests"),
        [
            "{n|round:99999999999999999999}",
            "{n|cut:x}",
            "{n|count}",
            "{n|percent:q}",
            "{n|ordinal}",
            "{n|duration}",
            "{l|first}",
            "{n|words}",
            "{l.title|cut:-5}",
        ],
    ),
    "loop count": edit((*W, "requests"), ["<l.title|99999999999999999999999: {it}>"]),
    "loop unicode": edit((*W, "requests"), ["<l.title|²: {it}>"]),
    "me missing": domain(me="nobody"),
    "me many": edit(("entities", "member", "rows"), [0, 0]),
    "wording self": domain(wordings={"w": [{"value": {"a": 1}, "say": ["{w}"], "means": [["status", "=", "{w}"]]}]}),
    "many tools": domain(tools={**domain()["tools"], **{f"t{i}": {"can": "x"} for i in range(5000)}}),
    "many unknown": edit((*W, "requests"), [f"{{x{i}}}" for i in range(20000)]),
    "long key": edit(("entities", "x" * 100000), {"fields": {"id": "1"}}),
    "unknown keys": {**domain(), **{f"k{i}": 1 for i in range(20000)}},
    "bad requests": edit((*W, "requests"), [1] * 150000),
    "bad data": edit(("entities", "loan", "data"), [1] * 100000),
    "parallel many": edit((*W, "parallel"), {"many": [10**9, 10**9], "requests": ["<each: {l}>"]}),
    "pools BIG": edit(("pools", "titles"), ["a"] * 150000),
    "data rows": edit(("entities", "loan", "data"), [{"title": "x", "id": "same"}] * 50000),
    "ids same": edit(("entities", "loan", "fields", "id"), "same"),
    "key dict": edit(("entities", "loan", "fields", "id"), {"from": [{"a": 1}]}),
    "key weird": edit(("entities", "loan", "key"), "nothing"),
    "view odd": edit(("entities", "loan", "views"), {"": 7, "full": None}),
    "find odd": edit(
        ("entities", "loan", "find"), {"call": "renew_loan", "arguments": {"loan_id": "$it.id", "days": 3}}
    ),
    "find self": edit(
        ("entities", "loan", "find"), {"call": "list_loans", "arguments": {"member_id": "$it.loan.loan.member.id"}}
    ),
}


def context(compiled: CompiledDomain) -> None:
    """Walk every way of a compiled domain once, as far as it goes."""
    for name, ways in compiled.ways.items():
        for way in ways:
            try:
                state = new_plan_state(compiled, 1, date(2026, 1, 15), "en_US")
                state.keep(state.say(compiled.context, state.scope()))
                scope = state.draw(way.draws, state.scope())
                state.say(way.requests, scope)
                arguments = state.values_of(way.arguments, scope)
                for _, row in list(state.unknown_rows(way.arguments, scope)):
                    state.look_up(row)
                state.call(name, arguments)
                execute(state.world, compiled.tools[name], arguments)
            except PlanError:
                continue


@each_row("name", CASES)
def test_a_hostile_file_is_refused_or_plays_within_bounds(name: str) -> None:
    assert wording.__name__  # what words a schema's problem takes seconds to import
    with bounded(MOST_SECONDS):
        made = compiled(CASES[name], "hostile", TOOLS)
        known = made.domain
        assert isinstance(known, Domain) is not bool(made.faults)
        if known is not None:
            context(compiled_domain(known, TOOLS))
