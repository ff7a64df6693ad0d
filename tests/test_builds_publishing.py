"""Publishing: whatever fails between or in two steps, `latest` is whole, and the next build goes on."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator import disk
from generator.builds.build import build
from generator.builds.publishing import STEPS
from generator.builds.verifying import verify
from generator.errors import StorageError
from tests.build_orders import Desk

SETTINGS = "[splits]\nshares = {train = 0.5, test = 0.5}\n[publish]\nkeep = 1\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A desk with one build, and a job that asks for another."""
    found = Desk(tmp_path, settings=SETTINGS, count=5, formats=["trl"])
    found.build()
    found.write_job(SETTINGS, count=6, formats=["trl"])
    return found


def require_whole(desk: Desk, *records: int) -> None:
    """The latest build is proven, and has so many records."""
    assert verify(desk.latest) == ()
    assert len(desk.records()) in records


def require_done(desk: Desk) -> None:
    """The build that was asked for is there, nothing is left half written, and one build stays."""
    assert desk.build().ending in ("published", "unchanged")
    require_whole(desk, 6)
    desk.write_job(SETTINGS, count=7, formats=["trl"])
    assert desk.build().ending == "published"
    require_whole(desk, 7)
    assert [path.name for path in (desk.out / "builds").iterdir()] == [desk.latest.resolve().name]
    assert not list(desk.out.rglob(".*.part"))


@pytest.mark.parametrize("step", STEPS)
def test_a_full_disk_before_a_step_leaves_latest_whole(desk: Desk, step: str) -> None:
    def full(name: str) -> None:
        if name == step:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(OSError, match="No space"):
        build(desk.order(on_step=full))
    require_whole(desk, 5, 6)
    require_done(desk)


def _writes(desk: Desk, monkeypatch: pytest.MonkeyPatch, fails: int, code: int) -> Iterator[int]:
    """Build with the write of that number failing; yield how many there were."""
    count = 0
    write = disk._write_synced

    def failing(handle: int, chunks: Iterator[bytes]) -> int:
        nonlocal count
        count += 1
        if count == fails:
            os.write(handle, b"half")
            os.close(handle)
            raise OSError(code, os.strerror(code))
        return write(handle, chunks)

    with monkeypatch.context() as patched:
        patched.setattr(disk, "_write_synced", failing)
        try:
            desk.build()
        except StorageError:
            yield count


@pytest.mark.parametrize("code", [errno.ENOSPC, pytest.param(errno.EROFS, marks=pytest.mark.slow)])
def test_a_disk_that_fails_in_any_write_leaves_latest_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    desk = Desk(tmp_path, settings=SETTINGS, count=5, formats=["trl"])
    desk.build()
    number = failures = 0
    for number in range(1, 100):  # as many as there are writes: the loop ends with the first build that none spoils
        desk.write_job(SETTINGS, count=5 + number, formats=["trl"])
        before = len(desk.records())
        if not list(_writes(desk, monkeypatch, number, code)):
            break
        failures += 1
        require_whole(desk, before, 5 + number)
    assert failures > 10
    require_whole(desk, 5 + number)


def test_the_steps_are_taken_in_their_order(desk: Desk) -> None:
    desk.build()
    assert desk.steps == ["make", *STEPS]


def test_formats_have_a_file_a_split_each_and_their_sidecars(desk: Desk) -> None:
    desk.write_job(SETTINGS, count=8, formats=["openai", "llamafactory"])
    desk.build()
    data = desk.latest / "data"
    splits = desk.manifest.splits
    assert sum(splits.values()) == 8
    for name in ("openai", "llamafactory"):
        lines = {path.stem: path.read_bytes().count(b"\n") for path in (data / name).glob("*.jsonl")}
        assert lines == splits
    listed = json.loads((data / "llamafactory" / "dataset_info.json").read_bytes())
    assert {each["file_name"] for each in listed.values()} == {f"{split}.jsonl" for split in splits}


def test_a_record_stays_in_its_split_over_builds(desk: Desk) -> None:
    desk.build()
    before = {path.stem: set(path.read_bytes().splitlines()) for path in (desk.latest / "data/trl").glob("*.jsonl")}
    desk.write_job(SETTINGS, count=20, formats=["trl"])
    desk.build()
    after = {path.stem: set(path.read_bytes().splitlines()) for path in (desk.latest / "data/trl").glob("*.jsonl")}
    assert all(lines <= after[split] for split, lines in before.items())


def test_what_overlaps_with_a_benchmark_is_left_out_and_counted(desk: Desk) -> None:
    said = next(m["content"] for m in json.loads(desk.records()[1])["messages"] if m["role"] == "user")
    (desk.path / "bench.jsonl").write_text(json.dumps({"question": said}) + "\n", encoding="utf-8")
    desk.write_job('[splits]\ndecontaminate = ["bench.jsonl"]\n', count=6)
    desk.build()
    assert list(desk.manifest.left_out.values()) == [1]
    assert desk.manifest.splits == {"train": 5}
    assert desk.manifest.records == 6


def test_a_build_is_pushed_once_and_again_where_that_failed(desk: Desk) -> None:
    import fsspec

    desk.write_job('[publish]\npush = ["memory://nightly"]\n', count=6)
    desk.build()
    memory = fsspec.filesystem("memory")
    assert any(path.endswith("records.jsonl") for path in memory.find("/nightly"))
    assert desk.build().ending == "unchanged"
    (desk.out / "pushed.json").unlink()
    assert desk.build().ending == "published"
    assert desk.steps == ["index", "latest", "keep", "push", "tidy"]


def test_the_report_lies_in_the_build_and_in_its_manifest(desk: Desk) -> None:
    pytest.importorskip("pygal")
    desk.build()
    assert "report.html" in desk.manifest.sizes
    page = (desk.latest / "report.html").read_text(encoding="utf-8")
    assert "<title>nightly" in page
    assert ".part" not in page
