"""The run store: committed batches count whole, everything else is one clear error."""

from __future__ import annotations

import os
import pickle
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import StorageError
from generator.job import Job
from generator.jsontext import dump_line
from generator.record import finish
from generator.runs import tally
from generator.runs.folder import RunFolder
from generator.runs.outcome import Outcome
from generator.runs.read_back import read_back
from generator.runs.store import CommittedRequests, DamagedStoreError, RunStore, open_store
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


def read_record(line: bytes, metadata: bytes = b"") -> Outcome:
    found = PRODUCER.read_record(line, metadata)
    return outcome(found.index)


@contextmanager
def opened(path: Path) -> Iterator[RunStore]:
    """Open a store and look at what it holds, as a session does."""
    with open_store(path, "id") as store:
        assert read_back(Job(count=10_000), store, RunFolder(path.parent), read_record, lambda: False) is not None
        yield store


def test_what_was_committed_is_there_when_opened_again(tmp_path: Path) -> None:
    path = filled(tmp_path / "run.db", 250)
    with opened(path) as store:
        assert len(store) == 250
        assert list(store.records()) == [outcome(index).line for index in range(250)]
        held = [rejected for index in range(250) for rejected in outcome(index).rejections]
        told = [rejected.model_dump(mode="json", by_alias=True) for rejected in held]
        assert list(store.rejections()) == [dump_line(each) for each in told]


def test_what_was_not_committed_is_not_there(tmp_path: Path) -> None:
    path = filled(tmp_path / "run.db", 10)
    with opened(path) as store:
        store.add(outcome(10))
        assert len(store) == 11
        assert store.waiting == 1
    with opened(path) as store:
        assert len(store) == 10
        assert store.counts()[tally.KEPT, "simple"] == 4


def test_what_is_missing_is_told_in_order(tmp_path: Path) -> None:
    with RunStore(filled(tmp_path / "run.db", 10), "id") as store:
        assert list(store.missing(range(10))) == []
        assert list(store.missing(range(14))) == [10, 11, 12, 13]
        store.forget([0, 4, 5, 9])
        assert list(store.missing(range(12))) == [0, 4, 5, 9, 10, 11]
        assert list(store.missing(range(5))) == [0, 4]
        store.forget(range(10))
        assert list(store.missing(range(3))) == [0, 1, 2]


@pytest.mark.parametrize("committed", [False, True])
def test_a_twin_is_found_before_and_after_the_commit(tmp_path: Path, committed: bool) -> None:
    with RunStore(tmp_path / "run.db", "id") as store:
        store.add(outcome(0))
        store.add(outcome(1))
        if committed:
            store.commit()
        assert store.twin(replace(outcome(2), key=outcome(1).key)) == 1
        assert store.twin(outcome(2)) is None


def test_another_process_looks_up_what_is_committed(tmp_path: Path) -> None:
    path = tmp_path / "run #1?.db"
    elsewhere = pickle.loads(pickle.dumps(CommittedRequests(path)))
    keys = [outcome(index).key for index in range(3)]

    def known() -> list[bool]:
        return [finish(elsewhere(key)) for key in keys]

    assert known() == [False] * 3
    assert not path.exists(), "it makes none"
    with RunStore(path, "id") as store:
        assert known() == [False] * 3
        store.add(outcome(0))
        assert known() == [False] * 3
        store.commit()
        assert known() == [True, False, False]
        store.add(outcome(1))
        store.commit()
        assert known() == [True, True, False]
        store.require_untouched()
        (busy,) = store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        assert busy[0] == 0, "nobody holds the journal back"
    path.write_bytes(b"no database" * 100)
    assert finish(CommittedRequests(path)(keys[0])) is False


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
        with opened(folder / "run.db") as store:
            for index in range(len(store), len(store) + size):
                store.add(outcome(index))
            store.commit()
    with opened(filled(folder / "once.db", sum(batches))) as once, opened(folder / "run.db") as store:
        assert store.counts() == once.counts()
        assert list(store.records()) == list(once.records())


