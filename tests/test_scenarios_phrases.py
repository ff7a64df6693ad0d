"""The phrases that belong to no domain: each has the slots that are filled, and what its check looks for."""

import re
from string import Formatter

import pytest

from generator.scenarios.phrases import phrases
from generator.schemas.adm.schema import ERROR_TYPES

SLOTS = {
    ("confirmation", "rules"): set(), ("confirmation", "yes"): set(), ("confirmation", "no"): set(),
    ("confirmation", "right"): set(), ("confirmation", "several"): set(), ("confirmation", "yes_to_all"): {"all"},
    ("confirmation", "left"): set(), ("switching", "dropped"): set(), ("missing_function", "system"): {"name"},
    ("missing_function", "lacking"): {"can"}, ("missing_function", "enabled"): set(),
    ("declining", "deed"): {"deed"}, ("declining", "without_tools"): {"deed"},
    ("errors", "replies"): {"can", "message"}, ("failing", "able"): {"can", "why"},
    ("failing", "named"): {"thing", "why"}, ("failing", "sought"): {"thing", "why"},
    ("failing", "deed"): {"thing", "why", "can"}, ("failing", "naming"): {"thing"}, ("failing", "heading"): {"thing"},
    ("correcting", "openers"): set(), ("correcting", "rest"): set(),
    ("correcting", "reading_back"): {"said"},
}  # fmt: skip


_BEFORE_OTHERS = (("confirmation", "several"), ("failing", "heading"))


def test_there_are_no_other_phrases() -> None:
    found = {
        (part, name)
        for part, texts in phrases().items()
        if part not in ("outages", "wishes")
        for name in texts
        if (part, name) not in {("correcting", "words"), ("correcting", "adding"), ("failing", "which")}
    }
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
        assert text.rstrip()[-1] in (".?!:" if (part, name) in _BEFORE_OTHERS else ".?!"), text


def test_places_are_told_in_words_that_stand_within_a_sentence() -> None:
    which = phrases()["failing"]["which"]
    assert len(set(which)) == len(which) > 4
    assert which[-1] == "one of them" and all(text.islower() for text in which)


def test_outages_are_errors_that_have_nothing_to_do_with_the_world() -> None:
    outages = phrases()["outages"]
    assert {each["type"] for each in outages} == {"SERVICE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED"} <= set(ERROR_TYPES)
    assert len({each["message"] for each in outages}) == len(outages)


def test_the_reason_of_an_outage_goes_on_within_a_sentence() -> None:
    for each in phrases()["outages"]:
        assert each["why"][0].islower() and each["why"][-1].isalpha(), each


def test_connectors_hold_the_further_wish_once() -> None:
    texts = phrases()["wishes"]
    for place in ("next", "last"):
        assert all(text.count("{further}") == 1 for text in (*texts[place]["within"], *texts[place]["apart"]))
        assert all(text.endswith(". {further}") for text in texts[place]["apart"])
    assert texts["lowered"] == sorted(set(texts["lowered"])) and all(word.islower() for word in texts["lowered"])


def test_who_confirms_says_yes_and_who_declines_says_no() -> None:
    texts = phrases()["confirmation"]
    assert not set(texts["yes"]) & set(texts["no"])
    assert not [text for text in texts["yes"] if text.lower().startswith(("no", "not", "hold", "wait"))]
    assert not [text for text in texts["no"] if text.lower().startswith(("yes", "ok", "sure"))]


def test_what_opens_a_correction_takes_something_back_and_what_adds_does_not() -> None:
    texts = phrases()["correcting"]
    assert all(set(re.findall(r"\w+", text.lower())) & set(texts["words"]) for text in texts["openers"])
    assert not set(texts["adding"]) & set(texts["words"])
    assert all(text.endswith("?") for text in texts["reading_back"])
