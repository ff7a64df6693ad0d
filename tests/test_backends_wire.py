"""The cause first: what is not reached is said in its own words, at once."""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import ssl
import struct
import subprocess
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from generator.backends.backend import Completion, CompletionRequest, ModelOptions, Unavailable
from generator.backends.http import open_backend
from generator.backends.server import ServerOptions
from generator.backends.wire import LARGEST_ANSWER, ErrorMessage, Reply, read_error
from generator.errors import BackendError
from tests.bounded import Stopwatch
from tests.tables import each_row


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.fixture
def closed_port() -> Iterator[int]:
    """A port that is bound, and that nobody listens at."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


async def complete(url: str) -> str:
    options = ServerOptions(base_url=url, timeout=30, shortest_wait=0.01)
    async with open_backend(options) as backend:
        began = Stopwatch()
        with pytest.raises(BackendError) as caught:
            await backend.complete(CompletionRequest(ModelOptions("m", 100), ()))
    assert began.quiet_seconds < 10  # a timeout would take longer
    return str(caught.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_refused_connection(closed_port: int, host: str) -> None:
    message = asyncio.run(complete(f"http://{host}:{closed_port}/v1"))
    assert message.startswith(f"nothing listens at http://{host}:{closed_port}/v1 (connection refused)")
    assert "timed out" not in message


def test_an_unknown_host() -> None:
    message = asyncio.run(complete("http://no-such-host.invalid/v1"))
    assert message.startswith("the host of http://no-such-host.invalid/v1 is not known")


def test_no_tls_where_it_is_expected() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async def run() -> str:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        try:
            return await complete(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        finally:
            server.close()

    assert "does not speak TLS as it should" in asyncio.run(run())


def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    key, certificate = str(tmp_path / "key.pem"), str(tmp_path / "certificate.pem")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate]
    try:
        subprocess.run([*command, "-days", "2", "-subj", "/CN=127.0.0.1"], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("openssl makes the certificate, and is not installed")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)

    async def run() -> str:
        server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0, ssl=context)
        try:
            return await complete(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")
        finally:
            server.close()

    message = asyncio.run(run())
    assert "is not trusted (self-signed certificate)" in message
    assert "SSL_CERT_FILE" in message


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_is_not_there(monkeypatch: pytest.MonkeyPatch, closed_port: int, scheme: str) -> None:
    monkeypatch.setenv(f"{scheme.upper()}_PROXY", f"http://bob:s3cret-pass@127.0.0.1:{closed_port}")
    message = asyncio.run(complete(f"{scheme}://host.invalid/v1"))
    assert message.startswith(f"the proxy http://***@127.0.0.1:{closed_port} cannot be reached")
    assert f"unset {scheme.upper()}_PROXY" in message
    assert "s3cret" not in message


def test_a_proxy_of_no_known_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.invalid:3128")
    assert "the host of the proxy http://proxy.invalid:3128 is not known" in asyncio.run(complete("https://h.invalid"))


def test_a_proxy_that_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> str:
        async with asyncio.timeout(240):
            server = await asyncio.start_server(_refuse, "127.0.0.1", 0)
            monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
            try:
                return await complete("https://host.invalid/v1")
            finally:
                server.close()

    assert "refuses to connect: HTTP 407" in asyncio.run(run())


async def _refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
    await writer.drain()
    writer.close()


REQUEST = CompletionRequest(ModelOptions("m", 100), ({"role": "user", "content": "Hi"},))
GOOD = json.dumps(
    {
        "choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 9, "completion_tokens": 1},
    }
).encode()
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
MOST_MEMORY = 40 * 2**20
PATIENCE = 20.0
"""Seconds, on a machine that has much else to do."""
Talk = Callable[[asyncio.StreamWriter], Awaitable[None]]


def whole(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> bytes:
    lines = [b"HTTP/1.1 " + status, b"Content-Length: %d" % len(body), b"Connection: close", *headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


@asynccontextmanager
async def talking(talk: Talk | bytes) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A server of bare sockets that says the same to everyone; yields its port and what it was sent."""
    heard: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
            heard.append(head + await reader.readexactly(length))
            if isinstance(talk, bytes):
                writer.write(talk)
            else:
                await talk(writer)
            await writer.drain()
        except (ConnectionError, EOFError, asyncio.CancelledError) as error:
            heard.append(repr(error).encode())
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], heard
    finally:
        server.close()


def ask(talk: Talk | bytes, *, times: int = 1, timeout: float = 60, host: str = "127.0.0.1") -> list[Completion]:
    async def run() -> list[Completion]:
        async with talking(talk) as (port, _):
            options = ServerOptions(
                base_url=f"http://{host}:{port}/v1", tries=1, timeout=timeout, shortest_wait=0.01, connections=4
            )
            async with open_backend(options) as backend:
                return [await backend.complete(REQUEST) for _ in range(times)]

    return asyncio.run(run())


async def without_end(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"\r\n")
    while True:
        writer.write(b" " * 65536)
        await writer.drain()


async def chunks_without_end(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"10000\r\n" + b" " * 65536 + b"\r\n")
        await writer.drain()


