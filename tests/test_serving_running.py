"""The running server: official clients, HTTP as it should not be, faults, and how it begins and ends."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest
from collections.abc import Iterator
from pathlib import Path

import openai
import orjson
import pytest
from pydantic import BaseModel

from generator.errors import UsageError
from generator.serving.running import Serving, serve_for, serve_records
from tests.checkout import CHECKOUT
from tests.served_records import Json, records, said, turns
from tests.tables import each_row


@pytest.fixture(scope="module")
def serving() -> Iterator[Serving]:
    with serve_records(records()) as running:
        yield running


def client(serving: Serving) -> openai.OpenAI:
    return openai.OpenAI(base_url=serving.base_url, api_key=serving.api_key, max_retries=0)


def dumped(message: BaseModel) -> Json:
    return message.model_dump(mode="json", exclude_none=True)


def some_turns() -> list[tuple[Json, Json]]:
    return list(turns())[::3]


def test_the_openai_client_gets_each_turn_whole_and_streamed(serving: Serving) -> None:
    asking = client(serving).chat.completions
    for request, expected in some_turns():
        assert said(dumped(asking.create(**request).choices[0].message)) == said(expected)
        with asking.stream(**request) as events:
            events.until_done()
            assert said(dumped(events.get_final_completion().choices[0].message)) == said(expected)


def test_the_async_client_gets_them_too(serving: Serving) -> None:
    async def ask() -> None:
        async with openai.AsyncOpenAI(base_url=serving.base_url, api_key="any", max_retries=0) as asking:
            answers = [asking.chat.completions.create(**request) for request, _ in some_turns()]
            for (_, expected), answer in zip(some_turns(), await asyncio.gather(*answers), strict=True):
                assert said(dumped(answer.choices[0].message)) == said(expected)
            async with asking.chat.completions.stream(**some_turns()[0][0]) as events:
                assert [event async for event in events]

    asyncio.run(ask())


def as_items(message: Json) -> list[Json]:
    if message["role"] == "tool":
        return [{"type": "function_call_output", "call_id": message["tool_call_id"], "output": message["content"]}]
    calls = [{"type": "function_call", "call_id": call["id"], **call["function"]} for call in
             message.get("tool_calls") or ()]  # fmt: skip
    return [*([{"role": message["role"], "content": message["content"]}] if message["content"] else []), *calls]


def test_the_responses_api_gets_them_whole_and_streamed(serving: Serving) -> None:
    asking = client(serving).responses
    for request, expected in some_turns():
        tools = [{"type": "function", **tool["function"]} for tool in request.get("tools", ())]
        parallel = {key: request[key] for key in ("parallel_tool_calls",) if key in request}
        items = [item for message in request["messages"] for item in as_items(message)]
        whole = asking.create(model="any", input=items, tools=tools, **parallel)
        with asking.stream(model="any", input=items, tools=tools, **parallel) as events:
            kinds = [event.type for event in events]
            streamed = events.get_final_response()
        assert kinds[:2] == ["response.created", "response.in_progress"] and kinds[-1] == "response.completed"
        for answer in (whole, streamed):
            calls = [(item.name, item.arguments) for item in answer.output if item.type == "function_call"]
            assert (answer.output_text, calls) == said(expected)


def test_a_response_goes_on_from_the_one_before(serving: Serving) -> None:
    request, expected = next(turn for turn in turns() if turn[0]["messages"][-1]["role"] == "tool")
    asking = client(serving).responses
    tools = [{"type": "function", **tool["function"]} for tool in request["tools"]]
    system = [each["content"] for each in request["messages"] if each["role"] == "system"]
    place = max(at for at, each in enumerate(request["messages"]) if each["role"] == "assistant")
    before = [item for each in request["messages"][:place] if each["role"] != "system" for item in as_items(each)]
    after = [item for each in request["messages"][place + 1 :] for item in as_items(each)]
    settled = {"model": "any", "tools": tools, "instructions": system[0] if system else "Help."}
    first = asking.create(input=before, **settled)
    second = asking.create(input=after, previous_response_id=first.id, **settled)
    assert second.output_text == expected["content"]
    with pytest.raises(openai.BadRequestError) as refused:
        asking.create(input="x", previous_response_id="resp_unknown", **settled)
    assert refused.value.code == "previous_response_not_found"


class Place(BaseModel):
    city: str
    people: int


def test_pydantic_models_are_parsed(serving: Serving) -> None:
    asking = client(serving)
    hello: Json = {"model": "any", "messages": [{"role": "user", "content": "4 people in Porto, please"}]}
    assert asking.chat.completions.parse(**hello, response_format=Place).choices[0].message.parsed
    tool = openai.pydantic_function_tool(Place)
    made = asking.chat.completions.parse(**hello, tools=[tool], tool_choice="required").choices[0].message.tool_calls
    assert made is not None and isinstance(made[0].function.parsed_arguments, Place)
    assert made[0].function.parsed_arguments == Place(city="Porto", people=4)
    assert asking.responses.parse(model="any", input="Porto", text_format=Place).output_parsed


def raw(serving: Serving, sent: bytes, seconds: float = 5.0) -> bytes:
    with socket.create_connection(("127.0.0.1", serving.port), timeout=seconds) as connection:
        connection.sendall(sent)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        try:
            while part := connection.recv(65536):
                received += part
        except ConnectionResetError:  # what was not read is no matter of ours
            return received or b"reset"
        return received


def post(body: bytes, more: str = "content-type: application/json", path: str = "/v1/chat/completions") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{more}\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


HELLO: Json = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}
HTTP = {
    "no HTTP": (b"\x16\x03\x01\x02\x00\xff\r\n\r\n", b"400"),
    "a bad length": (b"POST /v1/models HTTP/1.1\r\ncontent-length: -1\r\n\r\n", b"400"),
    "large headers": (b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 100_000, b"431"),
    "no such page": (b"GET /v2 HTTP/1.1\r\nconnection: close\r\n\r\n", b"404"),
    "another method": (b"GET /v1/chat/completions HTTP/1.1\r\nconnection: close\r\n\r\n", b"405"),
    "another type": (post(b"a=b", "content-type: text/plain"), b"415"),
    "packed": (post(b"{}", "content-encoding: gzip"), b"415"),
    "a large body": (post(b"[" * 9_000_000), b"413"),
    "no UTF-8": (post(b'{"model": "\xff"}'), b"400"),
    "NaN": (post(b'{"temperature": NaN}'), b"400"),
    "deep JSON": (post(b"[" * 100_000), b"400"),
    "deep objects": (post(b'{"a":' * 500 + b"1" + b"}" * 500), b"400"),
    "a list": (post(b"[]"), b"400"),
    "no body": (post(b""), b"400"),
    "a hostile schema": (
        post(orjson.dumps({**HELLO, "tool_choice": "required", "tools": [{"type": "function", "function": {
            "name": "f", "parameters": {"type": "object", "minProperties": 10**7}}}]})), b"400"),
    "an unknown fault": (post(orjson.dumps(HELLO), "x-toolgen-fault: fire"), b"400"),
}  # fmt: skip


@each_row("wrong", list(HTTP))
def test_the_server_outlives(serving: Serving, wrong: str) -> None:
    sent, status = HTTP[wrong]
    answered = raw(serving, sent)
    assert answered.startswith(b"HTTP/1.1 " + status) or answered == b"reset"
    assert raw(serving, post(orjson.dumps(HELLO))).startswith(b"HTTP/1.1 200")


def test_hundreds_of_idle_connections_keep_nobody_out(serving: Serving) -> None:
    idle = [socket.create_connection(("127.0.0.1", serving.port)) for _ in range(400)]
    try:
        for each in idle:
            each.sendall(b"POST /v1/chat/completions HTTP/1.1\r\n")
        assert raw(serving, post(orjson.dumps(HELLO))).startswith(b"HTTP/1.1 200")
        idle += [socket.create_connection(("127.0.0.1", serving.port)) for _ in range(200)]
        assert raw(serving, post(orjson.dumps(HELLO))).startswith(b"HTTP/1.1 200")
    finally:
        for each in idle:
            each.close()


def test_faults_by_header(serving: Serving) -> None:
    for fault, expected in (("429", openai.RateLimitError), ("500", openai.InternalServerError),
                            ("cut", openai.APIConnectionError), ("hang:0.1", openai.APIConnectionError)):  # fmt: skip
        with pytest.raises(expected) as failed:
            client(serving).chat.completions.create(**HELLO, extra_headers={"x-toolgen-fault": fault})
        if isinstance(failed.value, openai.RateLimitError):
            assert failed.value.response.headers["retry-after"] == "1" and failed.value.code == "rate_limit_exceeded"
    body = raw(serving, post(orjson.dumps(HELLO), "x-toolgen-fault: malformed")).rpartition(b"\r\n\r\n")[2]
    with pytest.raises(ValueError, match=r"\w"):
        json.loads(body)
    for fault in ("cut", "malformed"):
        with pytest.raises((openai.APIError, ValueError, Exception)) as broken:
            list(
                client(serving).chat.completions.create(**HELLO, stream=True, extra_headers={"x-toolgen-fault": fault})
            )
        assert "did not raise" not in str(broken.value).lower()


@pytest.mark.slow
def test_a_client_that_tries_again_gets_through_faults() -> None:
    with serve_records(records(), faults="429=0.4:0,500=0.2") as faulty:
        trying = openai.OpenAI(base_url=faulty.base_url, api_key="any", max_retries=20)
        for request, expected in some_turns()[:4]:
            assert said(dumped(trying.chat.completions.create(**request).choices[0].message)) == said(expected)


def test_who_bears_no_key_is_kept_out() -> None:
    with serve_records([], api_key="secret", models=["mine"]) as guarded:
        assert [each.id for each in client(guarded).models.list()] == ["mine"]
        for key in ("wrong", "secret2"):
            with pytest.raises(openai.AuthenticationError) as refused:
                openai.OpenAI(base_url=guarded.base_url, api_key=key, max_retries=0).models.list()
            assert refused.value.code == "invalid_api_key"
        with pytest.raises(openai.NotFoundError):
            client(guarded).models.retrieve("yours")


def test_it_stops_while_requests_hang(serving: Serving) -> None:
    def hang(port: int) -> None:
        hanging = openai.OpenAI(base_url=f"http://127.0.0.1:{port}/v1", api_key="any", max_retries=0)
        with pytest.raises(openai.APIConnectionError):
            hanging.chat.completions.create(**HELLO)

    with serve_records([], faults="hang=1") as hung:
        waiting = threading.Thread(target=hang, args=(hung.port,))
        waiting.start()
        time.sleep(0.2)
    waiting.join(10)
    assert not waiting.is_alive() and hung.thread is not None and not hung.thread.is_alive()


def test_a_port_in_use_and_records_that_are_none_are_told(serving: Serving, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--port 0"), serve_records([], port=serving.port):
        pass
    (tmp_path / "records.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(UsageError, match=r"records.jsonl:1"), serve_records(tmp_path / "records.jsonl"):
        pass
    with pytest.raises(UsageError, match="record 1"), serve_records([{"messages": 5}]):
        pass


class Consumer(unittest.TestCase):
    def runTest(self) -> None:  # noqa: N802 - the name that unittest calls
        self.served = serve_for(self, records())
        assert self.served.records == records()
        assert client(self.served).models.list().data[0].id == "toolgen"


def test_unittest_has_a_function() -> None:
    result = unittest.TestResult()
    case = Consumer()
    case.run(result)
    assert result.wasSuccessful() and case.served.thread is not None and not case.served.thread.is_alive()


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_the_command_says_where_it_is_and_ends(tmp_path: Path, number: signal.Signals, code: int) -> None:
    lines = tmp_path / "records.jsonl"
    lines.write_bytes(b"".join(orjson.dumps(record) + b"\n" for record in records()))
    ready = tmp_path / "ready"
    command = [sys.executable, "-m", "generator", "serve", str(lines), "--ready-file", str(ready)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=CHECKOUT)
    assert server.stdout is not None
    url = server.stdout.readline().removeprefix("base_url=").strip()
    while not ready.exists():
        time.sleep(0.05)
    assert ready.read_text().strip() == url
    request, expected = next(turns())
    answer = openai.OpenAI(base_url=url, api_key="any").chat.completions.create(**request)
    assert said(dumped(answer.choices[0].message)) == said(expected)
    server.send_signal(number)
    _, told = server.communicate(timeout=20)
    assert server.returncode == code and "Traceback" not in told


@pytest.mark.parametrize("text", ["", "[]"])
def test_nothing_is_not_served(tmp_path: Path, text: str) -> None:
    (tmp_path / "none.json").write_text(text)
    with (
        pytest.raises(UsageError, match=r"none\.json: it holds no record to serve"),
        serve_records(tmp_path / "none.json"),
    ):
        pass
