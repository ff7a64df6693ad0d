"""A server of batches on loopback: OpenAI's files and batches, and Anthropic's message batches, with their faults.

It is as strict as the servers that it stands for: a file is of one model, has no id twice and no more lines than the
limit, and what breaks that makes the batch fail as a whole. What it answers is what `completion_server` answers when it
is asked at once. Each fault is an attribute, which a test sets.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from aiohttp import web

from tests.faults.completion_server import good_answer
from tests.faults.other_protocols import KEY, misfit

PATIENCE = 240.0
Body = dict[str, Any]
CHAT = "/v1/chat/completions"


def chat_answer(body: Body, text: str) -> Body:
    """A chat completion."""
    message: Body = {"role": "assistant", "content": text}
    if "tools" in body:
        call = {"id": "x1", "type": "function", "function": {"name": "submit", "arguments": text}}
        message |= {"content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls" if "tools" in body else "stop"}
    usage = {"prompt_tokens": 100, "completion_tokens": 50, "total_tokens": 150}
    return {"id": "c", "object": "chat.completion", "model": body["model"], "choices": [choice], "usage": usage}


def message_answer(body: Body, answer: Body) -> Body:
    """A message of Anthropic's."""
    content = [{"type": "tool_use", "id": "t1", "name": body["tools"][0]["name"], "input": answer}]
    usage = {"input_tokens": 100, "output_tokens": 50}
    return {"id": "m", "type": "message", "content": content, "stop_reason": "tool_use", "usage": usage}


