"""Worlds: made from a seed, the same for whoever looks first; copies on their own; digests and changes."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.domains.domain import Domain
from generator.random_streams import stream
from generator.worlds.compiler import Refused
from generator.worlds.program import CompiledDomain, compiled_domain
from generator.worlds.rows import ABSENT, UNDRAWN, NothingToDraw, Row
from generator.worlds.world import World, changes_between
from tests.domains_library import TODAY, desk, library, world
from tests.random_domains import random_domain
from tests.tables import each_row


def first(at: World, entity: str) -> Row:
    return next(iter(at.table(entity).values()))


def playing(**entities: Any) -> World:
    compiled = compiled_domain(Domain.model_validate({"domain": 1, "entities": entities}), ())
    assert compiled.faults == ()
    return World(compiled.program, 4, TODAY, "en_US")


def test_a_world_depends_on_its_seed_alone() -> None:
    assert world().digest() == world().digest()
    assert len({world(seed=seed).digest() for seed in range(50)}) == 50
    assert world(desk()).digest() != world().digest()


def test_it_does_not_matter_which_table_is_looked_at_first() -> None:
    one, other = world(), world()
    one.table("loan")
    other.table("book")
    assert one.digest() == other.digest() == world().digest()


def test_tables_are_made_as_the_record_began_however_late() -> None:
    early, late = world(desk(), 11), world(desk(), 11)
    early.digest()
    for at in (early, late):
        at.tick()
        at.remove(first(at, "ticket"))
    assert early.digest() == late.digest()
    assert len(late.table("note")) == len(early.table("note"))


@each_row("seed", range(20))
def test_rows_have_ids_of_their_own_and_parents_that_are_there(seed: int) -> None:
    at = world(desk(), seed)
    for entity in ("person", "ticket", "note"):
        rows = list(at.table(entity).values())
        ids = [row.fields["id"] for row in rows]
        assert len(set(ids)) == len(ids)
    assert all(isinstance(at.row(note.parent), Row) for note in at.table("note").values() if note.parent)
    assert 3 <= len(at.table("ticket")) <= 5


def test_ids_that_run_out_give_fewer_rows() -> None:
    at = playing(thing={"rows": 9, "fields": {"id": {"integer": [1, 3]}}})
    assert sorted(row.fields["id"] for row in at.table("thing").values()) == [1, 2, 3]
    with pytest.raises(NothingToDraw, match="no further id"):
        at.create("thing", {})
    with pytest.raises(NothingToDraw, match="every thing"):
        at.imagine("thing", {}, stream(1))


def test_data_belongs_together_and_is_taken_once() -> None:
    data = [{"id": n, "square": n * n} for n in range(9)]
    rows = (
        playing(thing={"rows": [7, 20], "data": data, "fields": {"double": {"$calc": "id * 2"}}})
        .table("thing")
        .values()
    )
    assert len({row.fields["id"] for row in rows}) == len(rows) >= 7
    assert all(row.fields["square"] == row.fields["id"] ** 2 for row in rows)
    assert all(row.fields["double"] == row.fields["id"] * 2 for row in rows)


def test_an_entity_may_refer_to_itself() -> None:
    folder = {"rows": 6, "fields": {"id": {"pattern": "f[0-9]{3}"},
                                    "above": {"maybe": 1, "value": {"ref": "folder"}, "else": None}}}  # fmt: skip
    at = playing(folder=folder)
    rows = list(at.table("folder").values())
    assert rows[0].fields["above"] is None
    assert all(row.fields["above"].number < row.number for row in rows[1:])


def test_copies_change_on_their_own() -> None:
    start = world(desk())
    before = start.digest()
    one, other = start.copy(), start.copy()
    made = one.create("ticket", {"title": "New"})
    one.remove(first(one, "person"))
    assert start.digest() == other.digest() == before
    assert start.changes == other.changes == ()
    twin = one.copy()
    one.create("ticket", {"title": "Newer"})
    twin.put(Row("ticket", made.number, {**made.fields, "title": "Renamed"}))
    assert one.row(made.ref).fields["title"] == "New"
    assert twin.row(made.ref).fields["title"] == "Renamed"
    assert len(one.table("ticket")) == len(twin.table("ticket")) + 1


def test_what_is_created_is_new_and_no_number_comes_back() -> None:
    at = world(desk())
    numbers = set(at.table("ticket"))
    ids = {row.fields["id"] for row in at.table("ticket").values()}
    for _ in range(6):
        row = at.create("ticket", {"title": "x", "labels": ABSENT})
        assert row.number not in numbers
        assert row.fields["id"] not in ids
        numbers.add(row.number)
        ids.add(row.fields["id"])
        at.remove(row)
        assert at.row(row.ref) is ABSENT


def test_the_id_of_a_row_that_is_gone_does_not_come_back() -> None:
    at = playing(thing={"rows": 2, "fields": {"id": {"integer": [1, 6]}}})
    at.remove(first(at, "thing"))
    for _ in range(4):
        at.remove(at.create("thing", {}))
    gone = [change.before.fields["id"] for change in at.changes if change.before]
    assert len(set(gone)) == len(gone) == 5
    with pytest.raises(NothingToDraw):
        at.create("thing", {})


def test_an_id_that_is_taken_is_refused() -> None:
    at = world(desk())
    taken = first(at, "ticket").fields["id"]
    with pytest.raises(Refused, match=f"There is a ticket {taken} already"):
        at.create("ticket", {"id": taken})
    assert at.create("ticket", {"id": 5}).fields["id"] == 5


def test_rows_whose_key_is_given_as_null_are_not_one_and_the_same() -> None:
    at = playing(
        person={"key": "email", "rows": 2, "fields": {"email": {"faker": "safe_email"}, "name": {"faker": "name"}}}
    )
    made = [at.create("person", {"email": None}) for _ in range(2)]
    assert [row.fields["email"] for row in made] == [None, None]
    assert len(at.table("person")) == 4


def test_what_belongs_to_a_row_goes_with_it() -> None:
    at = next(each for each in (world(desk(), seed) for seed in range(30)) if each.table("note"))
    note = first(at, "note")
    assert note.parent is not None
    ticket = at.row(note.parent)
    before = len([each for each in at.table("note").values() if each.parent == ticket.ref])
    at.remove(ticket)
    at.remove(ticket)
    assert at.row(note.ref) is ABSENT
    assert [change.kind for change in at.changes] == ["deleted"] * (before + 1)
    assert at.id_of(ticket.ref) is None


def test_imagined_rows_are_not_there() -> None:
    alike = 0
    for seed in range(40):
        at = world(seed=seed)
        row = at.imagine("book", {"year": 1950}, stream(seed))
        assert row.number < 0
        assert row.fields["year"] == 1950
        assert row.fields["id"] not in {each.fields["id"] for each in at.table("book").values()}
        alike += row.fields["title"] in {each.fields["title"] for each in at.table("book").values()}
        assert at.changes == ()
    assert alike == 0


def test_time_goes_on_with_calls() -> None:
    at = world()
    times = []
    for _ in range(3):
        times.append(at.now)
        at.tick()
    assert times == sorted(set(times))
    assert at.calls == 3
    assert at.digest() == world().digest()


def test_a_world_may_be_as_late_as_another_with_nothing_done_to_it() -> None:
    start = world()
    after = start.copy()
    made = after.create("member", {"name": "New"})
    after.tick()
    late = start.as_late_as(after)
    assert late.now == after.now != start.now
    assert len(late.table("member")) == len(start.table("member")) == len(after.table("member")) - 1
    assert late.create("member", {"name": "Next"}).number == after.create("member", {"name": "Next"}).number
    assert made.number not in start.table("member")


def test_names_that_every_scope_knows() -> None:
    at = world()
    assert at.scope().get("today") == "2026-01-15"
    assert at.scope(today="mine").get("today") == "mine"
    assert at.scope().get("me") == first(at, "member")
    assert world(desk()).scope().get("me") is ABSENT
    assert at.scope().get("nobody") is ABSENT


def test_changes_are_told_in_full() -> None:
    start = world(desk())
    end = start.copy()
    person = first(end, "person")
    made = end.create("ticket", {"title": "Leak", "status": "open", "labels": ["ui"], "owner": person.ref})
    end.put(Row("ticket", made.number, {**made.fields, "status": "closed"}))
    end.remove(person)
    story = changes_between(start, end)
    assert story["initial"] == start.digest() == world(desk()).digest()
    assert story["final"] == end.digest() != story["initial"]
    number, owner = made.fields["id"], person.fields["id"]
    assert story["changes"] == [
        {
            "change": "created",
            "entity": "ticket",
            "id": number,
            "after": {"title": "Leak", "status": "open", "labels": ["ui"], "owner": owner, "id": number},
        },
        {
            "change": "updated",
            "entity": "ticket",
            "id": number,
            "before": {"status": "open"},
            "after": {"status": "closed"},
        },
        {"change": "deleted", "entity": "person", "id": owner, "before": {"id": owner, "name": person.fields["name"]}},
    ]
    assert changes_between(end, end)["changes"] == []
    assert changes_between(start, start.copy()) == {"initial": start.digest(), "final": start.digest(), "changes": []}


def test_a_table_of_no_entity_is_no_traceback_of_another() -> None:
    assert library().program.entities.keys() == {"member", "book", "loan"}
    with pytest.raises(KeyError):
        world().table("nothing")


def test_work_is_counted_and_ends() -> None:
    at = world()
    assert at.spend(1000)
    assert not at.spend(10**9)
    assert at.is_spent
    assert not at.copy().is_spent


def begun(compiled: CompiledDomain, seed: int) -> World:
    return World(compiled.program, seed, TODAY, "en_US")


def worlds_late_playing(seed: int = 4, **entities: Any) -> World:
    compiled = compiled_domain(Domain.model_validate({"domain": 1, "entities": entities}), ())
    assert compiled.faults == ()
    return begun(compiled, seed)


@settings(max_examples=60, deadline=None)
@given(domain=st.integers(-2, 400), seed=st.integers(0, 10**6), order=st.integers(0, 10**6))
def test_it_does_not_matter_in_which_order_fields_are_looked_at(domain: int, seed: int, order: int) -> None:
    compiled = {-2: library, -1: desk}.get(domain, lambda: random_domain(domain))()
    one, other, random = begun(compiled, seed), begun(compiled, seed), Random(order)
    looks = [
        (name, number, key)
        for name in compiled.domain.entities
        for number, row in one.table(name).items()
        for key in row.kept
    ]
    random.shuffle(looks)
    for name, number, key in looks[: random.randint(0, len(looks))]:
        other.table(name)[number].get(key)
    assert one.digest() == other.digest() == begun(compiled, seed).digest()


@each_row("seed", range(10))
def test_what_is_drawn_after_changes_is_drawn_as_the_record_began(seed: int) -> None:
    early, late = begun(desk(), seed), begun(desk(), seed)
    early.digest()
    for at in (early, late):
        at.tick()
        at.create("ticket", {"title": "New"})
        at.remove(next(iter(at.table("person").values())))
    assert late.copy().digest() == early.digest() == late.digest()


def test_a_field_is_drawn_once_and_for_all_copies() -> None:
    at = worlds_late_playing(
        thing={"rows": 3, "fields": {"id": {"pattern": "[a-z]{5}"}, "size": {"integer": [1, 10**9]}}}
    )
    row = at.table("thing")[2]
    assert row.kept["size"] is UNDRAWN
    size = row.get("size")
    assert at.copy().table("thing")[2].kept["size"] == size == row.fields["size"]
    assert at.table("thing")[1].kept["size"] is UNDRAWN
    assert list(row.fields) == ["id", "size"]
    assert row.get("nothing") is ABSENT


def test_rows_are_told_apart_however_late_they_are_looked_at() -> None:
    words = [f"word{n}" for n in range(12)]
    thing = {"rows": 12, "fields": {"id": {"pattern": "[a-z]{5}"}, "word": {"pool": words}, "n": {"pattern": "[0-9]"}}}
    at, other = worlds_late_playing(thing=thing), worlds_late_playing(thing=thing)
    backwards = [row.get("word") for row in reversed(at.table("thing").values())]
    assert sorted(backwards) == sorted(words)
    assert backwards[::-1] == [row.get("word") for row in other.table("thing").values()]
    assert len({row.get("n") for row in at.table("thing").values()}) == 10


def test_what_is_created_is_unlike_rows_that_nobody_looked_at() -> None:
    words = [f"word{n}" for n in range(6)]
    thing = {"rows": 5, "fields": {"id": {"pattern": "[a-z]{5}"}, "word": {"pool": words}}}
    for seed in range(20):
        at = worlds_late_playing(seed, thing=thing)
        made = at.create("thing", {}).get("word")
        assert made not in {row.get("word") for row in list(at.table("thing").values())[:5]}


def test_a_field_that_costs_too_much_is_absent_and_costs_the_others_nothing() -> None:
    costly = {"$each": [{"$split": ["$long", ","]}, {"$text": "{it}{it}"}]}
    long = ",".join("x" * 400)
    fields = {"id": {"pattern": "[a-z]{5}"}, "long": long, "costly": costly, "size": {"integer": [1, 9]}}
    at = worlds_late_playing(thing={"rows": 199, "fields": fields})
    row = at.table("thing")[7]
    assert row.get("costly") is ABSENT
    assert row.get("size") in range(1, 10)
    assert not at.is_spent
