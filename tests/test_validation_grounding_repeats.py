"""A call is made once, unless it failed, was asked for more than once or anything has changed since."""

from __future__ import annotations

from typing import Any

import pytest

from generator.validation.grounding.requests.unasked_calls import repeated_calls
from generator.validation.view import RecordView

Json = Any  # parsed JSON
WEATHER = ("get_weather", {"city": "Rome"}, '{"degrees": 21}')
CALLED: list[tuple[str, list[tuple[str, Json, str]], list[str]]] = [
    ("How is the weather in Rome?", [WEATHER, WEATHER], ["warning"]),
    ("Order the soap.", [("place_order", {"id": 5}, '{"order": 7}')] * 2, ["warning"]),
    ("Wie ist das Wetter in Rom?", [WEATHER, WEATHER, WEATHER], ["warning", "warning"]),
    ("Ja.", [WEATHER, WEATHER], ["warning"]),
    ("Roll a die for me.", [("roll_dice", {}, '{"rolled": 3}'), ("roll_dice", {}, '{"rolled": 3}')], []),
    ("How is the weather in Rome? Look twice.", [WEATHER, WEATHER], []),
    ("How is the weather in Rome?", [("get_weather", {}, '{"error": {"type": "T", "message": "m"}}'), WEATHER], []),
    ("Is the build done?", [("get_build", {"id": 5}, '{"state": "running"}')] * 2, []),
    ("Add a note.", [("list_notes", {}, "[]"), ("add_note", {"text": "a"}, "{}"), ("list_notes", {}, "[]")], []),
    ("The rate?", [("get_rate", {"of": "EUR"}, '{"rate": 1}'), ("get_rate", {"of": "EUR"}, '{"rate": 2}')], ["note"]),
    ("Weather in Rome and Oslo?", [WEATHER, ("get_weather", {"city": "Oslo"}, "{}")], []),
]


def view(asked: str, made: list[tuple[str, Json, str]]) -> RecordView:
    """A record of calls one after the other."""
    messages: list[Json] = [{"role": "user", "content": asked}]
    for at, (name, arguments, content) in enumerate(made):
        identity = f"abcdefgh{at}"
        call = {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}
        messages.append({"role": "assistant", "content": "", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": identity, "name": name, "content": content})
    return RecordView({"messages": messages, "tools": []}, generated=False)


@pytest.mark.parametrize(("asked", "made", "severities"), CALLED)
def test_what_is_called_again_for_nothing_is_found(
    asked: str, made: list[tuple[str, Json, str]], severities: list[str]
) -> None:
    assert [each.at_most for each in repeated_calls(view(asked, made))] == severities


def test_a_new_request_may_need_the_same_call() -> None:
    document = view("How is the weather in Rome?", [WEATHER, WEATHER]).document
    document["messages"].insert(3, {"role": "user", "content": "And now?"})
    assert list(repeated_calls(RecordView(document, generated=False))) == []
