"""States of tools: a change of what a record depends on is seen, and nothing else is one."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.builds.states import change_of, states_of
from generator.formats.loading.tool_files import load_catalog
from tests.domain_examples import TOOLS, domain

Files = tuple[list[Any], dict[str, Any]]


def states(folder: Path, tools: list[Any], known: dict[str, Any] | None) -> dict[str, Any]:
    """The states of tools in a file, with a domain file beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tools.json").write_text(json.dumps(tools), encoding="utf-8")
    if known is not None:
        (folder / "tools.domain.json").write_text(json.dumps(known), encoding="utf-8")
    return dict(states_of(load_catalog([folder / "tools.json"]).catalog))


CHANGES: dict[str, tuple[Callable[[list[Any], dict[str, Any]], object], dict[str, str]]] = {
    "nothing": (lambda tools, known: None, {"list_loans": "", "renew_loan": ""}),
    "their order": (lambda tools, known: tools.reverse(), {"list_loans": "", "renew_loan": ""}),
    "a description": (
        lambda tools, known: tools[0].update(description="List the loans."),
        {"list_loans": "tool changed", "renew_loan": ""},
    ),
    "what is said of one tool": (
        lambda tools, known: known["tools"]["list_loans"].update(can="list all your loans"),
        {"list_loans": "domain changed", "renew_loan": ""},
    ),
    "what is said of all": (
        lambda tools, known: known.update(about="Loans of a library in a town."),
        {"list_loans": "domain changed", "renew_loan": "domain changed"},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_became_of_each_tool(tmp_path: Path, change: str) -> None:
    tools, known = copy.deepcopy(TOOLS), domain()
    before = states(tmp_path / "before", tools, known)
    apply, told = CHANGES[change]
    apply(tools, known)
    after = states(tmp_path / "after", tools, known)
    assert {key: change_of(key, before, after) for key in before} == told


def test_tools_come_and_go(tmp_path: Path) -> None:
    both, one = states(tmp_path / "a", TOOLS, None), states(tmp_path / "b", TOOLS[:1], None)
    assert change_of("renew_loan", both, one) == "tool removed"
    assert change_of("renew_loan", one, both) == "tool added"
    assert change_of("list_loans", both, one) == ""


def test_a_domain_that_is_written_at_last_is_a_change(tmp_path: Path) -> None:
    before, after = states(tmp_path / "a", TOOLS, None), states(tmp_path / "b", TOOLS, domain())
    assert change_of("list_loans", before, after) == "domain changed"
