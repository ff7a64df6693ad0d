"""The phrases that belong to no domain: each has the slots that are filled, and what its check looks for."""

from string import Formatter

import pytest

from generator.records.calls import ERROR_TYPES
from generator.scenarios.phrases import phrases

SLOTS = {
    ("confirmation", "rules"): set(), ("confirmation", "yes"): set(), ("confirmation", "no"): set(),
    ("confirmation", "right"): set(), ("confirmation", "several"): set(), ("confirmation", "yes_to_all"): {"all"},
    ("confirmation", "left"): set(), ("switching", "dropped"): set(), ("missing_function", "system"): {"name"},
    ("missing_function", "lacking"): {"can"}, ("missing_function", "enabled"): set(), ("declining", "plain"): set(),
    ("declining", "offering"): {"can"}, ("declining", "deed"): {"deed"}, ("declining", "without_tools"): {"deed"},
    ("errors", "replies"): {"message"},
}  # fmt: skip


def test_there_are_no_other_phrases() -> None:
    found = {(part, name) for part, texts in phrases().items() if part != "outages" for name in texts}
    assert found == set(SLOTS)


@pytest.mark.parametrize(("part", "name"), SLOTS)
def test_each_text_has_the_slots_that_are_filled(part: str, name: str) -> None:
    texts = phrases()[part][name]
    assert len(texts) >= 3
    assert len(set(texts)) == len(texts)
    for text in texts:
        found = {slot for _, slot, _, _ in Formatter().parse(text) if slot is not None}
        needed = SLOTS[part, name]
        assert found == needed or (name == "without_tools" and found <= needed), text
        assert text[0].isupper() or text.startswith("{"), text
        assert text.rstrip()[-1] in ".?!:", text


def test_outages_are_errors_that_have_nothing_to_do_with_the_world() -> None:
    assert set(phrases()["outages"]) == {"SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED"} <= set(ERROR_TYPES)


def test_a_reply_to_an_outage_is_found_by_its_message_alone() -> None:
    messages = [each["message"] for outages in phrases()["outages"].values() for each in outages]
    assert len(set(messages)) == len(messages)
    for outages in phrases()["outages"].values():
        for each in outages:
            assert len(set(each["replies"])) == len(each["replies"]) >= 2


def test_who_confirms_says_yes_and_who_declines_says_no() -> None:
    texts = phrases()["confirmation"]
    assert not set(texts["yes"]) & set(texts["no"])
    assert not [text for text in texts["yes"] if text.lower().startswith(("no", "not", "hold", "wait"))]
    assert not [text for text in texts["no"] if text.lower().startswith(("yes", "ok", "sure"))]
