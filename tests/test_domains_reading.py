"""The shape of a domain file: what is read, and what is told of a mistake."""

from typing import Any

import pytest

from generator.domains.reading import read_domain
from tests.domain_examples import domain


def edited(path: tuple[str | int, ...], value: Any) -> dict[str, Any]:
    """Return the domain with another value at a path."""
    whole = domain()
    held: Any = whole
    for part in path[:-1]:
        held = held[part]
    held[path[-1]] = value
    return whole


def test_a_domain_is_read_with_the_name_that_it_is_given() -> None:
    read, faults = read_domain(domain(), "library")
    assert read is not None
    assert (read.name, read.tools["renew_loan"].can, faults) == ("library", "renew a loan", [])
    assert read.entities["loan"].parent == "member"


WAY = ("tools", "renew_loan", "ways", 0)
MISTAKES = [
    (("entites",), {}, ("entites",), "unknown key 'entites'", "did you mean entities?"),
    ((*WAY, "request"), ["x"], (*WAY, "request"), "unknown key 'request'", "did you mean requests?"),
    ((*WAY, "ask", 0, "question"), [], (*WAY, "ask", 0, "question"), "unknown key 'question'", "questions"),
    (("entities", "loan", "row"), 3, ("entities", "loan", "row"), "unknown key 'row'", "did you mean rows?"),
    ((*WAY, "requests"), "Renew it.", (*WAY, "requests"), "must be a list", ""),
    ((*WAY, "requests", 1), 7, (*WAY, "requests", 1), "must be a string", ""),
    ((*WAY, "weight"), 0, (*WAY, "weight"), "must be greater than 0", ""),
    (("domain",), 2, ("domain",), "must be 1", ""),
    (("tasks", 0, "turns", 0, "replies"), [], ("tasks", 0, "turns", 0, "replies"), "at least 1 item", ""),
]


@pytest.mark.parametrize(("path", "value", "at", "what", "remedy"), MISTAKES, ids=lambda each: str(each)[:40])
def test_a_mistake_is_told_with_its_place_and_the_nearest_name(
    path: tuple[str | int, ...], value: Any, at: tuple[str | int, ...], what: str, remedy: str
) -> None:
    read, faults = read_domain(edited(path, value), "library")
    assert read is None
    (fault,) = [each for each in faults if each.path == at]
    assert what in fault.what
    assert remedy in fault.remedy


def test_every_mistake_is_told_at_once() -> None:
    whole = domain(entites={}, rulez=[])
    whole["tools"]["renew_loan"]["ways"][0]["request"] = []
    assert len(read_domain(whole, "library")[1]) == 3


@pytest.mark.parametrize("value", [None, 7, "domain: 1", [], [{"domain": 1}]])
def test_what_is_no_mapping_is_no_domain(value: Any) -> None:
    read, (fault,) = read_domain(value, "library")
    assert (read, fault.path, fault.remedy) == (None, (), "start it with `domain: 1`")
