"""What a server says of an error is found, whatever shape it has."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.backends.refusals import ErrorMessage, read_error
from generator.backends.wire import Reply


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
