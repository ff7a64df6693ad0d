"""Tools over HTTP: calls of a record's tools, in worlds of their own, with the errors and headers of the API."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.client import HTTPConnection
from typing import Any, NamedTuple

import pytest

from generator.formats.conversation import all_calls
from generator.jsontext import JsonObject, dump_compact
from generator.record import generate_records
from generator.serving.running import Serving, serve_records
from tests.bundled import bundled_tools
from tests.tables import each_row

RECORDS = [
    record.to_dict()
    for record in generate_records(bundled_tools(), count=12, seed=9, mix={"sequential": 1, "parallel": 1, "simple": 1})
]
RECORD = next(
    record
    for record in RECORDS
    for tool in record["tools"]
    if tool["function"]["name"] == next(all_calls(record))["function"]["name"]
    and tool["function"]["parameters"].get("required")
)
"""One whose first call needs arguments."""
ID = RECORD["metadata"]["id"]
NAME = next(all_calls(RECORD))["function"]["name"]


class Answer(NamedTuple):
    """What a server answered."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


@pytest.fixture(scope="module")
def serving() -> Iterator[Serving]:
    with serve_records(RECORDS) as running:
        yield running


def ask(serving: Serving, method: str, path: str, body: str | bytes | None = None, **headers: str) -> Answer:
    connection = HTTPConnection("127.0.0.1", serving.port, timeout=60)
    told = {"content-type": "application/json", **{name.replace("_", "-"): value for name, value in headers.items()}}
    connection.request(method, path, body, told)
    response = connection.getresponse()
    answer = Answer(
        response.status, {name.lower(): value for name, value in response.getheaders()}, response.read().decode()
    )
    connection.close()
    return answer


def test_each_record_is_played_through_its_tools(serving: Serving) -> None:
    for record in RECORDS:
        name = record["metadata"]["id"]
        results = []
        for call in all_calls(record):
            function = call["function"]
            path = f"/v1/tools/{function['name']}?record={name}&session=played"
            answer = ask(serving, "POST", path, dump_compact(function["arguments"]))
            assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
            assert answer.headers["x-toolgen-status"] == record["metadata"]["statuses"][call["id"]]
            results.append(answer.text)
        assert results == [message["content"] for message in record["messages"] if message["role"] == "tool"]
        world = ask(serving, "GET", f"/world?record={name}&session=played").json
        assert (world["record"], world["remade"], world["difference"]) == (name, False, "")


def test_the_record_and_the_session_may_stand_in_headers(serving: Serving) -> None:
    first = ask(serving, "GET", "/tools", x_toolgen_record=ID)
    assert first.json["data"] == RECORD["tools"]
    assert first.headers["x-toolgen-record"] == ID
    call = next(all_calls(RECORD))["function"]
    arguments = dump_compact(call["arguments"])
    begun = ask(serving, "POST", f"/tools/{NAME}", arguments, x_toolgen_record=ID, x_toolgen_session="by header")
    again = ask(serving, "POST", f"/tools/{NAME}", arguments, x_toolgen_session="by header")
    assert (begun.status, again.status) == (200, 200)
    assert again.headers["x-toolgen-record"] == ID


REFUSED: dict[str, tuple[str, str | bytes, int, str]] = {
    "no such tool": ("no_such_tool", "{}", 404, "unknown_tool_call"),
    "a path": ("../../etc/passwd", "{}", 404, "unknown_tool_call"),
    "a long name": ("x" * 5_000, "{}", 404, "unknown_tool_call"),
    "no json": (NAME, "{", 400, "malformed_tool_arguments"),
    "no text": (NAME, b"\xff\xfe", 400, "malformed_tool_arguments"),
    "no object": (NAME, "[1]", 400, "malformed_tool_arguments"),
    "nothing": (NAME, "", 400, "invalid_tool_arguments"),
    "of another type": (
        NAME,
        dump_compact(dict.fromkeys(next(all_calls(RECORD))["function"]["arguments"])),
        400,
        "invalid_tool_arguments",
    ),
    "too deep": (NAME, '{"a":' * 2_000 + "1" + "}" * 2_000, 400, "malformed_tool_arguments"),
    "too large": (NAME, b'{"a":"' + b"x" * 9_000_000 + b'"}', 413, "request_too_large"),
}


@each_row("name, body, status, code", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_executed_is_told_in_the_shape_of_the_api(
    serving: Serving, name: str, body: str | bytes, status: int, code: str
) -> None:
    answer = ask(serving, "POST", f"/tools/{name}?record={ID}", body)
    error: JsonObject = answer.json["error"]
    assert (answer.status, error["code"], error["type"]) == (status, code, "invalid_request_error")
    assert error["message"]


def test_a_record_is_named_where_there_are_several(serving: Serving) -> None:
    for query in ("", "?record=none", "?record=../x", f"?record={'x' * 5_000}"):
        answer = ask(serving, "POST", f"/tools/{NAME}{query}", "{}")
        assert (answer.status, answer.json["error"]["code"]) == (404, "record_not_found")
        assert "there are 12" in answer.text
    index = RECORD["metadata"]["index"]
    assert ask(serving, "GET", f"/tools?record={index}").headers["x-toolgen-record"] == ID
    assert ask(serving, "GET", f"/tools?record={ID}&session={'x' * 201}").status == 200
    assert ask(serving, "GET", f"/world?record={ID}&session={'x' * 201}").status == 400


def test_one_record_need_not_be_named_and_the_key_is_asked_for() -> None:
    with serve_records([RECORD], api_key="secret") as serving:
        assert ask(serving, "GET", "/tools").status == 401
        assert ask(serving, "GET", "/tools", authorization="Bearer secret").json["data"] == RECORD["tools"]
