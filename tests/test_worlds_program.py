"""Postponing: which fields wait until they are looked at, and which are drawn with their table."""

from __future__ import annotations

import re
from typing import Any

import pytest

from generator.domains.domain import Domain
from generator.jsontext import JsonObject, JsonValue
from generator.random_streams import stream
from generator.schemas.adm import ERROR_TYPES
from generator.values.meanings.entities import PROVIDERS
from generator.worlds.conditions import OPERATORS as CONDITIONS
from generator.worlds.conditions import UNARY
from generator.worlds.effects import EFFECTS
from generator.worlds.execution import broken_rule, execute
from generator.worlds.program import CompiledDomain, Postponed, compiled_domain, leads, postponed, vocabulary
from generator.worlds.rows import Row
from generator.worlds.sources import SOURCES
from generator.worlds.speech import FORMATS, Speech
from generator.worlds.values import OPERATORS
from tests.domains_library import DESK, DESK_TOOLS, LIBRARY, LIBRARY_TOOLS, desk, domain_of, library, scope, tool, world
from tests.planning_contexts import compiled_of
from tests.tables import each_row


def found(others: dict[str, Any] | None = None, /, **fields: Any) -> Postponed:
    """What waits of an entity with these fields behind its id."""
    thing = {"rows": 5, "fields": {"id": {"pattern": "t[0-9]{4}"}, **fields}}
    domain = {"domain": 1, "pools": {"words": ["a", "b"]}, "entities": {"thing": thing, **(others or {})}}
    return postponed(Domain.model_validate(domain))["thing"]


BOOK = {"rows": [2, 3], "fields": {"id": {"pattern": "b[0-9]{3}"}, "title": {"pool": "words"}}}

LATE: list[Any] = [
    "plain",
    "$id",
    {"$calc": "1 + 2"},
    {"integer": [1, 5]},
    {"number": [0.5, 5]},
    {"day": [-3, 3]},
    {"moment": [0, 2]},
    {"clock": ["08:00", "20:00"]},
    {"text": "about {id}"},
    {"from": ["a", "b"], "weights": [1, 2]},
    {"chance": 0.5},
    {"maybe": 0.5, "value": {"integer": [9, "$id"]}},
    {"list": {"pool": "words"}, "count": [1, 2]},
    {"one_of": [{"integer": [1, 5]}, "$id"]},
    {"ref": "book"},
]
EARLY: list[Any] = [
    {"integer": [5, 1]},
    {"integer": [1, "$id"]},
    {"day": [3, -3]},
    {"day": [0, 3], "from": "$id"},
    {"clock": ["20:00", "08:00"]},
    {"ref": "book", "distinct": True},
    {"ref": "book", "where": [["title", "=", "a"]]},
    {"ref": "few"},
    {"ref": "thing"},
    {"maybe": 0.5, "value": {"pool": "words"}},
    {"list": {"integer": [5, 1]}},
    "$later",
    {"text": "see {later}"},
    {"$calc": "later + 1"},
    {"text": "{thing}"},
    "$me.name",
    "$field",
]


@each_row("spec", LATE, ids=str)
def test_what_is_always_there_waits(spec: Any) -> None:
    assert found({"book": BOOK}, field=spec).fields == {"field"}


@each_row("spec", EARLY, ids=str)
def test_what_may_not_be_there_or_sees_later_fields_is_drawn_with_its_table(spec: Any) -> None:
    few = {"rows": [0, 3], "fields": {"id": {"pattern": "f[0-9]{3}"}}}
    assert "field" not in found({"book": BOOK, "few": few}, field=spec, later={"integer": [1, 2]}).fields


def test_a_day_may_be_counted_from_a_day() -> None:
    waits = found(start={"day": [0, 3]}, end={"day": [1, 2], "from": "$start"})
    assert waits.fields == {"start", "end"}
    assert found(start={"day": [0, 3], "as": "%d/%m"}, end={"day": [1, 2], "from": "$start"}).fields == {"start"}


