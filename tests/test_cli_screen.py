"""What a run shows while it runs: a bar on a terminal, lines elsewhere, nothing when quiet."""

from __future__ import annotations

import os
import pty
import sys
from pathlib import Path

import pytest

from generator.cli import screen
from generator.cli.screen import progress_screen
from generator.cli.tables import laid_out
from generator.reports.summary import coverage_table
from generator.runs.progress import Progress
from generator.runs.summary import Coverage, Share

CHECKOUT = Path(__file__).resolve().parents[1]


class Clock:
    """A clock that moves when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(screen, "monotonic", found)
    return found


def test_lines_come_at_intervals(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress_screen(quiet=False) as show:
        for second in range(30):
            clock.now += 1
            show(
                Progress(
                    asked=10_000, resumed=1000, decided=1000 + 100 * second, kept=1000 + 90 * second, rejected=second
                )
            )
    out, err = capsys.readouterr()
    assert out == ""
    assert [line.split()[0] for line in err.splitlines()] == ["1,100/10,000", "2,100/10,000", "3,100/10,000"]
    assert err.splitlines()[1] == "2,100/10,000  92/s  1:26 left  11 rejected  110 lacking"


def test_what_answers_took_is_told_with_tokens_and_cost(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress_screen(quiet=False) as show:
        for cost, estimated in ((None, True), (0.5, False)):
            clock.now += 20
            show(Progress(50, 0, 20, 18, 7, 12_345, estimated=estimated, unplanned=3, asks=True, cost=cost))
    first, second = capsys.readouterr().err.splitlines()
    assert first.endswith("7 rejected  2 lacking  ~12k tokens")
    assert second.endswith("7 rejected  2 lacking  12k tokens  cost 0.50")


def test_quiet_is_silent(clock: Clock, capsys: pytest.CaptureFixture[str]) -> None:
    with progress_screen(quiet=True) as show:
        clock.now += 1000
        show(Progress(10, 0, 5, 5, 0))
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_terminal_gets_a_bar_and_a_table(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "generator", "generate", "tool_specs/weather.json"]
    command += ["--count", "40", "--verbose", "--out", str(tmp_path / "run")]
    shown = bytearray()

    def read(handle: int) -> bytes:
        data = os.read(handle, 4096)
        shown.extend(data)
        return b" "

    before = Path.cwd()
    os.chdir(CHECKOUT)
    try:
        status = pty.spawn(command, read, lambda handle: b"")
    finally:
        os.chdir(before)
    assert os.waitstatus_to_exitcode(status) == 0
    text = shown.decode()
    assert "40/40" in text
    assert "40 of 40 records" in text
    assert "\x1b[" in text
    assert "optional parameters" in text


def test_the_table_shows_shares() -> None:
    coverage = Coverage(tools=Share(used=3, all=4), optional_parameters=Share(used=1000, all=2000))
    lines = [line.split() for line in laid_out(coverage_table(coverage), 80).splitlines() if line.strip()]
    assert ["tools", "called", "3", "4", "75.0%"] in lines
    assert ["optional", "parameters", "1,000", "2,000", "50.0%"] in lines
    assert ["enum", "values", "0", "0", "100.0%"] in lines
