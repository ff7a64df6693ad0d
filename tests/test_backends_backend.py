"""What tells two askings apart, and what does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from generator.backends.backend import MODES, CompletionRequest, Mode, ModelOptions
from generator.jsontext import JsonObject

SCHEMA: JsonObject = {"type": "object", "properties": {"a": {}, "b": {}}}
TURNED: JsonObject = {"properties": {"b": {}, "a": {}}, "type": "object"}
MODEL = ModelOptions("m", 100, extra_body={"a": 1, "b": 2})
REQUEST = CompletionRequest(MODEL, ({"role": "user", "content": "Hi"},), SCHEMA, True, "json_schema", "1")


def test_the_order_of_keys_does_not_matter() -> None:
    model = replace(MODEL, extra_body={"b": 2, "a": 1})
    assert replace(REQUEST, model=model, schema=TURNED).key == REQUEST.key


@pytest.mark.parametrize(
    "change",
    [
        {"model": "n"},
        {"max_output_tokens": 101},
        {"temperature": 0.0},
        {"top_p": 1.0},
        {"reasoning_effort": "low"},
        {"extra_body": {}},
    ],
)
def test_every_option_of_the_model_changes_the_key(change: dict[str, Any]) -> None:
    assert replace(REQUEST, model=replace(MODEL, **change)).key != REQUEST.key


@pytest.mark.parametrize(
    "change",
    [{"salt": "2"}, {"mode": "tools"}, {"schema": {}}, {"strict": False}, {"messages": ()}],
)
def test_every_part_of_the_question_changes_the_key(change: dict[str, Any]) -> None:
    assert replace(REQUEST, **change).key != REQUEST.key


@pytest.mark.parametrize("mode", MODES)
def test_a_schema_that_is_not_sent_does_not_count(mode: Mode) -> None:
    request = replace(REQUEST, mode=mode)
    assert (replace(request, schema={}).key == request.key) == (mode in ("json_object", "text"))
