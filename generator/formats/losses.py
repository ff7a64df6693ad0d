"""What formats cannot hold of tools and of records: each loss in words, those of records as a function too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from generator.formats.conversation import all_calls, calls_of, messages_of, rewrite_ids, rewrite_messages
from generator.jsontext import JsonObject, pointer
from generator.tools import Change, Tool


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that a format has no place for.

    A record that was written and read back equals the original once both are forgotten.
    """

    name: str
    text: str
    """What is lost, in the words of the table of formats."""
    forget: Callable[[JsonObject], JsonObject]
    takes: tuple[str, ...] = ()
    """The parts of a record that it takes away, in the words of the same table."""


def _number_ids(document: JsonObject) -> JsonObject:
    ids = [call["id"] for call in all_calls(document) if isinstance(call.get("id"), str)]
    return rewrite_ids(document, {identity: f"call {number}" for number, identity in enumerate(ids)})


def _without_metadata(document: JsonObject) -> JsonObject:
    return {key: value for key, value in document.items() if key != "metadata"}


def _without_text_beside_calls(document: JsonObject) -> JsonObject:
    return rewrite_messages(document, lambda message: {**message, "content": ""} if calls_of(message) else message)


def _results_in_call_order(document: JsonObject) -> JsonObject:
    places = {call["id"]: place for place, call in enumerate(all_calls(document)) if isinstance(call.get("id"), str)}
    messages = messages_of(document)
    ordered = list(messages)
    start = 0
    while start < len(messages):
        end = start
        while end < len(messages) and messages[end].get("role") == "tool":
            end += 1
        ordered[start:end] = sorted(messages[start:end], key=lambda result: places.get(result.get("tool_call_id"), -1))
        start = max(end, start + 1)
    return {**document, "messages": ordered}


def _without_strict(document: JsonObject) -> JsonObject:
    def loose(tool: JsonObject) -> JsonObject:
        return {**tool, "function": {key: value for key, value in tool["function"].items() if key != "strict"}}

    return {**document, "tools": [loose(tool) for tool in document.get("tools", [])]}


IDS = Loss("ids", "the ids of calls, which reading replaces by new ones", _number_ids, ("ids",))
IDS_BESIDE_METADATA = Loss("ids", "the ids of calls, where the metadata is left out", _number_ids, ("ids",))
METADATA = Loss("metadata", "the metadata", _without_metadata, ("metadata",))
TEXT_BESIDE_CALLS = Loss("text beside calls", "text beside calls", _without_text_beside_calls, ("text beside calls",))
STRICT = Loss("strict", "`strict` of tools", _without_strict, ("`strict`",))
ORDER_OF_RESULTS = Loss(
    "order of results", "an order of results other than that of their calls", _results_in_call_order, ("their order",)
)


def forget(document: JsonObject, losses: tuple[Loss, ...]) -> JsonObject:
    """Return the record without whatever these losses take away."""
    for loss in losses:
        document = loss.forget(document)
    return document


def result_loss(tool: Tool) -> Iterator[Change]:
    """Say that the result schema is left out; a derived one is no loss, since it is derived again."""
    if tool.result_origin != "domain":
        yield Change(pointer="/result_schema", kind="lost", message="the format has no place for a result schema")


def extension_losses(tool: Tool) -> Iterator[Change]:
    """Say which extensions are left out."""
    for name in tool.extensions:
        yield Change(pointer=pointer((name,)), kind="lost", message="the format has no place for extensions")


def strict_loss(tool: Tool) -> Iterator[Change]:
    """Say that `strict` is left out, where it was said."""
    if tool.strict is not None:
        yield Change(pointer="/strict", kind="lost", message="the format has no strict mode")
