"""`toolgen init`: the file is a job as it stands, so is each line commented out, and nothing is replaced."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from generator.builds.settings import TABLES, BuildSettings, read_build
from generator.cli import main
from generator.job_choices import JOB_KEYS
from generator.runs.job_file import read_job

TOOL = {
    "name": "add_note",
    "description": "Add a note.",
    "parameters": {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "What it says"}},
        "required": ["text"],
    },
}
NOT_THERE = {"tokenizer": "names a file that is not there"}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "notes.json").write_text(json.dumps([TOOL]))
    (tmp_path / "other.json").write_text('{"a": 1}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(desk: Path, *arguments: str, code: int = 0) -> str:
    assert main(["init", *arguments]) == code
    return (desk / "toolgen.toml").read_text(encoding="utf-8")


def test_it_is_a_job_over_the_tools_of_the_folder(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = written(desk)
    assert tomllib.loads(text) == {"tools": ["notes.json"], "count": 100, "seed": 0, **{name: {} for name in TABLES}}
    assert "1 tool: add_note." in text
    assert "toolgen generate --job toolgen.toml" in capsys.readouterr().err
    assert main(["generate", "--job", "toolgen.toml", "--count", "3", "--out", "run", "--quiet"]) == 0


def test_every_line_that_is_commented_out_is_one_of_a_job(desk: Path) -> None:
    lines = written(desk, "notes.json").splitlines()
    places = [at for at, line in enumerate(lines) if line.startswith("#") and not line.startswith("# ")]
    keys = {lines[at][1:].partition(" ")[0] for at in places}
    of_tables = {key for table in TABLES.values() for key in table.model_fields}
    of_builds = {*BuildSettings.model_fields, *of_tables} - set(TABLES)
    assert {*keys, "tools", "count", "seed", "prompts", "tokenizer_digest"} == {*JOB_KEYS, *of_builds}
    for at in places:
        whole = "\n".join(each[1:] if place == at else each for place, each in enumerate(lines))
        tomllib.loads(whole)
        if lines[at][1:].partition(" ")[0] not in NOT_THERE:
            (desk / "tried.toml").write_text(whole, encoding="utf-8")
            assert read_build(desk / "tried.toml").requested.job is not None
    assert all(len(line) <= 120 or line.startswith("#mix") for line in lines)


def test_paths_are_those_seen_from_the_file(desk: Path) -> None:
    assert main(["init", "notes.json", "-o", "jobs/night/ly.toml"]) == 0
    file = desk / "jobs" / "night" / "ly.toml"
    assert tomllib.loads(file.read_text(encoding="utf-8"))["tools"] == ["../../notes.json"]
    (source,) = read_job({}, file).sources
    assert Path(source).resolve() == desk / "notes.json"


def test_a_file_that_is_there_stays(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (desk / "toolgen.toml").write_text("mine = 1\n")
    assert written(desk, code=2) == "mine = 1\n"
    assert "is there already" in capsys.readouterr().err
    assert "notes.json" in written(desk, "--force")


def test_without_tools_the_bundled_ones_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["init"]) == 0
    assert "the bundled tools are used" in capsys.readouterr().err
    assert tomllib.loads((tmp_path / "toolgen.toml").read_text(encoding="utf-8"))["tools"] == []


@pytest.mark.parametrize("tools", ["other.json", "nowhere.json"])
def test_bad_tools_are_told_as_elsewhere(desk: Path, tools: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["init", tools]) == 2
    assert tools in capsys.readouterr().err
    assert not (desk / "toolgen.toml").exists()
