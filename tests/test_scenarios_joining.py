"""Joining: several wishes in one message as people type them, and answers each whole and in their order."""

from random import Random

import pytest

from generator.scenarios.joining import joined_answers, joined_wishes, sentence

SEEDS = range(60)


def joined(*texts: str) -> set[str]:
    return {joined_wishes(texts, Random(seed)) for seed in SEEDS}


def test_one_wish_is_a_sentence() -> None:
    assert joined("show me my loans") == {"show me my loans."}


def test_two_wishes_are_two_sentences_with_a_connector_that_fits() -> None:
    assert joined("show me my loans", "What's the price of B12?") == {
        "Show me my loans. What's the price of B12?",
        "Show me my loans. And what's the price of B12?",
        "Show me my loans. Also, what's the price of B12?",
    }


@pytest.mark.parametrize(
    "second", ["Anna needs a table for two.", '"Emma", please.', "I need a taxi.", "B12?", "Next!"]
)
def test_what_begins_with_a_name_of_its_own_goes_on_plainly(second: str) -> None:
    assert joined("Renew it.", second) == {f"Renew it. {second}"}


def test_three_wishes_are_a_list_or_lines_of_their_own() -> None:
    said = joined("renew it", "what's due?", "Return B12")
    assert "Three things, please:\n1. Renew it.\n2. What's due?\n3. Return B12." in said
    assert "Renew it.\nWhat's due?\nReturn B12." in said
    assert not [text for text in said if "another thing" in text or "One more" in text]


def test_texts_of_several_lines_are_not_glued() -> None:
    assert all("\n2. " in text or "\nNext" in text for text in joined("Note: a\nb", "Next one"))


@pytest.mark.parametrize(
    ("texts", "alike", "expected"),
    [
        ([], True, ""),
        (["Done."], True, "Done."),
        (["A is in.", "B is out."], True, "- A is in.\n- B is out."),
        (["A is in.", "B is out."], False, "A is in.\n\nB is out."),
        (["A:\n- b", "B."], True, "A:\n- b\n\nB."),
    ],
)
def test_each_answer_stands_for_itself(texts: list[str], alike: bool, expected: str) -> None:
    assert joined_answers(texts, alike=alike) == expected


@pytest.mark.parametrize(("text", "expected"), [("a", "a."), ("a ", "a."), ("a?", "a?"), ('say "a"', 'say "a"')])
def test_a_sentence_has_an_end(text: str, expected: str) -> None:
    assert sentence(text) == expected
