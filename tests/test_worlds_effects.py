"""Effects: what each step does to a world, what it binds, what it refuses, and its faults."""

from __future__ import annotations

from typing import Any

import pytest

from generator.jsontext import JsonValue
from generator.worlds.compiler import Refused
from generator.worlds.effects import EFFECTS, compile_effects
from generator.worlds.program import compiled_domain
from generator.worlds.rows import ABSENT, Scope
from tests.domains_library import DESK, DESK_TOOLS, compiler, desk, domain_of, scope
from tests.tables import each_row


def run(*steps: JsonValue, seed: int = 7, **names: Any) -> Scope:
    """Run steps on the desk; they have no faults."""
    known = compiler(*names, "missing", domain=domain_of(DESK))
    effects, _ = compile_effects(list(steps), (), known)
    assert known.faults.found == []
    at = scope(desk(), seed, **names)
    for effect in effects:
        effect(at)
    return at


def tickets(at: Scope) -> list[dict[str, Any]]:
    return [row.fields for row in at.world.table("ticket").values()]


def test_get_binds_the_first_row_that_fulfils_its_conditions() -> None:
    at = run({"get": "ticket"}, {"get": "ticket", "where": [["id", "=", "$it.id"]], "as": "same"})
    assert at.names["it"] == at.names["same"] == next(iter(at.world.table("ticket").values()))
    assert run({"get": "ticket", "where": [["id", "=", -1]]}).names["it"] is ABSENT


@pytest.mark.parametrize(
    ("step", "error_type", "message"),
    [
        (
            {"get": "ticket", "where": [["id", "=", "$n"]], "else": {"RESOURCE_NOT_FOUND": "No {n}."}},
            "RESOURCE_NOT_FOUND",
            "No -5.",
        ),
        (
            {"get": "ticket", "where": [["id", "=", "$n"]], "else": {"INVALID_STATE": "{missing}"}},
            "INVALID_STATE",
            "This is not possible.",
        ),
        (
            {"require": [["$n", ">", 0]], "else": {"PERMISSION_DENIED": "Not for you."}},
            "PERMISSION_DENIED",
            "Not for you.",
        ),
        ({"require": [["$n", ">", 0]]}, "INVALID_STATE", "This is not possible."),
        ({"if": [["$n", "<", 0]], "then": [{"require": [["$n", "=", 1]]}]}, "INVALID_STATE", "This is not possible."),
    ],
)
def test_refusals(step: JsonValue, error_type: str, message: str) -> None:
    with pytest.raises(Refused) as refused:
        run(step, n=-5)
    assert (refused.value.error_type, refused.value.message) == (error_type, message)


def test_list_filters_searches_sorts_and_pages() -> None:
    at = run({"list": "ticket", "sort": "-id", "limit": 2, "offset": 1})
    ids = sorted((row["id"] for row in tickets(at)), reverse=True)
    assert [row.fields["id"] for row in at.names["rows"]] == ids[1:3]
    assert [row.fields["id"] for row in at.names["all"]] == ids
    assert at.names["more"] is (len(ids) > 3)
    assert at.names["next"] == ("3" if len(ids) > 3 else ABSENT)
    second = run({"list": "ticket", "limit": 2, "page": 2, "as": "shown"})
    assert second.names["shown"] == second.names["all"][2:4]
    assert run({"list": "ticket", "limit": 0}).names["rows"] == []
    assert run({"list": "ticket", "limit": "2", "offset": -9}).names["next"] == "2"


@pytest.mark.parametrize("asked", ["issue {id}", "{id}", "ISSUES"])
def test_search_wants_every_word(asked: str) -> None:
    first = tickets(run({"get": "ticket"}))[0]
    step = {"list": "ticket", "search": {"in": ["title", "labels"], "for": "$q"}}
    at = run(step, q=asked.format(**first))
    assert first in [row.fields for row in at.names["rows"]]
    assert run(step, q=f"{asked} nowhere").names["rows"] == []
    assert len(run(step, q=ABSENT).names["rows"]) == len(tickets(at))


@each_row(
    ("sort", "names", "backwards"),
    [
        ("id", {}, False),
        ("-id", {}, True),
        ({"by": "$by", "fields": {"number": "id"}}, {"by": "number"}, False),
        ({"by": "$by", "descending": "$down"}, {"by": "id", "down": "desc"}, True),
        ({"by": "$by", "descending": "$down"}, {"by": "id", "down": True}, True),
        ({"by": "$missing", "default": "-id"}, {}, True),
        ({"by": "-id", "descending": True}, {}, False),
        ({"by": "$missing", "default": "-id", "descending": "$down"}, {"down": "desc"}, True),
        ({"by": "$missing", "default": "-id", "descending": "$down"}, {"down": "asc"}, False),
        ({"by": "$by", "fields": {"new": "-id"}, "descending": "$missing"}, {"by": "new"}, True),
    ],
)
def test_sorts(sort: JsonValue, names: dict[str, Any], backwards: bool) -> None:
    ids = [row.fields["id"] for row in run({"list": "ticket", "sort": sort}, **names).names["rows"]]
    assert ids == sorted(ids, reverse=backwards)


