"""What outcomes claim, and calls that need what earlier ones brought; and what the check of each kind refuses."""

from __future__ import annotations

import re
from collections.abc import Callable

import orjson
import pytest

from generator.validation import check_under_way
from tests.kind_records import (
    Json,
    by_lists_of_words,
    calls,
    complaints,
    prefixes,
    records_of,
    require_refused_by_words,
    turns,
)

DEPENDENT = ("sequential", "nested")


def _carried(record: Json) -> str:
    return str(record["metadata"]["claim"]["carried"][0])


def _value_of_no_result(record: Json) -> None:
    """The second call has a value that stands nowhere before."""
    value = calls(record)[-1]["arguments"][_carried(record)]
    calls(record)[-1]["arguments"][_carried(record)] = "QX-0000" if isinstance(value, str) else 987654321


def _value_said_by_the_user(record: Json) -> None:
    """The user says the value, so that no result is needed for it."""
    value = calls(record)[-1]["arguments"][_carried(record)]
    turns(record, "user")[0]["content"] += f" It is {value}."


def _value_said_by_the_system(record: Json) -> None:
    value = calls(record)[-1]["arguments"][_carried(record)]
    record["messages"].insert(0, {"role": "system", "content": f"The user means {value}."})


def _value_from_a_failed_call(record: Json) -> None:
    """The first call failed, so that its result holds nothing to go on with."""
    message = turns(record, "tool")[0]
    message["content"] = '{"error":{"type":"SERVICE_UNAVAILABLE","message":"It is down."}}'
    record["metadata"]["statuses"][message["tool_call_id"]] = "SERVICE_UNAVAILABLE"


def _both_calls_at_once(record: Json) -> None:
    """All calls stand in one turn, so that none can know another's result."""
    first, *others = [message for message in record["messages"] if message.get("tool_calls")]
    for other in others:
        first["tool_calls"] += other["tool_calls"]
        record["messages"].remove(other)


def _later_calls_missing(record: Json) -> None:
    second = [place for place, message in enumerate(record["messages"]) if message.get("tool_calls")][1]
    del record["messages"][second:-1]


def _two_user_turns(record: Json) -> None:
    """The second wish comes in a turn of its own."""
    place = [index for index, message in enumerate(record["messages"]) if message.get("tool_calls")][1]
    record["messages"].insert(place, {"role": "user", "content": "Then go on, please."})


def _claims_another_parameter(record: Json) -> None:
    record["metadata"]["claim"]["carried"] = ["nothing_of_that_name"]


def _another_entry_is_chosen(record: Json) -> None:
    """The result is turned round, so that the value is no longer that of the entry the user chose."""
    if "chosen" not in record["metadata"]["claim"]:
        _value_of_no_result(record)
        return
    message = turns(record, "tool")[0]
    result = orjson.loads(message["content"])
    entries = next(value for value in result.values() if isinstance(value, list))
    claim, value = record["metadata"]["claim"], calls(record)[-1]["arguments"][_carried(record)]
    chosen = next(entry for entry in entries if value in entry.values())
    if claim["chosen"] == "first":
        entries.insert(0, dict.fromkeys(chosen, "other"))
    else:
        field = claim["chosen_by"]
        entries.append({**dict.fromkeys(chosen, "other"), field: chosen[field]})
    message["content"] = orjson.dumps(result).decode()


def _answer_tells_nothing(record: Json) -> None:
    record["messages"][-1]["content"] = "All of that is finished now."


def _answer_tells_the_last_alone(record: Json) -> None:
    """The answer passes over what the earlier calls brought."""
    *earlier, last = (message["content"] for message in turns(record, "tool"))
    known = set(re.findall(r"\w+", "".join(earlier)))
    told = [text for text in re.findall(r'"([^"]{4,})"[,}]', last) if not known & set(re.findall(r"\w+", text))]
    record["messages"][-1]["content"] = f"Here it is: {', '.join(told)}."


def _one_wish_alone(record: Json) -> None:
    turns(record, "user")[0]["content"] = "Please deal with it"


def _names_a_second_wish(record: Json) -> None:
    """The user asks for the look-up as well, so that it is no helper that nobody named."""
    turns(record, "user")[0]["content"] = "Look that up first. Then " + turns(record, "user")[0]["content"]


def test_a_value_is_carried_on_inside_a_list_or_an_object_too() -> None:
    for record in records_of("nested"):
        call, name = calls(record)[-1], _carried(record)
        value = call["arguments"][name]
        call["arguments"][name] = [{"target": value, "note": "x"}]
        assert complaints(record) == []
        call["arguments"][name] = [{"target": "QX-0000", "note": "x"}]
        assert complaints(record)


@pytest.mark.parametrize("claim", [{"carried": [[]]}, {"carried": [{}]}, {"chosen": "most", "chosen_by": []}])
def test_a_claim_that_names_nothing_is_refused(claim: Json) -> None:
    for record in records_of("nested"):
        record["metadata"]["claim"] |= claim
        assert complaints(record)


