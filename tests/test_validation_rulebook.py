"""All rules in one book: found by code or by error code, chosen by the starts of codes."""

from __future__ import annotations

import pytest

from generator.errors import UsageError
from generator.validation import RULES
from generator.validation.entities.judging import ENTITY_RULES
from generator.validation.rulebook import ALWAYS, GROUPS, choose_rules, entry, every_rule, find_rule, group_of


def test_the_book_holds_every_rule_once() -> None:
    assert len(every_rule()) == len(RULES) + len(ENTITY_RULES)
    assert {group_of(code) for code in every_rule()} == set(GROUPS)


@pytest.mark.parametrize("code", every_rule())
def test_every_entry_is_whole(code: str) -> None:
    told = entry(code)
    assert all([told.summary, told.source, told.why, told.bad, told.good, told.severities])
    assert {told.severity, told.read} <= {"error", "warning", "note", "off"}
    assert (told.severity, told.read) != ("off", "off")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("DF004", "DF004"),
        ("df004", "DF004"),
        ("unknown_tool_call", "OA014"),
        ("malformed_tool_arguments", "OA015"),
        ("invalid_tool_arguments", "OA016"),
    ],
)
def test_rules_are_found_by_code_and_by_error_code(given: str, code: str) -> None:
    assert find_rule(given) == code


@pytest.mark.parametrize(
    ("given", "near"), [("DF04", "DF004"), ("unknown_tool", "unknown_tool_call"), ("Q301", "Q3001")]
)
def test_a_wrong_code_is_answered_by_the_nearest(given: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"did you mean {near}"):
        find_rule(given)


@pytest.mark.parametrize("given", ["", "?", "xyzzy"])
def test_what_is_no_code_at_all_is_answered_by_what_codes_look_like(given: str) -> None:
    with pytest.raises(UsageError, match="no such rule"):
        find_rule(given)


def codes(*starts: str) -> set[str]:
    return {code for code in every_rule() if code.startswith(starts)}


@pytest.mark.parametrize(
    ("select", "ignore", "expected"),
    [
        (["DF"], [], codes("DF") | {ALWAYS}),
        (["DF", "TC00"], [], codes("DF", "TC00") | {ALWAYS}),
        (["df004"], [], {"DF004", ALWAYS}),
        ([], ["DF"], codes("") - codes("DF")),
        (["DF"], ["DF00"], codes("DF01") | {ALWAYS}),
        (["DF004"], ["DF"], {"DF004", ALWAYS}),
        (["DF"], ["DF"], {ALWAYS}),
        ([], ["TC"], codes("") - codes("TC") | {ALWAYS}),
        ([], [ALWAYS], codes("") - {ALWAYS}),
        (["unknown_tool_call"], [], {"OA014", ALWAYS}),
    ],
)
def test_rules_are_chosen_by_the_longest_word(select: list[str], ignore: list[str], expected: set[str]) -> None:
    assert choose_rules(select, ignore) == expected


def test_no_choice_is_every_rule() -> None:
    assert choose_rules([], []) is None


def test_a_start_of_no_code_is_refused() -> None:
    with pytest.raises(UsageError, match="no such rule: DX"):
        choose_rules(["DX"], [])
