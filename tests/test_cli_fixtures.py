"""`toolgen fixtures`: what it writes, what --check says, and what it refuses."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from generator.cli import main
from tests.checkout import run_toolgen
from tests.readmes import make_desk

FEW = ("fixtures", "my_tools.json", "-o", "tests/data", "--count", "4", "--kinds", "simple, parallel")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(make_desk(tmp_path))
    return tmp_path


def test_files_are_written_checked_and_mended(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*FEW, "--check"]) == 1
    captured = capsys.readouterr()
    assert captured.out == "missing: tests/data/parallel.json\nmissing: tests/data/simple.json\n"
    mending = "toolgen fixtures my_tools.json -o tests/data --count 4 --seed 0 --kinds 'simple, parallel'"
    assert captured.err == f"error: tests/data: 2 files are not as they are to be; to mend them: {mending}\n"
    assert not (desk / "tests").exists()
    assert main(list(FEW)) == 0
    assert main([*FEW, "--check"]) == 0
    assert "2 files are as they are to be" in capsys.readouterr().err
    assert main([*FEW, "--seed", "8", "--check"]) == 1
    assert "differs: tests/data/parallel.json" in capsys.readouterr().out


def test_the_command_in_the_header_makes_the_same_files(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ("--by", "record", "--format", "openai", "--no-metadata", "--error-rate", "0.5", "--locale", "de_DE")
    (desk / "a b").mkdir()
    (desk / "my_tools.domain.yaml").rename(desk / "a b" / "my domain.yaml")
    assert main([*FEW, *more, "--domain", "a b/my domain.yaml"]) == 0
    command = json.loads((desk / "tests" / "data" / "simple-0001.json").read_bytes())["toolgen"]["regenerate"]
    assert command.startswith(
        "toolgen fixtures ../../my_tools.json -o . --domain '../../a b/my domain.yaml' --count 4 "
    )
    monkeypatch.chdir(desk / "tests" / "data")
    assert main([*shlex.split(command)[1:], "--check"]) == 0, capsys.readouterr().out


def test_the_command_that_mends_an_edited_file_mends_it(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(list(FEW)) == 0
    path = desk / "tests" / "data" / "simple.json"
    path.write_bytes(path.read_bytes().replace(b'"user"', b'"User"'))
    assert main([*FEW, "--check"]) == 1
    assert capsys.readouterr().err.rstrip().endswith(" --force")
    assert main(list(FEW)) == 2
    assert main([*FEW, "--force"]) == 0
    assert main([*FEW, "--check"]) == 0


@pytest.mark.slow
def test_another_process_with_other_hashes_and_another_locale_makes_the_same_bytes(desk: Path) -> None:
    command = ("fixtures", "my_tools.json", "-o", "data", "--count", "60", "--by", "tool")
    assert run_toolgen(*command, cwd=desk, PYTHONHASHSEED="1", LC_ALL="C.UTF-8", TZ="UTC").returncode == 0
    again = run_toolgen(*command, "--check", cwd=desk, PYTHONHASHSEED="2", LC_ALL="C", TZ="Asia/Tokyo")
    assert again.returncode == 0, again.stdout


def test_without_files_the_bundled_tools_are_used(desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fixtures", "-o", "data", "--count", "1", "--kinds", "simple"]) == 0
    held = json.loads((desk / "data" / "simple.json").read_bytes())
    assert held["toolgen"]["regenerate"] == "toolgen fixtures -o . --count 1 --seed 0 --kinds simple"


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["nowhere.json"], 2, "nowhere.json: no such file or folder"),
        (["-"], 2, "fixtures are made again from the files of the tools"),
        (["--kinds", "simpel"], 2, "did you mean simple?"),
        (["--kinds", " , "], 2, "it names none"),
        (["--kinds", "simple,nested"], 2, "these tools cannot serve what is asked for: nested"),
        (["--kinds", "simple", "--mix", "simple=1"], 2, "give one of them"),
        (["--mix", "simple"], 2, "--mix: 'simple': write each kind once with its weight"),
        (["--seed", "-1"], 2, "--seed: it should be greater than or equal to 0"),
        (["--count", "0"], 2, "0 is not in the range"),
        (["--format", "open"], 2, "did you mean openai?"),
        (["--by", "file"], 2, "'file' is not one of kind, tool, record"),
        (["-o", "my_tools.json"], 5, "a file is in the way"),
        (["-o", ""], 2, "the path is empty"),
    ],
)
def test_what_cannot_be_made_is_one_message(
    desk: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, message: str
) -> None:
    tools = [] if arguments[0] in ("nowhere.json", "-") else ["my_tools.json"]
    assert main(["fixtures", *tools, "-o", "data", "--count", "4", *arguments]) == code
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err
    assert not (desk / "data").exists()
