"""What conversations claim, and what the check of each kind refuses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from generator.validation import check_under_way
from tests.kind_records import Json, calls, complaints, records_of, turns
from tests.tables import each_row
from tests.test_validation_kinds_dependent import prefixes

KINDS = ("multi_turn", "coreference", "argument_shift", "intent_switch")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_keeps_its_claim(kind: str) -> None:
    records = records_of(kind)
    assert len(records) == 12
    assert [complaints(record) for record in records] == [[]] * 12


def _only_first_turn(record: Json) -> None:
    second = [place for place, message in enumerate(record["messages"]) if message["role"] == "user"][1]
    del record["messages"][second:]


def _too_many_turns(record: Json) -> None:
    record["messages"] += [{"role": "user", "content": "Thanks."}, {"role": "assistant", "content": "Welcome."}] * 6


def _say_everything(record: Json) -> None:
    told = " ".join(str(value) for value in calls(record)[-1]["arguments"].values())
    turns(record, "user")[-1]["content"] += f" I mean {told}."


def _no_word_refers(record: Json) -> None:
    turns(record, "user")[-1]["content"] = "Go."


def _nothing_before_holds_it(record: Json) -> None:
    for message in record["messages"][:-4]:
        message["content"] = "Hello."
        for call in message.get("tool_calls", ()):
            call["function"]["arguments"] = {}


def _first_word_wins(record: Json) -> None:
    claim = record["metadata"]["claim"]
    calls(record)[-1]["arguments"][claim["parameter"]] = claim["before"]


def _never_said_before(record: Json) -> None:
    record["metadata"]["claim"]["before"] = "Ouagadougou"


def _without_claim(record: Json) -> None:
    record["metadata"]["claim"] = {}


def _said_differently(record: Json) -> None:
    record["metadata"]["claim"]["before"] = str(record["metadata"]["claim"]["before"])
    calls(record)[-1]["arguments"][record["metadata"]["claim"]["parameter"]] = str(
        record["metadata"]["claim"]["before"]
    ).upper()


def _correction_is_missing(record: Json) -> None:
    record["messages"][-1:] = [
        record["messages"][-1],
        {"role": "user", "content": "Fine."},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "function": calls(record)[-1]}]},
    ]


def _corrected_at_once(record: Json) -> None:
    first, second, *_ = turns(record, "user")
    first["content"] += f" {second['content']}"
    del record["messages"][record["messages"].index(first) + 1 : record["messages"].index(second) + 1]


def _called_before_the_correction(record: Json) -> None:
    answer = turns(record, "assistant")[0]
    answer["tool_calls"] = [{"id": "a", "function": {"name": "x", "arguments": {}}}]


def _meant_from_the_beginning(record: Json) -> None:
    name = record["metadata"]["claim"]["parameter"]
    turns(record, "user")[0]["content"] += f" {calls(record)[-1]['arguments'][name]}"


def _corrects_nothing(record: Json) -> None:
    name = record["metadata"]["claim"]["parameter"]
    turns(record, "user")[1]["content"] = f"{calls(record)[-1]['arguments'][name]}, please."


def _never_said_in_the_end(record: Json) -> None:
    turns(record, "user")[1]["content"] = "Sorry, I meant the other one."


def _asks_nothing_back(record: Json) -> None:
    record["metadata"]["author"] = "llm"
    turns(record, "assistant")[0]["content"] = "One moment."


def _dropped_is_called(record: Json) -> None:
    calls(record)[-1]["name"] = record["metadata"]["claim"]["dropped"]


def _dropped_is_not_shown(record: Json) -> None:
    dropped = record["metadata"]["claim"]["dropped"]
    record["tools"] = [tool for tool in record["tools"] if tool["function"]["name"] != dropped]


def _nothing_dropped(record: Json) -> None:
    for message in turns(record, "user"):
        message["content"] = "Please look."


def _nothing_called(record: Json) -> None:
    record["messages"] = [message for message in record["messages"] if "tool_calls" not in message]


MUTATIONS: list[tuple[str, Callable[[Json], None]]] = [
    ("multi_turn", _only_first_turn),
    ("multi_turn", _too_many_turns),
    ("multi_turn", _nothing_called),
    ("coreference", _only_first_turn),
    ("coreference", _say_everything),
    ("coreference", _no_word_refers),
    ("coreference", _nothing_before_holds_it),
    ("argument_shift", _first_word_wins),
    ("argument_shift", _never_said_before),
    ("argument_shift", _without_claim),
    ("argument_shift", _correction_is_missing),
    ("argument_shift", _nothing_called),
    ("argument_shift", _said_differently),
    ("argument_shift", _corrected_at_once),
    ("argument_shift", _called_before_the_correction),
    ("argument_shift", _meant_from_the_beginning),
    ("argument_shift", _corrects_nothing),
    ("argument_shift", _never_said_in_the_end),
    ("argument_shift", _asks_nothing_back),
    ("intent_switch", _dropped_is_called),
    ("intent_switch", _dropped_is_not_shown),
    ("intent_switch", _nothing_dropped),
    ("intent_switch", _nothing_called),
    ("intent_switch", _without_claim),
]


@each_row(("kind", "mutate"), MUTATIONS, ids=lambda value: getattr(value, "__name__", value).strip("_"))
def test_a_broken_claim_is_refused(kind: str, mutate: Callable[[Json], None]) -> None:
    for record in records_of(kind):
        mutate(record)
        assert complaints(record), record["messages"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_turn_is_no_conversation(kind: str) -> None:
    assert all(complaints(record, kind) for record in records_of("multiple"))


@pytest.mark.parametrize("kind", ["multi_turn", "coreference"])
def test_a_conversation_under_way_keeps_its_claim(kind: str) -> None:
    for record in records_of(kind):
        for begun, coming in prefixes(record):
            assert check_under_way(begun, coming) == []


@pytest.mark.parametrize("mutate", [_say_everything, _no_word_refers])
def test_a_turn_that_refers_to_nothing_is_told_when_it_is_called(mutate: Callable[[Json], None]) -> None:
    for record in records_of("coreference"):
        mutate(record)
        first, *_, last = prefixes(record)
        assert check_under_way(*first) == []
        assert [each.rule for each in check_under_way(*last)] == ["TC114"]
