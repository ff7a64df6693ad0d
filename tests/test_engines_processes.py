"""Engines: the same outcomes in the same order, wherever they are made."""

from __future__ import annotations

import multiprocessing
import os
from pathlib import Path

import pytest

from generator.engines.engine import CHUNK, Engine, InProcess, Workers
from generator.engines.worker import Work
from generator.errors import EngineError
from generator.job import Job
from tests.run_fakes import CATALOG, FAKE, FAULTY, MORTAL, SLOW


def work(producer: str) -> Work:
    return Work(Job().model_dump_json().encode(), CATALOG.model_dump_json().encode(), producer)


def never() -> bool:
    return False


@pytest.mark.parametrize(("start", "stop"), [(0, 1), (0, CHUNK), (5, 5 + 7 * CHUNK + 3), (1000, 1100)])
def test_workers_yield_what_one_process_yields(start: int, stop: int) -> None:
    alone = list(InProcess(work(FAKE).hire()).outcomes(start, stop, never))
    assert [outcome.index for outcome in alone] == list(range(start, stop))
    assert list(Workers(work(FAKE), 2).outcomes(start, stop, never)) == alone


@pytest.mark.parametrize("engine", [InProcess(work(SLOW).hire()), Workers(work(SLOW), 2)], ids=["alone", "workers"])
def test_an_engine_stops_when_asked(engine: Engine) -> None:
    found: list[int] = []
    found.extend(outcome.index for outcome in engine.outcomes(0, 100_000, lambda: len(found) >= 100))
    assert 100 <= len(found) < 1000
    assert multiprocessing.active_children() == []


def test_workers_end_when_the_consumer_does() -> None:
    outcomes = Workers(work(FAKE), 2).outcomes(0, 100_000, never)
    assert next(outcomes).index == 0
    assert len(multiprocessing.active_children()) == 2
    outcomes.close()
    assert multiprocessing.active_children() == []


def test_a_lost_worker_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLGEN_TEST_FLAG", str(tmp_path / "flag"))
    with pytest.raises(EngineError, match=r"was killed by signal 9.*run the same command again"):
        list(Workers(work(MORTAL), 2).outcomes(0, 1000, never))
    assert multiprocessing.active_children() == []


def test_an_error_in_a_worker_is_raised_here_with_its_trace() -> None:
    with pytest.raises(LookupError, match="a defect at index 50") as caught:
        list(Workers(work(FAULTY), 2).outcomes(0, 1000, never))
    assert "run_fakes.py" in str(caught.value.__cause__)


def test_a_producer_that_cannot_be_made_is_an_error_here() -> None:
    with pytest.raises(ModuleNotFoundError):
        list(Workers(work("tests.no_such_module:Producer"), 2).outcomes(0, 10, never))


def test_workers_account_for_their_cpu() -> None:
    engine = Workers(work(FAKE), 2)
    list(engine.outcomes(0, 2000, never))
    assert engine.cpu_seconds > 0


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="needs a system with processes in /proc")
def test_the_look_ahead_is_bounded() -> None:
    outcomes = Workers(work(FAKE), 2).outcomes(0, 1_000_000, never)
    for _ in range(5 * CHUNK):
        next(outcomes)
    frame = outcomes.gi_frame
    assert frame is not None
    assert len(frame.f_locals["done"]) <= 8
    outcomes.close()
