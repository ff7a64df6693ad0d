"""Whole agents of two frameworks against served records: the model is replayed, the tools run in a record's world."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pytest

from generator.formats.conversation import all_calls
from generator.jsontext import JsonObject
from generator.kinds import KINDS
from generator.record import generate_records
from generator.serving.running import Serving, serve_records
from tests.bundled import bundled_tools
from tests.checkout import CHECKOUT

pytest.importorskip("langchain_openai", reason="the extra `interop` brings it")
pytest.importorskip("pydantic_ai", reason="the extra `interop` brings it")

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_openai import ChatOpenAI
from mcp import Client
from mcp.types import TextContent
from pydantic_ai import Agent, Tool
from pydantic_ai.messages import ModelMessage, ModelRequest, SystemPromptPart
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

pytestmark = pytest.mark.interop

TOOLS = str(CHECKOUT / "tool_specs")
MANY = 12
OF_ONE_REQUEST = ("sequential", "parallel", "retry", "error_report", "partial_failure", "many_tools", "state_change")
"""Kinds whose records are one request, several calls and an answer, as far as they are there."""


@cache
def records() -> list[JsonObject]:
    """Twelve records of several calls, among them some that fail and some that change something."""
    mix = {kind: 1 for kind in OF_ONE_REQUEST if kind in KINDS}
    made = [record.to_dict() for record in generate_records(bundled_tools(), count=60, seed=4, mix=mix, error_rate=0.2)]
    return [record for record in made if len(requests(record)) == 1 and len(list(all_calls(record))) > 1][:MANY]


def requests(record: JsonObject) -> list[str]:
    return [message["content"] for message in record["messages"] if message["role"] == "user"]


def system(record: JsonObject) -> str:
    return next((message["content"] for message in record["messages"] if message["role"] == "system"), "")


@pytest.fixture(scope="module")
def serving() -> Iterator[Serving]:
    with serve_records(records(), tools=[TOOLS], mcp=True) as running:
        yield running


class World:
    """The tools of one record, called over HTTP in a session."""

    def __init__(self, serving: Serving, record: JsonObject, session: str) -> None:
        self._serving = serving
        self._query = urlencode({"record": record["metadata"]["id"], "session": session})

    def call(self, name: str, arguments: dict[str, Any]) -> str:
        """Execute a call and return what a tool message holds."""
        url = f"{self._serving.tools_url}/{name}?{self._query}"
        headers = {"content-type": "application/json"}
        with urlopen(Request(url, json.dumps(arguments).encode(), headers)) as answer:
            return str(answer.read().decode())

    @property
    def state(self) -> JsonObject:
        """How the world stands."""
        with urlopen(f"{self._serving.base_url}/world?{self._query}") as answer:
            return dict(json.load(answer))


def reached_the_end(record: JsonObject, said: str, world: World) -> None:
    """Check that a conversation came to the record's own answer, and left what the record leaves."""
    assert said == record["messages"][-1]["content"]
    state = world.state
    assert (state["remade"], state["difference"]) == (True, "")


def test_the_records_have_several_calls_and_change_something(serving: Serving) -> None:
    assert len(records()) == MANY
    untouched = [World(serving, record, "untouched").state["difference"] for record in records()]
    assert any(text.startswith("it was left undone") for text in untouched)


class LangchainAgent:
    """A loop over a model of langchain that is offered tools, as far as the tools' answers."""

    def __init__(self, serving: Serving, record: JsonObject, tools: list[JsonObject]) -> None:
        key: Any = serving.api_key  # it takes text as well as a secret
        model = ChatOpenAI(model="toolgen", base_url=serving.base_url, api_key=key)
        self._model = model.bind_tools(tools)
        self.messages: list[BaseMessage] = [SystemMessage(system(record))] if system(record) else []
        self.messages.append(HumanMessage(requests(record)[0]))

    def ask(self) -> list[tuple[str, str, dict[str, Any]]]:
        """Ask the model, and return the calls that it makes: id, name, arguments."""
        answer = self._model.invoke(self.messages)
        assert isinstance(answer, AIMessage)
        self.messages.append(answer)
        return [(str(call["id"]), call["name"], call["args"]) for call in answer.tool_calls]

    def tell(self, identity: str, result: str) -> None:
        """Tell what a call has brought."""
        self.messages.append(ToolMessage(result, tool_call_id=identity))

    def came_to(self, record: JsonObject, world: World) -> None:
        """Check that it made the calls of the record and came to its end."""
        results = [message.content for message in self.messages if isinstance(message, ToolMessage)]
        assert results == [message["content"] for message in record["messages"] if message["role"] == "tool"]
        reached_the_end(record, str(self.messages[-1].content), world)


