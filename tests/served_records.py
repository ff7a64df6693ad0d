"""Records and the requests for their turns, for the tests of the server."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from generator import generate_records
from generator.formats import FORMATS
from generator.kinds import KINDS
from tests.bundled import bundled_tools

Json = Any  # parsed JSON


@cache
def records() -> tuple[Json, ...]:
    """One record of each kind."""
    made = generate_records(bundled_tools(), count=len(KINDS), seed=5, mix=dict.fromkeys(KINDS, 1.0))
    return tuple(record.to_dict() for record in made)


def turns() -> Iterator[tuple[Json, Json]]:
    """Each request for a turn of a record's assistant in OpenAI's shape, with the message that is to be answered."""
    for record in records():
        written = FORMATS["openai"].dump_record(record)
        shared = {key: written[key] for key in ("tools", "parallel_tool_calls") if key in written}
        for place, message in enumerate(written["messages"]):
            if message["role"] == "assistant":
                yield {"model": "any", "messages": written["messages"][:place], **shared}, message


def said(message: Json) -> Json:
    """What a message says and calls, whatever the ids."""
    calls = [(call["function"]["name"], call["function"]["arguments"]) for call in message.get("tool_calls") or ()]
    return message.get("content") or "", calls
