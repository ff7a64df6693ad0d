"""Stderr as JSON: every line of it is one object, whoever says it, and holds the fields that are documented."""

from __future__ import annotations

import json
import logging
import re
import sys
import warnings
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import pytest

from generator.cli import main, screen, shell
from generator.cli.log_lines import log_line
from generator.cli.screen import progress_screen
from generator.cli.terminal import say, say_line, tell, write_log_as
from generator.runs.progress import Progress
from tests.readmes import make_desk, text_of
from tests.test_cli_screen import Clock
from tests.test_cli_terminal import HOSTILE, STEERING

PAGE = "generator/assets/examples/README.md"
ALWAYS = {"time", "level", "event", "message"}


def documented(event: str) -> set[str]:
    """The fields that the page lists for an event, beside those of every line."""
    (cells,) = re.findall(rf"^\| `{event}` \| [^|]* \|(.*)\|$", text_of(PAGE), re.MULTILINE)
    return ALWAYS | set(re.findall(r"`(\w+)`", cells))


def lines(err: str) -> list[dict[str, Any]]:
    """The objects of stderr, each line one."""
    found = [json.loads(line) for line in err.splitlines()]
    for line in found:
        assert list(line)[:4] == ["time", "level", "event", "message"]
        assert datetime.fromisoformat(line["time"]).utcoffset() is not None
        assert line["level"] in ("debug", "info", "warning", "error", "critical")
        assert set(line) <= documented(line["event"])
    return found


@pytest.fixture
def as_json() -> Any:
    write_log_as("json")
    yield
    write_log_as("text")


@pytest.mark.parametrize(
    ("text", "level", "event", "message"),
    [
        ("error: broken", "error", "error", "broken"),
        ("warning: odd", "warning", "warning", "odd"),
        ("NOT CHECKED: a.jsonl", "warning", "not_checked", "a.jsonl"),
        ("note: few", "info", "note", "few"),
        ("skipped: a: b", "warning", "skipped", "a: b"),
        ("an error: not at its begin", "info", "message", "an error: not at its begin"),
        ("two\nlines", "info", "message", "two\nlines"),
    ],
)
def test_a_label_becomes_level_and_event(text: str, level: str, event: str, message: str) -> None:
    line = json.loads(log_line(text, "", {}))
    assert (line["level"], line["event"], line["message"]) == (level, event, message)


@pytest.mark.usefixtures("as_json")
def test_nothing_said_steers_and_each_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    for speak in (say, say_line, tell):
        speak(f"error: {HOSTILE}\n second \ud800", err=True)
        speak("data", err=False)
    out, err = capfd.readouterr()
    assert out == "data\n" * 3
    assert not STEERING.search(err.replace("\n", ""))
    found = [json.loads(line) for line in err.splitlines()]
    assert [line["message"] for line in found] == [f"{HOSTILE}\n second \\ud800"] * 3


@pytest.mark.usefixtures("as_json")
def test_what_modules_log_and_warn_of_is_a_line_too(capfd: pytest.CaptureFixture[str]) -> None:
    logging.getLogger("generator.runs.lock").info("left by %s", "another")
    logging.getLogger("asyncio").warning("slow")
    logging.getLogger("asyncio").info("not told")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("old", stacklevel=1)
    found = lines(capfd.readouterr().err)
    assert [(line["level"], line["logger"]) for line in found] == [
        ("info", "generator.runs.lock"), ("warning", "asyncio"), ("warning", "py.warnings"),
    ]  # fmt: skip


def test_as_text_modules_information_is_not_told(capfd: pytest.CaptureFixture[str]) -> None:
    write_log_as("text")
    logging.getLogger("generator.runs.lock").info("left by %s", "another")
    assert capfd.readouterr().err == ""


@pytest.mark.usefixtures("as_json")
def test_progress_has_its_numbers(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    clock = Clock()
    monkeypatch.setattr(screen, "monotonic", clock)
    monkeypatch.setenv("FORCE_COLOR", "1")
    with progress_screen(quiet=False) as show:
        for cost in (None, 0.5):
            clock.now += 20
            show(Progress(50, 0, 20, 18, 7, 12_345, asks=True, cost=cost))
    first, second = lines(capfd.readouterr().err)
    assert {name: first[name] for name in ("asked", "made", "rejected", "rate", "seconds_left", "tokens")} == {
        "asked": 50, "made": 18, "rejected": 7, "rate": 1.0, "seconds_left": 30, "tokens": 12_345,
    }  # fmt: skip
    assert (first["cost"], second["cost"]) == (None, 0.5)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_desk(tmp_path)


def test_a_run_tells_its_end_as_one_object(desk: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = ["generate", "my_tools.json", "--count", "12", "--out", "run", "--log-format", "json"]
    assert main(command) == 0
    out, err = capfd.readouterr()
    assert out == ""
    found = lines(err)
    summary = json.loads((desk / "run" / "summary.json").read_text())
    (told,) = [line for line in found if line["event"] == "summary"]
    assert told is found[-1]
    assert (told["made"], told["asked"], told["folder"], told["exit_code"]) == (12, 12, "run", 0)
    assert told["rules"] == {rule: count["rejected"] for rule, count in summary["rules"].items()}


FAILING = {
    "a file that is not there": ["generate", "nothing.json"],
    "a value that is none": ["generate", "--count", "many"],
    "an option that is none": ["generate", "--cuont", "3"],
    "a command that is none of ours": ["genrate"],
    "records that fail": ["validate", "bad.jsonl"],
    "fewer records than asked": ["generate", "my_tools.json", "--count", "4000", "--mix", "simple=1", "--out", "few"],
}


@pytest.mark.parametrize("command", FAILING.values(), ids=list(FAILING))
def test_every_line_of_a_failure_is_an_object(
    command: list[str], desk: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (desk / "bad.jsonl").write_text("{}\n{nonsense\n")
    code = main([*command, "--log-format", "json"])
    assert code in (1, 2)
    err = capfd.readouterr().err
    assert err
    found = lines(err)
    assert {line["exit_code"] for line in found if line["event"] == "error"} <= {code}
    assert any(line["level"] == "error" for line in found) or command[0] == "validate"


def test_the_variable_says_it_for_every_command(
    desk: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOOLGEN_LOG_FORMAT", "json")
    for command in (["tools", "nothing.json"], ["genrate"], []):
        assert main(command) == 2
        assert lines(capfd.readouterr().err)
    assert main(["tools", "nothing.json", "--log-format", "text"]) == 2
    assert capfd.readouterr().err.startswith("error: ")


def test_a_format_that_is_none_is_refused(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "--log-format", "jsno"]) == 2
    assert "did you mean json?" in capfd.readouterr().err


def test_a_bug_is_an_object_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    @click.command()
    def command() -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setitem(shell.COMMANDS, "show", shell.Target(f"{__name__}:_standing_in", "x"))
    monkeypatch.setattr(sys.modules[__name__], "_standing_in", command, raising=False)
    assert main(["show", "--log-format", "json"]) == 1
    (line,) = lines(capfd.readouterr().err)
    assert line["message"] == "ZeroDivisionError: a bug"
    assert "Traceback" in line["traceback"]


@pytest.mark.parametrize("name", list(shell.COMMANDS))
def test_every_command_takes_the_option(name: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([name, "--help"]) == 0
    assert "--log-format [text|json]" in capfd.readouterr().out
