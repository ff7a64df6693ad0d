"""Builds that are killed: at each step, and while records are made; the next one finds all whole and goes on."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from generator.builds.build import build
from generator.builds.publishing import STEPS
from generator.builds.verifying import verify
from tests.build_orders import Desk

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked to be killed")
SETTINGS = "[splits]\nshares = {train = 0.5, test = 0.5}\n[publish]\nkeep = 2\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A desk with one build, and a job that asks for another."""
    found = Desk(tmp_path, settings=SETTINGS, count=5, formats=["trl"])
    found.build()
    found.write_job(SETTINGS, count=30, formats=["trl"])
    return found


def killed(work: Callable[[], object]) -> None:
    """Do the work in a process that kills itself in it."""
    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join(120)
    assert child.exitcode == -signal.SIGKILL


def die(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def require_going_on(desk: Desk, *before: int) -> None:
    """The latest build is whole, and the next one is what was asked for, as if nothing had happened."""
    assert verify(desk.latest) == ()
    assert len(desk.records()) in before
    assert desk.build().ending in ("published", "unchanged")
    assert verify(desk.latest) == ()
    assert len(desk.records()) == 30
    assert len(list((desk.out / "builds").iterdir())) == 2
    assert not list(desk.out.rglob(".*.part"))


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("step", ["make", *STEPS])
def test_a_build_that_is_killed_before_a_step_leaves_latest_whole(desk: Desk, step: str) -> None:
    killed(lambda: build(desk.order(on_step=lambda name: die() if name == step else None)))
    require_going_on(desk, 5, 30)


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_build_that_is_killed_while_records_are_made_goes_on(desk: Desk) -> None:
    whole = Desk(_other(desk.path), settings=SETTINGS, count=5, formats=["trl"])
    whole.build()
    whole.write_job(SETTINGS, count=30, formats=["trl"])
    whole.build()

    killed(lambda: build(desk.order(on_progress=lambda progress: die() if progress.decided == 12 else None)))
    require_going_on(desk, 5)
    assert desk.records() == whole.records()


def _other(path: Path) -> Path:
    found = path / "whole"
    found.mkdir()
    return found
