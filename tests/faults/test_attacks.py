"""A run's folder that was damaged or tampered with: mended or refused, never less, never anything unexamined."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pytest

from generator.errors import StorageError, ToolgenError
from generator.job import Job
from generator.record import Producer
from generator.run import RunReport, run_job
from generator.runs.folder import RunFolder
from generator.runs.progress import Progress
from generator.runs.read_back import read_back
from generator.runs.rows import Packing, Row, read_row
from generator.runs.store import RunStore
from tests.bundled import bundled
from tests.run_fakes import CATALOG as FEW_TOOLS
from tests.run_fakes import FAKE, KINDS, FakeProducer

CATALOG = bundled()
COUNT, MORE = 40, 50
MIDDLE = 17


def run(folder: Path, count: int = COUNT, **job: Any) -> RunReport:
    return run_job(Job(count=count, **job), CATALOG, folder)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs that nobody disturbed: of this many records, of more, of another seed, and without metadata."""
    folder = tmp_path_factory.mktemp("runs")
    run(folder / "run")
    run(folder / "more", MORE)
    run(folder / "other", seed=9)
    run(folder / "plain", metadata=False)
    return folder


@pytest.fixture
def folder(runs: Path, tmp_path: Path) -> Path:
    """A finished run to be tampered with."""
    shutil.copytree(runs / "run", tmp_path / "run")
    return tmp_path / "run"


def records(folder: Path) -> bytes:
    return (folder / "records.jsonl").read_bytes()


def lines(folder: Path) -> list[bytes]:
    return records(folder).splitlines(keepends=True)


def write_lines(folder: Path, changed: list[bytes]) -> None:
    (folder / "records.jsonl").write_bytes(b"".join(changed))


def without_store(folder: Path) -> None:
    for path in folder.glob("run.db*"):
        path.unlink()


def change(folder: Path, *statements: str | tuple[str, tuple[Any, ...]]) -> None:
    """Change the run store as whoever may write it can."""
    with sqlite3.connect(folder / "run.db") as store:
        for statement in statements:
            text, values = statement if isinstance(statement, tuple) else (statement, ())
            store.execute(text, values)
    store.close()


def packing_of(folder: Path) -> Packing:
    with sqlite3.connect(folder / "run.db") as store:
        packing = Packing.read(store)
    store.close()
    return packing


def stored(folder: Path, index: int) -> list[Any]:
    with sqlite3.connect(folder / "run.db") as store:
        row = store.execute("SELECT * FROM outcome WHERE position = ?", (index,)).fetchone()
    store.close()
    return list(row)


def replace_line(folder: Path, index: int, line: bytes | None, **columns: Any) -> None:
    """Put another line into a row, with the checksum that belongs to it."""
    packing, (_, request, packed, _) = packing_of(folder), stored(folder, index)
    request = columns.get("request", request)
    told = (packing.unpack(packed) or b"").partition(b"\n")[0]
    packed = packing.pack(told + b"\n" + (line or b""))
    sums = blake2b(f"{index} {request} {packing.checksum_for(packed).hex()} ".encode(), digest_size=8)
    sums.update(packed)
    row = Row(index, request, packed, sums.digest())
    assert read_row(row, packing) is not None, "the attack must get past the checksum"
    statement = "UPDATE outcome SET request = ?, packed = ?, checksum = ? WHERE position = ?"
    change(folder, (statement, (row.request, row.packed, row.checksum, index)))


def edited(
    line: bytes, old: str = '"role":"user","content":"', new: str = '"role":"user","content":"Ignore all. '
) -> bytes:
    assert old.encode() in line
    return line.replace(old.encode(), new.encode(), 1)


def forget_publishing(folder: Path) -> None:
    """Leave the folder as a run that was killed before it published anything."""
    for name in ("records.jsonl", "rejections.jsonl", "summary.json"):
        (folder / name).unlink()


def overwrite(path: Path, start: int, size: int) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(b"\x00" * size)


Attack = Callable[[Path, Path], object]
"""Tampers with the folder of a run; other runs lie in the second one."""

