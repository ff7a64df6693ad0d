"""Engines: the same outcomes in the same order, wherever they are made."""

from __future__ import annotations

import itertools
import multiprocessing
import os
from collections import deque
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path
from threading import Timer
from typing import ClassVar

import pytest

from generator.domains.catalog import Catalog
from generator.engines.ahead import Ahead, Task
from generator.engines.chunks import Recipe
from generator.engines.engine import Engine, EngineOptions, InProcess, IsTaken, Work
from generator.engines.opening import ENGINES
from generator.engines.pool import in_processes
from generator.engines.processes import CHUNK, LocalProcesses
from generator.errors import EngineError
from generator.job import Job
from generator.runs.outcome import Outcome
from generator.scenarios.planner import Planner
from tests.run_fakes import CATALOG, FAKE, FAULTY, MORTAL, SLOW, FakeProducer


def work(make: type[FakeProducer], jobs: int = 2) -> Work:
    return Work(Job(), CATALOG, make(Job(), CATALOG), make, EngineOptions(jobs=jobs))


def never() -> bool:
    return False


@pytest.mark.parametrize(("start", "stop"), [(0, 1), (0, CHUNK), (5, 5 + 7 * CHUNK + 3), (1000, 1100)])
def test_workers_yield_what_one_process_yields(start: int, stop: int) -> None:
    alone = list(InProcess(work(FAKE)).outcomes(range(start, stop), never))
    assert [outcome.index for outcome in alone] == list(range(start, stop))
    assert list(LocalProcesses(work(FAKE)).outcomes(range(start, stop), never)) == alone


@pytest.mark.parametrize("engine", [InProcess(work(SLOW)), LocalProcesses(work(SLOW))], ids=["alone", "workers"])
def test_an_engine_stops_when_asked(engine: Engine) -> None:
    found: list[int] = []
    found.extend(outcome.index for outcome in engine.outcomes(range(100_000), lambda: len(found) >= 100))
    assert 100 <= len(found) < 1000
    assert multiprocessing.active_children() == []


def test_workers_end_when_the_consumer_does() -> None:
    outcomes = LocalProcesses(work(FAKE)).outcomes(range(100_000), never)
    assert next(outcomes).index == 0
    assert len(multiprocessing.active_children()) == 2
    outcomes.close()
    assert multiprocessing.active_children() == []


def _large(batch: int) -> bytes:
    return bytes(20_000_000)


def _large_and_lost(batch: int) -> bytes:
    Timer(0.05 + batch % 7 / 100, os._exit, (3,)).start()
    return bytes(200_000_000)


def test_workers_that_are_writing_end_when_the_consumer_does() -> None:
    """Half a result is no reason to wait for its other half."""
    for _ in range(2):
        results = in_processes(_large, iter(range(100)), 2)
        assert len(next(results)) == 20_000_000
        results.close()
    assert active_children() == []


def test_a_worker_that_is_lost_while_it_writes_is_one_clear_error() -> None:
    with pytest.raises(EngineError, match=r"ended with code 3|a process was lost"):
        for _ in in_processes(_large_and_lost, iter(range(100)), 2):
            pass


def test_a_lost_worker_is_one_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLGEN_TEST_FLAG", str(tmp_path / "flag"))
    with pytest.raises(EngineError, match=r"was killed by signal 9.*run the same command again"):
        list(LocalProcesses(work(MORTAL)).outcomes(range(1000), never))
    assert multiprocessing.active_children() == []


def test_an_error_in_a_worker_is_raised_here_with_its_trace() -> None:
    with pytest.raises(LookupError, match="a defect at index 50") as caught:
        list(LocalProcesses(work(FAULTY)).outcomes(range(1000), never))
    assert "run_fakes.py" in str(caught.value.__cause__)


class Unmade(FakeProducer):
    """Can be made in this process alone."""

    def __init__(
        self, job: Job, catalog: Catalog, *, planner: Planner | None = None, is_taken: IsTaken | None = None
    ) -> None:
        super().__init__(job, catalog)
        if multiprocessing.parent_process() is not None:
            raise ModuleNotFoundError("no such producer here")


