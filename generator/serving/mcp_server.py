"""An MCP server with the tools of records, each connection in a world of its own: over stdio, or HTTP at `/mcp`.

Over HTTP a client's connection is a session of the protocol, which has had none since its version of 2026-07-28. So the
server speaks the versions before it, which every client falls back to; with the newer one it answers whoever names the
session in the URL, `/mcp?session=NAME`. `/mcp?record=ID` names another record than the first.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from generator.errors import UsageError
from generator.extras import missing
from generator.formats.conversation import function_of
from generator.jsontext import JsonObject, JsonValue
from generator.records import ToolResult
from generator.schemas.validators import validator_for
from generator.serving.record_world import RecordWorld, ShownTool
from generator.serving.record_worlds import CallRefused, RecordSession, RecordWorlds, UnknownRecord
from generator.tools import Tool
from generator.version import VERSION

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.server.context import ServerRequestContext
    from mcp.types import CallToolRequestParams, CallToolResult, DiscoverResult, ListToolsResult, PaginatedRequestParams
    from starlette.routing import Route
    from starlette.types import Receive, Scope, Send

_HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
Context = Any
_LONGEST_SESSION = 200
_TICK = 0.2
"""Seconds from one look for signals to the next."""
_WITHIN = 10.0
"""Seconds in which the sessions of HTTP begin."""


def listed_tools(record: RecordWorld) -> list[JsonObject]:
    """Return the tools that a record shows, as the answer to `tools/list` holds them."""
    return [_listed(record, each) for each in record.tools.values()]


def _listed(record: RecordWorld, shown: ShownTool) -> JsonObject:
    function = function_of(shown.definition)
    parameters = function.get("parameters")
    schema = parameters if isinstance(parameters, dict) else {}
    described = function.get("description")
    output, title, notes = output_schema(record, shown.name), _title(shown), _annotations(record, shown)
    return {
        "name": shown.name,
        **({"title": title} if title else {}),
        "description": described if isinstance(described, str) else "",
        "inputSchema": {**schema, "type": "object"},
        **({"outputSchema": output} if output is not None else {}),
        **({"annotations": notes} if notes else {}),
    }


def output_schema(record: RecordWorld, name: str) -> JsonObject | None:
    """Return the schema that the results of a tool keep to; None where none is declared that MCP has a place for.

    MCP has one for objects. Nor is one told that a result of the record breaks: a client would refuse that result.
    """
    shown = record.tools.get(name)
    tool = None if shown is None else shown.tool
    if tool is None or tool.result_origin != "declared" or tool.result_schema.get("type") != "object":
        return None
    return tool.result_schema if _is_kept(record, tool) else None


def _is_kept(record: RecordWorld, tool: Tool) -> bool:
    """Say whether all that a tool brings in the record keeps to the schema of its results."""
    validator = validator_for(tool.result_schema)
    forced = (each.forced for each in record.script if each.call.name == tool.name and each.forced is not None)
    return all(result.error_type is not None or validator.is_valid(result.content) for result in forced)


def _title(shown: ShownTool) -> str:
    """Return the title of a tool; "" for none, and where its name is scrambled, which it would tell."""
    title = None if shown.tool is None or shown.name != shown.tool.name else shown.tool.extensions.get("title")
    return title if isinstance(title, str) else ""


def _annotations(record: RecordWorld, shown: ShownTool) -> JsonObject:
    """Return what is known of what a tool does: its definition says so, or else the domain that speaks of it."""
    if shown.tool is None:
        return {}
    notes = shown.tool.extensions.get("annotations")
    told = {key: notes[key] for key in _HINTS if isinstance(notes.get(key), bool)} if isinstance(notes, dict) else {}
    program = record.start.program
    if record.is_remade and program.domain.origin != "derived" and shown.tool.name in program.tools:
        return {"readOnlyHint": shown.tool.name not in record.writing, **told}
    return told


def answered(result: ToolResult, output: JsonObject | None) -> JsonObject:
    """Return a result as the answer to `tools/call` holds it, structured where a schema of results is told."""
    answer: JsonObject = {
        "content": [{"type": "text", "text": result.message_text}],
        "isError": result.error_type is not None,
    }
    content: JsonValue = result.content
    if output is not None and result.error_type is None and isinstance(content, dict):
        answer["structuredContent"] = content
    return answer


def require_mcp() -> None:
    """Refuse to go on without the package of the protocol.

    Raises:
        UsageError: it is not installed.
    """
    try:
        import mcp  # noqa: F401 - asked for here, so that what is missing is said before anything is started
    except ImportError:
        raise missing("--mcp speaks the protocol through", "mcp", "mcp") from None
    # The SDK tells failures twice: to the client, and with tracebacks in its log.
    logging.getLogger("mcp").setLevel(logging.CRITICAL + 1)


class RecordTools:
    """Answers the requests of MCP clients from the worlds of records.

    `record` names the one that is meant where a client names none: by id or index, "" for the first.

    Raises:
        UsageError: there is no such record.
    """

    def __init__(self, worlds: RecordWorlds, record: str = "") -> None:
        try:
            self.record = worlds.find(record or worlds.first)
        except UnknownRecord as unknown:
            raise UsageError(f"--mcp: {unknown}") from None
        self._worlds = worlds

    async def tools(self, context: ServerRequestContext, params: PaginatedRequestParams | None) -> ListToolsResult:
        """List the tools of a client's record."""
        from mcp.types import ListToolsResult

        record = self._worlds.world(self._record(context))
        return ListToolsResult.model_validate({"tools": listed_tools(record)})

    async def call(self, context: ServerRequestContext, params: CallToolRequestParams) -> CallToolResult:
        """Execute a call in the world of a client's session; what is wrong with it is told as an error of the tool."""
        from mcp.types import CallToolResult

        session = self._session(context)
        try:
            result = session.execute(params.name, params.arguments or {})
        except CallRefused as refused:
            result = refused.result
        return CallToolResult.model_validate(answered(result, output_schema(session.record, params.name)))

    async def versions(self, context: ServerRequestContext, params: Any) -> DiscoverResult:
        """Tell which versions of the protocol can be spoken: with sessions, unless the client names its own."""
        from mcp.types import DiscoverResult, ServerCapabilities, ToolsCapability
        from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

        versions = MODERN_PROTOCOL_VERSIONS if self._key(context) else HANDSHAKE_PROTOCOL_VERSIONS
        capabilities = ServerCapabilities(tools=ToolsCapability())
        return DiscoverResult(supported_versions=list(versions), capabilities=capabilities)

    def _session(self, context: ServerRequestContext) -> RecordSession:
        key = self._key(context)
        if not key:
            raise _invalid("this version of the protocol has no sessions: name one in the URL, /mcp?session=NAME")
        try:
            return self._worlds.session(key, self._record(context))
        except UnknownRecord as unknown:
            raise _invalid(str(unknown)) from unknown

    def _record(self, context: ServerRequestContext) -> str:
        name = "" if context.request is None else context.request.query_params.get("record", "")
        try:
            return self._worlds.find(name) if name else self.record
        except UnknownRecord as unknown:
            raise _invalid(str(unknown)) from unknown

    def _key(self, context: ServerRequestContext) -> str:
        """Return the name of a client's session; "" where nothing tells it from others."""
        if context.request is None:
            return "stdio"
        named = context.request.query_params.get("session", "")
        if len(named) > _LONGEST_SESSION:
            raise _invalid(f"the name of a session has at most {_LONGEST_SESSION} characters")
        own = context.request.headers.get("mcp-session-id", "")
        return f"named {named}" if named else f"mcp {own}" if own else ""


