"""Connections: one that does not come to the end of its headers is closed, and those that ask go on."""

from __future__ import annotations

import socket
from contextlib import suppress

import pytest

from generator.serving.running import serve_records
from generator.serving.server import BoundedConnection, ConnectionBounds


@pytest.mark.parametrize("sent", [b"", b"POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n"])
def test_headers_that_do_not_come_end_the_connection(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BoundedConnection, "bounds", ConnectionBounds(head_seconds=0.1))
    with serve_records([]) as serving:
        with socket.create_connection(("127.0.0.1", serving.port), timeout=20) as connection:
            connection.sendall(sent)
            with suppress(ConnectionResetError):  # the shorter way to the same end
                assert connection.recv(100) == b""
        with socket.create_connection(("127.0.0.1", serving.port), timeout=20) as connection:
            connection.sendall(b"GET /v1/models HTTP/1.1\r\nhost: x\r\n\r\n")
            assert connection.recv(100).startswith(b"HTTP/1.1 200")
