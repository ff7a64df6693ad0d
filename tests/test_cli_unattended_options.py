"""`--metrics` and `--on-failure` of a command: when they act, what they are told, and which exit code stays."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
import pytest

from generator import run
from generator.cli import main, shell
from generator.cli.termination import Terminated
from generator.cli.unattended_options import Unattended, take_as_written, unattended_options
from generator.errors import BackendError, StorageError
from generator.reports import metrics
from tests.readmes import make_desk
from tests.test_reports_metrics import read, value

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the commands are of sh")
HOOK = 'printf "%s|" "$TOOLGEN_EXIT_CODE" "$TOOLGEN_MESSAGE" "$TOOLGEN_FOLDER" > told'
WATCH = ["--metrics", "m.prom", "--on-failure", HOOK]


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_desk(tmp_path)


def told(desk: Path) -> list[str]:
    return (desk / "told").read_text().split("|")


def test_a_run_that_goes_well_is_counted_and_nothing_is_run(desk: Path) -> None:
    assert main(["generate", "my_tools.json", "--count", "6", "--out", "run", "--quiet", *WATCH]) == 0
    assert value(desk / "m.prom", "toolgen_records_made", data_set="m") == 6
    assert value(desk / "m.prom", "toolgen_run_exit_code") == 0
    assert not (desk / "told").exists()


def test_too_few_records_are_told_with_the_folder(desk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    few = ["--count", "4000", "--mix", "simple=1", "--out", "few", "--quiet"]
    assert main(["generate", "my_tools.json", *few, *WATCH]) == 1
    code, message, folder, _ = told(desk)
    assert (code, folder) == ("1", str(desk / "few"))
    assert f"error: {message}" == capfd.readouterr().err.rstrip("\n")
    assert value(desk / "m.prom", "toolgen_run_exit_code") == 1
    assert value(desk / "m.prom", "toolgen_records_asked") == 4000


REFUSED = {
    "tools that are not there": ["generate", "nothing.json"],
    "a value that is none": ["generate", "my_tools.json", "--count", "many"],
    "an option that is none": ["generate", "my_tools.json", "--cuont", "3"],
    "a command that is none": ["genrate"],
}


@pytest.mark.parametrize("command", REFUSED.values(), ids=list(REFUSED))
def test_what_is_refused_is_told_too(command: list[str], desk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([*command, *WATCH]) == 2
    code, message, folder, _ = told(desk)
    assert (code, folder) == ("2", "")
    assert message
    assert message.split()[0] in capfd.readouterr().err
    assert value(desk / "m.prom", "toolgen_run_exit_code") == 2
    assert "toolgen_records_made" not in read(desk / "m.prom")


@pytest.mark.parametrize("more", [["--dry-run"], ["--help"]])
def test_what_is_no_run_is_no_success(more: list[str], desk: Path) -> None:
    assert main(["generate", "my_tools.json", "--count", "6", *WATCH, *more]) == 0
    assert not (desk / "m.prom").exists()


def test_its_own_failure_hides_no_exit_code(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    standing_in(BackendError("the server refuses"), monkeypatch)
    full_disk(monkeypatch)
    assert main(["show", "--on-failure", "exit 9", "--metrics", "m.prom"]) == 3
    assert capfd.readouterr().err.splitlines() == [
        "error: the server refuses",
        "error: --metrics: m.prom: the disk is full",
        "warning: --on-failure: ended with exit code 9",
    ]


def test_metrics_that_cannot_be_written_are_a_failure_of_the_disk(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full_disk(monkeypatch)
    assert main(["generate", "my_tools.json", "--count", "6", "--out", "run", "--quiet", *WATCH]) == 5
    assert told(desk) == ["5", "m.prom: the disk is full", str(desk / "run"), ""]
    assert len((desk / "run" / "records.jsonl").read_text().splitlines()) == 6


@pytest.mark.parametrize(("path", "problem"), [("nowhere/m.prom", "nowhere: no such folder"), (".", "is a folder")])
def test_a_place_for_metrics_that_is_none_is_told_before_the_run(
    path: str, problem: str, desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    command = ["generate", "my_tools.json", "--count", "6", "--out", "run"]
    assert main([*command, "--metrics", path, "--on-failure", HOOK]) == 2
    assert problem in capfd.readouterr().err
    assert problem in told(desk)[1]
    assert not (desk / "run").exists()


def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no metrics be written."""

    def fail(path: Path, ended: object) -> None:
        raise StorageError(f"{path}: the disk is full")

    monkeypatch.setattr(metrics, "write_metrics", fail)


def test_what_was_made_before_the_server_failed_is_counted(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = ["generate", "my_tools.json", "--count", "6", "--out", "run", "--quiet"]
    assert main(command) == 0

    def fail(*arguments: object, **named: object) -> None:
        raise BackendError("the server refuses")

    monkeypatch.setattr(run, "run_job", fail)
    assert main([*command, *WATCH]) == 3
    assert told(desk) == ["3", "the server refuses", str(desk / "run"), ""]
    assert value(desk / "m.prom", "toolgen_run_exit_code") == 3
    assert value(desk / "m.prom", "toolgen_records_made") == 6


def test_an_empty_command_is_none(desk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "nothing.json", "--on-failure", ""]) == 2
    assert "on-failure" not in capfd.readouterr().err


def standing_in(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `toolgen show` have the options, and raise this error."""

    @click.command()
    @unattended_options
    def command() -> None:
        raise error

    monkeypatch.setitem(shell.COMMANDS, "show", shell.Target(f"{__name__}:_standing_in", "x"))
    monkeypatch.setattr(sys.modules[__name__], "_standing_in", command, raising=False)


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (BackendError("the server\nrefuses"), 3, "the server refuses"),
        (KeyboardInterrupt(), 130, "interrupted"),
        (Terminated(), 143, "terminated"),
        (BrokenPipeError(), 141, "the reader of the output left (SIGPIPE)"),
        (OSError(28, "No space left on device", "a.db"), 5, "a.db: No space left on device"),
    ],
)
def test_every_failure_is_told_in_one_line(
    error: BaseException, code: int, message: str, desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    standing_in(error, monkeypatch)
    monkeypatch.setattr("generator.cli._abandon_stdout", lambda: None)
    assert main(["show", *WATCH]) == code
    assert told(desk) == [str(code), message, "", ""]
    assert value(desk / "m.prom", "toolgen_run_exit_code") == code


def test_whoever_sits_there_and_stops_it_is_not_called(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standing_in(KeyboardInterrupt(), monkeypatch)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    assert main(["show", *WATCH]) == 130
    assert not (desk / "told").exists()
    assert value(desk / "m.prom", "toolgen_run_exit_code") == 130


def test_a_bug_is_told_and_keeps_its_traceback(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    standing_in(ZeroDivisionError("a bug"), monkeypatch)
    with pytest.raises(ZeroDivisionError):
        main(["show", *WATCH])
    assert told(desk) == ["1", "ZeroDivisionError: a bug", "", ""]


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["--metrics", "a", "--on-failure=b c"], (Path("a"), "b c")),
        (["--metrics", "nowhere/a"], (None, "")),
        (["--metrics=a=b"], (Path("a=b"), "")),
        (["x", "--metrics"], (None, "")),
        (["--", "--metrics", "a"], (None, "")),
    ],
)
def test_a_refused_command_line_is_read_word_by_word(arguments: list[str], found: tuple[Path | None, str]) -> None:
    asked = Unattended()
    take_as_written(asked, arguments)
    assert (asked.metrics, asked.on_failure) == found
