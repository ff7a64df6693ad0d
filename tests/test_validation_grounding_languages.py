"""The tables of words: every file is read, a concern of one language or of all, and nothing of a language unknown."""

from __future__ import annotations

import pytest

from generator.validation.grounding.reading.languages import LANGUAGES, every, languages, table, words_for


def test_english_is_the_first_of_the_languages_known() -> None:
    assert languages()[0] == "en"
    assert set(LANGUAGES) < set(languages())


@pytest.mark.parametrize("language", languages())
def test_each_language_has_a_name(language: str) -> None:
    assert table(language, "words")["name"]


@pytest.mark.parametrize(("language", "concern"), [("", "words"), ("xx", "words"), ("en", "no such concern")])
def test_what_nobody_wrote_is_empty(language: str, concern: str) -> None:
    assert table(language, concern) == {}


def test_the_words_of_an_entry_are_those_of_all_languages() -> None:
    found = words_for("exact", "foreign")
    assert found == frozenset(every("exact")["foreign"])
    assert all(found >= frozenset(table(language, "exact")["foreign"]) for language in ("de", "es", "fr"))