def test_what_tells_rows_apart_is_a_column_of_its_own() -> None:
    waits = found(word={"pool": "words"}, code={"pattern": "[0-9]{3}"}, either={"one_of": [{"pool": "words"}]})
    assert waits.columns == {"word", "code", "either"}
    assert not waits.fields
    twice = found(one={"faker": "name"}, other={"faker": "name"}, word={"pool": "words"})
    assert twice.columns == {"word"}, "two names of one row differ, so that they are drawn together"


def test_nothing_waits_where_entities_go_round_in_a_circle() -> None:
    one = {"rows": 2, "fields": {"id": {"pattern": "o[0-9]{3}"}, "thing": {"maybe": 1, "value": {"ref": "thing"}}}}
    assert found({"one": one}, ref={"maybe": 1, "value": {"ref": "one"}}, size={"integer": [1, 5]}) == Postponed()
    assert found(above={"maybe": 1, "value": {"ref": "thing"}}, size={"integer": [1, 5]}) == Postponed()


def test_what_is_made_before_an_entity() -> None:
    entities = {"a": {}, "b": {"in": "a"}, "c": {"fields": {"b": {"list": {"ref": "b"}}, "x": {"ref": "nobody"}}}}
    assert leads(Domain.model_validate({"domain": 1, "entities": entities})) == {"a": set(), "b": {"a"}, "c": {"b"}}


def faults_of(*path: Any, to: JsonValue) -> list[tuple[tuple[Any, ...], str, str]]:
    """The faults of the library with one part replaced or added."""

    def replaced(value: JsonValue, rest: tuple[Any, ...]) -> JsonValue:
        if not rest:
            return to
        if isinstance(value, list):
            return [replaced(each, rest[1:]) if place == rest[0] else each for place, each in enumerate(value)]
        return {**value, rest[0]: replaced(value.get(rest[0]), rest[1:])}

    found = compiled_domain(domain_of(replaced(LIBRARY, path)), LIBRARY_TOOLS).faults
    return [(fault.path, fault.what, fault.remedy) for fault in found]


