"""openai's own types accept the openai export, lazily typed parts included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from openai.types.chat import ChatCompletionMessageParam
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
from pydantic import TypeAdapter, ValidationError

from generator.formats import FORMATS
from tests import record_examples

pytestmark = pytest.mark.interop

Json = Any  # parsed JSON
REQUEST = TypeAdapter(CompletionCreateParamsNonStreaming)
MESSAGE = TypeAdapter(ChatCompletionMessageParam)


def walk(value: Any) -> Any:
    """Force every lazily validated iterable inside a value."""
    if isinstance(value, Mapping):
        return {key: walk(inner) for key, inner in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        return [walk(inner) for inner in value]
    return value


def accepted(document: Json) -> None:
    request = {key: value for key, value in document.items() if key != "metadata"}
    walked = walk(REQUEST.validate_python({"model": "any", **request}))
    assert len(walked["messages"]) == len(document["messages"])
    for message in document["messages"]:
        kept = walk(MESSAGE.validate_python(message))
        assert kept["role"] == message["role"]
        assert len(kept.get("tool_calls", [])) == len(message.get("tool_calls", []))


def exported(document: Json, name: str = "openai") -> Json:
    dump = FORMATS[name].dump_record
    assert dump is not None
    return dump(document)


def test_generated_records_are_accepted(judged: list[Json]) -> None:
    for document in judged:
        accepted(exported(document))


@pytest.mark.parametrize("name", ["openai", "openai-finetune"])
def test_records_of_every_kind_are_accepted(name: str, of_every_kind: list[Json]) -> None:
    for document in of_every_kind:
        accepted(exported(document, name))


@pytest.mark.slow
def test_two_thousand_records_of_every_kind_are_accepted(two_thousand: list[Json]) -> None:
    for document in two_thousand:
        accepted(exported(document))


@pytest.mark.parametrize("kind", record_examples.KINDS)
def test_each_kind_is_accepted(kind: str) -> None:
    accepted(exported(record_examples.KINDS[kind]()))


def test_the_judge_does_judge() -> None:
    with pytest.raises(ValidationError):
        accepted(record_examples.simple())
