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
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, Unpack
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
from generator.serving.record_worlds import RecordWorlds
from generator.serving.replay import Replay
from generator.validation.lines import read_lines

if TYPE_CHECKING:
    from starlette.routing import BaseRoute
    from starlette.types import ASGIApp

    from generator.serving.server import Server

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

    @property
    def tools_url(self) -> str:
        """Where calls are executed: POST the arguments to `TOOLS_URL/NAME`."""
        return f"{self.base_url.removesuffix('/v1')}/tools"

    @property
    def mcp_url(self) -> str:
        """Where MCP clients are answered, if they are."""
        return f"{self.base_url.removesuffix('/v1')}/mcp"

    def wait(self) -> None:
        """Return when the server has ended; Ctrl-C and signals are heard meanwhile."""
        while self.thread is not None and self.thread.is_alive():
            self.thread.join(0.2)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What is served: the turns of records, their worlds, and the records where they were given as such."""

    replay: Replay
    worlds: RecordWorlds
    records: tuple[JsonObject, ...]
    catalogs: tuple[Catalog, ...]
    """What is known of tools: of the files that are named, and of the run."""


def load(records: Records, tools: Iterable[str | Path] = (), domains: Iterable[str | Path] = ()) -> Loaded:
    """Read the records of a run folder or a file, or those given, in any format.

    `tools` are tool files, folders and globs, `domains` domain files for them, or for the tools that the records show.

    Raises:
        UsageError: there is no such file, one cannot be used or holds no record, or a record is none.
    """
    files, spoken = list(tools), [str(path) for path in domains]
    replay = Replay()
    given: tuple[JsonObject, ...] = ()
    beside: Catalog | None = None
    if isinstance(records, str | Path):
        origin = find_origin(str(records))
        documents, beside = _read(replay, origin), origin.catalog
    else:
        given = tuple(_given(records))
        documents = _taken_in(replay, given)
    if spoken and not files and beside is not None:
        raise UsageError(f"--domain: the tools of {records} have their domains; give the tool files, too, as --tools")
    named = load_catalog(files, domains=spoken).catalog if files else None
    catalogs = tuple(filter(None, (named, beside)))
    worlds = RecordWorlds(documents, catalogs=catalogs, domains=() if files else spoken)
    if isinstance(records, str | Path) and not worlds.ids:
        raise UsageError(f"{records}: it holds no record to serve")
    return Loaded(replay, worlds, given, catalogs)


def _taken_in(replay: Replay, documents: Iterable[JsonObject]) -> Iterator[JsonObject]:
    """Yield each record, whose turns are taken in."""
    for number, document in enumerate(documents, start=1):
        _take(replay, document, f"record {number:,}")
        yield document


def _read(replay: Replay, origin: Origin) -> Iterator[JsonObject]:
    """Yield each record of a file, whose turns are taken in."""
    for number, document in _lines(origin):
        _take(replay, document, f"{origin.name}:{number}")
        yield document


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


class Offers(TypedDict, total=False):
    """What a server offers of the tools of its records."""

    tools: Iterable[str | Path]
    """Tool files, whose domain files make the worlds of records that are of no run, and answers of no record."""
    domains: Iterable[str | Path]
    """Domain files for these tools, or else for those that the records show."""
    mcp: bool
    """Whether the tools of a record are those of an MCP server too, at `mcp_url`."""
    record: str
    """The id or index of that record; "" for the first."""


@contextmanager
def serve_records(
    records: Records,
    *,
    host: str = LOOPBACK,
    port: int = 0,
    api_key: str = "",
    seed: int = 0,
    models: Iterable[str] = (),
    faults: str = "",
    routes: Sequence[BaseRoute] = (),
    **offers: Unpack[Offers],
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
        faults: the share of requests that go wrong, as `429=0.1,cut=0.05`.
        routes: Starlette's routes, served beside its own.
        **offers: `tools`, `domains`, `mcp` and `record`: what is offered of tools (see `Offers`).

    Raises:
        UsageError: the records cannot be read, the port is in use, or the packages of the extra are not installed.
    """
    require_packages()
    loaded = load(records, offers.get("tools", ()), offers.get("domains", ()))
    offered = [*_offered(loaded, offers, host), *routes]
    app = _app(loaded, offered, api_key=api_key, seed=seed, models=models, faults=faults)
    with serve_app(app, host=host, port=port, api_key=api_key) as serving:
        yield replace(serving, records=loaded.records)


def _offered(loaded: Loaded, offers: Offers, host: str) -> list[BaseRoute]:
    """Return the routes of the records' tools."""
    from generator.serving.mcp_server import mcp_route
    from generator.serving.tool_routes import tool_routes

    offered: list[BaseRoute] = list(tool_routes(loaded.worlds))
    if offers.get("mcp"):
        offered.append(mcp_route(loaded.worlds, offers.get("record", ""), host=host))
    return offered


def _app(
    loaded: Loaded, routes: Sequence[BaseRoute], *, api_key: str, seed: int, models: Iterable[str], faults: str
) -> ASGIApp:
    from generator.serving.app import app_of
    from generator.serving.faults import read_faults
    from generator.serving.service import Service
    from generator.serving.stand_in import DomainWords, StandIn

    service = Service(loaded.replay, StandIn(seed, DomainWords(loaded.catalogs)), tuple(models))
    return app_of(service, api_key=api_key, faults=read_faults(faults, seed), routes=routes)


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
