"""Moods: what is done is told apart from what will, may or should be, and to whom from whom."""

from __future__ import annotations

import pytest

from generator.grading.moods import mood_of, sides_of

MOODS = [
    ("I've ordered it.", "en", (True, 0)),
    ("I'll order it. It should arrive on May 5.", "en", (False, 2)),
    ("It comes in May.", "en", (False, 0)),
    ("The inspector may come in May.", "en", (False, 1)),
    ("I can help with anything else.", "en", (False, 0)),
    ("Ich habe es bestellt.", "de", (True, 0)),
    ("Ich werde Rahmen bestellen.", "de", (False, 1)),
    ("He pedido marcos.", "es", (True, 0)),
    ("Voy a pedir marcos.", "es", (False, 1)),
    ("J'ai commandé des cadres.", "fr", (True, 0)),
    ("Je vais commander des cadres.", "fr", (False, 1)),
    ("I'll order it.", "", (False, 0)),
]
SIDES = [
    ("for sage and from the sage", "en", {"sage": {"for", "from"}}),
    ("12 frames instead of sage", "en", {"sage": {"instead of"}}),
    ("sage, sagebrush for sages", "en", {}),
    ("la commande d'oslo pour sage", "fr", {"oslo": {"d'"}, "sage": {"pour"}}),
    ("for sage", "", {}),
]


@pytest.mark.parametrize(("text", "language", "wanted"), MOODS)
def test_moods_are_read(text: str, language: str, wanted: tuple[bool, int]) -> None:
    mood = mood_of(text, language)
    assert (mood.claims, mood.unreal) == wanted


@pytest.mark.parametrize(("folded", "language", "wanted"), SIDES)
def test_prepositions_before_names_are_read(folded: str, language: str, wanted: dict[str, set[str]]) -> None:
    assert sides_of(folded, ["sage", "oslo"], language) == wanted