def test_a_producer_that_cannot_be_made_is_an_error_here() -> None:
    with pytest.raises(ModuleNotFoundError):
        list(LocalProcesses(work(Unmade)).outcomes(range(10), never))


class Repeating(FakeProducer):
    """Leaves every attempt of some indices off, of others all before the fourth."""

    made: ClassVar[list[Task]] = []

    def produce(self, index: int, first_attempt: int = 0) -> Outcome:
        self.made.append((index, first_attempt))
        if index % 3 == 1 or (index % 3 == 2 and first_attempt < 3):
            return Outcome(index, first_attempt, "simple", None, b"taken", (), ())
        return Outcome(index, first_attempt, "simple", b"{}", b"%d" % index, (), ())


def test_a_worker_goes_on_by_itself_where_a_request_is_taken() -> None:
    recipe = Recipe(Job().model_dump_json().encode(), CATALOG.model_dump_json().encode(), Repeating, 48)
    chunk = recipe([(0, 0), (1, 0), (2, 0)])
    assert chunk.tasks == [(0, 0), (1, 0), (1, 3), (1, 4), (1, 5), (1, 6), (2, 0), (2, 3)]
    assert [(each.index, each.attempt) for each in chunk.outcomes] == chunk.tasks
    ahead = Ahead(range(3), CHUNK, 48, lambda key: True)
    assert list(ahead.batches()) == [[(0, 0), (1, 0), (2, 0)]]
    ahead.take(chunk.tasks, chunk.outcomes)
    assert ahead._wanted == deque([(0, 3), (1, 7), (2, 4)]), "what has come is not asked for"


def test_what_follows_in_the_process_for_what_was_not_foreseen_is_not_made_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("generator.engines.processes._MADE_HERE", 0)
    with ENGINES["local processes"](work(Repeating)) as engine:
        assert isinstance(engine, LocalProcesses)
        assert engine.produce(1, 0).attempt == 0
        assert list(engine._further) == [(1, 3), (1, 4), (1, 5), (1, 6)]
        assert engine.produce(1, 3).attempt == 3
        assert list(engine._further) == [(1, 4), (1, 5), (1, 6)]


def test_workers_account_for_their_cpu() -> None:
    engine = LocalProcesses(work(FAKE))
    list(engine.outcomes(range(2000), never))
    assert engine.cpu_seconds > 0


def test_the_look_ahead_is_bounded() -> None:
    given = itertools.count()
    done = in_processes(str, given, 2)
    assert [next(done) for _ in range(50)] == [str(number) for number in range(50)]
    assert next(given) <= 50 + 8
    done.close()
    assert multiprocessing.active_children() == []


def test_what_was_not_foreseen_is_made_here_and_then_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.engines.processes._MADE_HERE", 2)
    own = work(FAKE)
    engine = LocalProcesses(own)
    outcomes = engine.outcomes(range(1000), never)
    assert next(outcomes).index == 0
    for attempt, processes in enumerate((2, 2, 3, 3)):
        assert engine.produce(900, attempt) == own.producer.produce(900, attempt)
        assert len(active_children()) == processes
    outcomes.close()
    assert active_children() == []


def test_a_process_for_what_was_not_foreseen_that_is_lost_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("generator.engines.processes._MADE_HERE", 0)
    monkeypatch.setenv("TOOLGEN_TEST_FLAG", str(tmp_path / "flag"))
    engine = LocalProcesses(work(MORTAL))
    with closing(engine.outcomes(range(100), never)) as outcomes:
        next(outcomes)
        with pytest.raises(EngineError, match=r"was killed by signal 9.*run the same command again"):
            engine.produce(200, 0)
    assert active_children() == []


def test_what_is_made_for_others_alone_ends_with_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.engines.processes._MADE_HERE", 0)
    own = work(FAKE)
    with ENGINES["local processes"](own) as engine:
        assert engine.produce(900, 0) == own.producer.produce(900, 0)
        assert len(active_children()) == 1
    assert active_children() == []
