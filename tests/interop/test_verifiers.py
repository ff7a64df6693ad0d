"""The environment for `verifiers`, run by the library itself against a server that answers by a script.

The library needs packages of its own, so it is asked through a Python that has it: TOOLGEN_VERIFIERS=/path/to/python.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from generator.formats.conversation import with_text_arguments
from generator.grading.turns import Turn, turns_of
from tests.checkout import CHECKOUT
from tests.kind_records import records_of

pytestmark = [pytest.mark.interop, pytest.mark.slow]

PROGRAM = Path(__file__).parent / "trainers" / "verifiers_rewards.py"
ENVIRONMENT = """
from generator.grading.verifiers import OneTurnHarness, RecordTaskset

__all__ = ["OneTurnHarness", "RecordTaskset"]
"""
Json = Any


@contextmanager
def scripted(answers: list[Json], asked: list[Json]) -> Iterator[str]:
    """A server that gives its answers one after the other, and keeps what it was asked."""

    class Scripted(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            message = answers[len(asked) - 1]
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            body = json.dumps({
                "id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": "scripted",
                "choices": [{"index": 0, "message": message, "finish_reason": reason}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }).encode()  # fmt: skip
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Scripted)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def as_openai(turn: Turn) -> Json:
    calls = [with_text_arguments(call) for call in turn.calls]
    return {**turn.expected, **({"tool_calls": calls} if calls else {})}


def test_each_turn_is_asked_once_and_rewarded(tmp_path: Path) -> None:
    python = os.environ.get("TOOLGEN_VERIFIERS")
    if not python:
        pytest.skip("TOOLGEN_VERIFIERS names no Python that has verifiers")
    records = [*records_of("simple", 2), *records_of("missing_parameter", 1), *records_of("parallel", 1)]
    (tmp_path / "records.jsonl").write_text("".join(f"{json.dumps(record)}\n" for record in records), encoding="utf-8")
    (tmp_path / "record_environment.py").write_text(ENVIRONMENT, encoding="utf-8")
    turns = [(record, turn) for record in records for turn in turns_of(record)]
    wrong = {"role": "assistant", "content": "I'd rather not say."}
    answers = [as_openai(turn) if number % 2 else wrong for number, (_, turn) in enumerate(turns)]
    asked: list[Json] = []
    with scripted(answers, asked) as url:
        environment = {**os.environ, "PYTHONPATH": f"{CHECKOUT}{os.pathsep}{tmp_path}", "SCRIPTED_KEY": "none"}
        ended = subprocess.run(
            [python, str(PROGRAM), str(tmp_path / "records.jsonl"), url],
            capture_output=True, text=True, env=environment, timeout=300, check=False, cwd=tmp_path,
        )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-3000:]
    told = [json.loads(line.removeprefix("TASK ")) for line in ended.stdout.splitlines() if line.startswith("TASK ")]
    assert [each["errors"] for each in told] == [[]] * len(turns)
    assert [each["reward"] == 1.0 for each in told] == [bool(number % 2) for number in range(len(turns))]
    assert [each["metrics"]["as_good_as_the_record"] for each in told] == [
        float(number % 2) for number in range(len(turns))
    ]
    for (record, turn), body in zip(turns, asked, strict=True):
        assert [message["role"] for message in body["messages"]] == [message["role"] for message in turn.prefix]
        assert body.get("tools", []) == record["tools"]
