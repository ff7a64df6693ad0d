"""The log of answers in front of a backend: an answer is written into a file before it is used, and paid for once.

In front of the log stand the answers that a run has taken over from its parts.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import orjson
from pydantic import ValidationError

from generator.backends.backend import MODES, Backend, Completion, CompletionRequest
from generator.disk import disk_errors, open_own
from generator.errors import LimitError, UsageError
from generator.jsontext import JsonValue, dump_canonical_exactly, dump_line

ANSWERS = "answers.jsonl"
"""The file of answers in the folder of a run."""
_LONGEST_LINE = 64 * 1024 * 1024
_SIZE_BITS = _LONGEST_LINE.bit_length()
_READ_ONLY = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)


class KeptAnswers:
    """The answers in a file, by the key of their request; of two with one key the later counts.

    Raises:
        StorageError: the file cannot be read.
    """

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle = handle
        self._places: dict[str, int] = {}
        """Where each line is: its start and its size in one number, since there may be millions."""
        self._end = 0
        self.damaged = 0
        """Lines that are not as they were written."""
        with disk_errors(path):
            self._end = self._scan()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._handle)

    def __len__(self) -> int:
        return len(self._places)

    def lines(self) -> Iterator[tuple[str, bytes]]:
        """Yield each answer's key and the line that keeps it, its newline included, read one at a time."""
        for key, place in self._places.items():
            yield key, self._bytes(place >> _SIZE_BITS, place & ((1 << _SIZE_BITS) - 1)).rstrip(b"\n") + b"\n"

    def answer(self, key: str) -> bytes | None:
        """Return the answer kept under this key, None where there is none."""
        if (place := self._places.get(key)) is None:
            return None
        found = _read(self._bytes(place >> _SIZE_BITS, place & ((1 << _SIZE_BITS) - 1)))
        return dump_canonical_exactly(found[1]) if found is not None and found[0] == key else None

    def _bytes(self, start: int, size: int) -> bytes:
        with disk_errors(self.path):
            os.lseek(self._handle, start, os.SEEK_SET)
            return os.read(self._handle, size)

    def _scan(self) -> int:
        """Find every line that is whole, and return where the file ends."""
        start = 0
        with os.fdopen(os.dup(self._handle), "rb") as file:
            while line := file.readline(_LONGEST_LINE):
                if (found := _read(line)) is not None:
                    self._places[found[0]] = start << _SIZE_BITS | len(line)
                elif line.strip():
                    self.damaged += 1
                start += len(line)
        return start


class AnswerFile(KeptAnswers):
    """The answers of a run, to which more are added."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, open_own(path, os.O_RDWR | os.O_APPEND))
        self._taken_over: list[tuple[int, int]] = []
        """From where to where in the file the answers of parts stand."""
        if self._end and self._bytes(self._end - 1, 1) != b"\n":
            self._append(b"\n")  # a process was killed, or the disk was full, in the middle of a line

    def keep_answer(self, key: str, answer: bytes) -> None:
        """Write an answer down; when this returns, a killed process does not lose it.

        Raises:
            StorageError: the disk refused; the file is as it was.
        """
        value = orjson.loads(answer)
        line = dump_line({"request": key, "checksum": _checksum(key, value), "answer": value})
        start = self._end
        self._append(line)
        self._places[key] = start << _SIZE_BITS | len(line)

    @property
    def end(self) -> int:
        """How many bytes the file has."""
        return self._end

    def take_over(self, path: Path) -> int:
        """Add those answers of another run's file that are not here, and return how many of its lines are damaged.

        Raises:
            StorageError: the file cannot be read, or the disk refused.
        """
        with disk_errors(path):
            handle = os.open(path, _READ_ONLY)
        with KeptAnswers(path, handle) as other:
            for key, line in other.lines():
                if key not in self._places:
                    start = self._end
                    self._append(line)
                    self._places[key] = start << _SIZE_BITS | len(line)
            with disk_errors(self.path):
                os.fsync(self._handle)
            return other.damaged

    def know_taken_over(self, start: int, stop: int) -> bool:
        """Take note of where answers of a part stand; False where the file does not reach so far."""
        if stop > self._end:
            return False
        self._taken_over.append((start, stop))
        return True

    def has_taken_over(self, key: str) -> bool:
        """Say whether the answer kept under this key is one that a part was given."""
        place = self._places.get(key)
        return place is not None and any(start <= place >> _SIZE_BITS < stop for start, stop in self._taken_over)

    @property
    def is_taken_over(self) -> bool:
        """Whether the file begins with answers of parts."""
        return bool(self._taken_over)

    def _append(self, line: bytes) -> None:
        with disk_errors(self.path):
            try:
                written = os.write(self._handle, line)
                if written < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            except OSError:
                os.ftruncate(self._handle, self._end)
                raise
        self._end += written


class EarlierAnswers:
    """A log of answers that looks into another run where its own run has none, and copies what it finds.

    Raises:
        UsageError: the folder holds no run with answers.
    """

    def __init__(self, own: AnswerFile, folder: Path) -> None:
        path = folder / ANSWERS
        if not path.is_file():
            raise UsageError(f"{folder}: holds no run whose answers could be used; give the folder of one")
        self._own = own
        with disk_errors(path):
            self._other = KeptAnswers(path, os.open(path, _READ_ONLY))

    def answer(self, key: str) -> bytes | None:
        """Return the answer kept under this key, here or there."""
        if (kept := self._own.answer(key)) is not None or (found := self._other.answer(key)) is None:
            return kept
        self._own.keep_answer(key, found)
        return found

    def keep_answer(self, key: str, answer: bytes) -> None:
        """Keep an answer in the run's own file."""
        self._own.keep_answer(key, answer)

    def close(self) -> None:
        """Leave the other run alone."""
        self._other.__exit__(None, None, None)


