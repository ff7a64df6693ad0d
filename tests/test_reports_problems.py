"""Problems in few words: what is alike is told once."""

import pytest

from generator.errors import Problem
from generator.reports.problems import in_few_words


def problems(*what: str, where: str = "a.json", remedy: str = "") -> list[Problem]:
    return [Problem(where=where, what=each, remedy=remedy) for each in what]


@pytest.mark.parametrize(
    "what",
    [
        ('the tool "a" has no name', 'the tool "b" has no name'),
        ("the field `a` is not known", "the field `b` is not known"),
        ("'a' became 'b'", "'c' became 'd'"),
        ("differs from t.json#/1", "differs from t.json#/2"),
    ],
)
def test_what_differs_in_names_alone_is_told_once(what: tuple[str, str]) -> None:
    told = list(in_few_words(problems(*what), everything="--all tells the rest"))
    assert len(told) == 1
    assert what[0] in told[0]
    assert told[0].endswith("; and 1 more like it; --all tells the rest")


def test_what_differs_in_words_or_remedies_is_told_apart() -> None:
    found = problems("no name", "no type") + problems("no name", remedy="give it one")
    assert len(list(in_few_words(found))) == 3


def test_the_files_of_the_rest_are_counted() -> None:
    found = [each for file in ("a", "b", "c") for each in problems("no name", where=f"{file}.json#/0")]
    assert next(iter(in_few_words(found))).endswith("; and 2 more like it, in 2 files")


def test_many_kinds_are_cut() -> None:
    found = problems(*(f"problem {chr(97 + n) * 3}" for n in range(13)))
    told = list(in_few_words(found))
    assert len(told) == 11
    assert told[-1] == "3 more of other kinds"
