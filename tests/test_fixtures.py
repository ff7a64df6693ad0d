"""Files of fixtures: their names and bytes, what is said of a folder of them, and what is never touched."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from generator import fixtures as fixtures_module
from generator.domains.catalog import Catalog
from generator.errors import JobError, StorageError, UsageError
from generator.fixtures import (
    FixtureSet,
    _file_names,
    findings,
    fixture_files,
    require_apart,
    write_fixtures,
)
from generator.formats import FORMATS
from generator.formats.loading.tool_files import load_tools
from generator.formats.recognition import WRITTEN, unfolding_of
from generator.formats.writing import Shaping
from generator.job import Job
from generator.validation import check
from tests.readmes import make_desk


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return load_tools(make_desk(tmp_path_factory.mktemp("desk")) / "my_tools.json").catalog


@pytest.fixture
def asked(catalog: Catalog, tmp_path: Path) -> FixtureSet:
    job = Job(name="fixtures", count=4, seed=7, mix={"parallel": 1.0, "simple": 1.0}, grounding=False)
    sources = (str(tmp_path / "my_tools.json"),)
    return FixtureSet(
        job, catalog, Shaping(FORMATS["deepfabric"]), tmp_path / "tests" / "data", sources, ("--count", "4")
    )


def told(asked: FixtureSet, files: dict[str, bytes]) -> list[str]:
    return [str(each) for each in findings(asked, files)]


def test_a_file_holds_a_header_and_the_records_of_a_kind(asked: FixtureSet) -> None:
    files = fixture_files(asked)
    assert list(files) == ["parallel.json", "simple.json"]
    held = json.loads(files["parallel.json"])
    assert held["toolgen"]["regenerate"] == "toolgen fixtures ../../my_tools.json -o . --count 4"
    assert [record["metadata"]["kind"] for record in held["records"]] == ["parallel"] * 2
    assert [check(record) for record in held["records"]] == [[]] * 2
    assert b"\r" not in files["parallel.json"] and files["parallel.json"].endswith(b"}\n")
    unfold = unfolding_of(held)
    assert unfold is not None and unfold(held) == held["records"]


def test_the_bytes_do_not_depend_on_where_one_is(
    asked: FixtureSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = fixture_files(asked)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    relative = replace(asked, folder=Path("../tests/data"), sources=("../my_tools.json",))
    assert fixture_files(relative) == expected


def test_files_are_cut_by_kind_tool_or_record(asked: FixtureSet) -> None:
    assert list(fixture_files(replace(asked, by="tool"))) == ["find_restaurants.json", "get_weather.json"]
    by_record = list(fixture_files(replace(asked, by="record")))
    assert by_record == ["parallel-0000.json", "parallel-0002.json", "simple-0001.json", "simple-0003.json"]


@pytest.mark.parametrize("name", WRITTEN)
def test_records_are_written_in_every_format(asked: FixtureSet, name: str) -> None:
    files = fixture_files(replace(asked, shaping=Shaping(FORMATS[name], metadata=False)))
    records = [record for text in files.values() for record in json.loads(text)["records"]]
    assert len(records) == 4
    assert all("metadata" not in record for record in records)


def test_names_are_those_that_every_system_can_hold() -> None:
    given = ["get_weather", "Get", "get", "../etc/passwd", "con", "a:b", "...", "ü", "x" * 300]
    names = _file_names(given)
    assert names["get_weather"] == "get_weather.json"
    assert len({name.casefold() for name in names.values()}) == len(given)
    for name in names.values():
        assert name.isascii() and not set(name) & set('/\\:*?"<>|') and len(name) < 120 and not name.startswith(".")
    assert names["con"] != "con.json"


def test_kinds_that_cannot_be_served_are_refused(asked: FixtureSet) -> None:
    job = asked.job.model_copy(update={"mix": {"simple": 1.0, "nested": 1.0}})
    with pytest.raises(JobError, match="nested"):
        fixture_files(replace(asked, job=job, every_kind=True))


def test_what_is_not_as_it_is_to_be_is_told_and_mended(asked: FixtureSet) -> None:
    files = fixture_files(asked)
    assert told(asked, files) == ["missing: parallel.json", "missing: simple.json"]
    done = write_fixtures(asked, files)
    assert (done.written, done.removed, done.unchanged) == (("parallel.json", "simple.json"), (), 0)
    assert told(asked, files) == []
    again = write_fixtures(asked, files)
    assert (again.written, again.unchanged) == ((), 2)
    fewer = replace(asked, job=asked.job.model_copy(update={"mix": {"parallel": 1.0}}))
    less = fixture_files(fewer)
    assert told(fewer, less) == ["differs: parallel.json", "left over: simple.json"]
    assert write_fixtures(fewer, less).removed == ("simple.json",)
    assert {path.name: path.read_bytes() for path in asked.folder.iterdir()} == less


def test_what_somebody_edited_is_kept_unless_forced(asked: FixtureSet) -> None:
    files = fixture_files(asked)
    write_fixtures(asked, files)
    path = asked.folder / "simple.json"
    edited = files["simple.json"].replace(b'"role":"user"', b'"role":"User"')
    path.write_bytes(edited)
    assert told(asked, files) == ["differs: simple.json (edited since)"]
    with pytest.raises(UsageError, match=r"simple\.json: edited since; nothing was written: .*--force"):
        write_fixtures(asked, files)
    assert path.read_bytes() == edited
    write_fixtures(asked, files, force=True)
    assert told(asked, files) == []


def test_the_set_of_other_tools_is_kept_unless_forced(asked: FixtureSet) -> None:
    write_fixtures(asked, fixture_files(asked))
    other = replace(asked, sources=("elsewhere.json",))
    with pytest.raises(UsageError, match="made of other tools"):
        write_fixtures(other, fixture_files(other))


def test_ends_of_lines_that_git_rewrote_are_told_as_such(asked: FixtureSet) -> None:
    files = fixture_files(asked)
    write_fixtures(asked, files)
    (asked.folder / "simple.json").write_bytes(files["simple.json"].replace(b"\n", b"\r\n"))
    (found,) = told(asked, files)
    assert "in its ends of lines alone" in found and ".gitattributes" in found
    write_fixtures(asked, files)
    assert told(asked, files) == []


def test_another_version_of_toolgen_is_named(asked: FixtureSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fixtures_module, "VERSION", "0.0.1")
    write_fixtures(asked, fixture_files(asked))
    monkeypatch.undo()
    assert "written by toolgen 0.0.1" in told(asked, fixture_files(asked))[0]


FOREIGN = [b"", b"[]", b"{}", b"not json", b'{"toolgen": 1}', b'{"toolgen": {"digest": 5}}', b"\xff\xfe", b"[" * 5000]


@pytest.mark.parametrize("content", FOREIGN)
def test_files_of_others_are_not_touched(asked: FixtureSet, content: bytes) -> None:
    files = fixture_files(asked)
    asked.folder.mkdir(parents=True)
    for name in ("other.json", "simple.json"):
        (asked.folder / name).write_bytes(content)
    assert told(asked, files) == ["missing: parallel.json", "in the way: simple.json (toolgen did not write it)"]
    with pytest.raises(UsageError, match="move it away"):
        write_fixtures(asked, files, force=True)
    assert sorted(path.name for path in asked.folder.iterdir()) == ["other.json", "simple.json"]
    (asked.folder / "simple.json").unlink()
    write_fixtures(asked, files)
    assert (asked.folder / "other.json").read_bytes() == content


def test_links_folders_and_pipes_are_in_the_way(asked: FixtureSet, tmp_path: Path) -> None:
    files = fixture_files(asked)
    asked.folder.mkdir(parents=True)
    (tmp_path / "far.json").write_bytes(files["simple.json"])
    (asked.folder / "simple.json").symlink_to(tmp_path / "far.json")
    (asked.folder / "parallel.json").mkdir()
    os.mkfifo(asked.folder / "pipe.json")
    assert told(asked, files) == [
        "in the way: parallel.json (toolgen did not write it)",
        "in the way: simple.json (a symbolic link)",
    ]
    with pytest.raises(UsageError):
        write_fixtures(asked, files, force=True)


def test_a_folder_that_is_a_file_is_told(asked: FixtureSet) -> None:
    files = fixture_files(asked)
    asked.folder.parent.mkdir()
    asked.folder.write_text("mine")
    for act in (findings, write_fixtures):
        with pytest.raises(StorageError, match="a file is in the way"):
            act(asked, files)
    assert asked.folder.read_text() == "mine"


def test_a_link_to_a_folder_is_followed_and_one_to_nowhere_is_told(asked: FixtureSet, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    asked.folder.parent.mkdir()
    asked.folder.symlink_to(tmp_path / "real")
    files = fixture_files(asked)
    assert json.loads(files["simple.json"])["toolgen"]["tools"] == ["../my_tools.json"]
    write_fixtures(asked, files)
    assert len(list((tmp_path / "real").iterdir())) == 2
    broken = replace(asked, folder=tmp_path / "broken")
    broken.folder.symlink_to(tmp_path / "gone")
    with pytest.raises(StorageError, match="a file is in the way"):
        write_fixtures(broken, files)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_what_the_disk_refuses_is_told_and_the_rest_is_whole(
    asked: FixtureSet, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    files = fixture_files(asked)
    real = fixtures_module.write_whole

    def refuse(path: Path, chunks: Iterable[bytes]) -> int:
        if path.name == "parallel.json":
            return real(path, chunks)

        def failing() -> Iterable[bytes]:
            yield b"{"
            raise OSError(number, os.strerror(number))

        return real(path, failing())

    monkeypatch.setattr(fixtures_module, "write_whole", refuse)
    with pytest.raises(StorageError, match=r"simple\.json: "):
        write_fixtures(asked, files)
    assert {path.name: path.read_bytes() for path in asked.folder.iterdir()} == {
        "parallel.json": files["parallel.json"]
    }
    monkeypatch.undo()
    assert write_fixtures(asked, files).unchanged == 1


def test_a_folder_within_the_tools_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    with pytest.raises(UsageError, match="lies in"):
        require_apart([str(tmp_path / "tools")], tmp_path / "tools" / "data")
    require_apart([str(tmp_path / "tools")], tmp_path / "tools2")