@dataclass
class BatchServer:
    """What the server does, and what it has seen."""

    looks: int = 0
    """How often a batch is looked at before it has ended."""
    ending: str = "completed"
    """How a batch ends: completed, expired, cancelled or failed."""
    answered_share: float = 1.0
    """Of the lines of a batch that does not complete: how many are answered."""
    refuse: Callable[[Body], tuple[int, str] | None] = lambda body: None
    """The status and the message with which a line is refused, None where it is answered."""
    answer: Callable[[Body], Body] = good_answer
    lost: int = 0
    """Lines of the first batch of which nothing comes back."""
    doubled: bool = False
    shuffled: bool = False
    malformed: int = 0
    """Lines of garbage among those that come back."""
    strangers: int = 0
    """Lines with ids that nobody asked."""
    first: dict[str, list[Any]] = field(default_factory=dict)
    """By route, what is answered first in place of the truth: a status, with headers or not, or `cut`."""
    most_requests: int = 50_000
    token_limit: int = 0
    """Requests that may be under way at a time, 0 for any number; a batch beyond them fails its validation."""
    mute: set[str] = field(default_factory=set)
    """Routes that do what they are asked and then never answer."""
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, Body] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    """How often each id was put into a batch that was taken."""
    counts: Counter[str] = field(default_factory=Counter)
    port: int = 0
    chat_url: str = CHAT

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def twice(self) -> list[str]:
        """Ids that were paid for more than once."""
        return [each for each, count in self.asked.items() if count > 1]

    def app(self) -> web.Application:
        application = web.Application(client_max_size=1 << 30)
        add = application.router.add_route
        for base in ("/v1", "/openai/v1", "/openai"):
            add("POST", f"{base}/files", self._route("upload", self.upload))
            add("GET", f"{base}/files/{{id}}", self._route("file", self.file))
            add("GET", f"{base}/files/{{id}}/content", self._route("content", self.content))
            add("POST", f"{base}/batches", self._route("create", self.create))
            add("GET", f"{base}/batches", self._route("list", self.listed))
            add("GET", f"{base}/batches/{{id}}", self._route("look", self.look))
        add("POST", "/v1/messages/batches", self._route("create", self.create_messages))
        add("GET", "/v1/messages/batches", self._route("list", self.list_messages))
        add("GET", "/v1/messages/batches/{id}", self._route("look", self.look_messages))
        add("GET", "/v1/messages/batches/{id}/results", self._route("content", self.message_results))
        add("POST", CHAT, self._route("chat", self.chat))
        return application

    def _route(self, name: str, work: Callable[[web.Request], Any]) -> Callable[[web.Request], Any]:
        async def answer(request: web.Request) -> web.StreamResponse:
            self.counts[name] += 1
            faults = self.first.get(name)
            fault = faults.pop(0) if faults else None
            if fault == "cut":
                return await self._cut(request, name, work)
            if isinstance(fault, int):
                return wrong(fault, "not now")
            if fault is not None:
                status, message, headers = fault
                return wrong(status, message, **headers)
            done: web.StreamResponse = await work(request)
            if name in self.mute:
                await asyncio.sleep(PATIENCE)
            return done

        return answer

    async def _cut(self, request: web.Request, name: str, work: Callable[[web.Request], Any]) -> web.StreamResponse:
        """Cut the connection: in the middle of what is uploaded or downloaded, else after the work was done."""
        assert request.transport is not None
        if name == "upload":
            await request.content.readany()
        else:
            whole = await work(request)
            if name == "content":
                half = web.StreamResponse(headers={"Content-Length": str(len(whole.body))})
                await half.prepare(request)
                await half.write(whole.body[: len(whole.body) // 2])
                await asyncio.sleep(0.05)
        request.transport.abort()
        return web.Response()

    async def chat(self, request: web.Request) -> web.Response:
        body = await request.json()
        refused = self.refuse(body)
        if refused is not None:
            return wrong(*refused)
        return web.json_response(chat_answer(body, json.dumps(self.answer(body))))

    async def upload(self, request: web.Request) -> web.Response:
        form = await request.post()
        if form.get("purpose") != "batch" or not isinstance(form.get("file"), web.FileField):
            return wrong(400, "purpose and file are needed")
        name = f"file-{len(self.files) + 1}"
        field_ = form["file"]
        assert isinstance(field_, web.FileField)
        self.files[name] = field_.file.read()
        return web.json_response({"id": name, "object": "file", "bytes": len(self.files[name]), "status": "processed"})

    async def file(self, request: web.Request) -> web.Response:
        return web.json_response({"id": request.match_info["id"], "object": "file", "status": "processed"})

    async def content(self, request: web.Request) -> web.Response:
        held = self.files.get(request.match_info["id"])
        return wrong(404, "No such File object") if held is None else web.Response(body=held)

    async def create(self, request: web.Request) -> web.Response:
        asked = await request.json()
        lines = [json.loads(line) for line in self.files[asked["input_file_id"]].splitlines()]
        name = f"batch-{len(self.batches) + 1}"
        self.batches[name] = {
            "id": name, "object": "batch", "status": "validating", "metadata": asked.get("metadata"),
            "created_at": len(self.batches), "lines": lines, "looks": 0,
            "errors": {"data": list(self._misfits(asked, lines))},
        }  # fmt: skip
        if not self.batches[name]["errors"]["data"]:
            self.asked.update(line["custom_id"] for line in lines)
        return web.json_response(shown(self.batches[name]))

    def _misfits(self, asked: Body, lines: list[Body]) -> Iterator[Body]:
        """What validation says against a file."""
        under_way = sum(
            len(batch["lines"]) for batch in self.batches.values() if batch["status"] in ("validating", "in_progress")
        )
        if self.token_limit and under_way + len(lines) > self.token_limit:
            message = "Enqueued token limit reached for m. Please try again once some batches have been completed."
            yield {"code": "token_limit_exceeded", "message": message, "line": None}
        if self.ending == "failed":
            yield {"code": "invalid_json_line", "message": "This line is not parseable as valid JSON.", "line": 1}
        if len(lines) > self.most_requests:
            yield {"code": "too_many_tasks", "message": "The file has too many requests.", "line": None}
        if len({line["body"]["model"] for line in lines}) != 1:
            yield {"code": "mismatched_model", "message": "All requests must be of one model.", "line": 2}
        if len({line["custom_id"] for line in lines}) != len(lines):
            yield {"code": "duplicate_custom_id", "message": "The custom_id is not unique.", "line": 2}
        for number, line in enumerate(lines, start=1):
            if line["url"] != self.chat_url or line["method"] != "POST" or asked["endpoint"] != self.chat_url:
                yield {"code": "invalid_url", "message": "The URL does not match the endpoint.", "line": number}

    async def listed(self, request: web.Request) -> web.Response:
        return web.json_response(self._page(request, "after", shown))

    def _page(self, request: web.Request, after: str, show: Callable[[Body], Body]) -> Body:
        """Pages of two, so that a second one is asked for."""
        names = list(self.batches)[::-1]
        start = names.index(request.query[after]) + 1 if after in request.query else 0
        found = names[start : start + 2]
        return {
            "data": [show(self.batches[name]) for name in found],
            "has_more": start + 2 < len(names),
            "last_id": found[-1] if found else None,
        }

    async def look(self, request: web.Request) -> web.Response:
        batch = self.batches.get(request.match_info["id"])
        if batch is None:
            return wrong(404, "No batch found")
        batch["looks"] += 1
        if batch["errors"]["data"]:
            batch["status"] = "failed"
        elif batch["looks"] <= self.looks:
            batch["status"] = "in_progress"
        elif batch["status"] in ("validating", "in_progress"):
            self._end(batch)
        return web.json_response(shown(batch))

    def _end(self, batch: Body) -> None:
        """Answer the lines of a batch, some of them with errors, into two files."""
        batch["status"] = self.ending
        output, errors = [], []
        done = round(len(batch["lines"]) * (self.answered_share if self.ending != "completed" else 1))
        for place, line in enumerate(batch["lines"]):
            if place >= done:
                error = {"code": f"batch_{self.ending}", "message": "This request could not be executed in time."}
                errors.append({"id": "r", "custom_id": line["custom_id"], "response": None, "error": error})
                continue
            refused = self.refuse(line["body"])
            body = chat_answer(line["body"], json.dumps(self.answer(line["body"]))) if refused is None else None
            response = {"status_code": 200, "request_id": "q", "body": body}
            if refused is not None:
                response |= {"status_code": refused[0], "body": {"error": {"message": refused[1]}}}
            (output if refused is None else errors).append(
                {"id": "r", "custom_id": line["custom_id"], "response": response, "error": None}
            )
        for name, lines in (("output_file_id", output), ("error_file_id", errors)):
            if lines:
                self.files[f"{batch['id']}-{name}"] = self._spoilt(lines)
                batch[name] = f"{batch['id']}-{name}"
        batch["request_counts"] = {"total": len(batch["lines"]), "completed": len(output), "failed": len(errors)}

    def _spoilt(self, documents: list[Body]) -> bytes:
        """The lines as they come back, with what is to be wrong with them."""
        lost, self.lost = self.lost, 0
        lines = [json.dumps(each).encode() for each in documents][lost:]
        lines += lines[:5] if self.doubled else []
        lines += [b'{"custom_id": "cut in the mid', b"[1, 2]", b"null"][: self.malformed]
        lines += [json.dumps({**documents[0], "custom_id": f"{at:032x}-0"}).encode() for at in range(self.strangers)]
        if self.shuffled:
            Random(5).shuffle(lines)
        return b"".join(line + b"\n" for line in lines)

    async def create_messages(self, request: web.Request) -> web.Response:
        if request.headers.get("x-api-key") != KEY:
            return wrong(401, "invalid x-api-key")
        lines = (await request.json())["requests"]
        for line in lines:
            if set(line) != {"custom_id", "params"} or (said := misfit(request, line["params"])):
                return wrong(400, f"requests: {said or 'unknown keys'}")
        name = f"msgbatch-{len(self.batches) + 1}"
        self.batches[name] = {"id": name, "lines": lines, "looks": 0, "status": "in_progress"}
        self.asked.update(line["custom_id"] for line in lines)
        return web.json_response(shown_message(self.batches[name]))

    async def list_messages(self, request: web.Request) -> web.Response:
        return web.json_response(self._page(request, "after_id", shown_message))

    async def look_messages(self, request: web.Request) -> web.Response:
        batch = self.batches[request.match_info["id"]]
        batch["looks"] += 1
        if batch["looks"] > self.looks:
            batch["status"] = "ended"
        return web.json_response(shown_message(batch))

    async def message_results(self, request: web.Request) -> web.Response:
        lines = self.batches[request.match_info["id"]]["lines"]
        done = round(len(lines) * (self.answered_share if self.ending != "completed" else 1))
        results = []
        for place, line in enumerate(lines):
            refused = self.refuse(line["params"])
            if place >= done:
                result: Body = {"type": {"cancelled": "canceled"}.get(self.ending, self.ending)}
            elif refused is not None:
                kind = {400: "invalid_request_error", 529: "overloaded_error"}[refused[0]]
                inner = {"type": kind, "message": refused[1]}
                result = {"type": "errored", "error": {"type": "error", "error": inner}}
            else:
                result = {"type": "succeeded", "message": message_answer(line["params"], self.answer(line["params"]))}
            results.append({"custom_id": line["custom_id"], "result": result})
        return web.Response(body=self._spoilt(results))


def wrong(status: int, message: str, **headers: str) -> web.Response:
    """An error as both words it."""
    return web.json_response({"error": {"message": message, "type": "error"}}, status=status, headers=headers)


def shown(batch: Body) -> Body:
    """A batch as OpenAI shows it."""
    return {key: value for key, value in batch.items() if key not in ("lines", "looks")}


def shown_message(batch: Body) -> Body:
    """A batch as Anthropic shows it."""
    counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
    counts["succeeded" if batch["status"] == "ended" else "processing"] = len(batch["lines"])
    created = "2099-01-01T00:00:00Z"
    return {"id": batch["id"], "processing_status": batch["status"], "request_counts": counts, "created_at": created}


@contextmanager
def batches_served(server: BatchServer) -> Iterator[BatchServer]:
    """Serve in a thread while the block runs."""
    begun: Future[tuple[int, Callable[[], object]]] = Future()

    async def work() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        runner = web.AppRunner(server.app(), access_log=None, shutdown_timeout=0.01)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        begun.set_result((runner.addresses[0][1], lambda: loop.call_soon_threadsafe(stop.set)))
        await stop.wait()
        await runner.cleanup()

    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(asyncio.run, work())
        server.port, stop = begun.result(PATIENCE)
        try:
            yield server
        finally:
            stop()
            done.result(PATIENCE)
