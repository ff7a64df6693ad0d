"""The MCP server: the tools of a record, listed and called by the protocol's own client, over stdio and HTTP."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp.types import CallToolResult, TextContent

from generator.errors import UsageError
from generator.formats.conversation import all_calls
from generator.formats.loading.mcp_servers import McpServer, list_tools
from generator.formats.loading.tool_files import load_tools
from generator.jsontext import JsonObject
from generator.record import generate_records
from generator.schemas.validators import validator_for
from generator.serving.mcp_server import RecordTools, listed_tools
from generator.serving.record_worlds import RecordWorlds
from generator.serving.running import Serving, serve_records
from generator.version import VERSION
from tests.bundled import bundled, bundled_tools
from tests.checkout import environment, run_toolgen

MIX = {"sequential": 1, "parallel": 1, "error_report": 1}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run."""
    folder = tmp_path_factory.mktemp("runs") / "mine"
    mix = ",".join(f"{kind}={weight}" for kind, weight in MIX.items())
    assert run_toolgen("generate", "--count", "12", "--seed", "9", "--mix", mix, "--out", str(folder)).returncode == 0
    return folder


@pytest.fixture(scope="module")
def records() -> list[JsonObject]:
    """The records of that run."""
    return [record.to_dict() for record in generate_records(bundled_tools(), count=12, seed=9, mix=MIX)]


@pytest.fixture(scope="module")
def serving(run: Path) -> Iterator[Serving]:
    with serve_records(run, mcp=True) as running:
        yield running


def text_of(result: CallToolResult) -> str:
    (part,) = result.content
    assert isinstance(part, TextContent)
    return part.text


async def played(client: Client, record: JsonObject) -> None:
    """Make the calls of a record and compare what they bring."""
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert list(listed) == [tool["function"]["name"] for tool in record["tools"]]
    shown = {message["tool_call_id"]: message["content"] for message in record["messages"] if message["role"] == "tool"}
    for call in all_calls(record):
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        assert listed[name].input_schema["properties"].keys() >= arguments.keys()
        result = await client.call_tool(name, arguments)
        assert text_of(result) == shown[call["id"]]
        assert result.is_error is (record["metadata"]["statuses"][call["id"]] != "SUCCESS")
        schema = listed[name].output_schema
        assert (result.structured_content is not None) is (schema is not None and not result.is_error)
        assert schema is None or result.is_error or validator_for(schema).is_valid(result.structured_content)


def each_client(address: str, use: Callable[[Client], Awaitable[None]]) -> None:
    async def of(mode: str) -> None:
        async with Client(address, mode=mode) as client:
            await use(client)

    for mode in ("auto", "legacy"):
        asyncio.run(of(mode))


def test_records_are_played_over_http_each_connection_in_its_own_world(
    serving: Serving, records: list[JsonObject]
) -> None:
    for record in records:
        each_client(f"{serving.mcp_url}?record={record['metadata']['id']}", lambda client: played(client, record))  # noqa: B023 - used at once
    each_client(serving.mcp_url, lambda client: played(client, records[0]))


def test_a_client_of_the_newest_version_names_its_session(serving: Serving, records: list[JsonObject]) -> None:
    record = records[0]

    async def asked() -> None:
        async with Client(f"{serving.mcp_url}?session=mine", mode="2026-07-28") as client:
            await played(client, record)
        async with Client(serving.mcp_url, mode="2026-07-28") as client:
            with pytest.raises(MCPError, match="name one in the URL"):
                await client.call_tool(record["tools"][0]["function"]["name"], {})

    asyncio.run(asked())


@pytest.mark.slow
def test_a_record_is_played_over_stdio(run: Path, records: list[JsonObject]) -> None:
    async def asked(record: JsonObject, *options: str) -> None:
        arguments = ["-m", "generator", "serve", str(run), "--mcp", *options]
        server = StdioServerParameters(command=sys.executable, args=arguments, env=environment())
        async with Client(stdio_client(server)) as client:
            await played(client, record)

    asyncio.run(asked(records[0]))
    asyncio.run(asked(records[5], "--record", "5"))


