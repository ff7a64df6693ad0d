"""Whether jsonschema and jsonschema_rs give the same verdict on many pairs of a schema and a value.

    python -m tests.benchmarks.compare_validators [--count 100000]

Where they differ, the schema holds a construct of the table of differences, or the program ends with exit code 1.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from functools import lru_cache
from typing import Any

import jsonschema
import jsonschema_rs

from generator.schemas.validators import DISAGREEMENTS
from tests.schema_pairs import pairs

Json = Any  # parsed JSON


@lru_cache(maxsize=8192)
def decider(text: str) -> jsonschema_rs.Draft202012Validator:
    """jsonschema_rs's validator of a schema, formats checked."""
    return jsonschema_rs.Draft202012Validator(json.loads(text), validate_formats=True, offline=True)


@lru_cache(maxsize=8192)
def oracle(text: str) -> Any:
    """jsonschema's validator of a schema, formats checked."""
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    return jsonschema.Draft202012Validator(json.loads(text), format_checker=checker)


def python_verdict(schema: Json, value: Json) -> bool | None:
    """What jsonschema says; None where Python's `re` cannot read a pattern of the schema."""
    try:
        return bool(oracle(json.dumps(schema)).is_valid(value))
    except (re.error, RecursionError):
        return None


def why(schema: Json) -> str:
    """The constructs of the table that a schema holds."""
    text = json.dumps(schema)
    return ", ".join(keyword for keyword in DISAGREEMENTS if f'"{keyword}"' in text)


def compare(most: int, step: int = 1) -> tuple[Counter[str], Counter[str], list[tuple[Json, Json, bool | None]]]:
    """Count the pairs by verdict, the differences by construct, and list those that nothing explains."""
    verdicts: Counter[str] = Counter()
    explained: Counter[str] = Counter()
    unexplained = []
    for schema, value in pairs(most, step):
        decided, said = decider(json.dumps(schema)).is_valid(value), python_verdict(schema, value)
        if decided == said:
            verdicts["both accept" if decided else "both refuse"] += 1
            continue
        verdicts["jsonschema_rs alone accepts" if decided else "jsonschema alone accepts"] += 1
        if reason := why(schema):
            explained[reason] += 1
        else:
            unexplained.append((schema, value, said))
    return verdicts, explained, unexplained


def main(arguments: list[str]) -> int:
    """Compare and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=100_000)
    verdicts, explained, unexplained = compare(parser.parse_args(arguments).count)
    for what, number in verdicts.most_common():
        print(f"{number:>9,} {what}")
    for reason, number in explained.most_common():
        print(f"{number:>9,} differ: {reason}")
    for schema, value, said in unexplained[:20]:
        print(f"UNEXPLAINED, jsonschema says {said}: {json.dumps(value)[:200]} of {json.dumps(schema)[:400]}")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
