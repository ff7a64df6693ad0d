"""What outcomes claim, and what the check of each kind refuses."""

from __future__ import annotations

from collections.abc import Callable

import orjson
import pytest

from tests.kind_records import Json, calls, complaints, records_of, turns
from tests.tables import each_row

KINDS = ("error_report", "partial_failure", "error_recovery", "empty_result")


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_keeps_its_claim(kind: str) -> None:
    records = records_of(kind)
    assert len(records) == 12
    assert [complaints(record) for record in records] == [[]] * 12


def _say(text: str, name: str) -> Callable[[Json], None]:
    def mutate(record: Json) -> None:
        record["messages"][-1]["content"] = text

    mutate.__name__ = name
    return mutate


def _answer(record: Json, number: int, content: Json, status: str) -> None:
    message = turns(record, "tool")[number]
    message["content"] = orjson.dumps(content).decode()
    record["metadata"]["statuses"][message["tool_call_id"]] = status


def _failure_in_truth_a_success(record: Json) -> None:
    for number, _ in enumerate(turns(record, "tool")):
        _answer(record, number, {"status": "done"}, "SUCCESS")


def _all_fail(record: Json) -> None:
    for number, _ in enumerate(turns(record, "tool")):
        error = {"error": {"type": "SERVICE_UNAVAILABLE", "message": "The whole service is down for maintenance."}}
        _answer(record, number, error, "SERVICE_UNAVAILABLE")


def _glossed_over(record: Json) -> None:
    """The answer tells what succeeded, and leaves out what failed."""
    told = [message["content"] for message in turns(record, "tool") if "error" not in _read(message)]
    record["messages"][-1]["content"] = f"Here you go: {' '.join(told)}"


def _read(message: Json) -> Json:
    value = orjson.loads(message["content"])
    return value if isinstance(value, dict) else {}


def _only_the_failures_told(record: Json) -> None:
    errors = [_read(message)["error"]["message"] for message in turns(record, "tool") if "error" in _read(message)]
    record["messages"][-1]["content"] = "Sorry, something failed. " + " ".join(errors)


def _reason_missing(record: Json) -> None:
    record["messages"][-1]["content"] = "Sorry, that didn't work. Shall I try again?"


def _only_one_call(record: Json) -> None:
    turn = next(message for message in record["messages"] if message.get("tool_calls"))
    del turn["tool_calls"][1:]
    for message in turns(record, "tool")[1:]:
        record["messages"].remove(message)


def _same_call_again(record: Json) -> None:
    """Nothing is mended: the second call is the first one."""
    calls(record)[1]["arguments"] = dict(calls(record)[0]["arguments"])


def _mended(record: Json) -> str:
    """The argument that the second call has otherwise than the first."""
    first, second = (call["arguments"] for call in calls(record))
    return next(name for name in {**second, **first} if first.get(name) != second.get(name))


def _value_that_nobody_allowed(record: Json) -> None:
    calls(record)[1]["arguments"][_mended(record)] = "Qwertzuiop"


def _another_parameter_changes(record: Json) -> None:
    """Not what the error is about changes, but something else."""
    first, second = calls(record)
    second["arguments"] = {**first["arguments"], "colour_of_it": "mauve"}


def _second_call_fails(record: Json) -> None:
    error = {"error": {"type": "RESOURCE_NOT_FOUND", "message": "There is none."}}
    _answer(record, 1, error, "RESOURCE_NOT_FOUND")


def _first_call_succeeds(record: Json) -> None:
    _answer(record, 0, _read(turns(record, "tool")[1]), "SUCCESS")


def _service_was_down(record: Json) -> None:
    """An error that no other value mends."""
    _answer(record, 0, _read(turns(record, "tool")[0]), "SERVICE_UNAVAILABLE")


def _another_tool(record: Json) -> None:
    calls(record)[1]["name"] = "another_tool"


def _change_is_not_told(record: Json) -> None:
    record["messages"][-1]["content"] = "It worked in the end."


def _second_user_turn(record: Json) -> None:
    place = [index for index, message in enumerate(record["messages"]) if message.get("tool_calls")][-1]
    record["messages"].insert(place, {"role": "user", "content": "Try another one."})


def _something_was_found(record: Json) -> None:
    result = orjson.loads(turns(record, "tool")[0]["content"])
    filled = {key: [{"name": "Chez Nous"}] if value == [] else value for key, value in result.items()}
    _answer(record, 0, filled, "SUCCESS")


def _search_failed(record: Json) -> None:
    error = {"error": {"type": "SERVICE_UNAVAILABLE", "message": "It is down."}}
    _answer(record, 0, error, "SERVICE_UNAVAILABLE")


def _result_tells_more(record: Json) -> None:
    """The empty list is not the answer: the result tells something else."""
    result = orjson.loads(turns(record, "tool")[0]["content"])
    _answer(record, 0, {**result, "price": 1234.5, "winner": "Green Bay"}, "SUCCESS")


MUTATIONS: list[tuple[str, Callable[[Json], None]]] = [
    ("error_report", _failure_in_truth_a_success),
    ("error_report", _reason_missing),
    ("error_report", _say("Done! I've taken care of it.", "claims_success")),
    ("error_report", _say("Here is what you asked for.", "says_no_word_of_it")),
    ("partial_failure", _failure_in_truth_a_success),
    ("partial_failure", _all_fail),
    ("partial_failure", _glossed_over),
    ("partial_failure", _only_the_failures_told),
    ("partial_failure", _only_one_call),
    ("partial_failure", _say("Done! All of it worked.", "claims_success")),
    ("error_recovery", _same_call_again),
    ("error_recovery", _value_that_nobody_allowed),
    ("error_recovery", _another_parameter_changes),
    ("error_recovery", _second_call_fails),
    ("error_recovery", _first_call_succeeds),
    ("error_recovery", _service_was_down),
    ("error_recovery", _another_tool),
    ("error_recovery", _change_is_not_told),
    ("error_recovery", _second_user_turn),
    ("empty_result", _something_was_found),
    ("empty_result", _search_failed),
    ("empty_result", _result_tells_more),
    ("empty_result", _say("Here are the best three I found.", "invents_entries")),
    ("empty_result", _say("There are none, but I found one for $7,391.", "invents_a_price")),
    ("empty_result", _say("Done! I've looked it up.", "says_no_word_of_it")),
]


@each_row(("kind", "mutate"), MUTATIONS, ids=lambda value: getattr(value, "__name__", value).strip("_"))
def test_a_broken_claim_is_refused(kind: str, mutate: Callable[[Json], None]) -> None:
    for record in records_of(kind):
        mutate(record)
        assert complaints(record), record["messages"]


@pytest.mark.parametrize("kind", KINDS)
def test_each_keeps_to_its_own(kind: str) -> None:
    for other in KINDS:
        if other != kind:
            assert all(complaints(record, kind) for record in records_of(other)), (kind, other)
