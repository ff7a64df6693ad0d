"""Requests a second of `toolgen serve` on one core, without streaming; the client has another.

`python -m tests.benchmarks.bench_serve [--requests N] [--records N] [--connections N]`
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import orjson

from generator import generate_records, load_tools
from generator.assets import asset_folder
from generator.formats import FORMATS
from generator.jsontext import JsonObject

WARM = 5_000


def requests_of(document: JsonObject) -> Iterator[JsonObject]:
    """The requests that ask for each turn of a record's assistant."""
    written = FORMATS["openai"].dump_record(document)
    shared = {key: written[key] for key in ("tools", "parallel_tool_calls") if key in written}
    for place, message in enumerate(written["messages"]):
        if message["role"] == "assistant":
            yield {"model": "bench", "messages": written["messages"][:place], **shared}


def as_http(request: JsonObject, path: str = "/v1/chat/completions") -> bytes:
    body = orjson.dumps(request)
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Connection(asyncio.Protocol):
    """Sends one request after the other, and notes how long each answer took."""

    def __init__(self, requests: list[bytes], first: int, count: int, times: list[float]) -> None:
        self.requests, self.at, self.left, self.times = requests, first, count, times
        self.done = asyncio.get_running_loop().create_future()
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.ask()

    def ask(self) -> None:
        self.at = (self.at + 1) % len(self.requests)
        self.left -= 1
        self.began = time.perf_counter()
        self.transport.write(self.requests[self.at])  # type: ignore[attr-defined]  # it is one that writes

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head, end, rest = self.buffer.partition(b"\r\n\r\n")
        if not end or len(rest) < int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0]):
            return
        assert head.startswith(b"HTTP/1.1 200") and b"x-toolgen-match: whole" in head, self.buffer[:600]
        self.times.append(time.perf_counter() - self.began)
        self.buffer = b""
        if self.left:
            self.ask()
        else:
            self.transport.close()
            self.done.set_result(None)


async def load(port: int, requests: list[bytes], count: int, connections: int) -> tuple[float, list[float]]:
    loop = asyncio.get_running_loop()
    times: list[float] = []
    began = time.perf_counter()
    opened = [
        await loop.create_connection(
            lambda place=place: Connection(requests, place * 37, count // connections, times), "127.0.0.1", port
        )
        for place in range(connections)
    ]
    await asyncio.gather(*(protocol.done for _, protocol in opened))
    return time.perf_counter() - began, times


def memory(process: int) -> float:
    """Resident MB of a process."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def cpu(process: int) -> float:
    """CPU seconds of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(records: int, count: int, connections: int) -> None:
    documents = [r.to_dict() for r in generate_records(load_tools(asset_folder("tool_specs")), count=records, seed=7)]
    requests = [as_http(request) for document in documents for request in requests_of(document)]
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder, "records.jsonl")
        lines.write_bytes(b"".join(orjson.dumps(document) + b"\n" for document in documents))
        command = [sys.executable, "-m", "generator", "serve", str(lines)]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        try:
            os.sched_setaffinity(server.pid, {cores[-1]})
            os.sched_setaffinity(0, {cores[0]})
            assert server.stdout is not None
            port = int(server.stdout.readline().rpartition(":")[2].removesuffix("/v1\n"))
            for task in Path(f"/proc/{server.pid}/task").iterdir():
                os.sched_setaffinity(int(task.name), {cores[-1]})
            asyncio.run(load(port, requests, WARM, connections))
            before, used = memory(server.pid), cpu(server.pid)
            seconds, times = asyncio.run(load(port, requests, count, connections))
            after, used = memory(server.pid), cpu(server.pid) - used
        finally:
            server.terminate()
            server.wait()
    times.sort()
    print(
        f"{len(documents):,} records, {len(requests):,} requests of {sum(map(len, requests)) // len(requests):,} bytes"
    )
    print(f"{len(times) / seconds:,.0f} requests a second over {connections} connections")
    print(f"{used / len(times) * 1e6:,.0f} us CPU of the server each: {len(times) / used:,.0f} a second on one core")
    print(f"p50 {times[len(times) // 2] * 1e3:.2f} ms, p99 {times[len(times) * 99 // 100] * 1e3:.2f} ms")
    print(f"memory {before:.1f} MB before, {after:.1f} MB after {count:,} requests")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--records", type=int, default=500)
    parser.add_argument("--connections", type=int, default=8)
    asked = parser.parse_args()
    measure(asked.records, asked.requests, asked.connections)
