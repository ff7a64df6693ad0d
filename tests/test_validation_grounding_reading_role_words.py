"""The closed words of roles: one table per language, and the language told by them."""

from __future__ import annotations

import pytest

from generator.validation.grounding.reading.languages import LANGUAGES, table
from generator.validation.grounding.reading.role_words import (
    SUBJECTS,
    has_any,
    language_by_roles,
    role_names,
    role_words_of,
)
from generator.validation.grounding.reading.words import fold
from tests.tables import each_row


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_the_same_things(language: str) -> None:
    own, english = table(language, "roles"), table("en", "roles")
    assert {key for key, part in english.items() if isinstance(part, list)} == {
        key for key, part in own.items() if isinstance(part, list)
    }
    assert set(SUBJECTS) == {key for key, part in own.items() if isinstance(part, dict)}


@each_row("language", LANGUAGES)
@each_row("subject", SUBJECTS)
def test_no_mark_stands_for_both_sides(language: str, subject: str) -> None:
    words = table(language, "roles")
    for listed in (words, words[subject]):
        assert {fold(each) for each in listed["first"]} & {fold(each) for each in listed["second"]} == set()
    assert role_words_of(language, subject).joints


@pytest.mark.parametrize("subject", SUBJECTS)
def test_no_name_stands_for_both_sides(subject: str) -> None:
    assert set(role_names()[subject].values()) == {"first", "second"}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Take me to the station, please.", "en"),
        ("Ich muss zum Bahnhof und dann nach Hause.", "de"),
        ("Quiero ir a la estación y luego al centro.", "es"),
        ("Je vais à la gare et puis au marché.", "fr"),
        ("我要去车站", "zh"),
        ("Rome, Oslo", "en"),
        ("", "en"),
    ],
)
def test_a_text_is_read_by_the_table_of_its_language(text: str, language: str) -> None:
    assert language_by_roles(fold(text)) == language


def test_phrases_are_words_of_their_own_where_a_language_parts_them() -> None:
    assert has_any("the way back, please", ("back",), spaced=True)
    assert not has_any("a backpack", ("back",), spaced=True)
    assert has_any("vice-versa and vice versa", ("vice versa",), spaced=True)
    assert has_any("我要往返票", ("往返",), spaced=False)


def test_what_a_subject_says_of_a_mark_comes_first() -> None:
    """A way goes "nach" its end; a time is "nach" its beginning."""
    assert role_words_of("de", "way").before[("nach",)] == "second"
    assert role_words_of("de", "time").before[("nach",)] == "first"
