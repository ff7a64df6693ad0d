"""Playbook: what belongs together among the tools of a domain."""

import pytest

from generator.jsontext import JsonObject
from tests.domains_library import tool
from tests.planning_contexts import book_of

ENTITIES: JsonObject = {name: {"fields": {"id": {"pattern": "[A-Z]{6}"}}} for name in ("loan", "book", "member")}


def kin(me: str = "", tasks: list[JsonObject] | None = None, **effects: list[JsonObject]) -> dict[str, tuple[str, ...]]:
    tools = {name: {"effect": effect} for name, effect in effects.items()}
    document = {"entities": ENTITIES, "me": me, "tools": tools, "tasks": tasks or []}
    return book_of(document, [tool(name) for name in effects]).related


LOANS, BOOKS, MEMBERS = [{"list": "loan"}], [{"list": "book"}], [{"list": "member"}]


@pytest.mark.parametrize("second", [LOANS, [{"if": [[1, "=", 1]], "then": LOANS}], [*BOOKS, {"create": "loan"}]])
def test_tools_about_the_same_things_are_kin(second: list[JsonObject]) -> None:
    assert kin(a=LOANS, b=second, c=MEMBERS) == {"a": ("b",), "b": ("a",), "c": ()}


def test_the_user_makes_no_kin_of_what_is_about_more() -> None:
    assert kin("member", a=[*MEMBERS, *LOANS], b=[*MEMBERS, *BOOKS], c=LOANS) == {"a": ("c",), "b": (), "c": ("a",)}


def test_tools_of_one_errand_are_kin() -> None:
    turns = [{"requests": ["Both."], "calls": [{"call": "a"}, {"call": "b"}], "replies": ["Done."]}]
    assert kin(tasks=[{"turns": turns}], a=LOANS, b=BOOKS, c=MEMBERS) == {"a": ("b",), "b": ("a",), "c": ()}


def test_where_nothing_has_anything_in_common_all_are_kin() -> None:
    assert kin(a=LOANS, b=BOOKS) == {"a": ("b",), "b": ("a",)}


def test_deeds_are_told_with_what_they_are_done_to() -> None:
    """Branches of an effect count as well, and what is done to no entity does not."""
    branching: JsonObject = {"if": [[1, "=", 1]], "then": [{"create": "loan"}], "else": [{"list": "member"}]}
    known = {"a": {"effect": [*LOANS, branching]}, "b": {}}
    book = book_of({"entities": ENTITIES, "tools": known}, [tool(name) for name in known])
    assert book.deeds == {"a": {("list", "loan"), ("create", "loan"), ("list", "member")}, "b": frozenset()}
