"""JSON that is not one record a line: arrays, and values spread over several lines, read as lines of one record each.

A file is looked through piece by piece, so one of any size takes the same memory. The bytes of a record stay as they
are, so that what is wrong with them is found; the line ends between them become carriage returns, which are white
space to JSON as well, and stay forbidden inside its texts.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain, repeat
from typing import BinaryIO

import orjson

from generator.errors import StorageError

_READ_AT_ONCE = 256 * 1024
_LONGEST_FIRST_LINE = 64 * 1024 * 1024
_MOST_GAP = 200
"""Bytes that are kept of what stands between records and is none."""
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*("|\\?\Z)|[\[\]{}]', re.DOTALL)
_TEXT_GOES_ON = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*("|\\?\Z)', re.DOTALL)
_SPACE = b" \t\r\n"
_MARK = b"\xef\xbb\xbf"


class Pieces(io.RawIOBase):
    """A stream of the bytes that an iterator yields."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._ready = memoryview(b"")

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]  # what is given here
        """Fill a buffer as far as the next piece goes."""
        while not self._ready:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._ready = memoryview(piece)
        size = min(len(buffer), len(self._ready))
        buffer[:size] = self._ready[:size]
        self._ready = self._ready[size:]
        return size


def as_stream(pieces: Iterable[bytes]) -> BinaryIO:
    """Return a buffered stream of the bytes that an iterator yields."""
    return io.BufferedReader(Pieces(pieces), _READ_AT_ONCE)


def as_lines(stream: BinaryIO, name: str) -> BinaryIO:
    """Return the stream where each line is a record, else one of such lines; `name` is for messages.

    Reading what it returns raises StorageError where an array or an object ends early.
    """
    blank, first = 0, stream.readline(_READ_AT_ONCE)
    while first and not first.removeprefix(_MARK).strip():
        blank += first.endswith(b"\n")
        first = stream.readline(_READ_AT_ONCE)
    if first.removeprefix(_MARK).lstrip()[:1] == b"[":
        return as_stream(_Spread(name).lines(_again([first], stream)))
    if not first.endswith(b"\n"):
        first += stream.readline(_LONGEST_FIRST_LINE)
    more = [stream.readline(_LONGEST_FIRST_LINE) for _ in range(2)] if _is_open(first.removeprefix(_MARK)) else []
    given = chain(repeat(b"\n", blank), _again([first, *more], stream))
    return as_stream(_Spread(name).lines(given) if more and _goes_on(first, *more) else given)


def _is_open(line: bytes) -> bool:
    """Say whether a line begins an object that it does not end."""
    return line.lstrip()[:1] == b"{" and not _is_json(line)


def _goes_on(first: bytes, second: bytes, third: bytes) -> bool:
    """Say whether the second line goes on with the object of the first, rather than begins another record.

    A line that was torn is followed by lines that are whole in themselves.
    """
    if _is_json(second):
        return first.rstrip()[-1:] == b"[" and third.lstrip()[:1] == b"]"
    return first.rstrip()[-1:] in (b"{", b"[", b",", b":") or second[:1] in (b" ", b"\t", b'"', b"}", b"]")


def _again(lines: list[bytes], stream: BinaryIO) -> Iterator[bytes]:
    yield from filter(None, lines)
    while piece := stream.read(_READ_AT_ONCE):
        yield piece


class _Spread:
    """Finds where records begin and end: the elements of outermost arrays, and outermost objects."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._depth = 0
        self._in_array = False
        """Whether the outermost value that is open is an array."""
        self._in_text = False
        self._in_record = False
        self._carried = b""
        """A backslash at the end of a piece, which belongs to the next one."""
        self._gap = b""

    def lines(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the records as lines, in pieces."""
        for piece in pieces:
            yield from self._read(self._carried + piece.removeprefix(_MARK))
        yield from self._end_gap(b"")
        if self._depth:
            what = "array" if self._in_array else "object"
            raise StorageError(f"{self._name}: the {what} ends early: it was cut, or is still being written")

    def _read(self, piece: bytes) -> Iterator[bytes]:
        self._carried = b""
        begin = 0
        tokens = _TOKEN.finditer(piece, self._end_of_text(piece))
        while (token := next(tokens, None)) is not None:
            sign = piece[token.start()]
            if sign == 0x22:
                self._close_text(token)
            elif sign in b"{[" and self._begins_record(sign):
                yield from self._end_gap(piece[begin : token.start()])
                begin, end = token.start(), _end_of_object(piece, token.start())
                self._in_record = not end
                self._depth += not end
                if end:
                    yield _line(piece[begin:end])
                    begin, tokens = end, _TOKEN.finditer(piece, end)
            elif sign in b"{[":
                if self._depth == 0:
                    begin, self._in_array = token.end(), True
                self._depth += 1
            elif self._depth > self._in_array + 1:
                self._depth -= 1
            else:
                yield from self._close(piece[begin : token.start()], piece[token.start() : token.end()])
                begin = begin if self._in_record else token.end()
        yield from self._end_piece(piece[begin : len(piece) - len(self._carried)])

    def _end_piece(self, rest: bytes) -> Iterator[bytes]:
        """Yield what a piece has of a record that goes on; of what stands between records, keep it."""
        if self._in_record:
            yield rest.replace(b"\n", b"\r")
        else:
            self._gap = (self._gap + rest)[:_MOST_GAP]

    def _close(self, before: bytes, bracket: bytes) -> Iterator[bytes]:
        """End what a closing bracket ends: a record, or the array around records."""
        self._depth = max(self._depth - 1, 0)
        if self._in_record:
            self._in_record = False
            yield _line(before + bracket)
        else:
            self._in_array = False
            yield from self._end_gap(before)

    def _begins_record(self, sign: int) -> bool:
        return not self._in_record and (self._depth == 1 or (self._depth == 0 and sign == 0x7B))

    def _end_of_text(self, piece: bytes) -> int:
        """Return where a text ends that a piece begins in."""
        return self._close_text(_TEXT_GOES_ON.match(piece)) if self._in_text else 0

    def _close_text(self, token: re.Match[bytes] | None) -> int:
        """Go to the end of a text, as far as the piece has it."""
        if token is None:
            return 0
        self._in_text = token[1] != b'"'
        self._carried = b"\\" if token[1] == b"\\" else b""
        return token.end()

    def _end_gap(self, more: bytes) -> Iterator[bytes]:
        """Yield what stands between records and is more than white space and commas: it is told, not passed over."""
        strange = (self._gap + more).strip(_SPACE + b",")
        self._gap = b""
        if strange:
            yield _line(strange[:_MOST_GAP])


def _line(record: bytes) -> bytes:
    return record.replace(b"\n", b"\r") + b"\n"


def _end_of_object(piece: bytes, start: int) -> int:
    """Return where the object that begins here ends; 0 where a quick look cannot tell.

    Braces are counted without a look at the texts that may hold some, so that a parser has the last word: what it
    takes for an object is the whole of it.
    """
    missing, position = 0, start
    while (closing := piece.find(b"}", position)) >= 0:
        missing += piece.count(b"{", position, closing) - 1
        position = closing + 1
        if missing <= 0:
            return position if missing == 0 and _is_json(piece[start:position]) else 0
    return 0


def _is_json(text: bytes) -> bool:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return False
    return True
