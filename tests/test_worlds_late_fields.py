"""Postponing: which fields wait until they are looked at, and which are drawn with their table."""

from __future__ import annotations

from typing import Any

import pytest

from generator.domains.domain import Domain
from generator.worlds.late_fields import Postponed, leads, postponed


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


@pytest.mark.parametrize("spec", LATE, ids=str)
def test_what_is_always_there_waits(spec: Any) -> None:
    assert found({"book": BOOK}, field=spec).fields == {"field"}


@pytest.mark.parametrize("spec", EARLY, ids=str)
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
