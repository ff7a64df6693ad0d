"""The vocabulary of domain files, as a model and a reader are told it: all that compiles, each thing once."""

from __future__ import annotations

import re
from typing import Any

import pytest

from generator.schemas.adm_errors import ERROR_TYPES
from generator.values.providers import PROVIDERS
from generator.worlds.conditions import OPERATORS as CONDITIONS
from generator.worlds.conditions import UNARY
from generator.worlds.effects import EFFECTS
from generator.worlds.sources import SOURCES
from generator.worlds.speech import FORMATS
from generator.worlds.values import OPERATORS
from generator.worlds.vocabulary import vocabulary

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
