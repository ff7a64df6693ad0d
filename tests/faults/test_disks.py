"""Disks that are full, folders that cannot be written, files in the way: one clear error, nothing corrupted."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator import disk
from generator.errors import StorageError
from generator.job import Job
from generator.run import run_job
from tests.run_fakes import CATALOG, FAKE
from tests.run_processes import finish, start, start_run

COUNT = 3000


def run(folder: Path, count: int = COUNT) -> bytes:
    run_job(Job(count=count), CATALOG, folder, make=FAKE)
    return (folder / "records.jsonl").read_bytes()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of three megabytes: the run needs more."""
    mount = tmp_path / "small"
    mount.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(mount)]
    if os.name != "posix" or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("may not mount a small file system here")
    yield mount
    subprocess.run(["umount", "-l", str(mount)], check=True)


def test_a_full_disk_is_one_error_and_the_run_goes_on_with_space(small_disk: Path, tmp_path: Path) -> None:
    whole = run(tmp_path / "whole")
    folder = small_disk / "run"
    for _ in range(2):
        code, _, err = finish(start_run(folder, FAKE, COUNT))
        assert code == 5, err
        assert "the disk is full" in err
        assert err.count("\n") == 1
        assert not list(folder.glob("*.part"))
        assert not list(folder.glob(".*.part"))
    subprocess.run(["mount", "-o", "remount,size=50m", str(small_disk)], check=True)
    assert run(folder) == whole


def test_a_disk_that_fills_up_while_publishing_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = run(tmp_path / "run", 200)

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(disk.os, "fsync", full)
        with pytest.raises(StorageError, match=r"records\.jsonl: the disk is full|job\.json: the disk is full"):
            run(tmp_path / "run", 400)
    assert (tmp_path / "run" / "records.jsonl").read_bytes() == before
    assert not list((tmp_path / "run").glob(".*"))
    assert run(tmp_path / "run", 400) == run(tmp_path / "once", 400)


@pytest.mark.skipif(sys.platform == "win32", reason="needs resource limits")
@pytest.mark.parametrize(
    "kilobytes", [pytest.param(200, marks=pytest.mark.slow), 500, pytest.param(1000, marks=pytest.mark.slow)]
)
def test_a_file_that_may_not_grow_is_one_error(tmp_path: Path, kilobytes: int) -> None:
    limited = (
        f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({kilobytes} * 1024, {kilobytes} * 1024));"
        "from tests.run_child import main; import sys; sys.exit(main())"
    )
    code, _, err = finish(start([sys.executable, "-c", limited, str(tmp_path / "run"), FAKE.__name__, str(COUNT), "1"]))
    assert code == 5, err
    assert err.count("\n") == 1
    assert str(tmp_path / "run") in err
    assert run(tmp_path / "run") == run(tmp_path / "whole")


@pytest.mark.parametrize("place", ["file/run", "file"])
def test_a_file_in_the_way_is_one_error(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(StorageError, match=r"a part of the path is a file|a file is in the way"):
        run(tmp_path / place, 10)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_name_that_is_too_long_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="the name is too long"):
        run(tmp_path / ("x" * 300), 10)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that even root cannot write to")
def test_an_unwritable_folder_is_one_error() -> None:
    with pytest.raises(StorageError, match=r"/proc/self/run: .+"):
        run(Path("/proc/self/run"), 10)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_one_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(StorageError, match="permission denied"):
        run(tmp_path / "run", 10)


@pytest.mark.parametrize("name", ["run.db", "job.json", "catalog.json", "records.jsonl", "run.lock"])
def test_a_folder_where_a_file_belongs_is_one_error(tmp_path: Path, name: str) -> None:
    run(tmp_path / "run", 100)
    for path in (tmp_path / "run").glob(f"{name}*"):
        path.unlink()
    (tmp_path / "run" / name).mkdir()
    with pytest.raises(StorageError, match=name):
        run(tmp_path / "run", 200)
