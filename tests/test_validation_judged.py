"""Right and wrong records that were written by hand, for many tools and in five languages, before any rule saw them.

Half of each is in the manner of the data sets that are published. What is wrong is one thing that a careful reader
rejects; what is right often looks suspicious. The pages tell how many of each are found.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from generator.validation import check
from generator.validation.verdict import Severity
from tests.readmes import text_of

Json = Any  # parsed JSON
FILE = Path(__file__).with_name("judged.jsonl")
LINES: list[Json] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
DEGREES: tuple[Severity, ...] = ("error", "warning", "note")


@cache
def surest() -> dict[bool, Counter[str]]:
    """How many records have findings of each degree at the most, by whether they are wrong."""
    found: dict[bool, Counter[str]] = {True: Counter(), False: Counter()}
    for line in LINES:
        record = {"messages": line["messages"], "tools": line["tools"]}
        told = {each.severity for each in check(record, generated=False) if each.rule.startswith("TC2")}
        found[line["wrong"] is not None][next((degree for degree in DEGREES if degree in told), "")] += 1
    return found


def sentence() -> str:
    """What the pages say of them."""
    right, wrong = surest()[False], surest()[True]
    likely = wrong["error"] + wrong["warning"]
    return (
        f"Of {wrong.total()} wrong records, written by hand without knowing the rules, {likely} get an error or a "
        f"warning ({100 * likely / wrong.total():.0f} %), {wrong['note']} a note alone; of {right.total()} right ones "
        f"none gets an error, {right['warning']} a warning, {right['note']} a note alone."
    )


def test_there_are_right_and_wrong_ones() -> None:
    assert Counter(line["wrong"] is None for line in LINES) == {True: 300, False: 210}


def test_right_records_are_seldom_warned_of_and_never_refused() -> None:
    right = surest()[False]
    assert right["error"] == 0
    assert right["warning"] <= 0.01 * right.total()


def test_most_wrong_records_are_found() -> None:
    wrong = surest()[True]
    assert wrong["error"] + wrong["warning"] >= 0.5 * wrong.total()
    assert wrong.total() - wrong[""] >= 0.7 * wrong.total()


def test_the_page_tells_the_figures() -> None:
    assert sentence() in text_of("generator/validation/grounding/README.md")


if __name__ == "__main__":
    print(sentence())
