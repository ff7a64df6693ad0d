"""The README is true: every command and every program in it runs as printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from generator.cli.shell import COMMANDS, toolgen
from generator.errors import EXIT_CODES
from generator.formats import FORMATS
from generator.reports.kinds import markdown_table
from generator.runs.folder import RunFolder
from tests.checkout import CHECKOUT, environment, pytest_arguments, run_python
from tests.faults.completion_processes import served

README = (CHECKOUT / "README.md").read_text(encoding="utf-8")
BLOCKS: list[tuple[str, str]] = re.findall(r"^```(\w+)\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
COUNTED = {"sh": 9, "console": 2, "json": 1, "yaml": 1, "crontab": 1, "python": 3, "toml": 1}


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


def installs(block: str) -> bool:
    return "-m venv" in block


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the README's files in it, and a `toolgen` on the path."""
    folder = tmp_path_factory.mktemp("desk")
    (folder / "my_tools.json").write_text(blocks("json")[0])
    (folder / "my_tools.domain.yaml").write_text(blocks("yaml")[0])
    (folder / "nightly.toml").write_text(blocks("toml")[0])
    program = folder / "bin" / "toolgen"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m generator "$@"\n')
    program.chmod(0o755)
    return folder


def shell(script: str, desk: Path, **more: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(desk / "bin"), os.environ["PATH"]])
    return subprocess.run(
        ["sh", "-e", "-c", script],
        cwd=desk,
        env=environment(PATH=path, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_every_block_of_the_readme_is_known() -> None:
    assert {language: len(blocks(language)) for language, _ in BLOCKS} == COUNTED


@pytest.fixture(scope="module")
def worked(desk: Path) -> list[subprocess.CompletedProcess[str]]:
    """Every shell block that does not install, run in the order of the README."""
    return [shell(block, desk) for block in blocks("sh") if not installs(block)]


def test_the_commands_run_as_printed(worked: list[subprocess.CompletedProcess[str]], desk: Path) -> None:
    assert [(done.returncode, done.stderr) for done in worked if done.returncode] == []
    assert "parallel" in worked[0].stdout
    assert len((desk / "train.jsonl").read_text().splitlines()) == 40


def test_the_command_with_a_model_runs_as_printed(desk: Path) -> None:
    block = blocks("console")[0]
    with served() as server:
        command = block.replace("http://localhost:8000/v1", server.url).replace("--count 5000", "--count 12")
        assert command != block
        # The kinds whose messages the stand-in for a model knows how to write.
        command = command.strip() + " --mix simple=2,multiple=1,parallel=1,irrelevance=1"
        done = shell(command, desk, OPENAI_API_KEY="")
    assert done.returncode == 0, done.stderr
    assert "answers     27 by json_schema" in done.stderr  # two for each record, and a judge of each irrelevant one
    assert len((desk / "runs" / "model" / "records.jsonl").read_text().splitlines()) == 12


def test_the_run_folder_holds_what_the_readme_lists(worked: list[subprocess.CompletedProcess[str]], desk: Path) -> None:
    section = README.split("## A run's folder")[1].split("\n## ")[0]
    listed = set(re.findall(r"^\| `([\w.]+)` \|", section, re.MULTILINE))
    run = desk / "runs" / "mine"
    lock = RunFolder(run).lock.name
    assert {path.name for path in run.iterdir()} - {lock} == listed - {RunFolder(run).answers.name}, (
        "offline none answers"
    )


def test_the_nightly_line_runs_and_prints_nothing(desk: Path) -> None:
    line = blocks("crontab")[0].strip()
    command = line.split(" ", 5)[5].replace(r"\%", "%")
    home = desk / "home"
    (home / "nightly").mkdir(parents=True)
    for name in ("my_tools.json", "my_tools.domain.yaml"):
        shutil.copy(desk / name, home / "nightly")
    done = shell(command, desk, HOME=str(home))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(list(home.glob("nightly/runs/*/records.jsonl"))) == 1


def test_the_test_passes(desk: Path) -> None:
    (test,) = [block for block in blocks("python") if "def test_" in block]
    assert len(test.splitlines()) == 10
    (desk / "test_consumer.py").write_text(test)
    arguments = ["-m", "pytest", "-q", "-p", "no:cacheprovider", *pytest_arguments(), "test_consumer.py"]
    done = run_python(*arguments, cwd=desk)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_library_program_runs(desk: Path) -> None:
    (program,) = [block for block in blocks("python") if "from generator import" in block]
    done = run_python("-c", program + "\nprint(len(records), city)", cwd=desk)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("10 ")


def test_the_tables_are_complete() -> None:
    assert re.findall(r"^\| `toolgen (\w+) ", README, re.MULTILINE) == list(COMMANDS)
    codes = {int(code): text for code, text in re.findall(r"^\| (\d+) \| (.*) \|$", README, re.MULTILINE)}
    assert codes == EXIT_CODES
    written = {name for name, known in FORMATS.items() if known.dump_record or known.dump_tools}
    assert set(re.findall(r"^\| `([\w-]+)`", README, re.MULTILINE)) >= written
    assert README.split("<!-- kinds -->\n")[1].split("\n<!-- /kinds -->")[0] == markdown_table()


def test_the_dependency_table_is_the_projects() -> None:
    section = README.split("## Dependencies")[1].split("\n## ")[0]
    explained = {name.lower() for name in re.findall(r"^\| ([\w-]+) \|", section, re.MULTILINE)} - {"package"}
    listed = re.search(
        r"^dependencies = \[(.*?)^\]", (CHECKOUT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE
    )
    assert listed is not None
    assert {name.lower() for name in re.findall(r'"([\w-]+)', listed[1])} == explained


@pytest.mark.parametrize("name", list(COMMANDS))
def test_the_summary_of_a_command_is_its_own(name: str) -> None:
    command = toolgen.get_command(click.Context(toolgen), name)
    assert command is not None
    assert command.get_short_help_str(limit=200) == COMMANDS[name].summary


def test_the_test_command_is_the_one_ci_runs() -> None:
    ci = (CHECKOUT / ".ci" / "run").read_text()
    assert "-e '.[test]'" in ci
    assert any("-e '.[test]'" in block and "-m pytest" in block for block in blocks("sh"))
    assert "-m pytest" in ci


@pytest.mark.slow
def test_the_first_command_does_all_its_set_up(tmp_path: Path) -> None:
    """The first block, from a copy of the checkout without anything that is ignored."""
    files = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
    )
    if files.returncode:
        pytest.skip("needs a git checkout, to know which files belong to it")
    for name in filter(None, files.stdout.split("\0")):
        if (CHECKOUT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CHECKOUT / name, tmp_path / name)
    block = blocks("sh")[0].replace("python3.11", sys.executable)
    clean = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        ["sh", "-c", block], cwd=tmp_path, env=clean, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    (records,) = tmp_path.glob("output/*/records.jsonl")
    assert len(records.read_text().splitlines()) == 300
