"""Record files: a run's records in any form are the same, and what was half published is never taken for whole."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.disk import part_of
from generator.errors import StorageError, UsageError
from generator.job import Job
from generator.run import RunReport, run_job
from generator.runs.dropped import drop_store
from generator.runs.publish import published_summary
from generator.runs.record_files import (
    IN_ONE_FILE,
    Form,
    files_there,
    finish_publishing,
    open_records,
    record_files,
    told_files,
    write_records,
)
from tests.run_fakes import CATALOG, FAKE
from tests.tables import each_row

COUNT = 25
LINES = [b'{"record":%d}\n' % number for number in range(COUNT)]
FORMS = [IN_ONE_FILE, Form("gz"), Form("zst"), Form("none", 10), Form("gz", 7), Form("zst", 5), Form("zst", 25)]


def read(folder: Path) -> bytes:
    with open_records(record_files(folder)) as stream:
        return stream.read()


@each_row(
    "form, records, names",
    [
        (IN_ONE_FILE, 5, ["records.jsonl"]),
        (Form("zst"), 0, ["records.jsonl.zst"]),
        (Form("gz", 10), 20, ["records-00000-of-00002.jsonl.gz", "records-00001-of-00002.jsonl.gz"]),
        (Form("none", 10), 21, [f"records-0000{n}-of-00003.jsonl" for n in range(3)]),
        (Form("none", 10), 0, ["records-00000-of-00001.jsonl"]),
    ],
)
def test_the_names_of_a_form(form: Form, records: int, names: list[str]) -> None:
    assert form.names(records) == names


@pytest.mark.parametrize("form", FORMS)
def test_in_any_form_the_same_is_read(tmp_path: Path, form: Form) -> None:
    digests = write_records(tmp_path, form, COUNT, iter(LINES))
    assert read(tmp_path) == b"".join(LINES)
    assert [path.name for path in record_files(tmp_path)] == list(digests) == form.names(COUNT)
    held = {path.name: path.read_bytes() for path in record_files(tmp_path)}
    assert write_records(tmp_path, form, COUNT, iter(LINES)) == digests
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == held, "the same bytes each time, no more"


def test_a_packed_shard_is_an_archive_of_its_own_without_a_time(tmp_path: Path) -> None:
    write_records(tmp_path, Form("gz", 10), COUNT, iter(LINES))
    last = (tmp_path / "records-00002-of-00003.jsonl.gz").read_bytes()
    assert gzip.decompress(last) == b"".join(LINES[20:])
    assert last[4:8] == bytes(4)


def test_a_form_takes_the_place_of_another(tmp_path: Path) -> None:
    for form in (*FORMS, *reversed(FORMS)):
        write_records(tmp_path, form, COUNT, iter(LINES))
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(form.names(COUNT))
        assert read(tmp_path) == b"".join(LINES)


def test_the_lines_of_a_file_that_was_cut_end_with_it(tmp_path: Path) -> None:
    write_records(tmp_path, Form("none", 10), COUNT, iter(LINES))
    first = record_files(tmp_path)[0]
    first.write_bytes(first.read_bytes()[:-3])
    assert read(tmp_path).splitlines(keepends=True)[10:] == LINES[10:]


@each_row(
    "there, message",
    [
        (["records-00000-of-00003.jsonl", "records-00002-of-00003.jsonl"], "records-00001-of-00003.jsonl lacks"),
        (["records.jsonl", "records.jsonl.zst"], "holds records.jsonl and records.jsonl.zst"),
        (["records.jsonl", "records-00000-of-00001.jsonl"], "and one alone is right"),
        (["records-00000-of-00001.jsonl.gz", "records-00000-of-00002.jsonl.gz"], "and one alone is right"),
        (["records.jsonl", ".publishing.json"], "half published; run the command again"),
    ],
)
def test_what_is_not_one_whole_set_is_refused(tmp_path: Path, there: list[str], message: str) -> None:
    for name in there:
        (tmp_path / name).touch()
    with pytest.raises(StorageError, match=message):
        record_files(tmp_path)


def test_other_files_are_none_of_records(tmp_path: Path) -> None:
    for name in ("records.jsonl.bz2", "records-1-of-2.jsonl", "my-records.jsonl", "records.jsonl\n", "records.json"):
        (tmp_path / name).touch()
    assert files_there(tmp_path) == []
    assert record_files(tmp_path) == ()
    assert told_files(tmp_path) == tmp_path / "records.jsonl"


def test_too_many_files_and_a_package_that_lacks_are_told_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="1 records a file are too many files; give 11 or more"):
        Form("none", 1).require_possible(1_000_001)
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    with pytest.raises(UsageError, match=r"zstandard, which is not installed: .*, or give --compress gz"):
        run_job(Job(count=5, compress="zst"), CATALOG, tmp_path / "run", make=FAKE)
    assert not (tmp_path / "run").exists()


CHANGES = [
    (Form("none", 10), Form("none", 10), COUNT + 1),
    (Form("none", 10), Form("zst", 7), COUNT),
    (Form("none", 10), Form("none", 11), COUNT),
    (IN_ONE_FILE, Form("gz"), COUNT),
    (Form("gz", 10), IN_ONE_FILE, COUNT),
    (Form("none", 10), Form("none", 10), COUNT + 20),
]


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is killed that was forked")
@pytest.mark.parametrize(("old", "new", "count"), CHANGES)
def test_a_kill_between_any_two_steps_leaves_the_old_or_the_new_or_neither_for_whole(
    tmp_path: Path, old: Form, new: Form, count: int
) -> None:
    longer = [b'{"record":%d,"new":1}\n' % number for number in range(count)]
    for steps in range(100):
        folder = tmp_path / str(steps)
        folder.mkdir()
        write_records(folder, old, COUNT, iter(LINES))
        child = os.fork()
        if child == 0:  # the kill is one: nothing of the process runs any more
            _die_after(steps)
            write_records(folder, new, count, iter(longer))
            os._exit(0)
        was_killed = os.waitpid(child, 0)[1] != 0
        left = what_is_told(folder)
        assert left in (b"".join(LINES), b"".join(longer), b"")
        finish_publishing(folder)
        assert read(folder) in ((b"".join(longer),) if not left else (left,))
        assert {path.name for path in folder.iterdir()} == {path.name for path in record_files(folder)}
        if not was_killed:
            break
    assert 3 <= steps < 99


def what_is_told(folder: Path) -> bytes:
    """Return the records of a folder, none where it is refused as half published."""
    try:
        return read(folder)
    except StorageError as refused:
        if "half published" in str(refused):
            return b""
        raise


def _die_after(steps: int) -> None:
    """Let this process change so many things on the disk, and no more."""
    left = iter(range(steps))

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def stepping(*given: Any, **named: Any) -> Any:
            if next(left, None) is None:
                os._exit(9)
            return real(*given, **named)

        return stepping

    for owner, name in ((Path, "replace"), (Path, "unlink"), (os, "fsync"), (os, "open")):
        setattr(owner, name, counted(getattr(owner, name)))


@pytest.mark.parametrize(
    "journal", [b"", b"[]", b"{}", b'["../job.json"]', b'["records.jsonl","records.jsonl.gz"]', b"[[1]]"]
)
def test_a_journal_that_is_none_changes_nothing(tmp_path: Path, journal: bytes) -> None:
    write_records(tmp_path, Form("gz", 10), COUNT, iter(LINES))
    (tmp_path / ".publishing.json").write_bytes(journal)
    finish_publishing(tmp_path)
    assert read(tmp_path) == b"".join(LINES)
    assert len(list(tmp_path.iterdir())) == 3


def test_what_was_written_of_a_set_that_never_became_whole_is_forgotten(tmp_path: Path) -> None:
    write_records(tmp_path, Form("gz", 10), COUNT, iter(LINES))
    part_of(tmp_path / "records-00000-of-00009.jsonl").write_bytes(b"x")
    finish_publishing(tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


def run(folder: Path, count: int = COUNT, **job: Any) -> RunReport:
    return run_job(Job(count=count, **job), CATALOG, folder, make=FAKE)


def as_form(form: Form) -> dict[str, Any]:
    return {"compress": form.compress, "shard": form.shard}


def test_the_form_changes_no_run_and_a_finished_one_is_published_again_in_another(tmp_path: Path) -> None:
    plain = run(tmp_path / "plain").summary
    whole = (tmp_path / "plain" / "records.jsonl").read_bytes()
    for form in FORMS:
        report = run(tmp_path / "run", **as_form(form))
        assert report.summary.sha256 == plain.sha256
        assert report.summary.identity == plain.identity
        assert read(tmp_path / "run") == whole
        assert [path.name for path in record_files(tmp_path / "run")] == form.names(COUNT)
        again = run(tmp_path / "run", **as_form(form))
        assert (report.made, again.made) == ((COUNT if form is IN_ONE_FILE else 0), 0)


@pytest.mark.parametrize("form", FORMS)
def test_a_run_in_any_form_is_extended_and_goes_on_without_its_store(tmp_path: Path, form: Form) -> None:
    run(tmp_path / "plain", 40)
    whole = (tmp_path / "plain" / "records.jsonl").read_bytes()
    run(tmp_path / "run", **as_form(form))
    drop_store(run(tmp_path / "run", 30, **as_form(form)).folder, 30, keep_answers=False)
    report = run(tmp_path / "run", 40, **as_form(form))
    assert (report.resumed, report.made) == (30, 10)
    assert read(tmp_path / "run") == whole
    assert published_summary(report.folder) == report.summary


def test_a_shard_that_is_lost_or_damaged_is_mended(tmp_path: Path) -> None:
    form = as_form(Form("zst", 5))
    run(tmp_path / "run", **form)
    whole = read(tmp_path / "run")
    for spoil in (Path.unlink, lambda path: path.write_bytes(path.read_bytes()[:-5])):
        for store in (True, False):
            spoil(record_files(tmp_path / "run")[2])
            if not store:
                without_store(tmp_path / "run")
            report = run(tmp_path / "run", **form)
            assert report.made <= (0 if store else 5), "damage costs what was damaged"
            assert read(tmp_path / "run") == whole


def without_store(folder: Path) -> None:
    for path in folder.glob("run.db*"):
        path.unlink()


def test_a_link_in_the_place_of_a_shard_is_refused(tmp_path: Path) -> None:
    run(tmp_path / "run", shard=10)
    shard = record_files(tmp_path / "run")[1]
    shard.rename(tmp_path / "elsewhere")
    shard.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageError, match="is a symbolic link"):
        run(tmp_path / "run", shard=10)
