"""The vocabulary of domain files, as a model and a reader are told it: all that compiles, each thing once."""

from __future__ import annotations

import re
from typing import Any

import pytest

from generator.jsontext import JsonObject
from generator.schemas.adm_schema import ERROR_TYPES
from generator.values.meanings.entities import PROVIDERS
from generator.worlds.compiled_domain import vocabulary
from generator.worlds.conditions import OPERATORS as CONDITIONS
from generator.worlds.conditions import UNARY
from generator.worlds.effects import EFFECTS
from generator.worlds.sources import SOURCES
from generator.worlds.speech import FORMATS
from generator.worlds.values import OPERATORS
from tests.domains_library import tool
from tests.planning_contexts import compiled_of

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
