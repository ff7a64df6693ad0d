"""Messages name what stands in the file: its own ids, the names of functions where it has none, its own script."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from generator.datasets.readers import any_format
from generator.formats import FORMATS
from generator.validation.examiner import check_line
from generator.validation.say import brief
from generator.validation.standard import Standard
from tests.record_examples import simple

Json = Any  # parsed JSON


def messages_of(document: Json) -> str:
    return "\n".join(each.message for each in check_line(orjson.dumps(document), Standard(reader=any_format))[1])


def unanswered() -> Json:
    """A record whose last call has no result."""
    document = simple()
    del document["messages"][3:], document["metadata"]
    return document


@pytest.mark.parametrize("own", ["call_WhatEver-7", "call_aB3dE6gH9", "chatcmpl-tool-0", "呼び出し一"])
def test_the_ids_of_openai_are_those_of_the_file(own: str) -> None:
    document = unanswered()
    call = document["messages"][-1]["tool_calls"][0]
    call |= {"id": own}
    call["function"]["arguments"] = orjson.dumps(call["function"]["arguments"]).decode()
    assert f"the call {brief(own)}" in messages_of(document)


def test_the_ids_of_anthropic_are_those_of_the_file() -> None:
    dump = FORMATS["anthropic"].dump_record
    assert dump is not None
    document = orjson.loads(orjson.dumps(dump(unanswered())).replace(b"toolu_", b"toolu_01"))
    assert "the call 'toolu_01" in messages_of(document)


@pytest.mark.parametrize("name", ["bfcl", "llamafactory", "ms-swift"])
def test_where_the_file_has_no_ids_functions_are_named(name: str) -> None:
    dump = FORMATS[name].dump_record
    assert dump is not None
    assert "the call 'get_weather'" in messages_of(dump(unanswered()))


def test_text_keeps_its_script_and_hides_nothing() -> None:
    assert brief("请给玫瑰浇水, größer") == "'请给玫瑰浇水, größer'"
    assert brief("a\x1b[2J\u202eb\U000e0041\ud800\n") == "'a\\x1b[2J\\u202eb\\U000e0041\\ud800\\n'"
