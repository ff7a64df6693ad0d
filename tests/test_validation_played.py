"""Records whose texts a model wrote over bundled tools, in four languages, knowing the prompts alone.

Each passes every rule, and no longer does when its call takes another one's values.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from pathlib import Path
from typing import Any

from generator.validation import validate_record
from tests.tables import each_row

Json = Any  # parsed JSON

RECORDS: list[Json] = [
    json.loads(line) for line in Path(__file__).with_name("played.jsonl").read_text(encoding="utf-8").splitlines()
]


def refusals(record: Json) -> list[str]:
    return [f"{each.rule} {each.message}" for each in validate_record(record) if each.severity == "error"]


def calls(record: Json) -> list[Json]:
    return [call["function"] for message in record["messages"] for call in message.get("tool_calls", ())]


@each_row("record", RECORDS, ids=lambda record: f"{record['metadata']['kind']}-{record['metadata']['id']}")
def test_what_a_model_wrote_passes(record: Json) -> None:
    assert refusals(record) == []


def test_they_are_of_many_kinds_and_languages() -> None:
    kinds = Counter(record["metadata"]["kind"] for record in RECORDS)
    languages = Counter(record["metadata"]["locale"][:2] for record in RECORDS)
    assert len(RECORDS) == 96
    assert len(kinds) >= 14
    assert set(languages) == {"en", "de", "es", "zh"}
    assert min(languages.values()) >= 4


def test_a_call_with_the_values_of_another_record_is_refused() -> None:
    """Their tool is the same, so that the schema holds; what was said does not lead to them."""
    spoilt = caught = 0
    for record in RECORDS:
        if len(calls(record)) != 1:
            continue
        (own,) = calls(record)
        others = [
            call for each in RECORDS for call in calls(each) if each is not record and call["name"] == own["name"]
        ]
        other = next((call for call in others if not call["arguments"].items() <= own["arguments"].items()), None)
        if other is None:
            continue
        wrong = copy.deepcopy(record)
        calls(wrong)[0]["arguments"] = other["arguments"]
        spoilt += 1
        caught += bool(refusals(wrong))
    assert spoilt >= 15
    assert caught == spoilt
