"""Outcome: what became of one scenario index."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from hashlib import blake2b

from generator.backends.budget import NOTHING_SPENT, Spent
from generator.jsontext import JsonObject
from generator.lengths import ESTIMATE, TokenCounter, coarse
from generator.runs.coverage import LENGTH, cover
from generator.tools import Tool
from generator.validation.masks import unmasked
from generator.validation.verdict import Rejection


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one scenario index: its record, or none, and every attempt that was rejected on the way."""

    index: int
    attempt: int
    """The last attempt that was made."""
    kind: str
    line: bytes | None
    """The record as a line of JSONL with its newline; None where every attempt was rejected."""
    key: bytes
    """Identifies the user's request: equal keys are duplicates. Empty where every attempt was rejected; with no line it
    is that of an attempt that was left off, since an earlier record has this request."""
    shown: tuple[str, ...]
    """Names of the tools shown."""
    statuses: tuple[tuple[str, str], ...]
    """Tool name and status of each call, in order."""
    rejections: tuple[Rejection, ...] = ()
    spent: Spent = NOTHING_SPENT
    """What all attempts together have cost."""
    coverage: tuple[tuple[str, str], ...] = ()
    """What the record uses of its tools, as topics of the tally and names."""
    metadata: bytes = b""
    """The metadata of a record whose line has none, as JSON: without them it could not be examined again."""
    requests: tuple[bytes, ...] = ()
    """The key of each rejected attempt; empty for one whose request was not written."""
    planned: tuple[str, ...] = ()
    """Names of the tools that the plan calls, or shows."""
    request: str = field(default="", compare=False)
    """What the user says last, for a rejection; "" where the record was read back."""
    origins: tuple[str, ...] = field(default=(), compare=False)
    """The parts of domain files that its wishes are taken from, for a rejection."""


def outcome_of(
    document: JsonObject,
    grounding: JsonObject,
    tools: Iterable[Tool],
    line: bytes,
    metadata: bytes = b"",
    *,
    counter: TokenCounter = ESTIMATE,
) -> Outcome:
    """Return the outcome that a record with its metadata is, without what became of the attempts before it."""
    own = document["metadata"]
    named = unmasked(document, own["mask"]) if "mask" in own else document
    names = [message["name"] for message in named["messages"] if message["role"] == "tool"]
    shown = tuple(tools)
    return Outcome(
        index=own["index"],
        attempt=own["attempt"],
        kind=own["kind"],
        line=line,
        key=request_key(document),
        shown=tuple(tool.name for tool in shown),
        statuses=tuple(zip(names, own["statuses"].values(), strict=True)),
        coverage=(*cover(named, grounding, shown), (LENGTH, str(coarse(counter.of_record(document))))),
        metadata=metadata,
    )


LONGEST_REQUEST = 500
"""Characters of a request that a rejection tells."""
_NOT_WORDS = re.compile(r"\W+")


def request_key(document: JsonObject) -> bytes:
    """Return 8 bytes that are equal for equal requests, whatever their case, spacing and punctuation."""
    return key_of(message["content"] for message in document["messages"] if message["role"] == "user")


def key_of(texts: Iterable[str]) -> bytes:
    """Return the key of a request: of all that the user says in a record."""
    words = _NOT_WORDS.sub(" ", "\n".join(texts).casefold()).strip()
    return blake2b(words.encode("utf-8", "surrogatepass"), digest_size=8).digest()