AT = f"WHERE position = {MIDDLE}"
STATEMENTS: dict[str, tuple[str, ...]] = {
    "no rows": ("DELETE FROM outcome",),
    "nothing at all": ("DELETE FROM outcome", "DELETE FROM meta", "DELETE FROM tally"),
    "tables gone": ("DROP TABLE outcome",),
    "a row in the middle gone": (f"DELETE FROM outcome {AT}",),
    "first and last row gone": (f"DELETE FROM outcome WHERE position IN (0, {COUNT - 1})",),
    "a row gone, yet counted": (f"DELETE FROM outcome {AT}", "INSERT INTO tally VALUES ('kept', 'simple', 1)"),
    "a row of no index": (f"UPDATE outcome SET position = -5 {AT}",),
    "rows swapped": (
        f"UPDATE outcome SET position = -1 {AT}",
        f"UPDATE outcome SET position = {MIDDLE} WHERE position = {MIDDLE + 1}",
        f"UPDATE outcome SET position = {MIDDLE + 1} WHERE position = -1",
    ),
    "text in a blob": (f"UPDATE outcome SET packed = CAST(packed AS TEXT) {AT}",),
    "broken text in a blob": (f"UPDATE outcome SET packed = CAST(X'FFFE' AS TEXT) {AT}",),
    "numbers in blobs": (f"UPDATE outcome SET packed = 5, checksum = 6.5 {AT}",),
    "null in a blob": (f"UPDATE outcome SET packed = NULL {AT}",),
    "a changed line": (
        f"UPDATE outcome SET packed = CAST(substr(packed, 1, 40) || X'00' || substr(packed, 41) AS BLOB) {AT}",
    ),
    "a trigger": (
        "CREATE TRIGGER t AFTER INSERT ON outcome BEGIN UPDATE outcome SET packed = X'7B7D0A' WHERE position = 1; END",
    ),
    "a view": ("ALTER TABLE outcome RENAME TO o", "CREATE VIEW outcome AS SELECT * FROM o LIMIT 5"),
    "no dictionary": ("DELETE FROM dictionary",),
    "another dictionary": ("UPDATE dictionary SET words = X'7B7D'",),
    "a huge dictionary": ("UPDATE dictionary SET words = zeroblob(100000000)",),
    "half of the dictionary": ("UPDATE dictionary SET words = NULL WHERE copy = 0",),
    "texts in counts": ("UPDATE tally SET count = 'many'",),
    "a forged receipt": (
        "UPDATE meta SET value = '{}' WHERE name = 'published'",
        f"DELETE FROM outcome WHERE position > {MIDDLE}",
    ),
}


def empty(folder: Path, runs: Path) -> None:
    without_store(folder)
    (folder / "run.db").touch()


def with_checksum(line: Callable[[list[bytes], Path], bytes | None], **columns: Any) -> Attack:
    """Put another line into a row, with its checksum."""
    return lambda folder, runs: replace_line(folder, MIDDLE, line(lines(folder), runs), **columns)


ATTACKS_ON_THE_STORE: dict[str, Attack] = {
    **{name: lambda folder, runs, sql=sql: change(folder, *sql) for name, sql in STATEMENTS.items()},  # type: ignore[misc]  # the default binds it
    "deleted": lambda folder, runs: without_store(folder),
    "empty file": empty,
    "of another run": lambda folder, runs: shutil.copy(runs / "other" / "run.db", folder / "run.db"),
    "no database": lambda folder, runs: (folder / "run.db").write_bytes(b"this is no database" * 1000),
    "a journal of nothing": lambda folder, runs: (folder / "run.db-wal").write_bytes(
        b"\x37\x7f\x06\x82" + b"x" * 40_000
    ),
    "a journal to roll back": lambda folder, runs: (folder / "run.db-journal").write_bytes(
        bytes.fromhex("d9d505f920a163d7") + b"\0\0\0\1" * 20_000
    ),
    "header overwritten": lambda folder, runs: overwrite(folder / "run.db", 0, 100),
    "a page overwritten": lambda folder, runs: overwrite(folder / "run.db", 5 * 16384, 16384),
    "cut": lambda folder, runs: os.truncate(folder / "run.db", 50_000),
    "a changed line and checksum": with_checksum(lambda held, runs: edited(held[MIDDLE])),
    "another record's line and checksum": with_checksum(lambda held, runs: held[3]),
    "a line of another run and checksum": with_checksum(lambda held, runs: lines(runs / "other")[MIDDLE]),
    "no JSON and its checksum": with_checksum(lambda held, runs: b"\x1b[2J\n"),
    "spaces and checksum": with_checksum(lambda held, runs: edited(held[MIDDLE], "{", "{ ")),
    "two lines in one and checksum": with_checksum(lambda held, runs: held[MIDDLE] * 2),
    "given up and checksum": with_checksum(lambda held, runs: None, request=None),
}


@pytest.mark.slow
@pytest.mark.parametrize("count", [COUNT, MORE])
@pytest.mark.parametrize("attack", ATTACKS_ON_THE_STORE)
def test_a_published_record_is_never_taken_back(folder: Path, runs: Path, attack: str, count: int) -> None:
    ATTACKS_ON_THE_STORE[attack](folder, runs)
    report = run(folder, count)
    assert report.summary.exit_code == 0
    assert report.summary.records == count
    assert records(folder) == records(runs / ("run" if count == COUNT else "more"))
    assert run(folder, count).made == 0


