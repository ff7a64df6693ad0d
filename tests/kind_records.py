"""Records of a kind, made offline over the bundled tools, for tests to look at and to break."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

import orjson

from generator.assets import asset_folder
from generator.domains.catalog import Catalog
from generator.formats.tool_files import load_catalog
from generator.job import Job
from generator.pipeline import Producer
from generator.scenarios.repertoire import Repertoire
from generator.validation import KIND_CHECKS
from generator.validation.view import RecordView

Json = Any  # parsed JSON


@cache
def bundled() -> Catalog:
    """The bundled tools."""
    return load_catalog([asset_folder("tool_specs")]).catalog


@cache
def repertoire() -> Repertoire:
    """What is known of the bundled tools, compiled once."""
    return Repertoire(bundled())


@cache
def _made(kind: str, count: int, seed: int) -> tuple[Json, ...]:
    producer = Producer(Job(count=count, seed=seed, mix={kind: 1.0}), bundled(), repertoire=repertoire())
    lines = [producer.produce(index).line for index in range(count)]
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
