"""Wrong answers to turns of good records: what corruptions and mutations make of an assistant message."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.benchmarks.corruptions.bases import Base, all_bases, mixed
from tests.benchmarks.corruptions.corruption import Corruption
from tests.record_mutations import Mutation

Json = Any  # parsed JSON


@cache
def good_bases(count: int = 80) -> list[Base]:
    """Every good record there is, about so many of them over the bundled tools; none of BFCL's."""
    return all_bases(0, count, Path("no such folder"))


class WrongAnswer(NamedTuple):
    """An answer to a turn of a good record that is not as good as the record's own."""

    name: str
    record: Json
    turn: int
    answer: Json


def first_change(good: Json, other: Json) -> tuple[int, Json] | None:
    """Return which turn of the assistant is answered otherwise, and how, where all before it is the same."""
    if good["tools"] != other.get("tools") or not isinstance(other.get("messages"), list):
        return None
    turn = 0
    for message, changed in zip(good["messages"], other["messages"], strict=False):
        is_turn = message["role"] == "assistant"
        if message != changed:
            return (
                (turn, changed)
                if is_turn and isinstance(changed, dict) and changed.get("role") == "assistant"
                else None
            )
        turn += is_turn
    return None


def corrupted_answers(corruption: Corruption, bases: Iterable[Base], count: int, seed: int) -> Iterator[WrongAnswer]:
    """Yield up to that many answers that a class of errors makes of good records, sources and kinds in turn."""
    found = 0
    for base in mixed(bases, Random(f"{seed} {corruption.name}")):
        if found == count:
            return
        other = corruption.apply(json.loads(json.dumps(base.record)), Random(f"{seed} {base.name}"))
        changed = first_change(base.record, other) if other is not None else None
        if changed is not None:
            found += 1
            yield WrongAnswer(f"{corruption.name} of {base.name}", base.record, *changed)


def mutated_answers(mutation: Mutation, records: Iterable[Json]) -> Iterator[WrongAnswer]:
    """Yield the answers that a mutation makes of good records."""
    for record in records:
        other = copy.deepcopy(record)
        if mutation.change(other) and (changed := first_change(record, other)) is not None:
            yield WrongAnswer(f"{mutation.code} {mutation.name}", record, *changed)
