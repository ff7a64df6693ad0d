"""Records of a kind, made offline over the bundled tools, for tests to look at and to break."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any

import orjson

from generator.job import Job
from generator.kinds import KINDS
from generator.record import Producer
from generator.validation import KIND_CHECKS
from generator.validation.view import RecordView
from tests.bundled import bundled

Json = Any  # parsed JSON


@cache
def producer(seed: int = 3, mask: float = 0.0) -> Producer:
    """A producer of records of every kind in turn."""
    return Producer(Job(count=9999, seed=seed, mix=dict.fromkeys(KINDS, 1.0), mask=mask), bundled())


def indices_of(kind: str, count: int, seed: int = 3) -> list[int]:
    """The first indices at which such a producer makes records of one kind."""
    planned = (index for index in range(9999) if producer(seed).planned_kind(index) == kind)
    return list(islice(planned, count))


@cache
def _made(kind: str, count: int, seed: int) -> tuple[Json, ...]:
    lines = [producer(seed).produce(index).line for index in indices_of(kind, count, seed)]
    return tuple(orjson.loads(line) for line in lines if line is not None)


def records_of(kind: str, count: int = 12, seed: int = 3) -> list[Json]:
    """Records of one kind, free to be changed; fewer than `count` where an index yielded none."""
    return copy.deepcopy(list(_made(kind, count, seed)))


def complaints(document: Json, kind: str | None = None) -> list[str]:
    """What the check of a kind (the record's own unless given) finds wrong."""
    return list(KIND_CHECKS[kind or document["metadata"]["kind"]](RecordView(document)))


def turns(document: Json, role: str) -> list[Json]:
    """The messages of one role."""
    return [message for message in document["messages"] if message["role"] == role]


def calls(document: Json) -> list[Json]:
    """The functions called, in order."""
    return [call["function"] for message in document["messages"] for call in message.get("tool_calls", ())]


def by_lists_of_words(records: list[Json]) -> list[Json]:
    """Those of the records that keep their claim even where no domain file vouches for their words."""
    for record in records:
        record["metadata"]["author"] = "llm"
    return [record for record in records if not complaints(record)]


def require_refused_by_words(kind: str, mutate: Callable[[Json], None], count: int) -> None:
    """Lists of words judge what others wrote; what a domain file has for the very kind is taken at its word."""
    trusted = records_of(kind, count)
    for record in trusted:
        mutate(record)
    assert not all(map(complaints, trusted))
    records = by_lists_of_words(records_of(kind, count))
    assert records
    for record in records:
        mutate(record)
        assert complaints(record), [message["content"] for message in record["messages"]]


def prefixes(record: Json) -> list[tuple[Json, frozenset[str]]]:
    """A record as far as it has come after each turn of calls, and the tools that it is still to call."""
    ends = [place for place, message in enumerate(record["messages"]) if message["role"] == "tool"]
    ends = [end for end in ends if record["messages"][end + 1]["role"] != "tool"]
    found = []
    for end in ends:
        shown = record["messages"][: end + 1]
        rest = record["messages"][end + 1 :]
        coming = {each["function"]["name"] for message in rest for each in message.get("tool_calls", ())}
        found.append(({**record, "messages": shown}, frozenset(coming)))
    return found
