"""Every kind has one declaration, and by its name a layout, instructions for a model and a check."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from generator.assets import asset_folder
from generator.authors.llm.prompts import instructions_of
from generator.kinds import KINDS
from generator.scenarios.blueprints import LAYOUTS
from generator.validation import KIND_CHECKS
from tests.checkout import CHECKOUT
from tests.tables import each_row

PACKAGE = CHECKOUT / "generator"


@each_row("kind", KINDS)
def test_a_kind_has_all_that_goes_by_its_name(kind: str) -> None:
    assert LAYOUTS[kind].blueprint.__name__ == kind
    assert LAYOUTS[kind].blueprint.__doc__
    assert KIND_CHECKS[kind].__doc__
    instructions = asset_folder("prompts") / f"{instructions_of(kind)}.md"
    assert f"{{#- What the messages of {kind} records do" in instructions.read_text("utf-8")


def test_nothing_else_goes_by_the_name_of_a_kind() -> None:
    files = {path.stem for path in (asset_folder("prompts") / "kinds").iterdir()}
    assert set(LAYOUTS) == set(KIND_CHECKS) == files == set(KINDS)


@each_row("kind", KINDS)
def test_a_declaration_is_whole(kind: str) -> None:
    declared = KINDS[kind]
    assert declared.summary
    assert declared.need.startswith(("a ", "an ", "at least ", "two "))
    assert declared.share >= 0


def test_kinds_stand_in_one_after_the_other() -> None:
    places = sorted(declared.stands_in for declared in KINDS.values() if declared.stands_in)
    assert places == list(range(1, len(places) + 1))


NAMED = ("kinds.py", "scenarios/blueprints/", "validation/kinds/")
"""Where kinds are named: in their declarations, and beside their layouts and checks."""
PARTS_OF_A_WAY = frozenset({"ambiguous", "parallel", "profile"})
"""Names of kinds that a domain file knows as well."""


def _lists(path: Path) -> Iterator[ast.expr]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Set | ast.List | ast.Tuple | ast.Dict):
            yield node


def _listed(node: ast.expr) -> set[str]:
    """Return the texts that are written out in a list, and the words of one that is cut into a list."""
    parts = [*node.keys, *node.values] if isinstance(node, ast.Dict) else node.elts
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def _lists_of_kinds(path: Path) -> list[set[str]]:
    words = [set(found.split()) for found in re.findall(r'"([a-z_ ]+)"', path.read_text("utf-8"))]
    found = [texts & KINDS.keys() - PARTS_OF_A_WAY for texts in (*map(_listed, _lists(path)), *words)]
    return [kinds for kinds in found if len(kinds) > 1]


@each_row("path", [path.relative_to(PACKAGE).as_posix() for path in sorted(PACKAGE.rglob("*.py"))])
def test_kinds_are_told_apart_by_their_declarations_alone(path: str) -> None:
    if not path.startswith(NAMED):
        assert _lists_of_kinds(PACKAGE / path) == []