def _read(line: bytes) -> tuple[str, JsonValue] | None:
    """Read a line; None where it is not as it was written."""
    try:
        held = orjson.loads(line)
        key, value = held["request"], held["answer"]
        return (key, value) if held["checksum"] == _checksum(key, value) else None
    except (orjson.JSONDecodeError, TypeError, KeyError, AttributeError):
        return None


def _checksum(key: str, value: JsonValue) -> str:
    return blake2b(key.encode() + dump_canonical_exactly(value), digest_size=8).hexdigest()


log = logging.getLogger(__name__)


class AnswerLog(Protocol):
    """Where answers are kept, by the key of their request."""

    def answer(self, key: str) -> bytes | None:
        """Return the answer kept under this key, None where there is none."""
        ...

    def keep_answer(self, key: str, answer: bytes) -> None:
        """Write an answer down; when this returns, a killed process does not lose it."""
        ...


def kept_completion(answers: AnswerLog, key: str) -> Completion | None:
    """Return the answer that is kept under a key; None where there is none, or what there is cannot be one."""
    kept = answers.answer(key)
    try:
        if kept is None:
            return None
        return Completion.model_validate_json(kept).model_copy(update={"replayed": True})
    except ValidationError:
        log.warning("the answer kept for request %s is none; it is asked for again", key)
        return None


class LoggedBackend:
    """Answers from the log where it can, else asks the backend and writes the answer down first.

    Two requests with one key in flight at once are one request. A request in flight is paid for: whoever waits for it
    may be cancelled, the request goes on until the block ends, which waits `grace` seconds for all of them. What a
    model thought before it answered is written down only where thoughts are to be kept.
    """

    def __init__(self, backend: Backend, log: AnswerLog, grace: float = 0, *, keep_thoughts: bool = False) -> None:
        self._backend = backend
        self._log = log
        self._grace = grace
        self._keep_thoughts = keep_thoughts
        self._in_flight: dict[str, asyncio.Task[Completion]] = {}
        self.asked = 0
        """Requests that went to the backend."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        """Wait for what is in flight; not where the server failed, or where the user wants the end at once."""
        patient = kind is None or issubclass(kind, LimitError | GeneratorExit)
        await self._wait_for_all(self._grace if patient else 0)

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the kept answer, or the backend's (see `Backend`)."""
        key = request.key
        if (kept := kept_completion(self._log, key)) is not None:
            return kept
        asking = self._in_flight.get(key)
        if asking is None:
            asking = self._in_flight[key] = asyncio.create_task(self._ask(key, request))
            asking.add_done_callback(lambda done: self._note_end(key, done))
        return await asyncio.shield(asking)

    async def _ask(self, key: str, request: CompletionRequest) -> Completion:
        self.asked += 1
        completion = await self._backend.complete(request)
        if not self._keep_thoughts:
            completion = completion.model_copy(update={"thoughts": ""})
        self._log.keep_answer(key, completion.model_dump_json(exclude_defaults=True).encode())
        return completion

    def _note_end(self, key: str, done: asyncio.Task[Completion]) -> None:
        del self._in_flight[key]
        if not done.cancelled():
            done.exception()  # marked as seen: whoever waits is told by the same exception, and perhaps nobody does

    async def _wait_for_all(self, grace: float) -> None:
        asking = list(self._in_flight.values())
        if asking and grace:
            log.warning("waiting up to %g s for %d requests in flight: their answers are kept", grace, len(asking))
            await asyncio.wait(asking, timeout=grace)
        for each in asking:
            each.cancel()
        await asyncio.gather(*asking, return_exceptions=True)


@dataclass(frozen=True, slots=True)
class TakenOverBackend:
    """Answers with what a part was answered, in whatever response mode; else as the backend behind it does.

    What such an answer has cost is told by the part that asked for it.
    """

    answers: AnswerFile
    backend: Backend

    async def complete(self, request: CompletionRequest) -> Completion:
        """Return the answer (see `Backend`)."""
        for key in _keys(request):
            if self.answers.has_taken_over(key) and (kept := kept_completion(self.answers, key)) is not None:
                return kept.model_copy(update={"told": True})
        return await self.backend.complete(request)


def _keys(request: CompletionRequest) -> Iterator[str]:
    """Yield the key of a request, then those of the same in the other modes: parts may have asked other servers."""
    yield request.key
    for mode in MODES:
        if mode != request.mode:
            yield replace(request, mode=mode).key
