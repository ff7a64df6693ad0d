"""What toolgen writes, as requests, responses, streams and ADM's structures: nothing is wrong with any of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from generator.formats import FORMATS
from generator.jsontext import JsonObject
from generator.validation.entities import ENTITIES
from tests.bundled import bundled_tools
from tests.entity_examples import USAGE, chunk, response

Json = Any  # parsed JSON


def turns(record: JsonObject) -> Iterator[tuple[Json, Json]]:
    """Each message of the assistant, with the request that it answers."""
    dump = FORMATS["openai"].dump_record
    assert dump is not None
    written = dump(record)
    for index, message in enumerate(written["messages"]):
        if message["role"] == "assistant":
            told = {key: written[key] for key in ("tools", "parallel_tool_calls") if key in written}
            yield {"model": "m", **told, "messages": written["messages"][:index]}, message


def found(form: str, document: Json) -> set[tuple[str, str]]:
    return {(violation.rule, violation.message) for violation in ENTITIES[form](document)}


def finish_of(message: Json) -> str:
    return "tool_calls" if message.get("tool_calls") else "stop"


def streamed(message: Json) -> list[Json]:
    """The message in chunks of three characters."""
    chunks = [chunk({"role": "assistant"})]
    text = message["content"]
    chunks += [chunk({"content": text[at : at + 3]}) for at in range(0, len(text), 3)]
    for index, call in enumerate(message.get("tool_calls", ())):
        arguments = call["function"]["arguments"]
        first = {**call, "function": {**call["function"], "arguments": ""}}
        chunks.append(chunk({"tool_calls": [{"index": index, **first}]}))
        for at in range(0, len(arguments), 3):
            part = {"index": index, "function": {"arguments": arguments[at : at + 3]}}
            chunks.append(chunk({"tool_calls": [part]}))
    return [*chunks, chunk({}, finish_of(message)), {**chunk({}), "choices": [], "usage": USAGE}]


def test_every_turn_is_a_good_response_to_a_good_request(of_every_kind: list[JsonObject]) -> None:
    for record in of_every_kind:
        for request, message in turns(record):
            assert found("openai-request", request) == set()
            choice = {"index": 0, "message": message, "finish_reason": finish_of(message)}
            answer = {**response(), "choices": [choice]}
            assert found("openai-response", {"request": request, "response": answer}) == set()


def test_every_turn_is_a_good_stream(of_every_kind: list[JsonObject]) -> None:
    for record in of_every_kind[::4]:
        for request, message in turns(record):
            asked = {**request, "stream": True, "stream_options": {"include_usage": True}}
            assert found("openai-stream", {"request": asked, "response": streamed(message)}) == set()


def test_every_call_and_result_is_good_in_adm(of_every_kind: list[JsonObject]) -> None:
    dump = FORMATS["adm"].dump_tools
    assert dump is not None
    document = dump(bundled_tools()).document
    structures = document if isinstance(document, list) else [document]
    shown = {declaration["name"]: {"function_declarations": [declaration]}
             for structure in structures for declaration in structure["function_declarations"]}  # fmt: skip
    for structure in structures:
        assert found("adm-tool", structure) == set()
    checked = 0
    for record in of_every_kind:
        for message in record["messages"]:
            for call in message.get("tool_calls", ()):
                name = call["function"]["name"]
                if name in shown:
                    pair = {"tool": shown[name], "call": {"name": name, "args": call["function"]["arguments"]}}
                    assert found("adm-call", pair) == set()
                    checked += 1
    assert checked > 50
