"""Files that are whole or absent."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.disk import disk_message, is_part, write_whole
from generator.errors import StorageError


def test_a_file_is_written_and_measured(tmp_path: Path) -> None:
    assert write_whole(tmp_path / "file", [b"one\n", b"two\n"]) == 8
    assert (tmp_path / "file").read_bytes() == b"one\ntwo\n"


def test_the_old_file_stays_when_the_content_fails(tmp_path: Path) -> None:
    def broken() -> Iterator[bytes]:
        yield b"new"
        raise LookupError

    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(LookupError):
        write_whole(tmp_path / "file", broken())
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"old"


def test_a_folder_that_is_not_there_is_a_storage_error(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="file: No such file"):
        write_whole(tmp_path / "none" / "file", [b""])


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "the disk is full"),
        (errno.EDQUOT, "quota"),
        (errno.EACCES, "permission denied"),
        (errno.EROFS, "read-only"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_each_refusal_has_its_words(number: int, words: str) -> None:
    import os

    message = disk_message(Path("out/run"), OSError(number, os.strerror(number)))
    assert message.startswith("out/run: ")
    assert words in message


@pytest.mark.parametrize(("name", "expected"), [(".x.part", True), ("x.part", False), (".x", False)])
def test_parts_are_known_by_name(name: str, expected: bool) -> None:
    assert is_part(Path("run") / name) is expected


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "far" / "file")
    write_whole(tmp_path / "link", [b"content"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "far" / "file").read_bytes() == b"content"
    assert [path.name for path in (tmp_path / "far").iterdir()] == ["file"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert write_whole(pipe, [b"one\n", b"two\n"]) == 8
        assert os.read(reader, 100) == b"one\ntwo\n"
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]