def _invalid(message: str) -> Exception:
    from mcp import MCPError
    from mcp.types import INVALID_PARAMS

    return MCPError(code=INVALID_PARAMS, message=message)


def _server(tools: RecordTools) -> Server[Any]:
    from mcp.server import Server
    from mcp.types import RequestParams

    server: Server[Any] = Server("toolgen", version=VERSION, on_list_tools=tools.tools, on_call_tool=tools.call)
    server.add_request_handler("server/discover", RequestParams, tools.versions)
    return server


def serve_stdio(worlds: RecordWorlds, record: str = "") -> None:
    """Answer one client over standard input and output, until it leaves.

    Raises:
        UsageError: there is no such record, or the package of the protocol is not installed.
    """
    require_mcp()
    server = _server(RecordTools(worlds, record))
    failed: list[BaseException] = []

    def run() -> None:
        try:
            asyncio.run(_over_stdio(server))
        except BaseException as error:  # noqa: BLE001 - it is raised by the thread that waits
            failed.append(error)

    # Who waits for input cannot be interrupted: so that is left to a thread, which is left behind at a signal.
    thread = threading.Thread(target=run, name="toolgen serve", daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(_TICK)
    if failed:
        raise failed[0]


async def _over_stdio(server: Server[Any]) -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def mcp_route(worlds: RecordWorlds, record: str = "", *, host: str = "127.0.0.1") -> Route:
    """Return the route `/mcp` of an MCP server over Streamable HTTP, for any ASGI application.

    Raises:
        UsageError: there is no such record, or the package of the protocol is not installed.
    """
    require_mcp()
    from starlette.routing import Route

    return Route("/mcp", _OverHttp(_server(RecordTools(worlds, record)), host))


class _OverHttp:
    """The endpoint of an MCP server, which begins with the first request, in whichever event loop that comes."""

    def __init__(self, server: Server[Any], host: str) -> None:
        self._server = server
        self._host = host
        self._ready: asyncio.Future[Any] | None = None
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._ready is None:
            self._ready = asyncio.get_running_loop().create_future()
            self._running = asyncio.create_task(self._run(self._ready))
        manager = await asyncio.wait_for(asyncio.shield(self._ready), _WITHIN)
        await manager.handle_request(scope, receive, send)

    async def _run(self, ready: asyncio.Future[Any]) -> None:
        """Hold the sessions until the event loop ends."""
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
        from mcp.server.transport_security import TransportSecuritySettings

        local = ("127.0.0.1", "localhost", "[::1]")
        security = TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=[f"{name}:*" for name in local],
            allowed_origins=[f"http://{name}:*" for name in local],
        )
        is_local = self._host in ("127.0.0.1", "localhost", "::1")
        manager = StreamableHTTPSessionManager(
            self._server, json_response=True, security_settings=security if is_local else None
        )
        with suppress(asyncio.CancelledError):
            async with manager.run():
                ready.set_result(manager)
                await asyncio.Event().wait()