OF_DEPENDENT: list[tuple[str, Callable[[Json], None]]] = [
    *((kind, _value_of_no_result) for kind in DEPENDENT),
    *((kind, _value_said_by_the_user) for kind in DEPENDENT),
    *((kind, _value_said_by_the_system) for kind in DEPENDENT),
    *((kind, _value_from_a_failed_call) for kind in DEPENDENT),
    *((kind, _both_calls_at_once) for kind in DEPENDENT),
    *((kind, _later_calls_missing) for kind in DEPENDENT),
    *((kind, _two_user_turns) for kind in DEPENDENT),
    *((kind, _claims_another_parameter) for kind in DEPENDENT),
    *((kind, _another_entry_is_chosen) for kind in DEPENDENT),
    *((kind, _answer_tells_nothing) for kind in DEPENDENT),
    ("sequential", _answer_tells_the_last_alone),
]
BY_WORDS = [("sequential", _one_wish_alone), ("nested", _names_a_second_wish)]
MANY = 24


@pytest.mark.parametrize("kind", DEPENDENT)
@pytest.mark.parametrize("other", ["simple", "multiple", "parallel", "parallel_multiple", "multi_turn"])
def test_calls_that_carry_nothing_on_are_not_dependent(kind: str, other: str) -> None:
    assert all(complaints(record, kind) for record in records_of(other))


@pytest.mark.xfail(reason="the lists of words tell about half apart since tasks say two wishes in one sentence")
def test_two_wishes_are_not_nested() -> None:
    """Two wishes with no word between them, the second of which refers to nothing, are told apart by no rule."""
    records = by_lists_of_words(records_of("sequential", MANY))
    assert len(records) > 12
    refused = [bool(complaints(record, "nested")) for record in records]
    assert 100 * sum(refused) >= 85 * len(records)


@pytest.mark.parametrize(("kind", "mutate"), BY_WORDS, ids=lambda value: getattr(value, "__name__", value).strip("_"))
def test_words_that_break_a_claim_are_refused_unless_a_domain_has_them(
    kind: str, mutate: Callable[[Json], None]
) -> None:
    require_refused_by_words(kind, mutate, MANY)


@pytest.mark.parametrize("kind", DEPENDENT)
def test_a_record_under_way_keeps_its_claim_as_far_as_it_has_come(kind: str) -> None:
    for record in records_of(kind):
        for begun, coming in prefixes(record):
            assert check_under_way(begun, coming) == []
            assert complaints(begun)  # of a whole record more is asked


UNDER_WAY: list[tuple[str, Callable[[Json], None], int]] = [
    ("nested", _value_of_no_result, -1),
    *((kind, _value_from_a_failed_call, -1) for kind in DEPENDENT),
    *((kind, _two_user_turns, -1) for kind in DEPENDENT),
    ("sequential", _one_wish_alone, 0),
    ("nested", _names_a_second_wish, 0),
]


@pytest.mark.parametrize(("kind", "mutate", "place"), UNDER_WAY)
def test_what_breaks_a_claim_is_told_with_the_turn_that_breaks_it(
    kind: str, mutate: Callable[[Json], None], place: int
) -> None:
    records = by_lists_of_words(records_of(kind, MANY))
    assert records
    for record in records:
        mutate(record)
        *_, broken = prefixes(record)[: place + 1] if place >= 0 else prefixes(record)
        found = check_under_way(*broken)
        assert [(each.rule, each.severity) for each in found[:1]] == [("TC114", "error")]


def test_a_look_up_that_is_named_is_told_at_once() -> None:
    for record in records_of("nested"):
        name = calls(record)[0]["name"]
        shown = next(tool["function"] for tool in record["tools"] if tool["function"]["name"] == name)
        for function in (shown, calls(record)[0], turns(record, "tool")[0]):
            function["name"] = "consult_almanac"
        begun = prefixes(record)[0]
        assert check_under_way(*begun) == []
        turns(record, "user")[0]["content"] += " The almanac has it."
        (found,) = check_under_way(*begun)
        assert found.message == "nested: has a user who does not name consult_almanac, as 'almanac' does"
        assert check_under_way(begun[0], frozenset()) == []  # the last call itself may be named


@pytest.mark.parametrize("change", [{"locale": "de_DE", "second_opinion": ["judge"]}, {"kind": "simple"}, {"kind": []}])
def test_lists_of_words_say_nothing_of_what_they_do_not_know(change: Json) -> None:
    for record in records_of("nested"):
        _names_a_second_wish(record)
        record["metadata"] |= change
        assert check_under_way(*prefixes(record)[0]) == []


KINDS = ("error_report", "partial_failure", "error_recovery", "empty_result")


@pytest.mark.parametrize("kind", [*DEPENDENT, *KINDS])
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


@pytest.mark.parametrize(
    ("kind", "mutate"), [*OF_DEPENDENT, *MUTATIONS], ids=lambda value: getattr(value, "__name__", value).strip("_")
)
def test_a_broken_claim_is_refused(kind: str, mutate: Callable[[Json], None]) -> None:
    for record in records_of(kind):
        mutate(record)
        assert complaints(record), record["messages"]


@pytest.mark.parametrize("kind", KINDS)
def test_each_keeps_to_its_own(kind: str) -> None:
    for other in KINDS:
        if other != kind:
            assert all(complaints(record, kind) for record in records_of(other)), (kind, other)
