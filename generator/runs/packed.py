"""Packing what is written: by the name of the file, gzip for .gz, Zstandard for .zst, else not at all."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Protocol

from generator.errors import UsageError

_GZIP_LEVEL, _ZSTD_LEVEL = 6, 3


class _Packer(Protocol):
    def compress(self, data: bytes, /) -> bytes: ...
    def flush(self) -> bytes: ...


def packed(chunks: Iterable[bytes], name: str) -> Iterable[bytes]:
    """Return the chunks packed as the file's name says; the same chunks give the same bytes.

    Raises:
        UsageError: the name ends in .zst, and the package that writes it is not installed.
    """
    if name.endswith(".gz"):
        return _pack(chunks, zlib.compressobj(_GZIP_LEVEL, wbits=31))
    return _pack(chunks, _zstd(name)) if name.endswith(".zst") else chunks


def _zstd(name: str) -> _Packer:
    try:
        import zstandard
    except ImportError as error:
        raise UsageError(
            f"{name}: the package zstandard that writes zst archives is not installed; "
            "install toolgen[zst], or give -o - and pipe it through `zstd`"
        ) from error
    return zstandard.ZstdCompressor(level=_ZSTD_LEVEL).compressobj()


def _pack(chunks: Iterable[bytes], packer: _Packer) -> Iterator[bytes]:
    for chunk in chunks:
        if data := packer.compress(chunk):
            yield data
    yield packer.flush()