WAY = ("tools", "renew_loan", "ways", 0)
FAULTS: list[tuple[tuple[Any, ...], JsonValue, tuple[Any, ...], str, str]] = [
    (("me",), "membre", ("me",), "unknown entity 'membre'", "member"),
    (("entities", "loan", "in"), "membre", ("entities", "loan", "in"), "unknown entity", "member"),
    (
        ("entities", "loan", "key"),
        "number",
        ("entities", "loan", "key"),
        "no field 'number' identifies a loan",
        "`key`",
    ),
    (("entities", "loan", "rows"), [5, 2], ("entities", "loan", "rows"), "from 0 to 200", ""),
    (
        ("entities", "book", "fields", "year"),
        {"intger": [1, 2]},
        ("entities", "book", "fields", "year"),
        "unknown source",
        "integer",
    ),
    (("entities", "loan", "say", 0), "{bok.title}", ("entities", "loan", "say", 0), "unknown name '$bok'", "$book"),
    (("entities", "loan", "say_id", 0), "{idd}", ("entities", "loan", "say_id", 0), "unknown name", "$id"),
    (("entities", "loan", "told"), ["<row: {id}>"], ("entities", "loan", "told", 0), "unknown name '$row'", "$rows"),
    (
        ("entities", "loan", "views", "full", "title"),
        "$book.titel",
        ("entities", "loan", "views", "full", "title"),
        "unknown field",
        "title",
    ),
    (
        ("entities", "loan", "find", "call"),
        "list_lones",
        ("entities", "loan", "find", "call"),
        "unknown tool",
        "list_loans",
    ),
    (
        ("entities", "loan", "find", "arguments"),
        {"x": "$it.bok"},
        ("entities", "loan", "find", "arguments", "x"),
        "unknown field",
        "book",
    ),
    (("tools", "renew_lone"), {}, ("tools", "renew_lone"), "unknown tool 'renew_lone'", "renew_loan"),
    (("tools", "renew_loan", "result"), "$itt|full", ("tools", "renew_loan", "result"), "unknown name", "$it"),
    (("tools", "renew_loan", "result"), "$it|ful", ("tools", "renew_loan", "result"), "unknown view", "full"),
    (
        ("tools", "renew_loan", "effect", 1, "require"),
        [["$lone_id", "given"]],
        ("tools", "renew_loan", "effect", 1, "require", 0, 0),
        "unknown name",
        "$loan_id",
    ),
    ((*WAY, "draw", "l"), {"row": "lone"}, (*WAY, "draw", "l"), "unknown entity", "loan"),
    ((*WAY, "arguments"), {"lone_id": "$l.id"}, (*WAY, "arguments", "lone_id"), "unknown argument", "loan_id"),
    ((*WAY, "arguments"), {"loan_id": "$k.id"}, (*WAY, "arguments", "loan_id"), "unknown name '$k'", ""),
    ((*WAY, "requests", 1), "{l.boook}", (*WAY, "requests", 1), "unknown field", "book"),
    ((*WAY, "replies", "ok", 0), "{q.title}", (*WAY, "replies", "ok", 0), "unknown name '$q'", ""),
    (
        (*WAY, "replies", "INVALID_STATE", 0, "when"),
        [["$m", ">", 0]],
        (*WAY, "replies", "INVALID_STATE", 0, "when", 0, 0),
        "unknown name",
        "",
    ),
    ((*WAY, "ask", 0, "answers", 0), "{m} days", (*WAY, "ask", 0, "answers", 0), "unknown name", ""),
    ((*WAY, "confirm"), ["Renew {k}?"], (*WAY, "confirm", 0), "unknown name", ""),
    ((*WAY, "follow_ups"), ["Renew {k}."], (*WAY, "follow_ups", 0), "unknown name", ""),
    ((*WAY, "corrections", "n", 0), "{k}", (*WAY, "corrections", "n", 0), "unknown name", ""),
    ((*WAY, "parallel", "requests", 0), "<eech: {l}>", (*WAY, "parallel", "requests", 0), "unknown name", "$each"),
    ((*WAY, "empty"), {"l": {"row": "lone"}}, (*WAY, "empty", "l"), "unknown entity", "loan"),
    (
        (*WAY, "recover"),
        [{"first": {"days": "$k"}, "requests": ["x"], "replies": ["y"]}],
        (*WAY, "recover", 0, "first", "days"),
        "unknown name",
        "",
    ),
    (("tasks", 0, "turns", 0, "requests", 0), "{k}", ("tasks", 0, "turns", 0, "requests", 0), "unknown name", ""),
    (("tasks", 0, "turns", 0, "calls", 1, "call"), "renew_lone", ("tasks", 0), "unknown tool", "renew_loan"),
    (("unserved", 0, "requests", 0), "{k}", ("unserved", 0, "requests", 0), "unknown name", ""),
    (("context", 0), "{me.nam}", ("context", 0), "unknown field", "name"),
    (("rules", 0), "renew_loan.dayz > 0", ("rules", 0), "unknown argument of renew_loan 'dayz'", "days"),
    (("wordings", "shelf", 0, "means"), [["titel", "=", "x"]], (), "", ""),
]


@each_row(("path", "new", "place", "what", "nearest"), FAULTS, ids=[str(path) for path, *_ in FAULTS])
def test_faults_tell_their_place_and_the_nearest_name(
    path: tuple[Any, ...], new: JsonValue, place: tuple[Any, ...], what: str, nearest: str
) -> None:
    found = faults_of(*path, to=new)
    if not what:
        assert found == []
        return
    at, said, remedy = found[0]
    assert (at, what in said, nearest in remedy) == (place, True, True), found
    assert len(found) == 1 or path[-1] == "in", "one mistake is one fault; without its parent a row lacks a name"


def test_faults_are_told_once_and_all_at_once() -> None:
    value = domain_of(LIBRARY, context=["{x}", "{y}"], unserved=[{"requests": ["{z}"], "replies": ["ok"]}])
    assert [fault.path for fault in compiled_domain(value, LIBRARY_TOOLS).faults] == [
        ("unserved", 0, "requests", 0),
        ("context", 0),
        ("context", 1),
    ]


