"""Leaving one phrase out of a domain file."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.domains.dropping import Path, before, owner_of, phrase_at, without

WAY = ("tools", "renew_loan", "ways", 0)


@pytest.mark.parametrize(
    ("path", "phrase"),
    [
        ((*WAY, "requests", 3), (*WAY, "requests", 3)),
        ((*WAY, "requests", 3, "b"), (*WAY, "requests", 3)),
        ((*WAY, "replies", "ok", 1), (*WAY, "replies", "ok", 1)),
        ((*WAY, "replies", "ok", 1, "say", 2), (*WAY, "replies", "ok", 1, "say", 2)),
        ((*WAY, "replies", "ok", 1, "when", 0, 1), (*WAY, "replies", "ok", 1)),
        ((*WAY, "corrections", "draw", 0), (*WAY, "corrections", "draw", 0)),
        ((*WAY, "parallel", "requests", 0), (*WAY, "parallel", "requests", 0)),
        (("tasks", 1, "turns", 0, "replies", 0), ("tasks", 1, "turns", 0, "replies", 0)),
        (("entities", "say", "say_id", 0), ("entities", "say", "say_id", 0)),
        (("wordings", "f", 1, "say", 0), ("wordings", "f", 1, "say", 0)),
        (("context", 0), ("context", 0)),
        (("tools", "requests", "ways", 0, "draw", "say", 0), None),
        (("tools", "renew_loan", "effect", 0, "else", "say", 0), None),
        (("pools", "say", 0), None),
        (("entities", "loan", "fields", "say"), None),
        (("entities", "loan", "data", 0, "say", 0), None),
        ((*WAY, "requests"), None),
        ((*WAY, "arguments", "days"), None),
        (("tasks", 0, "turns", 0, "calls", 0, "arguments", "q"), None),
        ((), None),
    ],
)
def test_where_the_phrase_of_a_path_is(path: Path, phrase: Path | None) -> None:
    assert phrase_at(path) == phrase


def test_phrases_are_left_out_and_nothing_else_is_changed() -> None:
    value = {"a": [1, 2, 3, 4], "b": {"c": [5], "d": [6, 7]}}
    kept, emptied = without(value, [("a", 0), ("a", 2), ("b", "c", 0), ("b", "d", 9)])
    assert kept == {"a": [2, 4], "b": {"c": [], "d": [6, 7]}}
    assert emptied == {("b", "c")}
    assert value == {"a": [1, 2, 3, 4], "b": {"c": [5], "d": [6, 7]}}


@pytest.mark.parametrize(
    ("emptied", "owner"),
    [
        ((*WAY, "requests"), WAY),
        ((*WAY, "ask", 1, "questions"), (*WAY, "ask", 1)),
        ((*WAY, "parallel", "requests"), (*WAY, "parallel")),
        ((*WAY, "replies", "ok", 2, "say"), (*WAY, "replies", "ok", 2)),
        (("tasks", 3, "turns", 1, "requests"), ("tasks", 3)),
        (("unserved", 2, "replies"), ("unserved", 2)),
        (("wordings", "f", 0, "say"), ("wordings", "f", 0)),
    ],
)
def test_what_has_no_phrase_left_goes_with_it(emptied: Path, owner: Path) -> None:
    assert owner_of(emptied) == owner


@given(st.sets(st.integers(0, 9), max_size=6))
def test_a_place_is_found_again_where_it_was(gone: set[int]) -> None:
    value, _ = without({"a": list(range(10))}, [("a", number) for number in gone])
    for place, was in enumerate(value["a"]):
        assert before(("a", place), [("a", number) for number in gone]) == ("a", was)
