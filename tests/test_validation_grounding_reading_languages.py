"""The tables of words: every file is read, a concern of one language or of all, and texts by their little words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.datasets.checking import Task, check_all
from generator.datasets.origin import find_origin
from generator.validation import check
from generator.validation.grounding.reading.languages import (
    LANGUAGES,
    Phrases,
    every,
    is_read,
    language_of,
    languages,
    table,
    words_for,
)
from generator.validation.grounding.reading.words import fold
from generator.validation.verdict import Standard
from tests.tables import each_row


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


@each_row(
    ("text", "language"),
    [
        ("I have booked the table for you.", "en"),
        ("Ich habe den Tisch für dich gebucht.", "de"),
        ("He reservado la mesa para ti, a las ocho.", "es"),
        ("J'ai réservé la table pour vous, à huit heures.", "fr"),
        ("我已经为您预订了Luna的桌子。", "zh"),
        ("Você pode me dizer o número do pedido, por favor?", "pt"),
        ("Puoi dirmi il numero del tuo ordine, per favore?", "it"),
        ("Kun je mij het nummer van je bestelling geven?", "nl"),
        ("今日は晴れです", ""),
        ("Сегодня в Москве солнечно.", ""),
        ("Zamówienie zostało anulowane.", ""),
        ("W-1882", ""),
        ("", ""),
    ],
)
def test_a_language_is_told_by_its_little_words(text: str, language: str) -> None:
    assert language_of(fold(text)) == language


def test_the_languages_that_are_read() -> None:
    assert [language for language in languages() if is_read(language)] == ["en", "de", "es", "fr", "zh"]


def test_phrases_stand_alone_and_may_be_beginnings() -> None:
    words = Phrases(("not", "fail*", "no luck"), spaced=True)
    assert [words.found_in(text) for text in ("a knot", "it is not", "it fails", "no  luck", "no luck")] == [
        False, True, True, False, True,
    ]  # fmt: skip


def record(answer: str) -> dict[str, object]:
    messages = [{"role": "user", "content": "?"}, {"role": "assistant", "content": answer}]
    return {"messages": messages, "tools": [], "metadata": {}}


@pytest.mark.parametrize(
    ("answer", "name"),
    [
        ("Сегодня в Москве солнечно и тепло.", "Cyrillic script"),
        ("Você pode me dizer o número do pedido?", "Portuguese"),
        ("오늘 서울의 날씨는 맑고 따뜻하며 바람이 조금 붑니다 그렇습니다", "Hangul script"),
        ("Today it is sunny and warm in Moscow.", ""),
        ("Heute ist es in Moskau sonnig und warm.", ""),
        ("Anna, Berta, Clara, Dora, Emma, Frieda", ""),
    ],
)
def test_what_is_not_read_is_said(answer: str, name: str) -> None:
    said = [each.message for each in check(record(answer), generated=False) if each.rule == "TC219"]
    assert len(said) == bool(name)
    assert all(name in each for each in said)


@pytest.mark.parametrize("jobs", [1, 2])
def test_it_is_said_once_for_each_file_and_language(tmp_path: Path, jobs: int) -> None:
    lines = [record("Сегодня в Москве солнечно и тепло."), record("Você pode me dizer o número do pedido?")]
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for file in files:
        file.write_text("".join(json.dumps(line) + "\n" for line in lines * 300), encoding="utf-8")
    tasks = [Task(origin, Standard()) for origin in (find_origin(str(file)) for file in files)]
    found = list(check_all(tasks, jobs))
    said = [(str(origin), each.line) for origin, findings in found for each in findings.located if each.rule == "TC219"]
    assert [line for _, line in said] == [1, 2, 1, 2]
    assert sum(findings.tally.notes for _, findings in found) == 4
    assert sum(findings.tally.rules["TC219", "note"] for _, findings in found) == 4
