"""Questions and answers about parameters, in plain words."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from generator.authors.author import NoDraft
from generator.authors.offline.fields import Field, make_field
from generator.authors.offline.objections import ask_between, point_out, tell_choice
from generator.authors.offline.questions import ask_for, noun_of, tell_values
from generator.authors.offline.saying import Voice

SEEDS = range(40)


def field(name: str, description: str = "", **schema: Any) -> Field:
    return make_field(name, {"type": "string", "description": description, **schema})


SEATING = field("seating", enum=["indoor", "terrace"])
GUESTS = field("guests", type="integer")


@pytest.mark.parametrize(
    ("asked", "noun"),
    [
        (field("city"), "city"),
        (field("order_id"), "order ID"),
        (field("check_in_date"), "check-in date"),
        (field("from_currency"), "currency"),
        (field("per_page", type="integer"), "number of results per page"),
        (field("near", "Landmark to look around."), "landmark"),
    ],
)
def test_nouns_are_those_of_people(asked: Field, noun: str) -> None:
    assert noun_of(asked) == noun
    core = noun.removeprefix("number of ")
    assert all(core in ask_for([asked], Random(seed)) for seed in SEEDS)


@pytest.mark.parametrize("asked", [field("q"), field("near"), field("until")])
def test_without_a_noun_nobody_asks(asked: Field) -> None:
    with pytest.raises(NoDraft) as refusal:
        ask_for([asked], Random(1))
    assert refusal.value.violations[0].rule == "AU004"


def test_two_parameters_of_one_noun_cannot_be_told_apart() -> None:
    with pytest.raises(NoDraft):
        ask_for([field("from_currency"), field("to_currency")], Random(1))


def test_choices_are_offered_and_two_things_named() -> None:
    for seed in SEEDS:
        assert "indoor or terrace" in ask_for([SEATING], Random(seed))
        assert all(noun in ask_for([field("city"), field("day")], Random(seed)) for noun in ("city", "day"))


def test_answers_hold_the_values_and_no_identifier() -> None:
    for seed in SEEDS:
        assert "Rome" in tell_values([field("city")], {"city": "Rome"}, Voice(Random(seed)))
        two = tell_values([field("city"), field("guests", type="array")], {"city": "Rome", "guests": ["Ana", "Ben"]},
                          Voice(Random(seed)))  # fmt: skip
        assert "Rome" in two
        assert "Ana and Ben" in two
        assert tell_values([field("user_id")], {"user_id": "usr_7"}, Voice(Random(seed))).find("Usr_7") < 0


def test_a_choice_is_not_written_as_another_one() -> None:
    genotype = field("genotype", enum=["AA", "Aa", "aa"])
    assert not [seed for seed in SEEDS if "Aa" in tell_values([genotype], {"genotype": "aa"}, Voice(Random(seed)))]


def test_answers_end_once() -> None:
    texts = {tell_values([field("body")], {"body": "See you."}, Voice(Random(seed))) for seed in SEEDS}
    assert not [text for text in texts if '."."' in text or '.".' in text]


def test_what_is_not_possible_is_pointed_out_with_what_is() -> None:
    properties = {"type": "integer", "minimum": 2, "maximum": 12}
    for seed in SEEDS:
        random = Random(seed)
        text = point_out(SEATING, "rooftop", None, {"enum": ["indoor", "terrace"]}, random)
        assert all(word in text for word in ("rooftop", "indoor", "terrace", "?"))
        assert "12" in point_out(GUESTS, 20, None, properties, random)
        assert "2" in point_out(GUESTS, 1, None, properties, random)
        text = point_out(field("day", format="date"), "2026-02-30", "February 30, 2026", {}, random)
        assert "28" in text
        assert "February" in text


def test_what_is_possible_is_not_pointed_out() -> None:
    with pytest.raises(NoDraft):
        point_out(GUESTS, 5, None, {"maximum": 12}, Random(1))


def test_both_readings_are_asked_for_and_one_is_chosen() -> None:
    for seed in SEEDS:
        voice = Voice(Random(seed))
        text = ask_between(field("city"), ["Salem, Oregon", "Salem, Massachusetts"], voice)
        assert "Salem, Oregon" in text
        assert "Salem, Massachusetts" in text
        assert text.endswith("?")
        assert "Salem, Oregon" in tell_choice(field("city"), "Salem, Oregon", voice)


def test_readings_that_sound_alike_cannot_be_asked_for() -> None:
    with pytest.raises(NoDraft):
        ask_between(field("city"), ["Rome", "Rome"], Voice(Random(1)))