async def a_byte_at_a_time(writer: asyncio.StreamWriter) -> None:
    writer.write(OK + b"Content-Length: 100000\r\n\r\n")
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.05)


async def headers_without_end(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(1_000_000):
        writer.write(b"X-%d: %s\r\n" % (number, b"y" * 1000))
        await writer.drain()


async def hints_without_end(writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"HTTP/1.1 103 Early Hints\r\n\r\n")
        await writer.drain()
        await asyncio.sleep(0.001)


GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03"


def bomb(megabytes: int, *, layers: int = 1) -> bytes:
    """A gzip of so many megabytes of spaces: one of them is packed, and stands there again and again."""
    packer, spaces, crc = zlib.compressobj(9, zlib.DEFLATED, -15), b" " * 2**20, 0
    block = packer.compress(spaces) + packer.flush(zlib.Z_FULL_FLUSH)
    for _ in range(megabytes):
        crc = zlib.crc32(spaces, crc)
    packed = GZIP_HEAD + block * megabytes + b"\x03\x00" + struct.pack("<II", crc, megabytes * 2**20)
    for _ in range(layers - 1):
        packed = gzip.compress(packed, 9)
    return packed


def blocks_of_nothing() -> bytes:
    """A gzip of five megabytes that unpacks to nothing at all."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return GZIP_HEAD + packer.flush(zlib.Z_FULL_FLUSH) + b"\x00\x00\x00\xff\xff" * 1_000_000


DEEP = b'{"choices": [{"message": {"tool_calls": [{"function": {"name": "x", "arguments": %s}}]}}]}'

HOSTILE: dict[str, tuple[Talk | bytes, str]] = {
    "a body without end": (without_end, "oversized"),
    "chunks without end": (chunks_without_end, "oversized"),
    "a byte at a time": (a_byte_at_a_time, "timeout"),
    "headers without end": (headers_without_end, "connection"),
    "hints without end": (hints_without_end, "timeout"),
    "one header of a megabyte": (whole(GOOD, b"X: " + b"y" * 2**20), "connection"),
    "a gzip bomb": (whole(bomb(300), b"Content-Encoding: gzip"), "oversized"),
    "a bomb in a bomb": (whole(bomb(300, layers=2), b"Content-Encoding: gzip, gzip"), "not_json"),
    "blocks of nothing": (whole(blocks_of_nothing(), b"Content-Encoding: gzip"), "oversized"),
    "another packing": (whole(GOOD, b"Content-Encoding: br"), "not_json"),
    "a packing that it is not": (whole(GOOD, b"Content-Encoding: gzip"), "not_json"),
    "half a gzip": (whole(gzip.compress(GOOD)[:40], b"Content-Encoding: gzip"), "not_json"),
    "a length that lies": (OK + b"Content-Length: 99999\r\n\r\n" + GOOD, "connection"),
    "a length that is none": (OK + b"Content-Length: -5\r\n\r\n" + GOOD, "connection"),
    "a chunk that is none": (OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n", "connection"),
    "no HTTP": (b"SSH-2.0-OpenSSH_9.2\r\n", "connection"),
    "nothing": (b"", "connection"),
    "NUL in a header": (b"HTTP/1.1 200 OK\r\nX: \x00\r\n\r\n", "connection"),
    "a status that is none": (b"HTTP/1.1 999999 Oh\r\n\r\n", "connection"),
    "JSON nested too deep": (whole(b'{"choices": ' + b"[" * 100_000), "not_json"),
    "arguments nested too deep": (whole(DEEP % (b'{"a":' * 600 + b"1" + b"}" * 600)), "too_deep"),
    "a number that is none": (whole(b'{"choices": [{"message": {"content": "x"}}], "usage": NaN}'), "not_json"),
    "half a character": (whole(b'{"choices": [{"message": {"content": "\\ud800"}}]}'), "not_json"),
    "keys without a value": (whole(b'{"choices": [null]}'), "no_choice"),
    "an error without end": (whole(b"x" * 2**22, status=b"500 Oh"), "http_500"),
    "a bomb as an error": (whole(bomb(50), b"Content-Encoding: gzip", status=b"500 Oh"), "http_500"),
    "an error of nothing": (whole(b"", status=b"503 Oh"), "http_503"),
    "a status from elsewhere": (whole(b"{}", status=b"599 Oh"), "http_599"),
}


@each_row("name", HOSTILE)
def test_what_is_hostile_becomes_a_failure(name: str) -> None:
    talk, reason = HOSTILE[name]
    began = Stopwatch()
    tracemalloc.start()
    try:
        with pytest.raises(Unavailable) as caught:
            ask(talk, timeout=1 if reason == "timeout" else PATIENCE)
        assert tracemalloc.get_traced_memory()[1] < MOST_MEMORY
    finally:
        tracemalloc.stop()
    assert caught.value.reason == reason, caught.value
    assert len(str(caught.value)) < 600
    assert began.quiet_seconds < PATIENCE / 2


def test_no_more_is_read_than_the_limit() -> None:
    """What the server could send before it was left: the limit, and what lay in buffers on the way."""
    sent = 0

    async def count(writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(OK + b"\r\n")
        while True:
            writer.write(b" " * 65536)
            await writer.drain()
            sent += 65536

    with pytest.raises(Unavailable):
        ask(count)
    assert LARGEST_ANSWER <= sent < LARGEST_ANSWER + 12 * 2**20


def test_an_answer_may_be_packed() -> None:
    for packed, name in ((gzip.compress(GOOD), b"gzip"), (zlib.compress(GOOD), b"deflate")):
        (answer,) = ask(whole(packed, b"Content-Encoding: " + name))
        assert answer.text == "yes"


LIES: dict[str, str] = {
    "negative": '{"prompt_tokens": -5, "completion_tokens": 3}',
    "huge": '{"prompt_tokens": 1099511627775, "completion_tokens": 3}',
    "beyond every number": '{"prompt_tokens": 123456789012345678901234567890, "completion_tokens": 3}',
    "infinite": '{"prompt_tokens": 1e308, "completion_tokens": 3}',
    "for nothing": '{"prompt_tokens": 0, "completion_tokens": 0}',
    "an answer for nothing": '{"prompt_tokens": 9, "completion_tokens": 0}',
    "a long answer for a word": '{"prompt_tokens": 9, "completion_tokens": 1}',
    "in words": '{"prompt_tokens": "9", "completion_tokens": "3"}',
    "a flag": '{"prompt_tokens": true, "completion_tokens": true}',
    "a fraction": '{"prompt_tokens": 0.5, "completion_tokens": 1.5}',
    "no object": "[1, 2]",
}


@each_row("name", LIES)
def test_a_count_of_tokens_that_cannot_be_true_is_estimated(name: str) -> None:
    text = "a text of some length, which takes more than one token by anyone's count"
    body = f'{{"choices": [{{"message": {{"content": "{text}"}}}}], "usage": {LIES[name]}}}'
    (answer,) = ask(whole(body.encode()))
    assert answer.estimated
    assert 0 < answer.completion_tokens <= len(text)
    assert 0 < answer.prompt_tokens < 100


@pytest.mark.parametrize("status", [b"301 Moved", b"302 Found", b"307 Temporary Redirect", b"308 Permanent Redirect"])
def test_the_key_is_sent_nowhere_else(monkeypatch: pytest.MonkeyPatch, status: bytes) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-key-0123456789")

    async def run() -> list[bytes]:
        async with talking(whole(GOOD)) as (elsewhere, heard):
            to = whole(b"", b"Location: http://127.0.0.1:%d/v1/chat/completions" % elsewhere, status=status)
            async with (
                talking(to) as (port, _),
                open_backend(ServerOptions(base_url=f"http://127.0.0.1:{port}/v1")) as backend,
            ):
                with pytest.raises(BackendError, match="sends elsewhere"):
                    await backend.complete(REQUEST)
            return heard

    assert asyncio.run(run()) == []


def test_cookies_are_not_kept() -> None:
    async def run() -> list[bytes]:
        answer = whole(GOOD, *(b"Set-Cookie: c%d=%s; Path=/" % (number, b"x" * 500) for number in range(20)))
        async with talking(answer) as (port, heard):
            async with open_backend(ServerOptions(base_url=f"http://localhost:{port}/v1", tries=1)) as backend:
                for _ in range(3):
                    await backend.complete(REQUEST)
            return heard

    sent = asyncio.run(run())
    assert len(sent) == 3
    assert not any(b"cookie" in each.lower() for each in sent)


@pytest.mark.parametrize(
    ("document", "told"),
    [
        ({"error": {"message": "no", "type": "t", "param": "top_p", "code": "c"}}, ("no", {"t", "c"}, {"top_p"})),
        ({"error": {"message": "no", "param": "body.top_p", "code": 400}}, ("no", set(), {"top_p"})),
        ({"error": {"message": "no", "param": None}}, ("no", set(), set())),
        ({"error": "no"}, ("no", set(), set())),
        ([{"error": {"message": "no"}}], ("no", set(), set())),
        ({"detail": "no"}, ("no", set(), set())),
        ("no", ("no", set(), set())),
        ({"detail": [{"loc": ["body", "n"]}]}, ('{"detail": [{"loc": ["body", "n"]}]}', set(), {"body", "n"})),
        (
            {"message": {"detail": [{"loc": ["n"]}, 3]}},
            ('{"message": {"detail": [{"loc": ["n"]}, 3]}}', set(), {"n"}),
        ),
    ],
)
def test_every_shape_is_read(document: Any, told: tuple[str, set[str], set[str]]) -> None:
    text, codes, parameters = told
    found = read_error(Reply(400, {}, json.dumps(document).encode()))
    assert found == ErrorMessage(text, frozenset(codes), frozenset(parameters))


def test_what_is_no_json_is_its_own_message() -> None:
    assert read_error(Reply(502, {}, b"<h1>Bad \xff</h1>")) == ErrorMessage("<h1>Bad \ufffd</h1>")