@pytest.mark.slow
@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_server_over_stdio_ends_at_a_signal_while_it_waits_for_its_client(
    run: Path, sent: signal.Signals, code: int
) -> None:
    command = [sys.executable, "-m", "generator", "serve", str(run), "--mcp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment()) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        server.stdin.flush()
        assert b'"id":1' in server.stdout.readline()
        server.send_signal(sent)
        assert server.wait(60) == code
        assert len(server.stderr.read().splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize("way", ["stdio", "http"])
def test_the_list_is_read_as_that_of_any_server(
    way: str, run: Path, serving: Serving, records: list[JsonObject], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", environment()["PYTHONPATH"])
    command = f"{sys.executable} -m generator serve {run} --mcp"
    listing = list_tools(McpServer(command if way == "stdio" else serving.mcp_url, ("PYTHONPATH",) * (way == "stdio")))
    assert listing.name == f"toolgen {VERSION}"
    tools = load_tools(listing.document)
    assert [tool.name for tool in tools] == [tool["function"]["name"] for tool in records[0]["tools"]]
    own = {tool.name: tool for tool in bundled().tools}
    assert all(tool.result_schema == own[tool.name].result_schema for tool in tools)


def test_what_is_wrong_is_told_as_an_error_of_the_tool(serving: Serving) -> None:
    async def asked(client: Client) -> None:
        for tool in ("no_such_tool", "../x", "x" * 10_000):
            result = await client.call_tool(tool, {"place": "Porto"})
            assert result.is_error
            assert "There is no tool" in text_of(result)
            huge = await client.call_tool(tool, {"place": "x" * 1_000_000})
            assert huge.is_error
            assert "a call takes 131,072" in text_of(huge)
        for listed in (await client.list_tools()).tools:
            if required := listed.input_schema.get("required"):
                result = await client.call_tool(listed.name, {})
                assert result.is_error
                assert required[0] in text_of(result)

    each_client(serving.mcp_url, asked)


@pytest.mark.parametrize("name", ["none", "../x", "x" * 2_000])
def test_a_record_that_is_not_there_is_told(serving: Serving, name: str) -> None:
    async def asked(client: Client) -> None:
        with pytest.raises(MCPError, match="there is no record"):
            await client.list_tools()

    each_client(f"{serving.mcp_url}?record={name}", asked)
    with pytest.raises(UsageError, match=r"^--mcp: there are no records"):
        RecordTools(RecordWorlds([]), name)


def test_scrambled_names_are_listed_without_what_would_tell_them() -> None:
    (record,) = generate_records(bundled_tools(), count=1, seed=2, mask=1.0, mix={"simple": 1})
    worlds = RecordWorlds([record], catalogs=[bundled()])
    listed = listed_tools(worlds.world(""))
    assert [tool["name"] for tool in listed] == [tool.function.name for tool in record.tools]
    assert not any("title" in tool for tool in listed)
    assert {tuple(tool["annotations"]) for tool in listed} == {("readOnlyHint",)}


def test_a_schema_that_a_result_of_the_record_breaks_is_not_told() -> None:
    """A client refuses what does not keep to it, and with it the record's own result."""
    record = next(iter(generate_records(bundled_tools(), count=1, seed=2, mix={"simple": 1}))).to_dict()
    call = next(all_calls(record))["function"]["name"]

    def told(document: JsonObject) -> bool:
        worlds = RecordWorlds([document], catalogs=[bundled()])
        return any("outputSchema" in tool for tool in listed_tools(worlds.world("")) if tool["name"] == call)

    messages = [{**each, "content": '"odd"'} if each["role"] == "tool" else each for each in record["messages"]]
    assert (told(record), told({**record, "messages": messages})) == (True, False)
