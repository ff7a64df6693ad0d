"""The run store: committed batches count whole, everything else is one clear error."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import StorageError
from generator.job import Job
from generator.jsontext import dump_line
from generator.runs import tally
from generator.runs.outcome import Outcome
from generator.runs.store import RunStore
from tests.run_fakes import CATALOG, FakeProducer, rejection

PRODUCER = FakeProducer(Job(), CATALOG)


def outcome(index: int) -> Outcome:
    return replace(PRODUCER.produce(index), key=index.to_bytes(8, "big"))


def filled(path: Path, count: int) -> Path:
    with RunStore(path, "id") as store:
        for index in range(count):
            store.add(outcome(index))
        store.commit()
    return path


def test_what_was_committed_is_there_when_opened_again(tmp_path: Path) -> None:
    path = filled(tmp_path / "run.db", 250)
    with RunStore(path, "id") as store:
        assert len(store) == 250
        assert list(store.records()) == [outcome(index).line for index in range(250)]
        held = [rejected for index in range(250) for rejected in outcome(index).rejections]
        assert list(store.rejections()) == [dump_line(rejected.model_dump(mode="json")) for rejected in held]


def test_what_was_not_committed_is_not_there(tmp_path: Path) -> None:
    path = filled(tmp_path / "run.db", 10)
    with RunStore(path, "id") as store:
        store.add(outcome(10))
        assert len(store) == 11
        assert store.waiting == 1
    with RunStore(path, "id") as store:
        assert len(store) == 10
        assert store.counts()[tally.KEPT, "simple"] == 4


def test_a_gap_is_a_defect_of_the_caller(tmp_path: Path) -> None:
    with RunStore(tmp_path / "run.db", "id") as store, pytest.raises(ValueError, match="index 3 came where 0"):
        store.add(outcome(3))


@pytest.mark.parametrize("committed", [False, True])
def test_a_twin_is_found_before_and_after_the_commit(tmp_path: Path, committed: bool) -> None:
    with RunStore(tmp_path / "run.db", "id") as store:
        store.add(outcome(0))
        store.add(outcome(1))
        if committed:
            store.commit()
        assert store.twin(replace(outcome(2), key=outcome(1).key)) == 1
        assert store.twin(outcome(2)) is None


def test_a_given_up_index_keeps_its_reasons(tmp_path: Path) -> None:
    lost = Outcome(0, 7, "simple", None, b"", (), (), tuple(rejection(0, attempt, "simple") for attempt in range(8)))
    with RunStore(tmp_path / "run.db", "id") as store:
        store.add(lost)
        store.commit()
        assert list(store.records()) == []
        assert len(list(store.rejections())) == 8
        assert store.counts()[tally.GIVEN_UP, "simple"] == 1
        assert store.counts()[tally.RULE, "DF002"] == 8


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(min_value=1, max_value=30), min_size=1, max_size=6))
def test_counts_do_not_depend_on_the_batches(tmp_path_factory: pytest.TempPathFactory, batches: list[int]) -> None:
    folder = tmp_path_factory.mktemp("batches")
    for size in batches:
        with RunStore(folder / "run.db", "id") as store:
            for index in range(len(store), len(store) + size):
                store.add(outcome(index))
            store.commit()
    with RunStore(filled(folder / "once.db", sum(batches)), "id") as once, RunStore(folder / "run.db", "id") as store:
        assert store.counts() == once.counts()
        assert list(store.records()) == list(once.records())


def overwrite(path: Path, start: int, size: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\x00" * size)


def use(path: Path) -> None:
    """Read everything and write one more."""
    with RunStore(path, "id") as store:
        list(store.records())
        list(store.rejections())
        store.add(outcome(len(store)))
        store.commit()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path.write_bytes(b"this is no database" * 1000), "damaged"),
        (lambda path: overwrite(path, 0, 100), "damaged"),
        (lambda path: overwrite(path, 0, 16_384), "damaged"),
        (lambda path: path.write_bytes(path.read_bytes()[:20_000]), "damaged"),
        (lambda path: path.write_bytes(path.read_bytes()[:-16_384]), "damaged"),
    ],
    ids=["text", "header", "first page", "torn", "last page gone"],
)
def test_a_damaged_file_is_one_storage_error(tmp_path: Path, damage: object, message: str) -> None:
    path = filled(tmp_path / "run.db", 300)
    assert callable(damage)
    damage(path)
    with pytest.raises(StorageError, match=message) as caught:
        use(path)
    assert str(path) in str(caught.value)


def test_a_changed_record_is_noticed(tmp_path: Path) -> None:
    path = filled(tmp_path / "run.db", 5)
    with sqlite3.connect(path) as run:
        run.execute("UPDATE outcome SET line = CAST(replace(line, 'x', 'y') AS BLOB) WHERE position = 3")
    run.close()
    with RunStore(path, "id") as store, pytest.raises(StorageError, match="record 3 is not what was stored"):
        list(store.records())


def test_missing_rows_are_noticed(tmp_path: Path) -> None:
    path = filled(tmp_path / "run.db", 5)
    with sqlite3.connect(path) as run:
        run.execute("DELETE FROM outcome WHERE position = 4")
    run.close()
    with pytest.raises(StorageError, match="rows are missing"):
        RunStore(path, "id")


def test_the_store_of_another_run_is_refused(tmp_path: Path) -> None:
    path = filled(tmp_path / "run.db", 5)
    with pytest.raises(StorageError, match="another run"):
        RunStore(path, "other")


def test_what_a_deleted_store_left_behind_does_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    with RunStore(path, "id") as store:
        store.add(outcome(0))
        store.commit()
        left = path.with_name("run.db-wal").read_bytes()
    path.unlink()
    path.with_name("run.db-wal").write_bytes(left)
    with RunStore(path, "id") as store:
        assert len(store) == 0


def test_a_foreign_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    with sqlite3.connect(path) as run:
        run.execute("CREATE TABLE outcome (a)")
    run.close()
    with pytest.raises(StorageError):
        RunStore(path, "id")
