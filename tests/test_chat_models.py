"""The models of chat entities take what the rules take, keep what they do not know, and refuse the rest."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from generator.validation.entities import ENTITIES
from tests.chat_models import (
    ChatCompletionChunk,
    ChatCompletionRequest,
    ChatCompletionResponse,
    ChatEntity,
    ChatMessage,
    ChatToolCall,
    Choice,
    FunctionInvocation,
    StreamOptions,
    ToolDefinition,
    ToolFunction,
    Usage,
)
from tests.entity_examples import answered, call, copied, read_file, request, response, stream
from tests.tables import each_row
from tests.test_validation_entities import BREAKS, broken
from tests.test_validation_fuzz import places

Json = Any  # parsed JSON

MODELS: dict[str, type[ChatEntity]] = {
    "openai-request": ChatCompletionRequest,
    "openai-response": ChatCompletionResponse,
}
ENTITY_EXAMPLES: list[tuple[type[ChatEntity], Json]] = [
    (ChatCompletionRequest, request()),
    (ChatCompletionResponse, response()),
    *((ChatCompletionChunk, chunk) for chunk in stream()),
    *((ChatMessage, message) for message in answered()),
    (ChatToolCall, call()),
    (FunctionInvocation, call()["function"]),
    (ToolDefinition, read_file()),
    (ToolFunction, read_file()["function"]),
    (StreamOptions, {"include_usage": True}),
    (StreamOptions, {}),
    (Choice, response()["choices"][0]),
    (Usage, response()["usage"]),
]
LIMITS = {"OA029", "OA030"}
"""Limits of strict mode: advice for what is read, and refused by a model of what is written."""


def accepts(model: type[ChatEntity], document: Json) -> bool:
    try:
        model.model_validate(document)
    except ValidationError:
        return False
    return True


def errors(form: str, document: Json) -> set[str]:
    return {violation.rule for violation in ENTITIES[form](document) if violation.severity == "error"}


@each_row(("model", "document"), ENTITY_EXAMPLES)
def test_an_entity_is_read_and_written_as_it_was(model: type[ChatEntity], document: Json) -> None:
    entity = model.model_validate({**document, "unknown": {"kept": [1]}})
    written = entity.model_dump(mode="json", exclude_unset=True)
    assert written == {**document, "unknown": {"kept": [1]}}


OPENAI_BREAKS = [row for row in BREAKS if row[0] in MODELS]


@each_row(("form", "path", "value", "code", "pointer"), OPENAI_BREAKS)
def test_a_model_refuses_what_the_rules_refuse(
    form: str, path: tuple[str | int, ...], value: Json, code: str, pointer: str
) -> None:
    assert code
    assert pointer
    document = broken(form, 0, path, value)
    assert accepts(MODELS[form], document) == (not errors(form, document))


def test_a_message_of_an_error_names_the_error_code() -> None:
    for name, arguments, code in (("fly", "{}", "unknown_tool_call"), ("read_file", "{", "malformed_tool_arguments"),
                                  ("read_file", "{}", "invalid_tool_arguments")):  # fmt: skip
        document = request()
        document["messages"][2]["tool_calls"][0]["function"] = {"name": name, "arguments": arguments}
        with pytest.raises(ValidationError, match=code):
            ChatCompletionRequest.model_validate(document)


def test_a_strict_function_is_held_to_its_limits() -> None:
    schema = {"type": "object", "properties": {f"p{n}": {"type": "string"} for n in range(101)},
              "required": [f"p{n}" for n in range(101)], "additionalProperties": False}  # fmt: skip
    assert not accepts(ToolFunction, {"name": "f", "parameters": schema, "strict": True})
    assert accepts(ToolFunction, {"name": "f", "parameters": schema, "strict": False})


VALUES = st.sampled_from(
    [None, True, 0, -1, 1, 1.0, 1.5, "", "x", "call_1", "call_2", "tool", "assistant", "{}", "{", [], {}, "read_file",
     "stop", "tool_calls", "none", "required", ["a"], [1], {"type": "object"}, {"type": "function"}, "object"]
)  # fmt: skip


@settings(max_examples=250, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(MODELS)), st.data())
def test_models_and_rules_agree(form: str, data: st.DataObject) -> None:
    document = copied({"openai-request": request, "openai-response": response}[form]())
    for _ in range(data.draw(st.integers(1, 2))):
        holder, key = data.draw(st.sampled_from(places(document)))
        if data.draw(st.booleans()):
            holder[key] = copied(data.draw(VALUES))
        else:
            del holder[key]
    found = errors(form, document)
    if not found & LIMITS:
        assert accepts(MODELS[form], document) == (not found), found
