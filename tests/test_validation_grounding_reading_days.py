"""A text read stretch by stretch states the days that it states when it is read in one."""

from __future__ import annotations

import random
from datetime import date

import pytest

from generator.validation.grounding.reading.days import DayPhrase, _in_stretch, phrases_of
from generator.validation.grounding.reading.languages import LANGUAGES, table
from generator.validation.grounding.reading.words import fold

REFERENCE = date(2026, 1, 15)
BESIDE = "the hotel zebra book 12 3 2026 31 5th 22301 45th . / : - 3/4 3.4. x é _ 's , and".split()


def words_of(language: str) -> list[str]:
    found: list[str] = []
    waiting: list[object] = [table(language, "days"), table(language, "numbers")]
    for each in waiting:
        if isinstance(each, str):
            found += [form.strip() for form in each.replace("\n", "|").split("|") if form.strip()]
        elif isinstance(each, dict):
            waiting += each.values()
        elif isinstance(each, list):
            waiting += each
    return found


def stated(phrase: DayPhrase) -> tuple[object, ...]:
    days: tuple[object, ...]
    try:
        days = tuple(phrase.days(REFERENCE))
    except (OverflowError, ValueError) as error:
        days = (type(error),)
    return (*phrase[:4], days, phrase.is_counted, phrase.is_date, phrase.month)


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_at_random(language: str) -> None:
    words, chance = words_of(language), random.Random(language)
    for _ in range(400):
        drawn = [chance.choice(words if chance.random() < 0.7 else BESIDE) for _ in range(chance.randint(1, 14))]
        text = fold(chance.choice(("", " ")).join(drawn) if language == "zh" else " ".join(drawn))
        in_one = _in_stretch(text, language, goes_on=False).phrases
        assert list(map(stated, phrases_of(text, (language,)))) == list(map(stated, in_one)), text


def test_places_are_those_in_the_text() -> None:
    text = "a room at the plaza from march 3, and a table at the grill on friday at 7"
    assert [text[each.start : each.end] == each.text for each in phrases_of(text, ("en",))] == [True, True]
