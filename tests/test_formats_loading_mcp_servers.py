"""MCP servers as a source: what one lists is a tool file, what one does wrong is one message, and none is left."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from generator.cli import main
from generator.errors import McpServerError, UsageError
from generator.formats.loading import mcp_servers
from generator.formats.loading.mcp_servers import McpServer, list_tools
from tests import mcp_server
from tests.checkout import environment, run_python

SERVER = Path(mcp_server.__file__)
SDK = """
import sys
from mcp.server.mcpserver import MCPServer

server = MCPServer("deeds", version="3.1")


@server.tool()
def find_place(place: str, floors: int = 1) -> list[str]:
    "Find a place."
    return []


server.run(*sys.argv[1:2], **({"port": int(sys.argv[2])} if sys.argv[2:] else {}))
"""


def started(*arguments: str, cwd: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, *arguments], cwd=cwd, env=environment(), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def command(mode: str, *more: str) -> str:
    return shlex.join([sys.executable, str(SERVER), mode, *more])


HEARS = """
import signal
import sys

signal.signal(signal.SIGINT, signal.default_int_handler)
from generator.cli import main

sys.exit(main(sys.argv[1:]))
"""
"""The program on a terminal: what a shell starts in the background hears no interrupt, and passes that on."""


@contextmanager
def answering(*answers: tuple[int, str, bytes]) -> Iterator[tuple[str, list[Any]]]:
    """An HTTP server that gives these answers, the last one again and again."""
    heard: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            heard.append((dict(self.headers), json.loads(body)))
            status, kind, text = answers[min(len(heard), len(answers)) - 1]
            self.send_response(status)
            self.send_header("content-type", kind)
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(text)

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://user:secret@127.0.0.1:{server.server_port}/mcp?key=secret", heard
    server.shutdown()


@pytest.mark.parametrize("mode", ["plain", "pages", "chatter"])
def test_the_list_is_what_the_server_says(mode: str) -> None:
    listing = list_tools(McpServer(command(mode)))
    assert listing.name == "deeds 3.1"
    assert listing.document == {"tools": mcp_server.TOOLS}


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("endless", "never ends: it has more than 1,000 pages"),
        ("circle", "never ends: it gives the same page again"),
        ("broken", "breaks the protocol"),
        ("toolless", "it offers no tools"),
        ("refuses", "it gave no list of tools: no"),
        ("dies", "ended without a list of tools: is it an MCP server?\n  it said: one\n  it said: two: \x1b[2J the"),
    ],
)
def test_what_a_server_does_wrong_is_said_with_its_last_words(mode: str, said: str) -> None:
    with pytest.raises(McpServerError, match=r"^mcp:") as raised:
        list_tools(McpServer(command(mode)))
    assert said in str(raised.value)


@pytest.mark.slow
def test_what_a_server_writes_that_is_no_message_is_told() -> None:
    said = ""
    for seconds in (3, 15, 60):
        with pytest.raises(McpServerError, match=rf"no list of tools within {seconds} s") as caught:
            list_tools(McpServer(command("banner"), timeout=seconds))
        said = str(caught.value)
        if "it wrote" in said:  # on a busy machine it is left before it has written
            break
    assert "it wrote what is no message of MCP: 'Ready on stdio!'" in said


@pytest.mark.slow
def test_a_server_that_never_answers_is_left_and_ended_with_its_children(tmp_path: Path) -> None:
    told = tmp_path / "pids"
    for seconds in (1.5, 15, 60):
        with pytest.raises(McpServerError, match=rf"no list of tools within {seconds} s; --timeout gives it more"):
            list_tools(McpServer(command("child", str(told)), timeout=seconds))
        if told.exists():  # on a busy machine it is left before it has a child
            break
    assert [pid for pid in map(int, told.read_text().split()) if runs(pid)] == []


@pytest.mark.slow
def test_a_server_ends_when_the_operator_interrupts(tmp_path: Path) -> None:
    told = tmp_path / "pids"
    with started("-c", HEARS, "tools", "--mcp", command("child", str(told)), cwd=tmp_path) as process:
        while not told.exists() or not told.read_text():
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=240) == 130
    assert [pid for pid in map(int, told.read_text().split()) if runs(pid)] == []


def runs(pid: int) -> bool:
    """Say whether a process is there, and no zombie that nobody has asked after."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_command_gets_the_variables_that_are_named_and_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEDS_KEY", "1")
    monkeypatch.setenv("OPENAI_API_KEY", "2")
    listing = list_tools(McpServer(command("environment"), environment=["DEEDS_KEY"]))
    had = listing.document["tools"][0]["description"].split()
    assert "DEEDS_KEY" in had
    assert "PATH" in had
    assert "OPENAI_API_KEY" not in had