def test_what_a_program_knows_of_its_tools() -> None:
    program = library().program
    assert {name for name, tool in program.tools.items() if tool.writes} == {"renew_loan", "return_loan", "borrow_book"}
    assert program.tools["borrow_book"].defaults == {"days": 14}
    assert [rule.text for rule in program.tools["renew_loan"].rules] == ["days > 0"]
    assert program.entities["loan"].parent == "member"
    assert program.entities["book"].rows == (5, 7)
    assert desk().writing == {"open_ticket", "change_ticket", "close_all", "drop_tickets"}
    assert library().can("renew_loan") == "renew a loan"
    assert library().can("nothing") == ""


def test_a_way_knows_its_ids_constants_and_draws() -> None:
    (way,) = library().ways["renew_loan"]
    assert [(each.argument, each.entity) for each in way.arguments.ids] == [("loan_id", "loan")]
    assert way.arguments.draws == {"loan_id": "l", "days": "n"}
    assert way.arguments.constants == frozenset()
    (closing,) = desk().ways["change_ticket"]
    assert closing.arguments.constants == {"status"}
    at = scope()
    for name, source in way.draws.items():
        at.names[name] = source(at, stream(1), {})
    row = way.arguments.ids[0].row(at)
    assert isinstance(row, Row)
    assert {name: value(at) for name, value in way.arguments.values.items()} == {
        "loan_id": row.fields["id"],
        "days": at.names["n"],
    }
    said = {text.write(at, Speech(stream(1))) for text in way.requests}
    assert all(str(at.names["n"]) in text for text in said)
    (_, requests, questions, answers) = way.asks[0]
    assert [len(requests), len(questions), len(answers)] == [1, 1, 1]
    assert set(way.replies) == {"ok", "INVALID_STATE"}
    assert way.parallel is not None


def test_tasks_are_compiled_where_all_their_tools_are_there() -> None:
    (task,) = library().tasks
    assert task.tools == ("list_loans", "renew_loan")
    assert [[name for name, _, _ in group] for group in task.turns[0].groups] == [["list_loans"], ["renew_loan"]]
    few = compiled_domain(domain_of(LIBRARY), LIBRARY_TOOLS[:1])
    assert few.tasks == ()
    assert set(few.ways) == {"list_loans"}
    assert set(few.tools) == {"list_loans"}


def test_tools_that_the_domain_does_not_know_are_left_alone() -> None:
    compiled = compiled_domain(domain_of(LIBRARY), (*LIBRARY_TOOLS, *DESK_TOOLS))
    assert compiled.faults == ()
    assert set(compiled.tools) == {each.name for each in LIBRARY_TOOLS}


def test_an_empty_domain_is_a_domain() -> None:
    value: JsonObject = {"domain": 1}
    compiled = compiled_domain(domain_of(value), ())
    assert compiled.faults == ()
    assert (compiled.ways, compiled.tasks, compiled.unserved, compiled.context) == ({}, (), (), ())


TOOLS = (
    tool(
        "book_room",
        None,
        (),
        check_in="string",
        check_out="string",
        guests="integer",
        days={"type": "integer", "default": 3},
    ),
    tool("files/read-all", None, (), **{"max-size": "integer", "min": "integer"}),
)


def ruled(*rules: str) -> CompiledDomain:
    value = {"domain": 1, "tools": {each.name: {"result": True} for each in TOOLS}, "rules": list(rules)}
    return compiled_domain(Domain.model_validate(value), TOOLS)