def test_lists_of_values_and_what_a_wording_means() -> None:
    at = run({"list": "$given", "where": [["a", ">", 1]]}, given=[{"a": 1}, {"a": 2}])
    assert at.names["rows"] == [{"a": 2}]
    shelf = {"shelf": [{"value": {"b": 1, "a": 2}, "say": ["x"], "means": [["status", "=", "open"]]}]}
    known = compiler("f", domain=domain_of(DESK, wordings=shelf))
    (effect,), _ = compile_effects([{"list": "ticket", "means": "$f"}], (), known)
    for asked, every in (({"a": 2, "b": 1}, False), ({"a": 3}, True), (ABSENT, True)):
        at = scope(desk(), f=asked)
        effect(at)
        assert (len(at.names["rows"]) == len(tickets(at))) is (
            every or all(row["status"] == "open" for row in tickets(at))
        )


def test_create_takes_what_is_given_and_draws_the_rest() -> None:
    at = run(
        {"get": "person", "as": "p"},
        {"create": "ticket", "set": {"title": "$t", "owner": "$p", "labels": "$missing"}},
        t="New",
    )
    made = at.names["it"]
    assert made.fields["title"] == "New"
    assert at.world.row(made.fields["owner"]) == at.names["p"]
    assert made.fields["status"] in ("open", "closed")
    assert isinstance(made.fields["labels"], list)
    assert tickets(at)[-1] == made.fields
    note = run({"get": "ticket", "as": "t"}, {"create": "note", "set": {"ticket": "$t", "text": "hm"}})
    assert note.names["it"].parent == note.names["t"].ref
    assert "ticket" not in note.names["it"].fields


def test_what_is_said_of_new_rows_is_what_they_have_where_nothing_is_set() -> None:
    desk_of_new = domain_of(DESK)
    ticket = desk_of_new.entities["ticket"].model_copy(
        update={"new": {"status": "new", "labels": [], "title": {"$upper": "$status"}, "owner": None}}
    )
    domain = desk_of_new.model_copy(update={"entities": {**desk_of_new.entities, "ticket": ticket}})
    known = compiler("t", domain=domain)
    (effect,), _ = compile_effects([{"create": "ticket", "set": {"status": "$t", "labels": "$none"}}], (), known)
    at = scope(compiled_domain(domain, DESK_TOOLS), t="open")
    effect(at)
    assert {key: at.names["it"].fields[key] for key in ("status", "labels", "title", "owner")} == {
        "status": "open", "labels": [], "title": "OPEN", "owner": None,
    }  # fmt: skip


def test_update_changes_what_is_given_alone() -> None:
    at = run(
        {"get": "ticket"},
        {"update": "$it", "set": {"title": "Done", "status": "$missing"}, "append": {"labels": ["x", "ui"]}},
    )
    before = at.world.changes[0].before
    assert before is not None
    row = at.names["it"]
    assert row.fields == {
        **before.fields,
        "title": "Done",
        "labels": list(dict.fromkeys([*before.fields["labels"], "x", "ui"])),
    }
    again = run({"get": "ticket"}, {"update": "$it", "set": {"title": "$it.title"}})
    assert again.world.changes == (), "what stays as it is is no change"


@each_row(
    ("change", "before", "after"),
    [
        ({"append": {"labels": "a"}}, ["b"], ["b", "a"]),
        ({"append": {"labels": ["b", "a"]}}, ["b"], ["b", "a"]),
        ({"append": {"labels": "a"}}, None, ["a"]),
        ({"append": {"labels": "a"}}, "b", ["b", "a"]),
        ({"remove": {"labels": ["b", "c"]}}, ["b", "a"], ["a"]),
        ({"remove": {"labels": "b"}}, None, []),
        ({"merge": {"labels": {"a": 1}}}, {"b": 2}, {"b": 2, "a": 1}),
        ({"merge": {"labels": {"a": 1}}}, None, {"a": 1}),
        ({"merge": {"labels": 5}}, {"b": 2}, {"b": 2}),
        ({"set": {"labels": None}}, ["b"], None),
    ],
)
def test_changes_of_a_field(change: JsonValue, before: Any, after: Any) -> None:
    at = run(
        {"get": "ticket"}, {"update": "$it", "set": {"labels": "$before"}}, {"update": "$it", **change}, before=before
    )
    assert at.names["it"].fields["labels"] == after


def test_two_names_of_one_row_lose_no_change() -> None:
    at = run(
        {"get": "ticket", "as": "a"},
        {"get": "ticket", "as": "b"},
        {"update": "$a", "set": {"title": "A"}},
        {"update": "$b", "set": {"status": "B"}},
    )
    assert tickets(at)[0]["title"] == "A"
    assert tickets(at)[0]["status"] == "B"


def test_what_is_gone_stays_gone() -> None:
    at = run({"get": "ticket"}, {"delete": "$it"}, {"update": "$it", "set": {"title": "back"}}, {"delete": "$it"})
    assert "back" not in [row["title"] for row in tickets(at)]
    assert sum(change.kind == "deleted" and change.before == at.names["it"] for change in at.world.changes) == 1


