"""The routes of tools: what a record shows, calls of it executed on its world, and how that world stands.

A request says which record it means (`?record=ID`, or the header `x-toolgen-record`), by id or index, where there are
several; and in which session it takes part (`?session=NAME`, or `x-toolgen-session`). Each session has a world of its
own. Without a name all calls on a record share one.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, unquote

import orjson
from starlette.responses import Response
from starlette.routing import Route

from generator.jsontext import JsonObject, dump_exactly
from generator.serving.app import Bounds, body_of, refuse_other_types
from generator.serving.record_worlds import UNKNOWN_TOOL, CallRefused, RecordSession, RecordWorlds, UnknownRecord
from generator.serving.refusals import Refusal

if TYPE_CHECKING:
    from starlette.requests import Request

JSON, TEXT = "application/json", "text/plain; charset=utf-8"
RECORD, SESSION, STATUS = "x-toolgen-record", "x-toolgen-session", "x-toolgen-status"
_PREFIXES = ("", "/v1")
"""Beside the root also under the base URL that clients of the API are given."""
_LONGEST_SESSION = 200
_BOUNDS = Bounds()

T = TypeVar("T")
Endpoint = Callable[["Request"], Coroutine[Any, Any, Response]]


def tool_routes(worlds: RecordWorlds, bounds: Bounds = _BOUNDS) -> list[Route]:
    """Return the routes `/tools`, `/tools/NAME` and `/world`, for an application that tells a `Refusal`."""
    endpoints: dict[str, tuple[Endpoint, list[str]]] = {
        "/tools": (_listing(worlds), ["GET"]),
        "/tools/{name:path}": (_calling(worlds, bounds), ["POST"]),
        "/world": (_looking(worlds), ["GET"]),
    }
    return [
        Route(prefix + path, endpoint, methods=methods)
        for prefix in _PREFIXES
        for path, (endpoint, methods) in endpoints.items()
    ]


def _listing(worlds: RecordWorlds) -> Endpoint:
    async def tools(request: Request) -> Response:
        """List the tools of a record, as a request to a model takes them."""
        record = _opened(lambda: worlds.world(_asked(request, RECORD)))
        listed = [each.definition for each in record.tools.values()]
        return _json({"object": "list", "data": listed}, record.id)

    return tools


def _calling(worlds: RecordWorlds, bounds: Bounds) -> Endpoint:
    async def call(request: Request) -> Response:
        """Execute a call; the body is its arguments, the answer what a tool message holds."""
        refuse_other_types(request.scope)
        body = await body_of(request.scope, request.receive, bounds)
        session = _session(worlds, request)
        try:
            result = session.execute(request.path_params["name"], body or b"{}")
        except CallRefused as refused:
            status = 404 if refused.code == UNKNOWN_TOOL else 400
            raise Refusal(status, str(refused), refused.code) from refused
        text = result.message_text.encode("utf-8", "replace")
        headers = {RECORD: quoted(session.record.id), STATUS: quoted(result.status)}
        return Response(text, 200, headers, _type_of(text))

    return call


def _looking(worlds: RecordWorlds) -> Endpoint:
    async def world(request: Request) -> Response:
        """Tell how the world of a session stands, and how the record would have left it."""
        session = _session(worlds, request)
        told = {
            "object": "world",
            "record": session.record.id,
            "remade": session.record.is_remade,
            "changes": list(session.changes),
            "difference": session.difference,
        }
        return _json(told, session.record.id)

    return world


def _session(worlds: RecordWorlds, request: Request) -> RecordSession:
    """Return the session that a request takes part in.

    Raises:
        Refusal: its name is too long, or the record is not known.
    """
    name, record = _asked(request, SESSION), _asked(request, RECORD)
    if len(name) > _LONGEST_SESSION:
        raise Refusal(400, f"The name of a session has at most {_LONGEST_SESSION} characters.", param="session")
    if name:
        return _opened(lambda: worlds.session(f"named {name}", record))
    return _opened(lambda: worlds.session(f"of {worlds.find(record)}", record))


def _asked(request: Request, header: str) -> str:
    """Return what the query of a request says, or else a header of it; "" for nothing."""
    asked = request.query_params.get(header.removeprefix("x-toolgen-"))
    return asked or unquote(request.headers.get(header, ""))


def _opened(opening: Callable[[], T]) -> T:
    try:
        return opening()
    except UnknownRecord as unknown:
        raise Refusal(404, f"{str(unknown)[:1].upper()}{str(unknown)[1:]}.", "record_not_found", "record") from unknown


def quoted(text: str) -> str:
    """Write a text as the value of a header, which is ASCII."""
    return quote(text, safe=" /:@+,")


def _json(document: JsonObject, record: str) -> Response:
    return Response(dump_exactly(document), 200, {RECORD: quoted(record)}, JSON)


def _type_of(text: bytes) -> str:
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError:
        return TEXT
    return JSON
