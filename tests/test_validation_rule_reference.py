"""All rules in one book: found by code or by error code, chosen by the starts of codes."""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from generator.assets import asset_file
from generator.cli import main
from generator.errors import UsageError
from generator.validation import RULES
from generator.validation.entities.judging import ENTITY_RULES
from generator.validation.rule_reference import (
    ALWAYS,
    GROUPS,
    choose_rules,
    entry,
    every_rule,
    find_rule,
    group_of,
    measured,
)
from tests.benchmarks.corruptions.bases import all_bases
from tests.benchmarks.corruptions.classes import CLASSES
from tests.benchmarks.corruptions.keeping import kept
from tests.benchmarks.corruptions.measuring import MODES, caught, corrupted, false_alarms
from tests.benchmarks.corruptions.tables import families
from tests.shared_data import SHARED, needs_shared
from tests.tables import each_row


def test_the_book_holds_every_rule_once() -> None:
    assert len(every_rule()) == len(RULES) + len(ENTITY_RULES)
    assert {group_of(code) for code in every_rule()} == set(GROUPS)


@each_row("code", every_rule())
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


@each_row(
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


Json = Any  # parsed JSON
FIGURES: Json = orjson.loads(asset_file("measured.json").read_bytes())


def test_the_figures_are_of_the_classes_and_rules_there_are() -> None:
    assert list(FIGURES["classes"]) == [each.name for each in CLASSES]
    assert set(FIGURES["rules"]) <= set(RULES)
    for told in FIGURES["rules"].values():
        assert set(told["found"]) <= set(FIGURES["classes"])
        assert set(told["flagged"]) <= set(FIGURES["good"])


@pytest.mark.parametrize("mode", MODES)
def test_the_whole_is_the_sum_of_the_classes(mode: str) -> None:
    sums = [sum(each[mode][at] for each in FIGURES["classes"].values()) for at in range(3)]
    assert FIGURES["families"]["all"][mode] == sums
    assert all(first <= second <= third <= each["records"] for each in FIGURES["classes"].values()
               for first, second, third in [each[mode]])  # fmt: skip


def test_a_page_tells_recall_precision_and_on_what(capsys: pytest.CaptureFixture[str]) -> None:
    told = FIGURES["rules"]["TC201"]
    found = sum(told["found"].values())
    asked = sum(FIGURES["classes"][name]["records"] for name in told["found"])
    assert main(["rule", "TC201"]) == 0
    page = " ".join(capsys.readouterr().out.split())
    assert f"Recall {100 * found / asked:.0f} % over {len(told['found'])} classes" in page
    assert f"{sum(FIGURES['good'].values()):,} good records" in page


def test_a_rule_that_no_corruption_breaks_claims_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert measured("DF001") == ()
    assert main(["rule", "DF001"]) == 0
    assert "Measured" not in capsys.readouterr().out


@pytest.mark.slow
@needs_shared
def test_the_benchmark_measures_what_is_claimed() -> None:
    bases = all_bases(0, 400, SHARED / "corpus" / "bfcl_gold", [])
    made = {each.name: corrupted(each, bases, 20, 0) for each in CLASSES}
    found = {name: {mode: caught(records, mode) for mode in MODES} for name, records in made.items()}
    by_family = families({each.name: each.family for each in CLASSES}, found)
    alarms = {mode: false_alarms(bases, mode) for mode in MODES}
    assert kept({each.name: each.wrong for each in CLASSES}, found, by_family, alarms) == FIGURES
