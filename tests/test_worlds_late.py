"""Late fields: the same values whatever is looked at first, in whatever copy, and however much was changed since."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.domains.domain import Domain
from generator.worlds.playbook import Playbook, open_playbook
from generator.worlds.rows import ABSENT, UNDRAWN
from generator.worlds.world import World
from tests.domains_library import TODAY, desk, library
from tests.random_domains import random_playbook


def begun(playbook: Playbook, seed: int) -> World:
    return World(playbook.program, seed, TODAY, "en_US")


def playing(seed: int = 4, **entities: Any) -> World:
    playbook = open_playbook(Domain.model_validate({"domain": 1, "entities": entities}), ())
    assert playbook.faults == ()
    return begun(playbook, seed)


@settings(max_examples=60, deadline=None)
@given(domain=st.integers(-2, 400), seed=st.integers(0, 10**6), order=st.integers(0, 10**6))
def test_it_does_not_matter_in_which_order_fields_are_looked_at(domain: int, seed: int, order: int) -> None:
    playbook = {-2: library, -1: desk}.get(domain, lambda: random_playbook(domain))()
    one, other, random = begun(playbook, seed), begun(playbook, seed), Random(order)
    looks = [
        (name, number, key)
        for name in playbook.domain.entities
        for number, row in one.table(name).items()
        for key in row.kept
    ]
    random.shuffle(looks)
    for name, number, key in looks[: random.randint(0, len(looks))]:
        other.table(name)[number].get(key)
    assert one.digest() == other.digest() == begun(playbook, seed).digest()


@pytest.mark.parametrize("seed", range(10))
def test_what_is_drawn_after_changes_is_drawn_as_the_record_began(seed: int) -> None:
    early, late = begun(desk(), seed), begun(desk(), seed)
    early.digest()
    for at in (early, late):
        at.tick()
        at.create("ticket", {"title": "New"})
        at.remove(next(iter(at.table("person").values())))
    assert late.copy().digest() == early.digest() == late.digest()


def test_a_field_is_drawn_once_and_for_all_copies() -> None:
    at = playing(thing={"rows": 3, "fields": {"id": {"pattern": "[a-z]{5}"}, "size": {"integer": [1, 10**9]}}})
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
    at, other = playing(thing=thing), playing(thing=thing)
    backwards = [row.get("word") for row in reversed(at.table("thing").values())]
    assert sorted(backwards) == sorted(words)
    assert backwards[::-1] == [row.get("word") for row in other.table("thing").values()]
    assert len({row.get("n") for row in at.table("thing").values()}) == 10


def test_what_is_created_is_unlike_rows_that_nobody_looked_at() -> None:
    words = [f"word{n}" for n in range(6)]
    thing = {"rows": 5, "fields": {"id": {"pattern": "[a-z]{5}"}, "word": {"pool": words}}}
    for seed in range(20):
        at = playing(seed, thing=thing)
        made = at.create("thing", {}).get("word")
        assert made not in {row.get("word") for row in list(at.table("thing").values())[:5]}


def test_a_field_that_costs_too_much_is_absent_and_costs_the_others_nothing() -> None:
    costly = {"$each": [{"$split": ["$long", ","]}, {"$text": "{it}{it}"}]}
    long = ",".join("x" * 400)
    fields = {"id": {"pattern": "[a-z]{5}"}, "long": long, "costly": costly, "size": {"integer": [1, 9]}}
    at = playing(thing={"rows": 199, "fields": fields})
    row = at.table("thing")[7]
    assert row.get("costly") is ABSENT
    assert row.get("size") in range(1, 10)
    assert not at.is_spent
