"""One balanced object is found; nothing is repaired."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.authors.llm.extract import DEEPEST, LARGEST_TEXT, BadAnswer, extract_object
from generator.jsontext import dump_compact

KEYS = st.text(max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(
    st.dictionaries(KEYS, VALUES, max_size=5), st.sampled_from(["", "Sure: ", "```json\n", '<think>{"a": [</think>'])
)
def test_an_object_is_found_behind_prose_fences_and_thoughts(value: dict[str, object], before: str) -> None:
    assert extract_object(f"{before}{dump_compact(value)}\n```\nDone {{") == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_json"),
        ("I would rather not.", "no_json"),
        ('{"a": 1', "cut_json"),
        ('{"a": "}', "cut_json"),
        ("{'a': 1}", "wrong_json"),
        ('{"a": 1,}', "wrong_json"),
        ('{"a": NaN}', "wrong_json"),
        ('{"a": ' + "[" * (DEEPEST + 1), "too_deep"),
        ("x" * (LARGEST_TEXT + 1), "oversized"),
        ('{"a": "\ud800"}', "wrong_json"),
    ],
)
def test_what_cannot_be_read_has_a_reason(text: str, reason: str) -> None:
    with pytest.raises(BadAnswer) as caught:
        extract_object(text)
    assert caught.value.reason == reason
