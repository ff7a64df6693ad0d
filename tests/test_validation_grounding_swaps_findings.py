"""Two values in each other's place: found by what is said beside them, in every language."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.validation import check
from tests.record_examples import FIRST, SECOND, call, result

Json = Any  # parsed JSON


def refused(asked: str, *arguments: Json, evidence: Json = None, severity: str = "error") -> list[str]:
    """What is refused because values have changed places; each call is of the tool of its keys."""
    ids = [f"{FIRST[:-2]}{at:02}" for at in range(len(arguments))]
    names = ["pay" if "payee" in each else "look" for each in arguments]
    parameters = {"type": "object", "properties": {name: {} for each in arguments for name in each}}
    tools = [
        {"type": "function", "function": {"name": name, "description": "Act.", "parameters": parameters}}
        for name in dict.fromkeys(names)
    ]
    document = {
        "messages": [
            {"role": "user", "content": asked},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [call(ids[at], names[at], each) for at, each in enumerate(arguments)],
            },
        ],
        "tools": tools,
        "metadata": {"evidence": dict(zip(ids, evidence, strict=True))} if evidence else {},
    }
    return [each.pointer for each in check(document) if each.rule == "TC209" and each.severity == severity]


PAIRS: list[tuple[str, Json, Json]] = [
    ("8.7 kg to Canada and 2.2 kg to Spain", {"kg": 8.7, "to": "Canada"}, {"kg": 2.2, "to": "Spain"}),
    ("Spain gets 2.2 kg. To Canada, 8.7 kg", {"kg": 8.7, "to": "Canada"}, {"kg": 2.2, "to": "Spain"}),
    ("8.7公斤寄Canada，2.2公斤寄Spain", {"kg": 8.7, "to": "Canada"}, {"kg": 2.2, "to": "Spain"}),
    ("Überweise 110 an Ann und 80 an Bo", {"payee": "Ann", "sum": 110}, {"payee": "Bo", "sum": 80}),
    ("Look at 110 for Ann, and pay 80 to Bo", {"whom": "Ann", "sum": 110}, {"payee": "Bo", "sum": 80}),
    ("Pay Ann 110 and Bo 80, from savings", {"payee": "Ann", "sum": 110, "of": "savings"},
     {"payee": "Bo", "sum": 80, "of": "savings"}),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "first", "second"), PAIRS)
def test_values_in_each_others_place_are_found(asked: str, first: Json, second: Json) -> None:
    assert refused(asked, first, second) == []
    for name in first.keys() & second.keys():
        if first[name] != second[name]:
            found = refused(asked, {**first, name: second[name]}, {**second, name: first[name]})
            assert len(found) == 1 and "/arguments/" in found[0]


def test_the_words_that_an_author_names_count_as_the_value() -> None:
    asked = "Ten bucks to the sitter, fifty to my teacher"
    right = ({"payee": "Mike", "sum": 10}, {"payee": "Gabrielle", "sum": 50})
    words = ({"payee": "the sitter", "sum": "Ten bucks"}, {"payee": "my teacher", "sum": "fifty"})
    swapped = ({"payee": "Mike", "sum": 50}, {"payee": "Gabrielle", "sum": 10})
    mixed = ({"payee": "the sitter", "sum": "fifty"}, {"payee": "my teacher", "sum": "Ten bucks"})
    assert refused(asked, *right, evidence=words) == []
    assert refused(asked, *swapped, evidence=mixed) != []


@pytest.mark.parametrize(
    "asked",
    [
        "To Canada and Spain: 2.2 kg and 8.7 kg, the other way round",
        "8.7 kg to Canada, 2.2 kg to Spain. No: 2.2 kg to Canada, 8.7 kg to Spain",
        "Canada (and 2.2 kg to Spain) gets 8.7 kg",
        "Canada - and 2.2 kg to Spain - gets 8.7 kg",
    ],
)
def test_asides_and_what_is_said_twice_prove_nothing(asked: str) -> None:
    first, second = {"kg": 8.7, "to": "Canada"}, {"kg": 2.2, "to": "Spain"}
    for severity in ("error", "warning", "note"):
        assert refused(asked, first, second, severity=severity) == []
        assert refused(asked, {**first, "kg": 2.2}, {**second, "kg": 8.7}, severity=severity) == []


@pytest.mark.parametrize(
    ("asked", "severity"),
    [
        ("8.7 kg and 2.2 kg, to Canada and to Spain", "warning"),
        ("8.7 kg and 2.2 kg to Canada and Spain, in that order", "error"),
        ("To Canada and Spain, 8.7 kg and 2.2 kg respectively", "error"),
        ("8.7 kg und 2.2 kg nach Canada und Spain, in dieser Reihenfolge", "error"),
        ("分别寄8.7公斤和2.2公斤到Canada和Spain", "error"),
    ],
)
def test_the_order_of_lists_binds_them(asked: str, severity: str) -> None:
    first, second = {"kg": 8.7, "to": "Canada"}, {"kg": 2.2, "to": "Spain"}
    assert refused(asked, first, second) == refused(asked, first, second, severity="warning") == []
    assert len(refused(asked, {**first, "kg": 2.2}, {**second, "kg": 8.7}, severity=severity)) == 1


@pytest.mark.parametrize(
    "asked",
    [
        "Two parcels:\n- Canada, 8.7 kg\n- Spain, 2.2 kg",
        "Canada (8.7 kg) and Spain (2.2 kg)",
        "Canada [8.7 kg], Spain [2.2 kg]",
        "1. 8.7 kg to Canada\n2. 2.2 kg to Spain",
    ],
)
def test_lines_and_brackets_are_read(asked: str) -> None:
    first, second = {"kg": 8.7, "to": "Canada"}, {"kg": 2.2, "to": "Spain"}
    assert refused(asked, first, second) == []
    assert len(refused(asked, {**first, "kg": 2.2}, {**second, "kg": 8.7})) == 1


def test_calls_that_share_values_are_told_one_after_another() -> None:
    asked = "3 nights in Rome for 2, then 2 nights in Oslo for 4 people."
    right = {"nights": 3, "to": "Rome", "guests": 2}, {"nights": 2, "to": "Oslo", "guests": 4}
    wrong = {**right[0], "guests": 4}, {**right[1], "guests": 2}
    assert refused(asked, *right) == refused(asked, *right, severity="warning") == []
    assert [*refused(asked, *wrong), *refused(asked, *wrong, severity="warning")] != []


def test_an_id_is_said_by_the_name_of_its_row() -> None:
    rows = [{"payee_id": "PY-17", "name": "Ann Lee"}, {"payee_id": "PY-29", "name": "Bo Kim"}]
    parameters = {"type": "object", "properties": {"payee_id": {}, "sum": {}}}
    tools = [{"name": "list", "parameters": {}}, {"name": "pay", "parameters": parameters}]

    def found(first: Json, second: Json) -> int:
        document = {
            "messages": [
                {"role": "user", "content": "Pay Ann Lee 110 and Bo Kim 80."},
                {"role": "assistant", "content": "", "tool_calls": [call("listing12", "list", {})]},
                result("listing12", "list", json.dumps(rows)),
                {
                    "role": "assistant",
                    "content": "",
                    "tool_calls": [call(FIRST, "pay", first), call(SECOND, "pay", second)],
                },
            ],
            "tools": [{"type": "function", "function": {"description": "Act.", **tool}} for tool in tools],
            "metadata": {},
        }
        return sum(each.rule == "TC209" for each in check(document))

    assert found({"payee_id": "PY-17", "sum": 110}, {"payee_id": "PY-29", "sum": 80}) == 0
    assert found({"payee_id": "PY-17", "sum": 80}, {"payee_id": "PY-29", "sum": 110}) == 1


@pytest.mark.parametrize("count", [3, 12, 40])
def test_any_number_of_calls_is_read(count: int) -> None:
    asked = "; ".join(f"{at + 100} kg to City{at}x" for at in range(count))
    calls = [{"kg": at + 100, "to": f"City{at}x"} for at in range(count)]
    assert refused(asked, *calls) == []
    calls[0]["kg"], calls[-1]["kg"] = calls[-1]["kg"], calls[0]["kg"]
    assert len(refused(asked, *calls)) == 1


def test_a_call_of_which_one_value_is_told_proves_nothing() -> None:
    asked = "Pay Ann, and while we are at Bo's, look him up first, 110 for her"
    assert refused(asked, {"payee": "Ann", "sum": 110}, {"whom": "Bo"}) == []


NAMES = st.lists(st.text("abcdefghij", min_size=3, max_size=6), min_size=4, max_size=4, unique=True)


@given(NAMES)
def test_what_is_said_side_by_side_is_never_refused_and_always_found_when_exchanged(names: list[str]) -> None:
    a, b, c, d = (f"{name}q{at}" for at, name in enumerate(names))
    asked = f"{a} goes with {b}; {c} goes with {d}."
    assert refused(asked, {"one": a, "two": b}, {"one": c, "two": d}) == []
    assert len(refused(asked, {"one": a, "two": d}, {"one": c, "two": b})) == 1


SwapsFindingsJson = Any  # parsed JSON


def findings(given: list[SwapsFindingsJson], named: list[SwapsFindingsJson]) -> int:
    """How many values of calls are disproved by the words named for them."""
    document = {
        "messages": [
            {"role": "user", "content": "For Ann at 5: a table. For Bo at 7: a chair, in red rather than in blue."},
            {
                "role": "assistant",
                "content": "",
                "tool_calls": [call((FIRST, SECOND)[at], "act", each) for at, each in enumerate(given)],
            },
        ],
        "tools": [{"type": "function", "function": {"name": "act", "description": "Act.", "parameters": {}}}],
        "metadata": {"evidence": dict(zip((FIRST, SECOND), named, strict=False))},
    }
    return sum("the words named for it" in each.message for each in check(document) if each.rule == "TC209")


def test_words_that_say_each_others_values_disprove_them() -> None:
    words = {"wanted": "in red", "refused": "rather than in blue"}
    assert findings([{"wanted": "red", "refused": "blue"}], [words]) == 0
    assert findings([{"wanted": "blue", "refused": "red"}], [words]) == 1


def test_words_of_two_calls_count_as_well() -> None:
    words = [{"hour": "Ann at 5"}, {"hour": "Bo at 7"}]
    assert findings([{"hour": 5}, {"hour": 7}], words) == 0
    assert findings([{"hour": 7}, {"hour": 5}], words) == 1


def test_words_that_say_neither_or_both_prove_nothing() -> None:
    assert findings([{"wanted": "rouge", "refused": "bleu"}], [{"wanted": "in red", "refused": "in blue"}]) == 0
    both = "in red rather than in blue"
    assert findings([{"wanted": "blue", "refused": "red"}], [{"wanted": both, "refused": both}]) == 0
    assert findings([{"wanted": True, "refused": ""}], [{"wanted": "in red", "refused": 5}]) == 0