ONE_LOST = {"a changed line", "a row in the middle gone", "text in a blob", "a changed line and checksum"}
NONE_LOST = {"half of the dictionary"}


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS_ON_THE_STORE)
def test_what_was_never_published_is_made_anew(folder: Path, runs: Path, attack: str) -> None:
    ATTACKS_ON_THE_STORE[attack](folder, runs)
    forget_publishing(folder)
    report = run(folder)
    assert report.summary.exit_code == 0
    assert records(folder) == records(runs / "run")
    if attack in ONE_LOST:
        assert report.made == 1, "damage costs what was damaged"
    if attack in NONE_LOST:
        assert report.made == 0, "what is kept twice may be damaged once"


@pytest.mark.slow
def test_counts_are_those_of_the_records_whatever_was_mended(folder: Path, runs: Path) -> None:
    replace_line(folder, MIDDLE, edited(lines(folder)[MIDDLE]))
    change(folder, f"DELETE FROM outcome WHERE position = {MIDDLE + 2}", "DELETE FROM meta WHERE name = 'published'")
    mended = run(folder).summary
    whole = json.loads((runs / "run" / "summary.json").read_text())
    for told in ("kinds", "tools", "coverage", "rejected", "rules", "errors"):
        assert mended.model_dump(mode="json")[told] == whole[told]


def without(numbers: set[int]) -> Callable[[list[bytes]], list[bytes]]:
    return lambda held: [line for number, line in enumerate(held) if number not in numbers]


def with_line(number: int, line: Callable[[bytes], bytes]) -> Callable[[list[bytes]], list[bytes]]:
    return lambda held: [line(each) if at == number else each for at, each in enumerate(held)]


def swapped(held: list[bytes]) -> list[bytes]:
    return [*held[:MIDDLE], held[MIDDLE + 1], held[MIDDLE], *held[MIDDLE + 2 :]]


ATTACKS_ON_THE_FILE: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "deleted": lambda held: [],
    "a line gone": without({MIDDLE}),
    "cut in a line": with_line(COUNT - 1, lambda line: line[:-10]),
    "a bit flipped": with_line(MIDDLE, lambda line: line.replace(b"user", b"uses", 1)),
    "an edited line": with_line(MIDDLE, edited),
    "a line that is no JSON": with_line(MIDDLE, lambda line: b"\x00\xff\n"),
    "lines swapped": swapped,
    "a blank line": with_line(MIDDLE, lambda line: b"\n" + line),
}


@pytest.mark.slow
@pytest.mark.parametrize("lost", [False, True], ids=["store whole", "store lost"])
@pytest.mark.parametrize("attack", ATTACKS_ON_THE_FILE)
def test_a_damaged_line_costs_no_other(folder: Path, runs: Path, attack: str, lost: bool) -> None:
    write_lines(folder, ATTACKS_ON_THE_FILE[attack](lines(folder)))
    if lost:
        without_store(folder)
    report = run(folder)
    assert report.summary.exit_code == 0
    assert records(folder) == records(runs / "run")
    assert report.made <= (2 if attack != "deleted" else COUNT) if lost else report.made == 0


TOO_MUCH: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a line twice": lambda held: [*held[:5], held[4], *held[5:]],
    "a stranger at the end": lambda held: [*held, b'{"messages":[]}\n'],
    "no JSON at the end": lambda held: [*held, b"and more\n"],
    "another run's at the end": lambda held: [*held, held[0].replace(b'"index":0', b'"index":40', 1)],
}


@pytest.mark.parametrize("lost", [False, True], ids=["store whole", "store lost"])
@pytest.mark.parametrize("attack", TOO_MUCH)
def test_more_lines_than_the_run_can_have_are_refused_and_stay(folder: Path, attack: str, lost: bool) -> None:
    write_lines(folder, TOO_MUCH[attack](lines(folder)))
    if lost:
        without_store(folder)
    before = records(folder)
    with pytest.raises(StorageError, match=r"records\.jsonl: 41 lines stand there and the run has 40 records"):
        run(folder)
    assert records(folder) == before


def test_a_file_of_more_records_is_never_cut(folder: Path, runs: Path) -> None:
    shutil.copy(runs / "more" / "records.jsonl", folder / "records.jsonl")
    with pytest.raises(ToolgenError, match=f"holds {MORE} settled records and a run is never cut to {COUNT}"):
        run(folder)
    assert records(folder) == records(runs / "more")
    report = run(folder, MORE)
    assert (report.resumed, report.made) == (MORE, 0)
    assert records(folder) == records(runs / "more")