def test_all_at_once() -> None:
    every = len(tickets(run()))
    at = run({"update_all": "ticket", "where": [["status", "!=", "gone"]], "set": {"status": "gone"}})
    assert [row["status"] for row in tickets(at)] == ["gone"] * every
    assert len(at.names["rows"]) == every
    listed = run({"list": "ticket"}, {"update": "$rows", "set": {"status": "gone"}})
    assert [row.fields["status"] for row in listed.names["rows"]] == ["gone"] * every
    assert tickets(run({"delete_all": "ticket", "as": "dropped"})) == []
    assert tickets(run({"list": "ticket", "limit": 2}, {"delete": "$rows"})) == tickets(run())[2:]


def test_each_let_and_if() -> None:
    at = run(
        {"each": "$titles", "as": "t", "do": [{"create": "ticket", "set": {"title": "$t"}}]},
        {"let": {"many": {"$count": "$made"}, "twice": {"$calc": "many * 2"}}},
        {"if": [["$many", ">", 1]], "then": [{"let": {"word": "several"}}], "else": [{"let": {"word": "one"}}]},
        titles=["a", "b", "c"],
    )
    assert [row.fields["title"] for row in at.names["made"]] == ["a", "b", "c"]
    assert (at.names["many"], at.names["twice"], at.names["word"]) == (3, 6, "several")
    assert run({"each": "$titles", "do": [{"get": "ticket"}]}, titles=ABSENT).names["made"] == []
    numbers = run({"each": "$titles", "do": [{"let": {"n": {"$length": "$each"}}}], "collect": "n"}, titles=["a", "bc"])
    assert numbers.names["made"] == [1, 2]


def test_every_effect_is_tried() -> None:
    source = __import__("pathlib").Path(__file__).read_text(encoding="utf-8")
    assert [name for name in EFFECTS if f'{{"{name}": ' not in source] == []


FAULTS: list[tuple[JsonValue, str, tuple[Any, ...], str]] = [
    ({"gett": "ticket"}, "unknown effect 'gett'", (0,), "get"),
    ({"get": "tickets"}, "unknown entity 'tickets'", (0, "get"), "ticket"),
    ({"get": "ticket", "were": []}, "unknown setting of get 'were'", (0, "were"), "where"),
    ({"list": "tikcet"}, "unknown entity", (0, "list"), "ticket"),
    ({"list": "ticket", "search": {"in": ["titel"], "for": "x"}}, "unknown field", (0, "search", "in", 0), "title"),
    ({"list": "ticket", "sort": {"bye": "id"}}, "unknown setting of sort", (0, "sort", "bye"), "by"),
    ({"create": "tiket"}, "unknown entity", (0, "create"), "ticket"),
    ({"create": "ticket", "set": {"titel": 1}}, "unknown field", (0, "set", "titel"), "title"),
    ({"update": "it", "set": {}}, "`$name`", (0, "update"), ""),
    ({"update": "$itt", "set": {}}, "unknown name '$itt'", (0, "update"), ""),
    ({"update_all": "tiket", "set": {}}, "unknown entity", (0, "update_all"), "ticket"),
    ({"delete_all": "tiket"}, "unknown entity", (0, "delete_all"), "ticket"),
    ({"delete": "ticket"}, "`$name`", (0, "delete"), ""),
    ({"each": "$lsit", "do": []}, "unknown name", (0, "each"), "$list"),
    ({"require": [["$lsit", "given"]]}, "unknown name", (0, "require", 0, 0), "$list"),
    ({"require": [], "else": {"NOT_THERE": "x"}}, "unknown error type", (0, "else"), ""),
    ({"let": 5}, "must be {name: value}", (0, "let"), ""),
    ({"if": [], "then": [{"gte": "ticket"}]}, "unknown effect", (0, "then", 0), "get"),
]  # fmt: skip


@each_row(("step", "what", "path", "nearest"), FAULTS, ids=[str(step)[:50] for step, *_ in FAULTS])
def test_faults(step: JsonValue, what: str, path: tuple[Any, ...], nearest: str) -> None:
    known = compiler("list", domain=domain_of(DESK))
    effects, _ = compile_effects([step], (), known)
    fault = known.faults.found[0]
    assert what in fault.what
    assert fault.path == path
    assert nearest in fault.remedy
    for effect in effects:
        try:
            effect(scope(desk(), list=[]))
        except Refused as refused:
            assert refused.message  # noqa: PT017 - either is right, nothing else is


def test_later_steps_know_what_earlier_ones_bound() -> None:
    known = compiler(domain=domain_of(DESK))
    _, bound = compile_effects([{"get": "ticket"}, {"let": {"who": "$it.owner"}}, {"list": "note"}], (), known)
    assert {name: bound.types[name] for name in ("it", "who", "rows", "all", "more", "next")} == {
        "it": "ticket", "who": "", "rows": "", "all": "", "more": "", "next": "",
    }  # fmt: skip
    assert known.faults.found == []
