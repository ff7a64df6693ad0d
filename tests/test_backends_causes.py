"""The cause first: what is not reached is said in its own words, at once."""

from __future__ import annotations

import asyncio
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.backends.backend import CompletionRequest
from generator.backends.http import open_backend
from generator.backends.model import ModelOptions
from generator.backends.server import ServerOptions
from generator.errors import BackendError


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
        began = time.monotonic()
        with pytest.raises(BackendError) as caught:
            await backend.complete(CompletionRequest(ModelOptions("m", 100), ()))
    assert time.monotonic() - began < 10  # a timeout would take longer
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
        async with asyncio.timeout(5):
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