def test_where_store_and_file_disagree_the_user_decides(tmp_path: Path) -> None:
    def fakes() -> RunReport:
        return run_job(Job(count=COUNT), FEW_TOOLS, tmp_path, make=FAKE)

    fakes()
    held = lines(tmp_path)
    other = FakeProducer(Job(count=COUNT), FEW_TOOLS).kept(MIDDLE, 3, KINDS[MIDDLE % len(KINDS)], ()).line
    assert other is not None and other != held[MIDDLE]
    write_lines(tmp_path, [*held[:MIDDLE], other, *held[MIDDLE + 1 :]])
    before = records(tmp_path)
    with pytest.raises(StorageError, match=rf"records\.jsonl:{MIDDLE + 1}: record {MIDDLE} is another one in run\.db"):
        fakes()
    assert records(tmp_path) == before
    without_store(tmp_path)
    assert fakes().made == 0
    assert records(tmp_path) == before


@pytest.mark.parametrize("attack", ["deleted", "a row in the middle gone", "a changed line and checksum"])
def test_records_without_metadata_are_examined_as_well(runs: Path, tmp_path: Path, attack: str) -> None:
    folder = tmp_path / "run"
    shutil.copytree(runs / "plain", folder)
    ATTACKS_ON_THE_STORE[attack](folder, runs)
    change_receipt(folder)
    assert run(folder, metadata=False).summary.exit_code == 0
    assert records(folder) == records(runs / "plain")


def change_receipt(folder: Path) -> None:
    if (folder / "run.db").exists():
        change(folder, "DELETE FROM meta WHERE name = 'published'")


def test_a_run_that_is_stopped_while_it_looks_replaces_nothing(folder: Path, runs: Path) -> None:
    without_store(folder)
    before = records(folder)
    with RunStore(folder / "run.db", "id") as store:
        read_record = Producer(Job(count=COUNT), CATALOG).read_record
        looks = iter([False] * MIDDLE + [True])
        assert read_back(Job(count=COUNT), store, RunFolder(folder), read_record, lambda: next(looks)) is None
    assert records(folder) == before
    without_store(folder)
    assert run(folder).made == 0
    assert records(folder) == before == records(runs / "run")


def test_a_run_that_is_interrupted_before_all_is_mended_publishes_no_less(folder: Path, runs: Path) -> None:
    without_store(folder)
    write_lines(folder, [line for at, line in enumerate(lines(folder)) if at != 0])
    write_lines(folder, [edited(line) if at in (5, 9) else line for at, line in enumerate(lines(folder))])
    before = records(folder)

    def interrupt(progress: Progress) -> None:
        signal.raise_signal(signal.SIGINT)

    report = run_job(Job(count=COUNT), CATALOG, folder, on_progress=interrupt)
    assert report.summary.exit_code == 130
    assert len(lines(folder)) >= len(before.splitlines())
    assert run(folder).summary.exit_code == 0
    assert records(folder) == records(runs / "run")


def test_a_finished_run_whose_files_are_as_published_is_not_looked_at_again(folder: Path) -> None:
    """The receipt says so; whoever changes a byte of any published file is found out."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in ("records.jsonl", "rejections.jsonl", "summary.json", "catalog.json"):
        changed = before[name].replace(b"user", b"uses", 1) if b"user" in before[name] else before[name][:-1] + b" "
        assert len(changed) == len(before[name])
        (folder / name).write_bytes(changed)
        assert run(folder).made == 0
        assert (folder / name).read_bytes() == before[name] or name == "summary.json", name


@pytest.mark.parametrize(
    ("change_job", "refused"),
    [
        (lambda held: held | {"seed": 5, "count": 3, "name": "x"}, False),
        (lambda held: held | {"resolved": held["resolved"] | {"catalog": "0" * 16}}, False),
        (lambda held: held | {"resolved": held["resolved"] | {"identity": "0" * 16}}, True),
        (lambda held: held | {"resolved": held["resolved"] | {"versions": {}}}, False),
        (lambda held: {**held, "attempts": -1}, True),
    ],
)
def test_a_changed_job_document_is_written_anew_or_refused(
    folder: Path, runs: Path, change_job: Callable[[dict[str, Any]], dict[str, Any]], refused: bool
) -> None:
    whole = (folder / "job.json").read_bytes()
    (folder / "job.json").write_text(json.dumps(change_job(json.loads(whole))))
    if refused:
        with pytest.raises(ToolgenError, match=r"run of another job \(its identity|job\.json: damaged"):
            run(folder)
    else:
        assert run(folder).made == 0
        assert (folder / "job.json").read_bytes() == whole
    assert records(folder) == records(runs / "run")


def test_what_is_told_of_a_stranger_cannot_steer_a_screen(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    stranger = lines(folder)[3].replace(
        b'"author":"offline"', '"author":"\\u001b[2J\u202eevil%s"'.encode() % (b"x" * 9999)
    )
    write_lines(folder, [*lines(folder)[:3], stranger, *lines(folder)[4:]])
    without_store(folder)
    assert run(folder).summary.exit_code == 0
    assert "evil" in caplog.text
    assert not {"\x1b", "\u202e"} & set(caplog.text)
    assert len(caplog.text) < 1000
