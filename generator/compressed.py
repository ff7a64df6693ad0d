"""Compressed streams, read and written: gzip and Zstandard, known by first bytes, or by the name of what is written.

Nothing is unpacked ahead of what is read but one small piece, so that an archive cannot fill the memory.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Protocol

from generator.disk import write_whole
from generator.errors import StorageError
from generator.extras import missing

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_READ_AT_ONCE = 64 * 1024
_GZIP_PIECE, _ZSTD_PIECE = 4096, 256
"""Bytes given to an unpacker at once. They bound the memory: gzip makes a thousandfold of them at most, Zstandard,
whose blocks of 128 KiB may take four bytes, 32 thousandfold."""
_LARGEST_WINDOW = 128 * 1024 * 1024
"""Bytes that a Zstandard frame may ask the reader to keep."""


class DamagedArchiveError(StorageError):
    """An archive was cut, is still being written, or is none."""


class _Member(Protocol):
    """Unpacks one member of an archive; archives may hold several, one after the other."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, /) -> bytes: ...


def unpacked(stream: BinaryIO, name: str) -> BinaryIO:
    """Return the stream, or one that unpacks it where it starts like an archive; `name` is for messages.

    Reading what it returns raises StorageError where the archive is damaged or ends early.

    Raises:
        UsageError: it is a Zstandard archive, and the package that reads them is not installed.
    """
    buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(_Plain(stream))
    start = buffered.peek(len(_ZSTD))[: len(_ZSTD)]
    if start.startswith(_GZIP):
        return io.BufferedReader(
            _Unpacking(buffered, f"{name}: the gzip archive", _gzip_member, _GZIP_PIECE), _READ_AT_ONCE
        )
    if start == _ZSTD:
        begin = _zstd_members(name)
        return io.BufferedReader(_Unpacking(buffered, f"{name}: the zst archive", begin, _ZSTD_PIECE), _READ_AT_ONCE)
    return buffered


def _gzip_member() -> _Member:
    return zlib.decompressobj(wbits=31)


def _zstd_members(name: str) -> Callable[[], _Member]:
    try:
        import zstandard
    except ImportError as error:
        way = "give `zstd -dc FILE | toolgen validate -`"
        raise missing(f"{name}: a zst archive needs", "zstandard", "zst", way) from error
    unpacker = zstandard.ZstdDecompressor(max_window_size=_LARGEST_WINDOW)
    return unpacker.decompressobj


class _Plain(io.RawIOBase):
    """A stream of bytes as one that can be buffered."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # what is given here
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class _Unpacking(io.RawIOBase):
    """Unpacks an archive as it is read, one small piece at a time."""

    def __init__(self, source: BinaryIO, what: str, begin: Callable[[], _Member], piece: int) -> None:
        self._source = source
        self._what = what
        self._begin = begin
        self._piece = piece
        self._member: _Member | None = None
        self._packed = b""
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # what is given here
        while not self._ready:
            self._packed = self._packed or self._source.read(self._piece)
            if not self._packed:
                if self._member is not None:
                    raise DamagedArchiveError(f"{self._what} ends early: it was cut, or is still being written")
                return 0
            self._ready = memoryview(self._unpack())
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size

    def _unpack(self) -> bytes:
        """Unpack what was read; where a member ends, what follows begins another."""
        if self._member is None:
            if not self._packed.strip(b"\0"):  # tapes and disks fill up with zeros
                self._packed = b""
                return b""
            self._member = self._begin()
        try:
            data = self._member.decompress(self._packed)
        except Exception as error:
            raise DamagedArchiveError(f"{self._what} is damaged: {error}") from error
        self._packed = b""
        if self._member.eof:
            self._packed = self._member.unused_data
            self._member = None
        return data


_GZIP_LEVEL, _ZSTD_LEVEL = 6, 3


class _Packer(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


def write_packed(path: Path, chunks: Iterable[bytes]) -> int:
    """Write a file that the user named, packed as its name says; return its size in bytes.

    Where there is nothing to write, what lies at the path stays as it is.

    Raises:
        UsageError, StorageError: as `packed` and `write_whole`.
    """
    rest = iter(chunks)
    first = next((chunk for chunk in rest if chunk), None)
    return 0 if first is None else write_whole(path, packed(chain([first], rest), path.name))


def packed(chunks: Iterable[bytes], name: str) -> Iterable[bytes]:
    """Return the chunks packed as the file's name says; the same chunks give the same bytes.

    Raises:
        UsageError: the name ends in .zst, and the package that writes it is not installed.
    """
    if name.endswith(".gz"):
        return _pack(chunks, zlib.compressobj(_GZIP_LEVEL, wbits=31))
    return _pack(chunks, _zstd(name)) if name.endswith(".zst") else chunks


def require_packer(name: str, otherwise: str) -> None:
    """Refuse a file that nothing installed can pack, and say what can be done otherwise.

    Raises:
        UsageError: the name ends in .zst, and the package that writes it is not installed.
    """
    if name.endswith(".zst"):
        _zstd(name, otherwise)


def _zstd(name: str, otherwise: str = "give -o - and pipe it through `zstd`") -> _Packer:
    try:
        import zstandard
    except ImportError as error:
        raise missing(f"{name}: a zst archive needs", "zstandard", "zst", otherwise) from error
    return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compressobj()


def _pack(chunks: Iterable[bytes], packer: _Packer) -> Iterator[bytes]:
    for chunk in chunks:
        if data := packer.compress(chunk):
            yield data
    yield packer.flush()