@each_row(
    ("rule", "arguments", "said"),
    [
        ("book_room.guests > 0", {"guests": 0}, "guests must be more than 0"),
        ("book_room.guests > 0", {"guests": 1}, ""),
        ("book_room.guests > 0", {}, ""),
        ("0 < book_room.guests <= 4", {"guests": 5}, "0 < guests <= 4 must hold"),
        ("book_room.guests <= 4", {"guests": 5}, "guests must be at most 4"),
        ("book_room.check_in < book_room.check_out", {"check_in": "2026-02-02", "check_out": "2026-02-01"},
         "check_in must be before check_out"),
        ("book_room.check_in < book_room.check_out", {"check_in": "2026-02-01", "check_out": "2026-02-02"}, ""),
        ("book_room.check_in < book_room.check_out", {"check_in": "2026-02-01"}, ""),
        ("book_room.check_in >= today", {"check_in": "2026-01-14"}, "check_in must be not before today"),
        ("book_room.guests * book_room.days < 10", {"guests": 4}, "guests * days must be less than 10"),
        ("book_room.guests * book_room.days < 10", {"guests": 3}, ""),
        ("len(book_room.check_in) == 10", {"check_in": "x"}, "len(check_in) must be the same as 10"),
        ("$book_room.guests != 13", {"guests": 13}, "$guests must be other than 13"),
    ],
)  # fmt: skip
def test_rules(rule: str, arguments: dict[str, Any], said: str) -> None:
    compiled = ruled(rule)
    assert compiled.faults == ()
    assert broken_rule(world(compiled), TOOLS[0], arguments) == said
    result = execute(world(compiled), TOOLS[0], arguments).result
    assert (result.error_type, result.error_message) == (("PARAMETER_VALIDATION_FAILED", said) if said else (None, ""))


def test_tools_and_arguments_may_have_any_name() -> None:
    compiled = ruled("files/read-all.min <= files/read-all.max-size")
    assert compiled.faults == ()
    at = world(compiled)
    assert broken_rule(at, TOOLS[1], {"min": 3, "max-size": 2}) == "min must be at most max-size"
    assert broken_rule(at, TOOLS[1], {"min": 2, "max-size": 2}) == ""


@pytest.mark.parametrize(
    ("rule", "what", "nearest"),
    [
        ("book_rom.guests > 0", "unknown tool 'book_rom'", "book_room"),
        ("book_room.gests > 0", "unknown argument of book_room 'gests'", "guests"),
        ("guests > 0", "unknown tool 'guests'", "book_room"),
        ("book_room.guests", "compares no arguments of one tool", "tool.argument < 10"),
        ("3 > 0", "compares no arguments of one tool", ""),
        ("book_room.guests < files/read-all.min", "compares no arguments of one tool", ""),
        ("book_room.guests >", "is no rule", "tool.argument < 10"),
        ("book_room.guests and 1", "is no rule", ""),
        ("__import__('os') < book_room.guests", "is no rule", ""),
    ],
)
def test_faults_of_rules(rule: str, what: str, nearest: str) -> None:
    (fault,) = ruled("book_room.days > 0", rule).faults
    assert what in fault.what
    assert nearest in fault.remedy
    assert fault.path == ("rules", 1)


def test_a_refused_call_changes_nothing() -> None:
    at = world()
    loan = next(iter(at.table("loan").values()))
    done = execute(at, library().tools["renew_loan"], {"loan_id": loan.fields["id"], "days": -2})
    assert done.result.error_message == "days must be more than 0"
    assert done.world.digest() == at.digest()
    assert done.world.changes == ()
    booked = execute(world(desk()), desk().tools["book-room"], {"from": "2", "to": "1"})
    assert booked.result.error_message == "from must be before to"


def test_a_rule_that_is_wrong_leaves_the_others() -> None:
    compiled = compiled_domain(domain_of(DESK, rules=["no.such > 1", *DESK["rules"]]), DESK_TOOLS)
    assert len(compiled.faults) == 1
    assert broken_rule(world(compiled), compiled.tools["book-room"], {"from": "2", "to": "1"})


TEXT = vocabulary()
SECTIONS = {
    title.split(":")[0].split(" ")[0]: body for title, body in re.findall(r"^## (.+)\n((?:(?!##).*\n?)*)", TEXT, re.M)
}


