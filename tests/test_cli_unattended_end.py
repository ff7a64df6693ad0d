"""The command that is run on failure: what it is told, how long it may take, and that no data is run."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from generator.cli.unattended_end import run_on_failure

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the commands are of sh")
HOSTILE = "a'; touch pwned; `touch pwned` $(touch pwned) \"\n\x1b[2J\0 \ud800"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_is_told_in_variables_what_happened(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command = 'printf "%s|" "$TOOLGEN_EXIT_CODE" "$TOOLGEN_MESSAGE" "$TOOLGEN_FOLDER" > told'
    run_on_failure(command, 5, "the disk is full", "/runs/mine")
    assert (here / "told").read_text() == "5|the disk is full|/runs/mine|"
    assert capfd.readouterr() == ("", "")


def test_data_is_never_run(here: Path) -> None:
    run_on_failure('printf %s "$TOOLGEN_MESSAGE" > told; true $TOOLGEN_MESSAGE', 1, HOSTILE, "")
    told = (here / "told").read_text()
    assert "$(touch pwned)" in told
    assert "\n" not in told and "\x1b" not in told
    assert [each.name for each in here.iterdir()] == ["told"]


def test_a_message_of_any_length_is_cut(here: Path) -> None:
    run_on_failure('printf %s "$TOOLGEN_MESSAGE" > told', 1, "x" * 10_000_000, "")
    assert len((here / "told").read_text()) == 4000


def test_what_it_prints_goes_to_stderr_and_cannot_steer(capfd: pytest.CaptureFixture[str]) -> None:
    run_on_failure("printf 'out \\033[2J'; echo err >&2", 1, "", "")
    out, err = capfd.readouterr()
    assert (out, err) == ("", "out \\x1b[2Jerr\n")


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("exit 3", "warning: --on-failure: ended with exit code 3\n"),
        ("exec no-such-command-at-all 2>/dev/null", "warning: --on-failure: ended with exit code 127\n"),
        ("kill -9 $$", "warning: --on-failure: ended with exit code -9\n"),
        ("true \0", "warning: --on-failure: cannot be run: embedded null byte\n"),
    ],
)
def test_its_own_failure_is_told(command: str, told: str, capfd: pytest.CaptureFixture[str]) -> None:
    run_on_failure(command, 1, "", "")
    assert capfd.readouterr().err == told


@pytest.mark.slow
def test_it_is_ended_with_all_it_began_when_it_takes_too_long(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run_on_failure("sh -c 'echo $$ > pid; sleep 300'; true", 1, "", "", seconds=2)
    assert capfd.readouterr().err == "warning: --on-failure: took more than 2 seconds, and was ended\n"
    pid = int((here / "pid").read_text())
    deadline = time.monotonic() + 60
    while is_running(pid):
        assert time.monotonic() < deadline, "what it began lives on"
        time.sleep(0.05)


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
