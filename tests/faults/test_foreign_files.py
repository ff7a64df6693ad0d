"""Links, pipes and files of others where the files of a run belong: refused, and nothing is written elsewhere."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from generator.backends.answers import AnswerFile
from generator.disk import write_own, write_whole
from generator.errors import StorageError
from generator.job import Job
from generator.run import run_job
from generator.runs.folder import RunFolder
from tests.run_fakes import CATALOG, FAKE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="links and rights are other things there")

REPLACED = ("job.json", "catalog.json", "records.jsonl", "rejections.jsonl", "summary.json")
IN_PLACE = ("run.lock", "run.db", "run.db-wal", "run.db-shm", "run.db-journal", "answers.jsonl")
PARTS = tuple(f".{name}.part" for name in REPLACED)
SECRET = b"do not touch this"


def run(folder: Path, count: int = 20) -> None:
    run_job(Job(count=count), CATALOG, folder, make=FAKE)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished") / "run"
    run(folder)
    return folder


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A finished run."""
    shutil.copytree(finished, tmp_path / "run")
    return tmp_path / "run"


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of the user's that is none of the run."""
    (tmp_path / "secret").write_bytes(SECRET)
    return tmp_path / "secret"


@pytest.mark.parametrize("name", [*REPLACED, *IN_PLACE, *PARTS])
@pytest.mark.parametrize("target", ["secret", "nothing", "itself"])
def test_a_symbolic_link_is_refused_and_not_followed(folder: Path, secret: Path, name: str, target: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.name != name}
    (folder / name).unlink(missing_ok=True)
    there = {"secret": secret, "nothing": secret.with_name("nothing"), "itself": folder / name}[target]
    (folder / name).symlink_to(there)
    with pytest.raises(StorageError, match="is a symbolic link") as caught:
        run(folder, 30)
    assert name in str(caught.value)
    assert secret.read_bytes() == SECRET
    assert not secret.with_name("nothing").exists()
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.name in before} == before


@pytest.mark.parametrize("name", [*PARTS, "run.lock"])
def test_a_new_folder_with_a_link_is_not_followed_either(tmp_path: Path, secret: Path, name: str) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / name).symlink_to(secret)
    with pytest.raises(StorageError, match="is a symbolic link"):
        run(tmp_path / "run")
    assert secret.read_bytes() == SECRET


@pytest.mark.parametrize("name", [*REPLACED, *IN_PLACE, *PARTS])
@pytest.mark.parametrize("kind", ["pipe", "folder"])
def test_a_pipe_or_folder_is_refused_and_not_waited_for(folder: Path, name: str, kind: str) -> None:
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name) if kind == "pipe" else (folder / name).mkdir()
    with pytest.raises(StorageError, match="is no file"):
        run(folder, 30)


@pytest.mark.parametrize("name", IN_PLACE)
def test_a_file_with_another_name_is_not_written_in_place(folder: Path, secret: Path, name: str) -> None:
    (folder / name).unlink(missing_ok=True)
    os.link(secret, folder / name)
    with pytest.raises(StorageError, match="another name elsewhere"):
        run(folder, 30)
    assert secret.read_bytes() == SECRET


@pytest.mark.parametrize("name", REPLACED)
def test_a_copy_by_links_keeps_what_it_was(folder: Path, tmp_path: Path, name: str) -> None:
    before = (folder / name).read_bytes()
    os.link(folder / name, tmp_path / "backup")
    run(folder, 30)
    assert (tmp_path / "backup").read_bytes() == before
    assert (folder / name).read_bytes() != before or name == "catalog.json"


@pytest.mark.skipif(os.geteuid() != 0 if os.name == "posix" else True, reason="only root gives files away")
@pytest.mark.parametrize("name", [*REPLACED, "run.db", "run.lock"])
def test_a_file_of_somebody_else_that_anybody_may_write_is_refused(folder: Path, name: str) -> None:
    os.chown(folder / name, 4242, 4242)
    run(folder, 25)
    os.chown(folder / name, 4242, 4242)
    (folder / name).chmod(0o666)
    with pytest.raises(StorageError, match="belongs to somebody else, and anybody may write to it"):
        run(folder, 30)


def test_the_files_of_a_run_are_the_users_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        run(tmp_path / "run")
        with AnswerFile(RunFolder(tmp_path / "run").answers) as answers:
            answers.keep_answer("a", b"{}")
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "run").iterdir()} == {0o600}
    assert (tmp_path / "run").stat().st_mode & 0o777 == 0o700


def test_what_a_killed_process_left_is_written_over(folder: Path) -> None:
    for name in PARTS:
        (folder / name).write_bytes(b"half a")
    run(folder, 30)
    assert len((folder / "records.jsonl").read_bytes().splitlines()) == 30
    assert [path.name for path in folder.glob(".*")] == [".catalog.json.part"], "which is as it should be already"


@pytest.mark.parametrize("write", [write_own, write_whole])
def test_no_write_follows_a_link_under_its_temporary_name(tmp_path: Path, secret: Path, write: object) -> None:
    assert callable(write)
    (tmp_path / ".file.part").symlink_to(secret)
    with pytest.raises(StorageError, match=r"\.file\.part: is a symbolic link"):
        write(tmp_path / "file", [b"new"])
    assert secret.read_bytes() == SECRET
    assert (tmp_path / ".file.part").is_symlink()
    assert not (tmp_path / "file").exists()


def test_the_folder_itself_may_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "near").symlink_to(tmp_path / "far")
    run(tmp_path / "near")
    assert (tmp_path / "far" / "records.jsonl").exists()
