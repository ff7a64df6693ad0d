"""The result of a call tells of the row whose id the call is given."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.validation.grounding.swaps.rows import told_of_other_rows
from generator.validation.view import RecordView

Json = Any  # parsed JSON

PAYEES = {"payees": [{"id": "PY1", "full_name": "Ann Lee"}, {"id": "PY2", "full_name": "Bob Ray"}]}
SHOWS = [
    {"show_id": "S-71", "artist": "DJ Engines", "city": "Rome"},
    {"show_id": "S-72", "artist": "Trio", "city": "Rome"},
]


def found(rows: Json, given: str, result: Json) -> list[str]:
    """Where something is found of a call with an id of one of some rows."""
    messages: list[Json] = [{"role": "user", "content": "Please do it."}]
    for at, (arguments, told) in enumerate((({}, rows), ({"id": given}, result))):
        identity = f"abcdefgh{at}"
        call = {"id": identity, "type": "function", "function": {"name": "do_it", "arguments": arguments}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": identity, "name": "do_it", "content": json.dumps(told)})
    view = RecordView({"messages": messages, "tools": []}, generated=False)
    return [each.pointer for each in told_of_other_rows(view)]


WRONG = [
    (PAYEES, "PY1", {"payee": "Bob Ray", "amount": 5}),
    (SHOWS, "S-72", {"booking": "B1", "artist": "DJ Engines", "tickets": 2}),
]
RIGHT = [
    (PAYEES, "PY2", {"payee": "Bob Ray", "amount": 5}),
    (PAYEES, "PY1", {"status": "sent"}),
    (PAYEES, "PY1", {"payees": ["Ann Lee", "Bob Ray"]}),
    (PAYEES, "PY1", {"error": {"type": "T", "message": "Bob Ray is away."}}),
    (SHOWS, "S-72", {"booking": "B1", "city": "Rome"}),
]


@pytest.mark.parametrize(("rows", "given", "result"), WRONG)
def test_a_result_that_tells_of_another_row_is_found(rows: Json, given: str, result: Json) -> None:
    assert found(rows, given, result) == ["/messages/3/tool_calls/0/function/arguments/id"]


@pytest.mark.parametrize(("rows", "given", "result"), RIGHT)
def test_what_tells_of_the_row_or_of_none_is_in_order(rows: Json, given: str, result: Json) -> None:
    assert found(rows, given, result) == []