@pytest.mark.parametrize("number", range(MANY))
def test_langchain(serving: Serving, number: int) -> None:
    record = records()[number]
    world = World(serving, record, "langchain")
    agent = LangchainAgent(serving, record, record["tools"])
    while calls := agent.ask():
        for identity, name, arguments in calls:
            agent.tell(identity, world.call(name, arguments))
    agent.came_to(record, world)


@pytest.mark.parametrize("number", range(MANY))
def test_langchain_with_the_tools_of_the_mcp_server(serving: Serving, number: int) -> None:
    record = records()[number]
    world = World(serving, record, "mcp")

    async def loop() -> LangchainAgent:
        url = f"{serving.mcp_url}?{urlencode({'record': record['metadata']['id'], 'session': 'mcp'})}"
        async with Client(url) as client:
            listed = (await client.list_tools()).tools
            agent = LangchainAgent(serving, record, [as_function(tool.name, tool.input_schema) for tool in listed])
            while calls := agent.ask():
                for identity, name, arguments in calls:
                    (part,) = (await client.call_tool(name, arguments)).content
                    assert isinstance(part, TextContent)
                    agent.tell(identity, part.text)
            return agent

    asyncio.run(loop()).came_to(record, world)


def as_function(name: str, parameters: JsonObject) -> JsonObject:
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


def begun(record: JsonObject) -> list[ModelMessage]:
    """What a conversation of pydantic-ai begins with."""
    return [ModelRequest(parts=[SystemPromptPart(system(record))])] if system(record) else []


def tools_of(record: JsonObject, world: World) -> list[Tool[None]]:
    """The tools of a record as an agent of pydantic-ai takes them."""

    def calling(name: str) -> Any:
        return lambda **arguments: world.call(name, arguments)

    functions = [tool["function"] for tool in record["tools"]]
    return [
        Tool.from_schema(calling(each["name"]), each["name"], each["description"], each["parameters"])
        for each in functions
    ]


@pytest.mark.parametrize("number", range(MANY))
def test_pydantic_ai(serving: Serving, number: int) -> None:
    record = records()[number]
    world = World(serving, record, "pydantic-ai")
    provider = OpenAIProvider(base_url=serving.base_url, api_key=serving.api_key)
    agent = Agent(OpenAIChatModel("toolgen", provider=provider), tools=tools_of(record, world))
    result = agent.run_sync(requests(record)[0], message_history=begun(record))
    reached_the_end(record, result.output, world)


def test_pydantic_ai_with_the_tools_of_the_mcp_server(serving: Serving) -> None:
    """Its client tells errors in its own words, so these are records without any."""
    pytest.importorskip("fastmcp.client", reason="pydantic-ai-slim[mcp] brings the client")
    from pydantic_ai.mcp import MCPToolset

    played = 0
    for record in records():
        if set(record["metadata"]["statuses"].values()) != {"SUCCESS"}:
            continue
        world = World(serving, record, "pydantic-ai and mcp")
        query = urlencode({"record": record["metadata"]["id"], "session": "pydantic-ai and mcp"})
        provider = OpenAIProvider(base_url=serving.base_url, api_key=serving.api_key)
        model = OpenAIChatModel("toolgen", provider=provider)
        toolset: Any = MCPToolset(f"{serving.mcp_url}?{query}")
        agent = Agent(model, toolsets=[toolset])
        result = agent.run_sync(requests(record)[0], message_history=begun(record))
        reached_the_end(record, result.output, world)
        played += 1
    assert played > 3
