"""`toolgen build`, `verify` and `diff`: what they say, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.builds.folder import BuildsFolder
from generator.cli import main
from tests.build_orders import Desk, tool


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    return Desk(tmp_path)


def test_a_build_is_told_verified_and_compared(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "job.toml"]) == 0
    told = capsys.readouterr().err
    assert "12, all made anew" in told
    assert "published   output/nightly/builds/" in told
    first = desk.latest.resolve()

    desk.write_tool(tool("add_note", "Add a note to the list.", text="What the note says"))
    assert main(["build", "job.toml"]) == 0
    assert f"kept of {first.name}" in capsys.readouterr().err

    assert main(["verify", "output/nightly/latest"]) == 0
    assert main(["diff", str(first), "output/nightly/latest"]) == 0
    told = capsys.readouterr().out
    assert "0 added, 0 removed" in told
    assert "tool changed: add_note" in told.replace("   ", " ")
    assert main(["diff", str(first), "output/nightly/latest", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["why"] == {"tool changed": ["add_note"]}
    assert found["same"] + found["records"]["changed"] == 12
    assert found["tools"]["add_note"]["changed"] == found["records"]["changed"]


def test_nothing_changed_says_so_and_is_no_failure(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "job.toml", "--quiet"]) == 0
    before = desk.tree()
    capsys.readouterr()
    assert main(["build", "job.toml"]) == 0
    assert "nothing changed" in capsys.readouterr().err
    assert desk.tree() == before
    assert main(["build", "job.toml", "--json", "--metrics", "x.prom"]) == 0
    assert json.loads(capsys.readouterr().out)["records"] == 12
    assert 'toolgen_records_kept{data_set="x"} 12' in Path("x.prom").read_text(encoding="utf-8")


def test_a_missed_gate_ends_with_1_and_its_name(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    desk.write_job("[gates]\nmax_derived_share = 0.5\n")
    assert main(["build", "job.toml"]) == 1
    told = capsys.readouterr().err
    assert "the gate was missed: max_derived_share: 1.0000, and 0.5 is the most" in told
    assert BuildsFolder(desk.out).latest_build() is None


def test_a_damage_ends_with_1_and_its_name(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    main(["build", "job.toml", "--quiet"])
    (desk.latest / "catalog.json").unlink()
    assert main(["verify", "output/nightly/latest"]) == 1
    said = capsys.readouterr()
    assert "catalog.json: is missing" in said.out
    assert "1 damage; do not use this build" in said.err
    assert main(["verify", "output/nightly/latest", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"damages": [{"path": "catalog.json", "what": "is missing"}]}
    assert main(["verify", "nowhere"]) == 2
    assert main(["diff", "nowhere", "output/nightly/latest"]) == 5


def test_a_check_proves_the_job_and_writes_nothing(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    before = desk.tree()
    assert main(["build", "job.toml", "--check"]) == 0
    assert "it can be built; nothing was written" in capsys.readouterr().out
    assert main(["build", "job.toml", "--check", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["tools"], found["anew"], found["why"]) == (3, 12, {"no build before": 12})
    assert desk.tree() == before


@pytest.mark.parametrize(
    ("settings", "code", "told"),
    [
        ("[gates]\nmin_records = 13\n", 1, "gates.min_records: 13, and count asks for 12"),
        ("[gates]\nmin_of_kind = {parallel = 1}\n", 1, "gates.min_of_kind.parallel: 1, and 0 are planned"),
        ('[splits]\ndecontaminate = ["bench.jsonl"]\n', 2, "bench.jsonl: no such file"),
        ('[publish]\npush = ["nowhere://x"]\n', 2, "nowhere"),
    ],
)
def test_a_check_refuses_what_cannot_be(
    desk: Desk, capsys: pytest.CaptureFixture[str], settings: str, code: int, told: str
) -> None:
    desk.write_job(settings)
    assert main(["build", "job.toml", "--check"]) == code
    assert told in capsys.readouterr().err


def test_a_tool_file_that_cannot_be_used_is_told_by_a_check(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    (desk.path / "tools" / "bad.json").write_text("{", encoding="utf-8")
    assert main(["build", "job.toml", "--check"]) == 2
    assert "bad.json" in capsys.readouterr().err


def test_a_job_without_a_file_is_a_message(desk: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "nothing.toml"]) == 2
    assert "nothing.toml: cannot be read" in capsys.readouterr().err
