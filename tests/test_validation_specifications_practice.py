"""Control characters: everything that a screen or a reader of lines obeys is found, and nothing that people write."""

from __future__ import annotations

import json
import unicodedata

import pytest

from generator.validation import check
from generator.validation.specifications.practice import CONTROL_CHECKS
from tests.record_examples import Json, irrelevance, simple

CODES = set(CONTROL_CHECKS)


def saying(text: str) -> Json:
    record = irrelevance()
    record["messages"][1]["content"] = text
    return record


def found(record: Json) -> list[tuple[str, str]]:
    return [(each.rule, each.pointer) for each in check(record) if each.rule in CODES]


@pytest.mark.parametrize(
    "text",
    [
        "two\nlines\r\n\tand a tab",
        "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f is the flag of England",
        "👩\u200d👩\u200d👧 and naïve 日本 עברית\u200f العربية",
        r"a backslash and u001b: \u001b, \b, \f",
    ],
)
def test_what_people_write_is_no_control(text: str) -> None:
    assert found(saying(text)) == []


def test_every_control_of_unicode_but_the_ends_of_lines_is_found() -> None:
    controls = [chr(point) for point in range(0x110000) if unicodedata.category(chr(point)) in ("Cc", "Zl", "Zp")]
    assert [control for control in controls if not found(saying(f"a{control}b"))] == ["\t", "\n", "\r"]


def test_every_override_is_found() -> None:
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    controls = [chr(point) for point in range(0x110000) if unicodedata.bidirectional(chr(point)) in turning]
    assert len(controls) == len(turning)
    assert all(found(saying(f"a{control}b")) for control in controls)


def test_the_place_is_named_and_the_character_escaped() -> None:
    (violation,) = [each for each in check(saying("a\x1b[2Jb")) if each.rule in CODES]
    assert violation.pointer == "/messages/1/content"
    assert violation.message == "'\\x1b' is a control character, which terminals obey; a record never holds it"


@pytest.mark.parametrize("escaped", [r"\u001b[2J", r"\u202e", r"\b", r"\u0000"])
def test_json_in_a_text_hides_nothing(escaped: str) -> None:
    record = simple()
    record["messages"][3]["content"] = f'{{"note":"{escaped}"}}'
    assert found(record) == [("TC019", "/messages/3/content")]
    record = simple()
    record["messages"][2]["tool_calls"][0]["function"]["arguments"] = f'{{"city":"{escaped}"}}'
    assert ("TC019", "/messages/2/tool_calls/0/function/arguments") in found(record)


def test_keys_are_texts_too() -> None:
    record = simple()
    record["metadata"]["a\x1b/"] = 1
    assert found(json.loads(json.dumps(record))) == [("TC019", "/metadata/a\x1b~1")]
