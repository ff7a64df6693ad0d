"""Formats: how values are said, and what cannot be said."""

from __future__ import annotations

from typing import Any

import pytest

from generator.random_streams import stream
from generator.worlds.speech import FORMATS, Speech, Unsayable, joined, joined_names, problem_of_argument, text_of
from tests.tables import each_row

SAID: list[tuple[str, str, Any, str]] = [
    ("day", "", "2026-01-20", "January 20"),
    ("day", "", "2026-01-20T09:30:00Z", "January 20"),
    ("date", "", "2026-01-20", "January 20, 2026"),
    ("weekday", "", "2026-01-20", "Tuesday, January 20"),
    ("weekday_name", "", "2026-01-20", "Tuesday"),
    ("on", "", "2026-01-20", "on January 20"),
    ("time", "", "15:30", "3:30 PM"),
    ("time", "", "2026-01-20T00:05", "12:05 AM"),
    ("time", "", "12:00", "12 PM"),
    ("at", "", "15:30", "at 3:30 PM"),
    ("moment", "", "2026-01-20T15:30", "January 20 at 3:30 PM"),
    ("words", "", 3, "three"),
    ("words", "", 40, "40"),
    ("number", "", 1234567, "1,234,567"),
    ("number", "", 1234.5, "1,234.50"),
    ("round", "", 2.6, "3"),
    ("round", "1", 2.55, "2.5"),
    ("count", "loan", 1, "1 loan"),
    ("count", "loan", 0, "no loans"),
    ("count", "copy,copies", 2, "2 copies"),
    ("count", "loan", [1, 2], "2 loans"),
    ("plural", "is,are", 1, "is"),
    ("plural", "is,are", [], "are"),
    ("yes", "on,off", True, "on"),
    ("some", "in stock,sold out", 3, "in stock"),
    ("some", "in stock,sold out", 0, "sold out"),
    ("some", "here,none", [], "none"),
    ("size", "$", -761.08, "$761.08"),
    ("size", "", -3.27, "3.27"),
    ("size", "EUR", 5, "5 EUR"),
    ("yes", "on, off", False, "off"),
    ("a", "", "librarian", "a librarian"),
    ("a", "", "editor", "an editor"),
    ("a", "", "hour", "an hour"),
    ("a", "", "user", "a user"),
    ("label", "", "in_progress", "in progress"),
    ("duration", "", 90, "1 hour 30 minutes"),
    ("duration", "", 120, "2 hours"),
    ("duration", "", 0, "no minutes"),
    ("ordinal", "", 3, "3rd"),
    ("ordinal", "", 11, "11th"),
    ("ordinal", "", 22, "22nd"),
    ("money", "$", 12.5, "$12.50"),
    ("money", "$", -5, "-$5"),
    ("money", "$", -1204.4, "-$1,204.40"),
    ("money", "EUR", -5, "-5 EUR"),
    ("money", "EUR", 1200, "1,200 EUR"),
    ("percent", "", 12.5, "12.5%"),
    ("percent", "share", 0.125, "12.5%"),
    ("list", "", ["A", "B", "C"], "A, B and C"),
    ("list", "or", ["A", "B"], "A or B"),
    ("quote", "", "x y", '"x y"'),
    ("cite", "", "Rome", "Rome"),
    ("cite", "", "Rome, Italy", '"Rome, Italy"'),
    ("cite", "", "It is late.", '"It is late."'),
    ("cite", "", "five words are a text", '"five words are a text"'),
    ("cite", "", 'say "hi" to her, please', 'say "hi" to her, please'),
    ("brief", "", {"shipDate": "x"}, "ship date: x"),
    ("lower", "", "Red Sea", "red sea"),
    ("upper", "", "ab", "AB"),
    ("cap", "", "red sea", "Red sea"),
    ("own", "", "Anna", "Anna's"),
    ("own", "", "James", "James'"),
    ("cut", "10", "a long sentence", "a long..."),
    ("cut", "7", "9fceb02d0ae598e95dc970b74767f19372d61af8", "9fceb02"),
    ("yes", "yes, it is;no", True, "yes, it is"),
    ("yes", "yes, it is;no", False, "no"),
    ("plural", "one, alone;some", 3, "some"),
    ("cut", "", "short", "short"),
    ("slug", "", "Red Sea", "red-sea"),
    ("dots", "", "Red Sea", "red.sea"),
    ("first", "", "Anna Bell", "Anna"),
    ("brief", "", {"total_cost": 3, "ok": True, "none": None}, "total cost: 3; ok: yes"),
    ("brief", "", [], "none"),
    ("brief", "", [{"size": {"width": 3}}], "1 entry"),
    ("brief", "", {"rows": [{}, {"size": 3}], "none": []}, "rows: 2 entries; none: none"),
    ("brief", "", [{"name": "Ann"}, {"name": "Bo"}], "2 entries (Ann, Bo)"),
    ("brief", "", [{"name": "A"}, {"name": "B"}, {"name": "C"}, {}], "4 entries (A, B, C, ...)"),
    ("brief", "", {"tags": ["a", "b"]}, "tags: a and b"),
    ("brief", "", ["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
    ("parts", "", {"cityName": "Rome", "zip": 184, "open": False}, "(city name Rome, zip 184, open no)"),
    ("parts", "", [{"name": "Ann", "tags": ["a", "b"]}, {"name": "Bo"}], "(name Ann, tags (a and b)) and (name Bo)"),
    ("parts", "", [[1, 2], [3, 4]], "(1 and 2) and (3 and 4)"),
    ("parts", "", {"text": "It works. Really."}, '(text "It works. Really.")'),
]


def speech() -> Speech:
    return Speech(stream(1))


@each_row(("name", "argument", "value", "expected"), SAID)
def test_formats(name: str, argument: str, value: Any, expected: str) -> None:
    assert FORMATS[name][0](value, argument, speech()) == expected


def test_every_format_is_tried() -> None:
    assert {name for name, *_ in SAID} == set(FORMATS)


UNFIT = [None, True, "", "   ", {}, [], {"a": None}, [None], float("inf"), float("nan"), "99:99", "no day", 10**400]


@each_row("name", FORMATS)
@each_row("value", UNFIT, ids=[repr(value)[:20] for value in UNFIT])
def test_what_cannot_be_said_says_so(name: str, value: Any) -> None:
    """A format gives a text or is Unsayable; it raises nothing else."""
    argument = {"count": "loan", "plural": "is,are", "yes": "on,off"}.get(name, "")
    try:
        assert isinstance(FORMATS[name][0](value, argument, speech()), str)
    except Unsayable as error:
        assert str(error)  # noqa: PT017 - either is right, nothing else is


@each_row("name", ["day", "date", "on", "time", "at", "number", "money", "duration", "ordinal"])
@each_row("value", ["no day", None, {}, "99:99"])
def test_no_number_and_no_day_is_unsayable(name: str, value: Any) -> None:
    with pytest.raises(Unsayable):
        FORMATS[name][0](value, "", speech())


@each_row(
    ("name", "argument", "said"),
    [
        ("round", "x", "whole number"), ("round", "1", ""), ("round", "-1", "whole number"), ("cut", "80", ""),
        ("cut", "99999", "whole number"), ("round", "²", "whole number"), ("count", "", "`count:loan`"),
        ("plural", " ", "`plural:is,are`"), ("yes", "on,off", ""),
        ("yes", "a, b, c", "takes two texts, not 3"), ("count", "a,b,c", "takes two texts"),
        ("yes", "a, b;c", ""), ("day", "", ""), ("money", "$", ""),
    ],
)  # fmt: skip
def test_arguments_of_formats(name: str, argument: str, said: str) -> None:
    problem = problem_of_argument(name, argument)
    assert said in problem
    assert bool(said) == bool(problem)


def test_everyday_words_are_said_where_they_are_understood() -> None:
    voice = speech()
    voice.spoken |= {"2026-01-16": "tomorrow", "12:00": "noon", 12: "a dozen"}
    assert FORMATS["on"][0]("2026-01-16", "", voice) == "tomorrow"
    assert FORMATS["at"][0]("12:00", "", voice) == "at noon"
    assert FORMATS["words"][0](12, "", voice) == "a dozen"
    assert voice.used_spoken == ["2026-01-16", "12:00", 12]
    assert voice.tells_no_year


@pytest.mark.parametrize(
    ("value", "expected"), [("a", "a"), (3, "3"), (3.0, "3"), (0.1 + 0.2, "0.3"), (["a", 2], "a and 2"), (-0.5, "-0.5")]
)
def test_texts_of_values(value: Any, expected: str) -> None:
    assert text_of(value) == expected


def test_lists_are_joined_as_people_join_them() -> None:
    assert [joined(["a", "b", "c"][:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert joined(["a, b", "c"], "or") == "a, b; or c"


@each_row(
    ("names", "expected"),
    [
        (["issue ISS-7", "issue ISS-8", "issue ISS-9"], "issues ISS-7, ISS-8 and ISS-9"),
        (["my order A1", "my order B2"], "my orders A1 and B2"),
        (["entry #12", "entry #13"], "entries #12 and #13"),
        (["branch X-1", "branch X-2"], "branches X-1 and X-2"),
        (["ticket 20815", "ticket 20816"], "tickets 20815 and 20816"),
        (["issue ISS-7"], "issue ISS-7"),
        (["issue ISS-7", "ISS-8"], "issue ISS-7 and ISS-8"),
        (["issue ISS-7", "my issue ISS-8"], "issue ISS-7 and my issue ISS-8"),
        (["under 100", "under 200"], "under 100 and under 200"),
        (["for A-1", "for A-2"], "for A-1 and for A-2"),
        (["loan of Dune", "loan of Emma"], "loan of Dune and loan of Emma"),
    ],
)
def test_a_noun_before_several_ids_is_said_once(names: list[str], expected: str) -> None:
    assert joined_names(names) == expected
    assert joined_names(names, "or") == joined(names, "or")
