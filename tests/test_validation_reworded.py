"""Records in natural words, written by hand, and what becomes of them when something in them is wrong.

`reworded.jsonl` holds on each line a record and its case. The good ones are what offline records say, put as people
put it. Each other one is a good one with one error that a careful reader is sure to see: values in each other's place
(`swap`), a negation ignored, the last word ignored, a wish left out, an answer that says another thing than the
results. Of each case is told which rules refuse it (of a wrong one, beyond those that refuse the good one it was made
of), what they refuse where a judge has agreed, and what a reader of the second opinion's own questions answers: which
calls follow from what went before a step, and to which of the judge's questions the answer is no.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from functools import cache
from itertools import chain, takewhile
from pathlib import Path
from typing import Any

from generator.authors.llm.response_formats import judgement_envelope
from generator.authors.llm.second_opinion import disagreement, has_doubts
from generator.kinds import KINDS
from generator.records import DraftCall
from generator.tools import Tool
from generator.validation import Violation, validate_record
from generator.validation.grounding.arguments.grounded import explain
from tests.tables import each_row

Json = Any  # parsed JSON

FILE = Path(__file__).with_name("reworded.jsonl")
LINES: list[Json] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
GOOD = [line for line in LINES if line["case"]["sort"] == "good"]
WRONG = [line for line in LINES if line["case"]["sort"] != "good"]
BY_NAME = {line["case"]["name"]: line for line in LINES}
QUESTIONS = set(judgement_envelope().schema["required"]) - {"reasons"}
SORTS = ("swap", "negation", "last_word", "left_out", "answer")
REFUSED_BY_RULES, REFUSED_WITH_OPINION, CAUGHT_WITH_OPINION = 0.15, 0.05, 0.95
Said = frozenset[tuple[str, str]]


@cache
def findings(name: str, *, judged: bool) -> Said:
    """What the rules refuse a record for: their codes and what they say."""
    record = copy.deepcopy(BY_NAME[name]["record"])
    if judged:
        record["metadata"]["second_opinion"] = ["blind", "judge"]
    refused: list[Violation] = [each for each in validate_record(record) if each.severity == "error"]
    return frozenset((each.rule, each.message) for each in refused)


def found_beyond_the_good(case: Json, *, judged: bool) -> set[str]:
    """The rules that find what is wrong with a case, and nothing that they find in the good one as well."""
    return {rule for rule, _ in findings(case["name"], judged=judged) - findings(case["of"], judged=judged)}


def rules(found: Said) -> list[str]:
    return sorted({rule for rule, _ in found})


def call_of(entry: Json) -> DraftCall:
    return DraftCall(name=entry["name"], arguments=entry["arguments"])


def turns_of_calls(record: Json) -> list[tuple[str, list[DraftCall]]]:
    """Each turn of calls with the role of the message before it: `user`, or `tool` where it follows by itself."""
    messages = record["messages"]
    return [
        (messages[at - 1]["role"], [call_of(call["function"]) for call in message["tool_calls"]])
        for at, message in enumerate(messages)
        if message.get("tool_calls")
    ]


def blindly_called_otherwise(line: Json) -> bool:
    """Say whether the calls that follow from what was said are others than the record's."""
    if "blind" not in line["case"]:
        return False
    blind, turns = line["case"]["blind"], turns_of_calls(line["record"])
    tools = [
        Tool(**{key: each["function"][key] for key in ("name", "description", "parameters")},
             result_schema={}, result_origin="domain")
        for each in line["record"]["tools"]
    ]  # fmt: skip
    following = takewhile(lambda turn: turn[0] != "user", turns[blind["step"] + 1 :])
    later = list(chain.from_iterable(calls for _, calls in following))
    return bool(disagreement(turns[blind["step"]][1], [call_of(each) for each in blind["calls"]], tools, later))


def is_caught_with_an_opinion(line: Json) -> bool:
    """Say whether rules or either question catch a case, asked as `--verify both` does: the judge after the blind."""
    case = line["case"]
    return (
        bool(found_beyond_the_good(case, judged=True)) or blindly_called_otherwise(line) or case["judge"] in QUESTIONS
    )


