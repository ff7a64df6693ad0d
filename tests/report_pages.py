"""Folders of runs that the tests of reports read, made small, and records that want to do harm."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from gzip import decompress
from pathlib import Path
from typing import Any

import orjson

from generator.cli import main
from tests.record_examples import KINDS

Json = Any  # parsed JSON
HARM = [
    "<script>window.harmed = 1</script>",
    "</script><script>window.harmed = 1</script>",
    "<img src=x onerror='window.harmed = 1'>",
    "<!--<script>",
    "]]><svg onload='window.harmed = 1'>",
    "javascript:window.harmed=1",
    "\u202egnp.exe \u2066hidden\u2069 \u200b\ufeff\x1b[31m\x07\x00",
    "{{ 7 * 7 }} {% include 'x' %}",
    "a\u2028b\u2029c",
    '"><b>x</b>',
]


def run_of(folder: Path, count: int = 40, *options: str) -> Path:
    """Make a run over the bundled tools."""
    assert main(["generate", "--count", str(count), "--out", str(folder), "--quiet", *options]) == 0
    return folder


def folder_of(folder: Path, records: list[Json], **summary: Json) -> Path:
    """Write a folder as a build has it: records that nobody checked, and a summary of them."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [orjson.dumps(record) for record in records]
    (folder / "records.jsonl").write_bytes(b"".join(line + b"\n" for line in lines))
    (folder / "summary.json").write_text(json.dumps({**summary_of(len(records)), **summary}))
    return folder


def summary_of(count: int) -> Json:
    nothing: Json = {"kinds": {}, "kinds_not_served": {}, "tools": {}, "rules": {}, "errors": {}, "versions": {}}
    facts = {"status": "complete", "name": "small", "identity": "0" * 16, "catalog": "0" * 16, "successes": 0}
    counts = {"asked": count, "decided": count, "records": count, "rejected": 0, "record_yield": 1.0}
    return {**nothing, **facts, **counts, "cpu_seconds": 0.0, "wall_seconds": 0.0}


def example_records() -> list[Json]:
    """Return a record of every kind of the examples, numbered."""
    made = [make() for make in KINDS.values()]
    for index, record in enumerate(made):
        record["metadata"]["index"] = index
    return made


def harmful(text: str, index: int) -> Json:
    """Return a record that says a text wherever it can."""
    call = {
        "id": text,
        "type": "function",
        "function": {"name": text, "arguments": {text: text, "deep": {text: [text]}}},
    }
    return {
        "messages": [
            {"role": "system", "content": text},
            {"role": "user", "content": text},
            {"role": "assistant", "content": text, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": text, "name": text, "content": json.dumps({text: text})},
            {"role": text, "content": text},
        ],
        "tools": [{"type": "function", "function": {"name": text, "description": text, "parameters": {text: text}}}],
        "metadata": {
            "id": text,
            "index": index,
            "kind": text,
            "author": text,
            "attempt": text,
            "statuses": {text: text},
            "grounding": {text: {f"/{text}": {"level": text, "where": "/messages/1/content", "text": text}}},
        },
    }


def chunks_in(page: str, which: str) -> list[bytes]:
    """Return what the page holds packed, unpacked."""
    return [decompress(b64decode(text)) for text in re.findall(rf'class="{which}">([^<]+)</script>', page)]
