"""Inputs: every file that decides a build is looked at, wherever it stands, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.builds.inputs import Inputs, differences, inputs_of
from generator.builds.settings import read_build
from generator.formats.loading.mcp_servers import Listing
from tests.build_orders import TOOLS, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def seen(desk: Desk, *listings: Listing) -> Inputs:
    return inputs_of(read_build(desk.file), listings)


CHANGES: dict[str, tuple[Callable[[Desk], object], str]] = {
    "a tool file": (lambda desk: desk.write_tool(TOOLS["play_song"]), "sources"),
    "a domain beside": (lambda desk: (desk.path / "tools/add_note.domain.yaml").write_text("domain: 1\n"), "sources"),
    "a domain of the folder": (lambda desk: (desk.path / "tools/x.domain.yaml").write_text("domain: 1\n"), "sources"),
    "the count": (lambda desk: desk.write_job(count=13), "settings"),
    "the seed": (lambda desk: desk.write_job(seed=13), "seed"),
    "the formats": (lambda desk: desk.write_job(formats=["trl"]), "settings"),
    "a gate": (lambda desk: desk.write_job("[gates]\nmin_records = 3\n"), "settings"),
    "a target": (lambda desk: desk.write_job('[publish]\npush = ["memory://x"]\n'), "settings"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_seen(desk: Desk, change: str) -> None:
    before = seen(desk)
    assert seen(desk) == before
    apply, told = CHANGES[change]
    apply(desk)
    assert list(differences(before, seen(desk))) == [told]


@pytest.mark.parametrize(
    "settings", ["[limits]\nmax_minutes = 3\n", "[server]\ntimeout = 5\n", "[publish]\nkeep = 3\n"]
)
def test_what_decides_no_record_is_no_change(desk: Desk, settings: str) -> None:
    before = seen(desk)
    desk.write_job(settings)
    assert seen(desk) == before


def test_what_a_server_lists_is_a_part_of_them(desk: Desk) -> None:
    one, other = (Listing("mcp:x", "x", {"tools": [{"name": name}]}) for name in ("a", "b"))
    assert list(differences(seen(desk, one), seen(desk, other))) == ["listed"]


def test_a_benchmark_is_a_part_of_them(desk: Desk) -> None:
    (desk.path / "bench.jsonl").write_text(json.dumps({"question": "What time is it in Rome now?"}))
    desk.write_job('[splits]\ndecontaminate = ["bench.jsonl"]\n')
    before = seen(desk)
    (desk.path / "bench.jsonl").write_text(json.dumps({"question": "What time is it in Paris now?"}))
    assert list(differences(before, seen(desk))) == ["others"]


def test_python_functions_are_never_taken_for_unchanged_unseen(desk: Desk) -> None:
    desk.write_job(tools=["json:dumps"])
    asked = read_build(desk.file, allow_code=True)
    assert not inputs_of(asked, ()).sealed


def test_the_folder_may_move(desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> None:
    before = seen(desk)
    there = tmp_path_factory.mktemp("there") / "desk"
    desk.path.rename(there)
    assert inputs_of(read_build(there / "job.toml"), ()) == before