@pytest.mark.parametrize(
    ("server", "said"),
    [
        (McpServer(""), "give the command that starts it, or its URL"),
        (McpServer("no-such-command-here --now"), "there is no command 'no-such-command-here'"),
        (McpServer("python 'open"), "No closing quotation; write the command as in a shell"),
        (McpServer("python x", environment=["NOT_SET_HERE"]), "the variable NOT_SET_HERE is not set"),
        (McpServer("python x", headers=["A: b"]), "a command takes no headers"),
        (McpServer("http://localhost", environment=["PATH"]), "a URL takes no variables"),
        (McpServer("http://localhost", headers=["Token"]), "'Token' is no header"),
        (McpServer("http://localhost", headers=["A: $NOT_SET_HERE"]), "needs the variable NOT_SET_HERE"),
        (McpServer("http://localhost", headers=["A: 3 $"]), "a dollar sign itself is written"),
    ],
)
def test_what_cannot_be_asked_is_said_before_anything_is_started(server: McpServer, said: str) -> None:
    with pytest.raises(UsageError) as raised:
        list_tools(server)
    assert said in str(raised.value)


def test_the_extra_is_named_where_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp", None)
    with pytest.raises(UsageError, match=r"\[mcp\]"):
        list_tools(McpServer(command("plain")))


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ([(401, "text/plain", b"")], "it answers 401 Unauthorized; --mcp-header gives it what it asks for"),
        ([(503, "text/plain", b"")], "it answers 503 Service Unavailable"),
        ([(200, "text/html", b"<p>")], "it gave no list of tools: Unexpected content type: text/html"),
        ([(200, "application/json", b" " * 16_800_000)], "its answer is larger than 16,777,216 bytes"),
    ],
)
def test_what_an_address_answers_is_said_without_its_secrets(answers: list[tuple[int, str, bytes]], said: str) -> None:
    with answering(*answers) as (url, _), pytest.raises(McpServerError) as raised:
        list_tools(McpServer(url))
    assert said in str(raised.value)
    assert "secret" not in str(raised.value)


def test_nobody_at_an_address_is_said() -> None:
    with pytest.raises(McpServerError, match="it cannot be reached"):
        list_tools(McpServer("http://127.0.0.1:9/mcp"))


def test_headers_go_out_with_their_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DEEDS_TOKEN", "abc")
    with answering((401, "text/plain", b"")) as (url, heard), pytest.raises(McpServerError):
        list_tools(
            McpServer(url.replace("user:secret@", ""), headers=["Authorization: Bearer $DEEDS_TOKEN", "X-Price: 3 $$"])
        )
    assert (heard[0][0]["Authorization"], heard[0][0]["X-Price"]) == ("Bearer abc", "3 $")


def test_the_servers_of_the_sdk_are_listed_over_stdio_and_both_kinds_of_http(tmp_path: Path) -> None:
    program = tmp_path / "server.py"
    program.write_text(SDK)
    listings = [list_tools(McpServer(shlex.join([sys.executable, str(program)])))]
    for transport, path in (("streamable-http", "/mcp"), ("sse", "/sse")):
        port = free_port()
        with started(str(program), transport, str(port), cwd=tmp_path) as process:
            listings.append(once_it_answers(f"http://127.0.0.1:{port}{path}"))
            process.terminate()
    assert [listing.name for listing in listings] == ["deeds 3.1"] * 3
    assert listings[0].document == listings[1].document == listings[2].document
    assert [tool["name"] for tool in listings[0].document["tools"]] == ["find_place"]


def once_it_answers(url: str) -> mcp_servers.Listing:
    until = time.monotonic() + 240
    while True:
        try:
            return list_tools(McpServer(url))
        except McpServerError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def free_port() -> int:
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        return int(server.server_port)


def test_the_list_is_saved_as_a_tool_file_that_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "deeds.json"
    assert main(["tools", "--mcp", command("pages"), "-o", str(saved)]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "5 tools of deeds 3.1" in told.err
    assert f"toolgen generate {saved}" in told.err
    assert json.loads(saved.read_text()) == {"tools": mcp_server.TOOLS}
    assert main(["tools", str(saved)]) == 0
    shown = capsys.readouterr().out
    assert main(["tools", "--mcp", command("pages")]) == 0
    assert capsys.readouterr().out == shown


def test_a_tool_that_cannot_be_used_is_refused_as_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "deeds.json"
    assert main(["tools", "--mcp", command("unusable"), "-o", str(saved)]) == 2
    assert "#/tools/5" in capsys.readouterr().err
    assert not saved.exists()
    assert main(["tools", "--mcp", command("unusable"), "-o", str(saved), "--skip-invalid"]) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--timeout", "3"], "name the server"),
        (["--mcp-env", "A"], "name the server"),
        (["tools.json", "--mcp", "x"], "leave out one of them"),
        (["--mcp", "x", "--timeout", "0"], "0"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tools", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_servers_words_cannot_steer_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "--mcp", command("dies")]) == 3
    told = capsys.readouterr().err
    assert "\x1b" not in told
    assert r"\x1b[2J the variable KEY is not set" in told


def test_the_sdk_is_imported_for_a_server_alone() -> None:
    code = "import sys; import generator.cli.tools; sys.exit('mcp' in sys.modules or 'asyncio' in sys.modules)"
    assert run_python("-c", code).returncode == 0, os.environ.get("PATH")