def overwrite(path: Path, start: int, size: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\x00" * size)


DAMAGES: dict[str, tuple[Callable[[Path], object], int]] = {
    "text": (lambda path: path.write_bytes(b"this is no database" * 1000), 0),
    "header": (lambda path: overwrite(path, 0, 100), 0),
    "first page": (lambda path: overwrite(path, 0, 16_384), 0),
    "torn": (lambda path: path.write_bytes(path.read_bytes()[:20_000]), 0),
    "a page": (lambda path: overwrite(path, 6 * 16_384, 16_384), 200),
    "last page gone": (lambda path: path.write_bytes(path.read_bytes()[:-16_384]), 0),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_of_a_damaged_file_everything_that_can_be_read_is_kept(tmp_path: Path, damage: str) -> None:
    path = filled(tmp_path / "run.db", 300)
    spoil, left = DAMAGES[damage]
    spoil(path)
    with pytest.raises(DamagedStoreError, match=r"run\.db: damaged"):
        RunStore(path, "id")
    with opened(path) as store:
        assert len(store) >= left
        for index in store.missing(range(300)):
            store.add(outcome(index))
        store.commit()
    with opened(path) as store:
        assert list(store.records()) == [outcome(index).line for index in range(300)]
    assert (tmp_path / "run.db.damaged-1").exists()


def change(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as run:
        run.execute(statement)
    run.close()


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE outcome SET packed = packed || X'00' WHERE position = 3",
        "UPDATE outcome SET packed = CAST(packed AS TEXT) WHERE position = 3",
        "UPDATE outcome SET request = 7 WHERE position = 3",
        "UPDATE outcome SET packed = zeroblob(100000000) WHERE position = 3",
        "UPDATE outcome SET checksum = NULL WHERE position = 3",
        "DELETE FROM outcome WHERE position = 3",
    ],
)
def test_a_row_that_is_changed_or_gone_is_noticed_and_costs_no_other(tmp_path: Path, statement: str) -> None:
    path = filled(tmp_path / "run.db", 5)
    change(path, statement)
    with opened(path) as store:
        assert len(store) == 4
        assert list(store.missing(range(5))) == [3]


def test_a_row_that_changes_while_the_run_is_at_work_is_noticed(tmp_path: Path) -> None:
    path = filled(tmp_path / "run.db", 5)
    with opened(path) as store:
        store.require_untouched()
        with sqlite3.connect(path) as reader:
            assert reader.execute("SELECT count(*) FROM outcome").fetchone() == (5,)
        reader.close()
        store.require_untouched()
        change(path, "UPDATE outcome SET packed = packed || X'00' WHERE position = 3")
        with pytest.raises(StorageError, match="another program wrote into it"):
            store.require_untouched()
        with pytest.raises(StorageError, match="a row was changed"):
            list(store.records())


def test_the_store_of_another_run_is_put_aside(tmp_path: Path) -> None:
    path = filled(tmp_path / "run.db", 5)
    for number in (1, 2):
        with open_store(path, f"other {number}") as store:
            assert store.empty
        assert (tmp_path / f"run.db.damaged-{number}").exists()


def test_what_a_deleted_store_left_behind_does_not_come_back(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    with RunStore(path, "id") as store:
        store.add(outcome(0))
        store.commit()
        left = path.with_name("run.db-wal").read_bytes()
    path.unlink()
    path.with_name("run.db-wal").write_bytes(left)
    with RunStore(path, "id") as store:
        assert store.empty


def test_a_foreign_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    change(path, "CREATE TABLE outcome (a)")
    with pytest.raises(DamagedStoreError, match="no run store"):
        RunStore(path, "id")
    with sqlite3.connect(path) as run:
        assert run.execute("SELECT name FROM sqlite_master").fetchall() == [("outcome",)]
    run.close()


@pytest.mark.skipif(os.name != "posix", reason="rights of files are another thing there")
def test_a_store_is_the_users_alone(tmp_path: Path) -> None:
    with RunStore(tmp_path / "run.db", "id") as store:
        store.add(outcome(0))
        store.commit()
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
