"""The requests of a round as files: each request once, split by server, model and size, within what may be spent."""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from pydantic import ValidationError

from generator.backends.answers import AnswerFile
from generator.backends.backend import CompletionRequest, Mode
from generator.backends.batches.lines import LINES, LineFormat, id_of
from generator.backends.batches.wanted import Failure
from generator.backends.budget import NO_USAGE, Budget, Usage, most_tokens
from generator.backends.protocols.protocol import ServerProtocol
from generator.backends.server import ServerOptions
from generator.batches.folder import BatchSettings, RequestFile, Role
from generator.batches.order import Servers
from generator.disk import disk_errors, open_own
from generator.errors import LimitError

_MARK_BYTES = 12


class FailureLog:
    """What came back in place of answers, by the key of the request; one that cannot be read is none."""

    def __init__(self, path: Path) -> None:
        self._file = AnswerFile(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.__exit__(kind, error, at)

    def get(self, key: str) -> Failure | None:
        """Return what is known of a request."""
        kept = self._file.answer(key)
        try:
            return None if kept is None else Failure.model_validate_json(kept)
        except ValidationError:
            return None

    def keep(self, key: str, failure: Failure) -> None:
        """Write it down."""
        self._file.keep_answer(key, failure.model_dump_json().encode())


@dataclass(slots=True)
class _OpenFile:
    """A file that is being written."""

    name: str
    role: Role
    model: str
    mode: Mode
    stream: IO[bytes]
    requests: int = 0
    size: int = 0

    def close(self) -> RequestFile:
        """Make it durable, and tell what it is."""
        self.stream.flush()
        os.fsync(self.stream.fileno())
        self.stream.close()
        mark = secrets.token_hex(_MARK_BYTES)
        return RequestFile(
            name=self.name,
            role=self.role,
            model=self.model,
            mode=self.mode,
            requests=self.requests,
            size=self.size,
            mark=mark,
        )


@dataclass(slots=True)
class KnownAnswers:
    """What is known of the rounds so far (see `Wanted`); what is lacking is not asked for."""

    servers: Servers
    settings: BatchSettings
    failures: FailureLog

    def failure(self, key: str) -> Failure | None:
        """Return what came back for a request in place of an answer."""
        return self.failures.get(key)

    def served(self, server: ServerOptions, model: str) -> Collection[Mode]:
        """Return the response modes in which this model has answered."""
        return self.settings.served.get(served_key(self.servers.role(server), model), ())

    def want(self, server: ServerOptions, request: CompletionRequest, key: str, tries: int) -> None:
        """Leave it for the round that is written next."""


@dataclass(slots=True)
class RoundRequests(KnownAnswers):
    """Takes what a round wants, and writes it into files."""

    folder: Path
    budget: Budget
    most_requests: int | None = None
    limit: LimitError | None = None
    """The limit that left requests out, None where none did."""
    left_out: int = 0
    aside: Usage = NO_USAGE
    """What the requests may take at most."""
    _seen: set[str] = field(default_factory=set)
    _open: dict[tuple[Role, str, Mode], _OpenFile] = field(default_factory=dict)
    _closed: list[RequestFile] = field(default_factory=list)
    _protocols: dict[Role, ServerProtocol] = field(default_factory=dict)

    def want(self, server: ServerOptions, request: CompletionRequest, key: str, tries: int) -> None:
        """Write a request down that was not met before, unless a limit leaves it out."""
        if key in self._seen:
            return
        self._seen.add(key)
        role = self.servers.role(server)
        if role not in self._protocols:
            self._protocols[role] = self.servers.protocol(role, self.settings)
        format_ = LINES[server.speaks]
        line = format_.write(id_of(key, tries), self._protocols[role].body(request))
        most = most_tokens(request, len(line)) if self.budget.limits.count_tokens else NO_USAGE
        self.limit = self.limit or self.budget.exceeded_by(most)
        if self.limit is not None:
            self.left_out += 1
            return
        self.budget.set_aside(most)
        self.aside += most
        self._write((role, request.model.model, request.mode), line, format_)

    def _write(self, group: tuple[Role, str, Mode], line: bytes, format_: LineFormat) -> None:
        most = min(format_.most_requests, self.most_requests or format_.most_requests)
        file = self._open.get(group)
        if file is not None and (file.requests >= most or file.size + len(line) > format_.most_bytes):
            self._closed.append(self._open.pop(group).close())
            file = None
        if file is None:
            name = f"requests-{len(self._closed) + len(self._open) + 1}.jsonl"
            handle = open_own(self.folder / name, os.O_WRONLY | os.O_TRUNC)
            file = self._open[group] = _OpenFile(name, *group, os.fdopen(handle, "wb", buffering=1 << 20))
        with disk_errors(self.folder / file.name):
            file.stream.write(line)
        file.requests += 1
        file.size += len(line)

    def close(self) -> tuple[RequestFile, ...]:
        """Make all files durable and return them in their order."""
        with disk_errors(self.folder):
            self._closed += [file.close() for file in self._open.values()]
        self._open.clear()
        return tuple(sorted(self._closed, key=lambda file: int(file.name.removeprefix("requests-")[:-6])))

    def discard(self) -> None:
        """Close what is open, of a round that is not to be."""
        for file in self._open.values():
            file.stream.close()
        self._open.clear()


def served_key(role: Role, model: str) -> str:
    """Return the name under which the response modes of a model are known."""
    return f"{role} {model}"
