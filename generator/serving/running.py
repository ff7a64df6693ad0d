"""Running: the server in a thread of its own, on a free port, ready when the block begins and gone soon after it."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias
from unittest import TestCase

from generator.datasets.export import read_line
from generator.datasets.origin import Origin, find_origin
from generator.domains.catalog import Catalog
from generator.errors import StorageError, UsageError
from generator.extras import missing
from generator.formats.loading.tool_files import load_catalog
from generator.formats.recognition import read_record
from generator.jsontext import JsonObject
from generator.records import Record
from generator.serving.replay import Replay
from generator.validation.lines import read_lines

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

    from generator.serving.server import Server
    from generator.serving.service import Service

Records: TypeAlias = str | Path | Iterable[Record | JsonObject]
"""A run folder or a file, or records in any format."""
LOOPBACK = "127.0.0.1"
_STARTS_WITHIN = 30.0
_ENDS_WITHIN = 5.0


@dataclass(frozen=True, slots=True)
class Serving:
    """A server that runs."""

    base_url: str
    """What clients are given, `http://127.0.0.1:PORT/v1`."""
    api_key: str
    """The key that clients bear; any will do where the server asks for none."""
    records: tuple[JsonObject, ...] = ()
    """The records it serves, where they were given as such."""
    port: int = 0
    thread: threading.Thread | None = field(default=None, repr=False)

    def wait(self) -> None:
        """Return when the server has ended; Ctrl-C and signals are heard meanwhile."""
        while self.thread is not None and self.thread.is_alive():
            self.thread.join(0.2)


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What is served: the turns of records, the records where they were given, the catalog they were made with."""

    replay: Replay
    records: tuple[JsonObject, ...] = ()
    catalog: Catalog | None = None


def load_replay(records: Records) -> _Loaded:
    """Read the records of a run folder or a file, or those given, in any format.

    Raises:
        UsageError: there is no such file, or one is no record.
    """
    replay = Replay()
    if isinstance(records, str | Path):
        origin = find_origin(str(records))
        for number, document in _lines(origin):
            _take(replay, document, f"{origin.name}:{number}")
        return _Loaded(replay, catalog=origin.catalog)
    documents = tuple(_given(records))
    for number, document in enumerate(documents, start=1):
        _take(replay, document, f"record {number:,}")
    return _Loaded(replay, documents)


def _take(replay: Replay, document: JsonObject, where: str) -> None:
    if not replay.add(document):
        raise UsageError(f"{where}: has not the shape of a record: `toolgen validate` says why")


def _lines(origin: Origin) -> Iterator[tuple[int, JsonObject]]:
    with origin.open() as stream:
        for number, line in read_lines(stream):
            form, document, problem = read_line(line)
            if not form:
                raise UsageError(f"{origin.name}:{number}: {problem}")
            yield number, document


def _given(records: Iterable[Record | JsonObject]) -> Iterator[JsonObject]:
    for number, record in enumerate(records, start=1):
        if isinstance(record, Record):
            yield record.to_dict()
            continue
        form, document, problem = read_record(record)
        if not form:
            raise UsageError(f"record {number:,}: {problem}")
        yield document


@contextmanager
def serve_records(
    records: Records,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    api_key: str = "",
    seed: int = 0,
    models: Iterable[str] = (),
    tools: Iterable[str | Path] = (),
    faults: str = "",
    routes: Sequence[BaseRoute] = (),
) -> Iterator[Serving]:
    """Run a server that answers with the turns of these records while the block runs.

        with serve_records("runs/mine") as serving:
            client = OpenAI(base_url=serving.base_url, api_key=serving.api_key)

    Args:
        records: a run folder, a file of records in any format, or the records themselves.
        host: the address to listen on.
        port: where to listen; 0 is a free one.
        api_key: what clients must bear; "" asks for no key.
        seed: of the answers to requests that continue no record, and of faults.
        models: the models that may be asked; none named, any may.
        tools: tool files with domain files, for requests of no record, beside those of the run and the bundled ones.
        faults: the share of requests that go wrong, as `429=0.1,cut=0.05`.
        routes: Starlette's routes, served beside its own.

    Raises:
        UsageError: the records cannot be read, the port is in use, or the packages of the extra are not installed.
    """
    require_packages()
    from generator.serving.app import app_of
    from generator.serving.faults import read_faults

    read, loaded = read_faults(faults, seed), load_replay(records)
    app = app_of(_service(loaded, tools, models, seed), api_key=api_key, faults=read, routes=routes)
    with serve_app(app, host=host, port=port, api_key=api_key) as serving:
        yield replace(serving, records=loaded.records)


def _service(loaded: _Loaded, tools: Iterable[str | Path], models: Iterable[str], seed: int) -> Service:
    """Return what answers: with the turns of records, else with the domains of these tools and of the run."""
    from generator.serving.domain_words import DomainWords
    from generator.serving.service import Service
    from generator.serving.stand_in import StandIn

    catalogs = [load_catalog(sources).catalog] if (sources := list(tools)) else []
    words = DomainWords([*catalogs, *([loaded.catalog] if loaded.catalog is not None else [])])
    return Service(loaded.replay, StandIn(seed, words), tuple(models))


def serve_for(test: TestCase, records: Records, **options: Any) -> Serving:
    """Run a server until a test of `unittest` ends; the options are those of `serve_records`.

    serving = serve_for(self, "runs/mine")
    """
    return test.enterContext(serve_records(records, **options))


def require_packages() -> None:
    """Refuse to go on without the packages of the extra.

    Raises:
        UsageError: one is not installed.
    """
    for package in ("starlette", "uvicorn", "httptools"):
        if find_spec(package) is None:
            raise missing("The server needs", package, "serve")


@contextmanager
def serve_app(app: ASGIApp, *, host: str = LOOPBACK, port: int = 0, api_key: str = "") -> Iterator[Serving]:
    """Run an application while the block runs, in a thread.

    Raises:
        UsageError: the port is in use, or the host is none of this machine's.
    """
    from generator.serving.server import Server

    listening = listen(host, port)
    with listening:
        server = Server(app)
        thread = threading.Thread(target=_run, args=(server, listening), name="toolgen serve", daemon=True)
        thread.start()
        if not server.ready.wait(_STARTS_WITHIN) or not server.started:
            raise StorageError("the server did not start")
        bound = listening.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        try:
            yield Serving(f"http://{shown}:{bound}/v1", api_key or "none", (), bound, thread)
        finally:
            server.should_exit = True
            thread.join(_ENDS_WITHIN)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 is a free one.

    Raises:
        UsageError: it cannot.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(1024)
    except (OSError, OverflowError) as error:
        listening.close()
        raise UsageError(f"cannot listen on {host} port {port}: {error}; --port 0 takes a free one") from error
    return listening


def _run(server: Server, listening: socket.socket) -> None:
    """Run the server in this thread until it is told to stop."""
    logging.getLogger("generator.serving").setLevel(logging.ERROR)  # what clients do wrong is no news
    try:
        factory = server.config.get_loop_factory()
        with asyncio.Runner(loop_factory=factory) as runner:
            runner.run(server.serve(sockets=[listening]))
    finally:
        server.ready.set()