def is_judged_by_default(record: Json) -> bool:
    """Say whether `--verify auto` has a judge read a record."""
    metadata = record["metadata"]
    return KINDS[metadata["kind"]].rests_on_wording or not metadata["locale"].startswith("en")


def is_caught_by_default(line: Json) -> bool:
    """Say whether a case is caught by rules, or by what `--verify auto` asks.

    It asks blindly where a value is but asserted, or where a rule has doubts.
    """
    case, record = line["case"], line["record"]
    judged = is_judged_by_default(record)
    if found_beyond_the_good(case, judged=judged) or judged:
        return True
    if "blind" not in case:
        return False
    grounding = explain(record)
    calls = [message["tool_calls"] for message in record["messages"] if message.get("tool_calls")]
    asked = calls[case["blind"]["step"]]
    return has_doubts(record) or any(
        each["level"] == "asserted" for call in asked for each in grounding.get(call["id"], {}).values()
    )


def test_the_cases_are_spread_over_kinds_languages_and_errors() -> None:
    assert len(BY_NAME) == len(LINES)
    assert len(GOOD) == 84
    assert {line["record"]["metadata"]["kind"] for line in GOOD} == set(KINDS)
    abroad = Counter(line["record"]["metadata"]["locale"] for line in GOOD)
    assert (abroad["de_DE"], abroad["es_ES"], abroad["zh_CN"]) == (5, 5, 5)
    assert Counter(line["case"]["sort"] for line in WRONG) == dict.fromkeys(SORTS, 40)
    assert all(BY_NAME[line["case"]["of"]]["case"]["sort"] == "good" for line in WRONG)
    assert FILE.stat().st_size < 1_500_000


@each_row("line", GOOD, ids=lambda line: line["case"]["name"])
def test_a_good_rewording_is_refused_by_no_rule_but_those_it_is_known_for(line: Json) -> None:
    """Where a judge has agreed, no rule refuses any."""
    case = line["case"]
    assert rules(findings(case["name"], judged=False)) == case["rules"], findings(case["name"], judged=False)
    assert rules(findings(case["name"], judged=True)) == case["judged"] == []


@each_row("line", WRONG, ids=lambda line: line["case"]["name"])
def test_what_is_wrong_is_found_by_the_rules_it_is_known_for(line: Json) -> None:
    case = line["case"]
    assert set(case["rules"]) <= found_beyond_the_good(case, judged=False)
    assert set(case["judged"]) <= found_beyond_the_good(case, judged=True)


@each_row("line", [line for line in WRONG if "blind" in line["case"]], ids=lambda line: line["case"]["name"])
def test_a_reader_of_what_was_said_calls_otherwise_than_a_wrong_record(line: Json) -> None:
    assert blindly_called_otherwise(line)


def test_few_good_rewordings_are_refused() -> None:
    by_rules = [line for line in GOOD if findings(line["case"]["name"], judged=False)]
    with_opinion = [
        line for line in GOOD if findings(line["case"]["name"], judged=True) or blindly_called_otherwise(line)
    ]
    assert len(by_rules) <= REFUSED_BY_RULES * len(GOOD)
    assert len(with_opinion) <= REFUSED_WITH_OPINION * len(GOOD)


def test_most_of_what_is_wrong_is_caught_where_a_second_opinion_is_asked() -> None:
    caught = Counter(line["case"]["sort"] for line in WRONG if is_caught_with_an_opinion(line))
    assert sum(caught.values()) >= CAUGHT_WITH_OPINION * len(WRONG)
    assert all(caught[sort] >= CAUGHT_WITH_OPINION * 40 for sort in SORTS)


def test_what_is_asked_by_default_refuses_few_and_catches_most() -> None:
    refused = [line for line in GOOD if findings(line["case"]["name"], judged=is_judged_by_default(line["record"]))]
    assert len(refused) <= 4
    assert sum(map(is_caught_by_default, WRONG)) >= 156


def test_rules_alone_catch_what_they_are_known_to_catch() -> None:
    caught = Counter(line["case"]["sort"] for line in WRONG if found_beyond_the_good(line["case"], judged=False))
    least = {"swap": 28, "negation": 20, "last_word": 25, "left_out": 21, "answer": 15}
    assert {sort: max(caught[sort], fewest) for sort, fewest in least.items()} == dict(caught)