@pytest.mark.parametrize(
    ("section", "names"),
    [
        ("Sources", set(SOURCES)),
        ("Operators", {*OPERATORS, "$draw"}),
        ("Conditions", {*CONDITIONS, *UNARY}),
        ("Effects", set(EFFECTS)),
        ("Formats", set(FORMATS)),
    ],
)
def test_every_word_has_a_line_of_its_own_that_says_something(section: str, names: set[str]) -> None:
    lines = re.findall(r"^- `([^`]+)`(?: \([^)]*\))?: (.+)$", SECTIONS[section], re.M)
    found = [name for name, _ in lines if not name.startswith("example")]
    assert set(found) == names
    assert len(found) == len(names)
    assert all(len(what) > 2 for _, what in lines)


@pytest.mark.parametrize(("section", "table"), [("Sources", SOURCES), ("Effects", EFFECTS)])
def test_the_settings_stand_beside_their_word(section: str, table: dict[str, Any]) -> None:
    for name, (_, settings, _) in table.items():
        (line,) = re.findall(rf"^- `{name}`: .*$", SECTIONS[section], re.M)
        assert all(f"`{setting}`" in line for setting in settings)
        assert ("; beside it: " in line) == bool(settings)


def test_error_types_and_providers_are_listed_whole() -> None:
    (errors,) = re.findall(r"Error types of `else`: (.*)", TEXT)
    assert errors.split(", ") == list(ERROR_TYPES)
    (providers,) = re.findall(r"Providers of `faker`: (.*)", TEXT)
    assert providers.split(", ") == list(PROVIDERS)


def test_it_is_the_same_each_time_and_short_enough_for_a_prompt() -> None:
    assert vocabulary() == TEXT
    assert len(TEXT) < 16_000


ENTITIES: JsonObject = {name: {"fields": {"id": {"pattern": "[A-Z]{6}"}}} for name in ("loan", "book", "member")}


def kin(me: str = "", tasks: list[JsonObject] | None = None, **effects: list[JsonObject]) -> dict[str, tuple[str, ...]]:
    tools = {name: {"effect": effect} for name, effect in effects.items()}
    document = {"entities": ENTITIES, "me": me, "tools": tools, "tasks": tasks or []}
    return compiled_of(document, [tool(name) for name in effects]).related


LOANS, BOOKS, MEMBERS = [{"list": "loan"}], [{"list": "book"}], [{"list": "member"}]


@pytest.mark.parametrize("second", [LOANS, [{"if": [[1, "=", 1]], "then": LOANS}], [*BOOKS, {"create": "loan"}]])
def test_tools_about_the_same_things_are_related(second: list[JsonObject]) -> None:
    assert kin(a=LOANS, b=second, c=MEMBERS) == {"a": ("b",), "b": ("a",), "c": ()}


def test_the_user_makes_no_kin_of_what_is_about_more() -> None:
    assert kin("member", a=[*MEMBERS, *LOANS], b=[*MEMBERS, *BOOKS], c=LOANS) == {"a": ("c",), "b": (), "c": ("a",)}


def test_tools_of_one_task_are_related() -> None:
    turns = [{"requests": ["Both."], "calls": [{"call": "a"}, {"call": "b"}], "replies": ["Done."]}]
    assert kin(tasks=[{"turns": turns}], a=LOANS, b=BOOKS, c=MEMBERS) == {"a": ("b",), "b": ("a",), "c": ()}


def test_where_nothing_has_anything_in_common_all_are_related() -> None:
    assert kin(a=LOANS, b=BOOKS) == {"a": ("b",), "b": ("a",)}


def test_deeds_are_told_with_what_they_are_done_to() -> None:
    """Branches of an effect count as well, and what is done to no entity does not."""
    branching: JsonObject = {"if": [[1, "=", 1]], "then": [{"create": "loan"}], "else": [{"list": "member"}]}
    known = {"a": {"effect": [*LOANS, branching]}, "b": {}}
    compiled = compiled_of({"entities": ENTITIES, "tools": known}, [tool(name) for name in known])
    assert compiled.deeds == {"a": {("list", "loan"), ("create", "loan"), ("list", "member")}, "b": frozenset()}
