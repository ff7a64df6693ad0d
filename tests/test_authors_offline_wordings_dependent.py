"""Wording of dependent calls, outcomes and confirmation: what is said, what is not, and what the answer tells."""

from __future__ import annotations

import re

import pytest

from tests.kind_records import Json, calls, records_of, turns

KINDS = ("sequential", "nested", "error_report", "partial_failure", "error_recovery", "empty_result",
         "confirm_before_write")  # fmt: skip
_IDENTIFIER = re.compile(r"\b[a-z]+_[a-z_]+\b|\x02|\x03|\bNone\b|\{|\}")


def said(record: Json) -> list[str]:
    return [message["content"] for message in record["messages"] if message["role"] in ("user", "assistant")]


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_speaks_in_identifiers(kind: str) -> None:
    for record in records_of(kind):
        values = " ".join(str(value) for call in calls(record) for value in call["arguments"].values())
        results = " ".join(message["content"] for message in turns(record, "tool"))
        for text in said(record):
            assert [word for word in _IDENTIFIER.findall(text) if word not in values + results] == [], text


@pytest.mark.parametrize("kind", KINDS)
def test_no_two_records_ask_the_same(kind: str) -> None:
    asked = ["\n".join(message["content"] for message in turns(record, "user")) for record in records_of(kind)]
    assert len(set(asked)) == len(asked)


def test_the_second_wish_speaks_of_what_the_first_will_bring() -> None:
    referring = re.compile(
        r"\bthat\b|\bthe (?:new|first|\w+ (?:one|of them)|\w+est\b|\w+-rated|most|\w+ of|price|\w+)\b"
    )
    for record in records_of("sequential"):
        text = turns(record, "user")[0]["content"]
        value = calls(record)[1]["arguments"][record["metadata"]["claim"]["carried"][0]]
        assert referring.search(text) and str(value) not in text


def test_a_nested_wish_is_one_sentence_about_the_last_call() -> None:
    for record in records_of("nested"):
        text = turns(record, "user")[0]["content"]
        assert not re.search(r"\b[Tt]hen\b|[Aa]fter that|[Oo]nce you", text)


def test_the_choice_is_named_by_a_superlative_that_means_it() -> None:
    least = re.compile(
        r"cheapest|least|central|closest|nearest|shortest|earliest|oldest|smallest|lowest|urgent|next due"
    )
    most = re.compile(r"best|highest|latest|newest|most|largest|biggest")
    for kind in ("sequential", "nested"):
        for record in records_of(kind):
            claim, text = record["metadata"]["claim"], turns(record, "user")[0]["content"]
            if "chosen_by" in claim:
                assert (least if claim["chosen"] == "least" else most).search(text), text
            elif claim.get("chosen") == "first":
                assert "first" in text


def test_a_slip_is_mended_in_words_too() -> None:
    for record in records_of("error_recovery"):
        name = record["metadata"]["claim"]["mended"]
        before, after = (call["arguments"][name] for call in calls(record))
        answer = record["messages"][-1]["content"]
        if before in turns(record, "user")[0]["content"]:
            assert before in answer and after in answer


def test_the_question_repeats_every_value() -> None:
    for record in records_of("confirm_before_write", 24):
        if not calls(record):
            continue
        question = turns(record, "assistant")[0]["content"].casefold()
        for value in calls(record)[0]["arguments"].values():
            if isinstance(value, str) and not re.match(r"\d", value):
                assert value.replace("_", " ").casefold() in question or value.casefold() in question
            if isinstance(value, int) and not isinstance(value, bool):
                assert re.search(rf"(?<!\w){value:,}(?!\w)|(?<!\w){value}(?!\w)", question), question
