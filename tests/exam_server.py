"""An OpenAI-compatible server on loopback that takes exams: it answers each question as it is told to.

Run as a program with a file of records it prints its port, and answers every turn as the records do.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import web

from generator.exams.questions import turns_to_ask
from generator.jsontext import JsonObject

PATIENCE = 60.0
Answer = JsonObject | web.Response
"""The message of a completion, or a whole response."""


@dataclass
class ExamServer:
    """Answers with what a function says of each request, and remembers what it was asked."""

    answer: Callable[[JsonObject], Answer]
    port: int = 0
    bodies: list[JsonObject] = field(default_factory=list)
    latency: float = 0.0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def asked(self) -> Counter[str]:
        """How often each question was asked."""
        return Counter(question_of(body) for body in self.bodies)

    async def complete(self, request: web.Request) -> web.Response:
        body = json.loads(await request.read())
        self.bodies.append(body)
        if self.latency:
            await asyncio.sleep(self.latency)
        answer = self.answer(body)
        return answer if isinstance(answer, web.Response) else completion(answer)

    def app(self) -> web.Application:
        application = web.Application(client_max_size=64 * 1024 * 1024)
        application.router.add_post("/v1/chat/completions", self.complete)
        return application


def completion(message: JsonObject, finish_reason: str = "stop") -> web.Response:
    """A chat completion with this message."""
    choice = {"index": 0, "message": {"role": "assistant", **message}, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
    return web.json_response({"id": "c", "object": "chat.completion", "choices": [choice], "usage": usage})


def error(status: int, message: str) -> web.Response:
    return web.json_response({"error": {"message": message}}, status=status)


def question_of(body: JsonObject) -> str:
    """What tells a question from others: all that was said and called before it."""
    return json.dumps([_bare(message) for message in body["messages"]], sort_keys=True)


def _bare(message: JsonObject) -> Any:
    calls = [call["function"] for call in message.get("tool_calls", ())]
    read = [[call["name"], _read(call["arguments"])] for call in calls]
    return [message["role"], message.get("content"), read]


def _read(arguments: Any) -> Any:
    return json.loads(arguments) if isinstance(arguments, str) else arguments


def worded(message: JsonObject) -> JsonObject:
    """A message of a record as a server says it."""
    calls = [
        {"id": f"call_{at}", "type": "function", "function": {
            "name": call["function"]["name"], "arguments": json.dumps(call["function"]["arguments"])}}
        for at, call in enumerate(message.get("tool_calls", ()))
    ]  # fmt: skip
    return {"content": message["content"], **({"tool_calls": calls} if calls else {})}


def right_answers(records: Iterable[JsonObject]) -> dict[str, JsonObject]:
    """The record's own answer to each question."""
    found = {}
    for record in records:
        messages = record["messages"]
        for at in turns_to_ask(messages):
            found[question_of({"messages": messages[:at]})] = worded(messages[at])
    return found


@contextmanager
def taking_exam(answer: Callable[[JsonObject], Answer], latency: float = 0.0) -> Iterator[ExamServer]:
    """Run a server in a thread while the block runs."""
    server = ExamServer(answer, latency=latency)
    begun: Future[Callable[[], object]] = Future()

    async def work() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        await _serve(server, lambda: begun.set_result(lambda: loop.call_soon_threadsafe(stop.set)), stop)

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(asyncio.run, work())
        stop = begun.result(PATIENCE)
        try:
            yield server
        finally:
            stop()
            done.result(PATIENCE)


async def _serve(server: ExamServer, ready: Callable[[], object], stop: asyncio.Event) -> None:
    runner = web.AppRunner(server.app(), shutdown_timeout=1, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        server.port = runner.addresses[0][1]
        ready()
        await stop.wait()
    finally:
        await runner.cleanup()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("records", type=Path)
    options.add_argument("--latency", type=float, default=0.0)
    given = options.parse_args()
    answers = right_answers(json.loads(line) for line in given.records.read_bytes().splitlines())
    server = ExamServer(lambda body: answers[question_of(body)], latency=given.latency)
    asyncio.run(_serve(server, lambda: print(server.port, flush=True), asyncio.Event()))


if __name__ == "__main__":
    main()
