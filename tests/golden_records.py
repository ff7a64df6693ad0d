"""The records behind the golden files: `python -m tests.golden_records` writes them anew, to be reviewed by eye.

`trip` has everything a conversation may hold, `chat` no tools, and `documented` the little that the documentation of
the trainers shows; the golden files of `documented` are written by hand after that documentation (see SOURCES.md in
their folder), and never written anew.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from generator.formats.recognition import WRITTEN

Json = Any  # parsed JSON
GOLDEN = Path(__file__).parent / "data" / "golden"


def _tool(name: str, description: str, **properties: Json) -> Json:
    schema = {"type": "object", "properties": properties, "required": [next(iter(properties))]}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


_STATION = {"type": "string", "description": "The station."}
FIND = _tool(
    "find_trains", "Find trains from a station.", station=_STATION, day={"type": "string", "description": "The day."}
)
STRICT_BOOK = _tool(
    "book_seat",
    "Book a seat in a train.",
    train={"type": "string", "description": "The train."},
    window={"type": "boolean", "description": "Whether it is at the window."},
)
STRICT_BOOK["function"]["strict"] = False


def _call(identity: str, name: str, **arguments: Json) -> Json:
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


def _result(identity: str, name: str, content: str) -> Json:
    return {"role": "tool", "tool_call_id": identity, "name": name, "content": content}


def trip() -> Json:
    """Several turns: calls at once, text beside a call, an error, a result that is no JSON, letters of other kinds."""
    return {
        "messages": [
            {"role": "system", "content": "You help travellers.\nAnswer briefly."},
            {"role": "user", "content": 'Trains from Zürich and from "Bern" on Friday?'},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [
                    _call("aB3dE6gH9", "find_trains", station="Zürich", day="Friday"),
                    _call("zY8xW7vU6", "find_trains", station='"Bern"', day="Friday"),
                ],
            },
            _result("aB3dE6gH9", "find_trains", '{"trains":["IC 5"],"price":12.5}'),
            _result("zY8xW7vU6", "find_trains", '{"error":{"type":"RESOURCE_NOT_FOUND","message":"No such station."}}'),
            {"role": "assistant", "content": "From Zürich there is the IC 5; Bern was not found."},
            {"role": "user", "content": "Book the IC 5."},
            {
                "role": "assistant",
                "content": "I will book it.",
                "tool_calls": [_call("kL1mN2oP3", "book_seat", train="IC 5", window=True)],
            },
            _result("kL1mN2oP3", "book_seat", "Seat 12, coach 3"),
            {"role": "assistant", "content": "Done: seat 12 in coach 3."},
        ],
        "tools": [FIND, STRICT_BOOK],
        "metadata": {
            "id": "0123456789abcdef",
            "kind": "multi_turn",
            "statuses": {"aB3dE6gH9": "SUCCESS", "zY8xW7vU6": "RESOURCE_NOT_FOUND", "kL1mN2oP3": "SUCCESS"},
        },
    }


def chat() -> Json:
    """No tools, no system message, no metadata."""
    return {
        "messages": [{"role": "user", "content": "Good morning!"}, {"role": "assistant", "content": "Good morning."}],
        "tools": [],
    }


def documented() -> Json:
    """One question, one call, one result, one answer."""
    return {
        "messages": [
            {"role": "system", "content": "You help travellers."},
            {"role": "user", "content": "Trains from Bern?"},
            {"role": "assistant", "content": "", "tool_calls": [_call("aB3dE6gH9", "find_trains", station="Bern")]},
            _result("aB3dE6gH9", "find_trains", '{"trains":["IC 5"]}'),
            {"role": "assistant", "content": "The IC 5."},
        ],
        "tools": [FIND],
    }


RECORDS = {"trip": trip, "chat": chat}


def cases() -> dict[str, Json]:
    """Every golden file that is written anew, by its path below GOLDEN, with what it holds."""
    found: dict[str, Json] = {}
    for name, known in WRITTEN.items():
        for record, make in RECORDS.items():
            for variant, dump in (known.variants or {"": known.dump_record}).items():
                assert dump is not None
                found[f"{name}/{record}{variant and '-' + variant}.json"] = dump(make())
    return found


if __name__ == "__main__":
    for path, document in cases().items():
        (GOLDEN / path).parent.mkdir(parents=True, exist_ok=True)
        (GOLDEN / path).write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
