"""Archives are unpacked as they are read: whole, damaged, cut, or made to burst."""

from __future__ import annotations

import gzip
import io
import sys
import tracemalloc

import pytest
import zstandard

from generator.compressed import unpacked
from generator.errors import StorageError, UsageError

LINES = b"".join(b'{"number":%d}\n' % number for number in range(20_000))


def zst(data: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(data)


PACKERS = {"gzip": gzip.compress, "zst": zst}


def read(data: bytes) -> bytes:
    return unpacked(io.BytesIO(data), "x").read()


@pytest.mark.parametrize("text", [b"", b"{}", b"{}\n{}\n", LINES])
def test_what_is_not_packed_stays_as_it_is(text: bytes) -> None:
    assert read(text) == text


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("text", [b"", b"{}\n", LINES])
def test_archives_are_unpacked_whatever_they_are_called(kind: str, text: bytes) -> None:
    assert read(PACKERS[kind](text)) == text


@pytest.mark.parametrize("kind", PACKERS)
def test_archives_of_several_members_are_read_through(kind: str) -> None:
    pack = PACKERS[kind]
    assert read(pack(b"{}\n") + pack(LINES) + pack(b"") + pack(b"[]\n")) == b"{}\n" + LINES + b"[]\n"


def test_zeros_after_an_archive_are_no_part_of_it() -> None:
    assert read(gzip.compress(LINES) + b"\0" * 5000) == LINES


@pytest.mark.parametrize("kind", PACKERS)
@pytest.mark.parametrize("lost", [1, 8, 500])
def test_an_archive_that_was_cut_is_told_after_what_it_holds(kind: str, lost: int) -> None:
    stream = unpacked(io.BytesIO(PACKERS[kind](LINES)[:-lost]), "train.jsonl")
    first = stream.readline()
    assert first == b'{"number":0}\n'
    with pytest.raises(StorageError, match=rf"^train.jsonl: the {kind} archive ends early"):
        stream.read()


@pytest.mark.parametrize("kind", PACKERS)
def test_a_damaged_archive_is_told(kind: str) -> None:
    data = bytearray(PACKERS[kind](LINES))
    data[len(data) // 2 :] = b"\xff" * (len(data) - len(data) // 2)
    with pytest.raises(StorageError, match=r"is damaged|ends early"):
        read(bytes(data))


@pytest.mark.parametrize("kind", PACKERS)
def test_an_archive_cannot_fill_the_memory(kind: str) -> None:
    bomb = PACKERS[kind](bytes(64 * 1024 * 1024))
    assert len(bomb) < 80_000
    stream = unpacked(io.BytesIO(bomb), "bomb")
    tracemalloc.start()
    size = 0
    while part := stream.read(1024 * 1024):
        size += len(part)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size == 64 * 1024 * 1024
    assert peak < 20 * 1024 * 1024


def test_without_the_package_the_message_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zstandard", None)
    with pytest.raises(UsageError, match=r"the package zstandard, .*\[zst\]"):
        read(zst(b"{}\n"))
