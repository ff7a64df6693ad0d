"""Lines of batches: what is asked, and what comes back in the words of each server."""

from __future__ import annotations

import json
from typing import Any

from generator.backends.batches.lines import LINES, LineAnswer, id_of
from generator.backends.protocols import PROTOCOLS
from tests.tables import each_row

KEY = "0123456789abcdef0123456789abcdef"
MINE = {"custom_id": f"{KEY}-2"}

BACK: list[tuple[str, Any, LineAnswer | None]] = [
    ("openai", {**MINE, "response": {"status_code": 200, "body": {"a": 1}}}, LineAnswer(KEY, 2, {"a": 1})),
    ("openai", {**MINE, "response": {"a": 1}}, LineAnswer(KEY, 2, {"a": 1})),
    ("openai", {**MINE, "response": {"status_code": 429, "body": {}}}, LineAnswer(KEY, 2, {}, 429)),
    (
        "openai",
        {**MINE, "response": None, "error": {"code": "batch_expired"}},
        LineAnswer(KEY, 2, {"error": {"code": "batch_expired"}}, 0, "expired"),
    ),
    ("openai", {**MINE}, LineAnswer(KEY, 2, {"error": None}, 0, "no_answer")),
    ("azure", {**MINE, "response": {"status_code": 200, "body": 3}}, LineAnswer(KEY, 2, 3)),
    ("anthropic", {**MINE, "result": {"type": "succeeded", "message": {"a": 1}}}, LineAnswer(KEY, 2, {"a": 1})),
    ("anthropic", {**MINE, "result": {"type": "canceled"}}, LineAnswer(KEY, 2, None, 0, "cancelled")),
    (
        "anthropic",
        {**MINE, "result": {"type": "errored", "error": {"error": {"type": "overloaded_error"}}}},
        LineAnswer(KEY, 2, {"error": {"type": "overloaded_error"}}, 529),
    ),
    ("anthropic", {**MINE, "result": {"type": "errored", "error": 3}}, LineAnswer(KEY, 2, {"error": {}}, 500)),
    *((name, each, None) for name in LINES for each in ([], None, 3, {}, {"custom_id": 3}, {"custom_id": "x-1"})),
    *((name, {"custom_id": f"{KEY}-1\n"}, None) for name in LINES),
    ("anthropic", MINE, None),
]


@each_row(("protocol", "document", "answer"), BACK)
def test_a_line_is_read_as_its_server_means_it(protocol: str, document: Any, answer: LineAnswer | None) -> None:
    assert LINES[protocol].read(json.dumps(document).encode()) == answer


def test_every_protocol_has_lines_of_its_own() -> None:
    assert set(LINES) == set(PROTOCOLS)


@each_row("protocol", LINES)
def test_garbage_is_no_line(protocol: str) -> None:
    for line in (b"", b"\xff\xfe", b"{", b'{"custom_id": ', b"[" * 5000):
        assert LINES[protocol].read(line) is None


@each_row("protocol", LINES)
def test_a_line_is_one_line_and_says_its_id_first(protocol: str) -> None:
    line = LINES[protocol].write(
        id_of(KEY, 2), {"model": "m", "messages": [{"role": "user", "content": "a\nb\u2028c"}]}
    )
    assert line.count(b"\n") == 1
    assert line.startswith(b'{"custom_id":"' + KEY.encode() + b'-2"')
