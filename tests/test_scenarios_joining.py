"""Joining: several wishes in one message as people type them, and answers each whole and in their order."""

from random import Random

import pytest

from generator.scenarios.joining import about, joined_answers, joined_wishes, opening, sentence

SEEDS = range(60)


def joined(*texts: str) -> set[str]:
    return {joined_wishes(texts, Random(seed)) for seed in SEEDS}


def test_one_wish_is_a_sentence() -> None:
    assert joined("show me my loans") == {"show me my loans."}


def test_two_wishes_are_two_sentences_with_a_word_between_them() -> None:
    assert joined("show me my loans", "What's the price of B12?") == {
        "Show me my loans. And what's the price of B12?",
        "Show me my loans. Also, what's the price of B12?",
        "Show me my loans. Oh, and what's the price of B12?",
    }


@pytest.mark.parametrize("second", ["I need a taxi.", "I've lost my card.", "I'm late. Call Anna."])
def test_who_says_i_is_no_name(second: str) -> None:
    assert joined("Renew it.", second) == {f"Renew it. {word} {second}" for word in ("And", "Also,", "Oh, and")}


@pytest.mark.parametrize("second", ["Anna needs a table for two.", '"Emma", please.', "B12?", "Next!", "I"])
def test_what_begins_with_a_name_of_its_own_stands_for_itself(second: str) -> None:
    told = sentence(second)
    assert joined("Renew it.", second) == {
        f"Renew it. One more thing. {told}",
        f"Renew it. And one more thing. {told}",
    }


def test_three_wishes_are_a_list_or_go_on_to_the_last() -> None:
    said = joined("renew it", "what's due?", "Return B12")
    assert "Three things, please:\n1. Renew it.\n2. What's due?\n3. Return B12." in said
    assert "Renew it. Also, what's due? And finally, return B12." in said
    assert not [text for text in said if "\n" in text and not text.split("\n")[1].startswith("1. ")]


def test_texts_of_several_lines_are_not_glued() -> None:
    assert all("\n\n" in text for text in joined("Note: a\nb", "Next one"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Done. It's in.", "done"), ("I've added it.", "i've added"), ("Yes, two", "yes"), ("- a", ""), ("OK", "ok")],
)
def test_answers_begin_alike_by_their_first_words(text: str, expected: str) -> None:
    assert opening(text) == expected


@pytest.mark.parametrize(
    ("texts", "alike", "expected"),
    [
        ([], True, ""),
        (["Done."], True, "Done."),
        (["A is in.", "B is out."], True, "- A is in.\n- B is out."),
        (["A is in.", "B is out."], False, "A is in.\n\nB is out."),
        (["A:\n- b", "B."], True, "A:\n- b\n\nB."),
        (["Done, A is open.", "Done. B is open now."], True, "- A is open.\n- B is open now."),
        (["Done, A is in.", "All done: B is out too."], False, "Done, A is in.\n\nB is out too."),
        (
            ["I read the book, and it is long.", "I am not done, but it is late."],
            True,
            "- I read the book, and it is long.\n- I am not done, but it is late.",
        ),
        (["Done.", "Done, 8 PM."], True, "- Done.\n- Done, 8 PM."),
        (["the first is green.", "there's no other."], False, "The first is green.\n\nThere's no other."),
        (["oa_citations is in.", "x-1 is out.", "eu"], True, "- oa_citations is in.\n- x-1 is out.\n- eu"),
    ],
)
def test_each_answer_stands_for_itself(texts: list[str], alike: bool, expected: str) -> None:
    assert joined_answers(texts, alike=alike) == expected


@pytest.mark.parametrize(("text", "expected"), [("a", "a."), ("a ", "a."), ("a?", "a?"), ('say "a"', 'say "a"')])
def test_a_sentence_has_an_end(text: str, expected: str) -> None:
    assert sentence(text) == expected


@pytest.mark.parametrize(
    ("text", "thing", "expected"),
    [
        ("It's on now.", "your lamp", "Your lamp: It's on now."),
        ("Done, it's on now.", "the lamp", "The lamp: It's on now."),
        ("The big lamp is on.", "the lamp", "The big lamp is on."),
        ("It's on the table.", "the", "It's on the table."),
        ("It's on now.", "", "It's on now."),
    ],
)
def test_each_of_several_answers_says_what_it_is_about(text: str, thing: str, expected: str) -> None:
    assert about(text, thing) == expected


@pytest.mark.parametrize("verb", ["Generate", "Go", "Pick", "Summarize"])
def test_a_command_goes_on_in_small_letters(verb: str) -> None:
    said = joined("Renew it.", f"{verb} on.")
    assert said == {f"Renew it. {word} {verb.lower()} on." for word in ("And", "Also,", "Oh, and")}


def test_what_a_wish_adds_stands_behind_what_it_is_added_to() -> None:
    said = joined("Renew it.", "I need the coverage, too. Run the tests.")
    assert said == {
        f"Renew it. {word} run the tests. I need the coverage, too." for word in ("And", "Also,", "Oh, and")
    }
