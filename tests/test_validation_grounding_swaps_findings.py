"""The words that an author names for values, against the values."""

from __future__ import annotations

from typing import Any

from generator.validation import check
from tests.record_examples import FIRST, SECOND, call

Json = Any  # parsed JSON


def findings(given: list[Json], named: list[Json]) -> int:
    """How many values of calls are disproved by the words named for them."""
    document = {
        "messages": [
            {"role": "user", "content": "For Ann at 5: a table. For Bo at 7: a chair, in red rather than in blue."},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [call((FIRST, SECOND)[at], "act", each) for at, each in enumerate(given)],
            },
        ],
        "tools": [{"type": "function", "function": {"name": "act", "description": "Act.", "parameters": {}}}],
        "metadata": {"evidence": dict(zip((FIRST, SECOND), named, strict=False))},
    }
    return sum("the words named for it" in each.message for each in check(document) if each.rule == "TC209")


def test_words_that_say_each_others_values_disprove_them() -> None:
    words = {"wanted": "in red", "refused": "rather than in blue"}
    assert findings([{"wanted": "red", "refused": "blue"}], [words]) == 0
    assert findings([{"wanted": "blue", "refused": "red"}], [words]) == 1


def test_words_of_two_calls_count_as_well() -> None:
    words = [{"hour": "Ann at 5"}, {"hour": "Bo at 7"}]
    assert findings([{"hour": 5}, {"hour": 7}], words) == 0
    assert findings([{"hour": 7}, {"hour": 5}], words) == 1


def test_words_that_say_neither_or_both_prove_nothing() -> None:
    assert findings([{"wanted": "rouge", "refused": "bleu"}], [{"wanted": "in red", "refused": "in blue"}]) == 0
    both = "in red rather than in blue"
    assert findings([{"wanted": "blue", "refused": "red"}], [{"wanted": both, "refused": both}]) == 0
    assert findings([{"wanted": True, "refused": ""}], [{"wanted": "in red", "refused": 5}]) == 0
