"""Records of every kind: left alone where they are valid, brought back where everything is wrong with them at once."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from generator.jsontext import JsonObject
from generator.validation.fixes.mending import mend

Json = Any  # parsed JSON


def calls_of(record: Json) -> list[Json]:
    return [call for message in record["messages"] for call in message.get("tool_calls", ())]


def in_capitals(schema: Json) -> Json:
    """A schema with its types as ADM writes them, where they stand plainly."""
    if not isinstance(schema, dict):
        return schema
    shown = {**schema, "type": schema["type"].upper()} if isinstance(schema.get("type"), str) else dict(schema)
    if isinstance(shown.get("properties"), dict):
        shown["properties"] = {name: in_capitals(part) for name, part in shown["properties"].items()}
    return {**shown, "items": in_capitals(shown["items"])} if "items" in shown else shown


def reversed_results(messages: list[Json]) -> list[Json]:
    ordered: list[Json] = []
    block: list[Json] = []
    for message in messages:
        if message["role"] == "tool":
            block.insert(0, message)
        else:
            ordered += [*block, message]
            block = []
    return ordered + block


def in_disorder(record: Json) -> Json:
    """The record as other tools write it: every fault that is common, everywhere."""
    faulty = copy.deepcopy(record)
    ids = {call["id"]: f"call_{number}" for number, call in enumerate(calls_of(faulty))}
    for message in faulty["messages"]:
        if message["role"] == "tool":
            message["tool_call_id"] = ids[message["tool_call_id"]]
            message["content"] = json.loads(message["content"])
            del message["name"]
        elif message["role"] == "assistant":
            message["content"] = None if "tool_calls" in message else message["content"] + "<|im_end|>"
            message.setdefault("tool_calls", [])
        else:
            message.update(name=None, role={"user": "human"}.get(message["role"], message["role"]))
    for call in calls_of(faulty):
        call["id"] = ids[call["id"]]
        call["function"]["arguments"] = json.dumps(call["function"]["arguments"])
        del call["type"]
    for tool in faulty["tools"]:
        tool["function"]["parameters"] = in_capitals(tool["function"]["parameters"])
        tool.update(tool.pop("function"))
    for told in faulty["metadata"].values():
        if isinstance(told, dict) and told.keys() <= ids.keys():
            renamed = {ids[call_id]: value for call_id, value in told.items()}
            told.clear()
            told.update(renamed)
    faulty["messages"] = reversed_results(faulty["messages"])
    return faulty


def with_plain_ids(record: Json) -> Json:
    """The record with its calls numbered, so that records which differ in their ids alone are equal."""
    text = json.dumps(record)
    for number, call in enumerate(calls_of(record)):
        text = text.replace(call["id"], f"ID{number}")
    return json.loads(text)


@pytest.mark.parametrize("unsafe", [False, True])
def test_valid_records_are_left_alone(of_every_kind: list[JsonObject], unsafe: bool) -> None:
    for record in of_every_kind:
        mended = mend(record, unsafe=unsafe)
        assert (mended.document, mended.fixes, mended.errors) == (record, (), ())


def test_records_in_disorder_are_brought_back(of_every_kind: list[JsonObject]) -> None:
    assert {record["metadata"]["kind"] for record in of_every_kind} > {"simple", "parallel", "irrelevance"}
    for record in of_every_kind:
        mended = mend(in_disorder(record))
        assert with_plain_ids(mended.document) == with_plain_ids(record)
        assert mended.errors == ()
        assert mend(mended.document).document == mended.document
