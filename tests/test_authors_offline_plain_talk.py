"""Plain questions and small talk: right answers, many of them, and none that needs a tool."""

from __future__ import annotations

import re
from random import Random

import pytest

from generator.authors.offline import plain_questions, small_talk


def test_thousands_of_questions_and_greetings_exist() -> None:
    random, known = Random(1), small_talk.load_small_talk()
    assert len({plain_questions.draw_question(random)[0] for _ in range(3000)}) > 2500
    drawn = [
        small_talk.draw_wording(random.choice(talk.requests), random, known.pools)
        for _ in range(3000)
        for talk in [random.choice(known.talks)]
    ]
    assert len(set(drawn)) > 2000
    assert not [text for text in drawn if re.search(r"[{}|]| [.,!?]|  ", text)]


def test_every_slot_names_a_pool() -> None:
    known = small_talk.load_small_talk()
    slots = {slot for talk in known.talks for text in talk.requests for slot in re.findall(r"\{(\w+)\}", text)}
    assert slots <= known.pools.keys()
    assert {slot for talk in known.talks for text in talk.replies for slot in re.findall(r"\{(\w+)\}", text)} <= {
        "offers"
    }
    assert all(bool(talk.about) == ("{offers}" in "".join(talk.replies)) for talk in known.talks)


def test_no_question_has_two_answers() -> None:
    for facts in plain_questions.load_plain_questions().facts:
        assert len({about for about, _ in facts.pairs}) == len(facts.pairs)
        assert all("{}" in question for question in facts.questions)


@pytest.mark.parametrize(
    ("pattern", "right"),
    [
        (r"(\d+) times (\d+) is ([\d,]+)\.", lambda first, second: first * second),
        (r"(\d+) plus (\d+) is ([\d,]+)\.", lambda first, second: first + second),
        (r"(\d+)% of ([\d,]+) is ([\d.]+)\.", lambda first, second: first * second / 100),
    ],
)
def test_sums_are_right(pattern: str, right: object) -> None:
    random = Random(3)
    answers = [plain_questions.draw_question(random)[1] for _ in range(3000)]
    found = [match for answer in answers if (match := re.fullmatch(pattern, answer))]
    assert len(found) > 50
    for match in found:
        first, second, given = (float(part.replace(",", "")) for part in match.groups())
        assert callable(right)
        assert right(first, second) == given


@pytest.mark.parametrize(
    ("answer", "asked"), [("14 is XIV in Roman numerals.", "14"), ("99 is XCIX in Roman numerals.", "99")]
)
def test_roman_numerals_are_right(answer: str, asked: str) -> None:
    random = Random(5)
    drawn = {
        given for question, given in (plain_questions.draw_question(random) for _ in range(30000)) if asked in question
    }
    assert answer in drawn


def test_capitals_open_sentences_once() -> None:
    random = Random(7)
    for _ in range(500):
        question, answer = plain_questions.draw_question(random)
        assert question[:1].isupper() or not question[:1].isalpha()
        assert answer[:1].isupper() or not answer[:1].isalpha()
