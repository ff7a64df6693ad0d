"""What confirmation claims, and what its check refuses."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.kind_records import Json, calls, complaints, records_of, turns

KIND = "confirm_before_write"


def _agreed() -> list[Json]:
    return [record for record in records_of(KIND, 24) if record["metadata"]["claim"]["answer"] == "yes"]


def _declined() -> list[Json]:
    return [record for record in records_of(KIND, 24) if record["metadata"]["claim"]["answer"] == "no"]


def test_what_is_written_keeps_its_claim() -> None:
    records = records_of(KIND, 24)
    assert [complaints(record) for record in records] == [[]] * 24
    assert len(_agreed()) > len(_declined()) > 2


def _nobody_demands_it(record: Json) -> None:
    turns(record, "system")[0]["content"] = "You are a helpful assistant."


def _asks_nothing(record: Json) -> None:
    turns(record, "assistant")[0]["content"] = "Nice weather today."


def _asks_about_nothing_in_particular(record: Json) -> None:
    turns(record, "assistant")[0]["content"] = "Shall I proceed?"


def _answers_neither(record: Json) -> None:
    turns(record, "user")[1]["content"] = "What do you mean by that?"


def _says_no(record: Json) -> None:
    turns(record, "user")[1]["content"] = "No, please don't."


def _says_yes(record: Json) -> None:
    turns(record, "user")[1]["content"] = "Yes, go ahead."


def _calls_before_the_answer(record: Json) -> None:
    turn = next(message for message in record["messages"] if message.get("tool_calls"))
    record["messages"].remove(turn)
    record["messages"].insert(2, turn)


def _calls_another_tool(record: Json) -> None:
    calls(record)[0]["name"] = "delete_everything"


def _calls_something_else(record: Json) -> None:
    calls(record)[0]["arguments"] = {"what": "Qwertzuiop", "how_often": 987654}


def _calls_with_another_value(record: Json) -> None:
    """One value is another one than the user has agreed to."""
    arguments = calls(record)[0]["arguments"]
    name = next(name for name, value in arguments.items() if isinstance(value, str | int))
    arguments[name] = "Qwertzuiop" if isinstance(arguments[name], str) else 98765


def _never_calls(record: Json) -> None:
    record["messages"] = [
        message for message in record["messages"] if not message.get("tool_calls") and message["role"] != "tool"
    ]


def _says_it_was_done(record: Json) -> None:
    record["messages"][-1]["content"] = "Your order is on its way."


AGREED = (
    _nobody_demands_it, _asks_nothing, _asks_about_nothing_in_particular, _answers_neither, _says_no,
    _calls_before_the_answer, _calls_another_tool, _calls_something_else, _calls_with_another_value, _never_calls,
)  # fmt: skip
DECLINED = (_nobody_demands_it, _asks_nothing, _answers_neither, _says_yes, _says_it_was_done)


def _name(value: Callable[[Json], None]) -> str:
    return value.__name__.strip("_")


@pytest.mark.parametrize("mutate", AGREED, ids=_name)
def test_what_breaks_an_agreement_is_refused(mutate: Callable[[Json], None]) -> None:
    for record in _agreed():
        mutate(record)
        assert complaints(record), record["messages"]


@pytest.mark.parametrize("mutate", DECLINED, ids=_name)
def test_what_breaks_a_refusal_is_refused(mutate: Callable[[Json], None]) -> None:
    for record in _declined():
        mutate(record)
        assert complaints(record), record["messages"]


@pytest.mark.parametrize("other", ["simple", "multiple", "multi_turn"])
def test_acting_at_once_is_no_confirmation(other: str) -> None:
    assert all(complaints(record, KIND) for record in records_of(other))
