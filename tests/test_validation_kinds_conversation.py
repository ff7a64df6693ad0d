"""What conversations claim, and records whose values are not said as called; and what each check refuses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from generator.validation import check_under_way
from generator.validation.kinds.conversation import meaning, stated_date
from tests.kind_records import Json, calls, complaints, prefixes, records_of, turns

BY_CONTEXT = ("canonicalization", "profile", "long_context", "many_tools")
THURSDAY = date(2026, 1, 15)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("today", "2026-01-15"),
        ("tomorrow", "2026-01-16"),
        ("the day after tomorrow", "2026-01-17"),
        ("this Friday", "2026-01-16"),
        ("next Friday", None),
        ("this Monday", None),
        ("next Monday", "2026-01-19"),
        ("next Thursday", "2026-01-22"),
        ("two weeks from today", "2026-01-29"),
        ("in ten days", "2026-01-25"),
        ("3 days from now", "2026-01-18"),
        ("two weeks", None),
        ("half past nine in the morning", "09:30"),
        ("a quarter to five in the afternoon", "16:45"),
        ("a quarter past 8 in the evening", "20:15"),
        ("seven o'clock in the evening", "19:00"),
        ("noon", "12:00"),
        ("midnight", "00:00"),
        ("thirteen in the afternoon", None),
        ("1k", 1000),
        ("2.5k", 2500),
        ("a dozen", 12),
        ("half a dozen", 6),
        ("seventeen", 17),
        ("forty", 40),
        ("three hundred", 300),
        ("soon", None),
    ],
)
def test_an_expression_means_one_value(said: str, value: object) -> None:
    assert meaning(said, THURSDAY) == value


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Today is Thursday, January 15, 2026.", THURSDAY),
        ("The date is 2026-01-15.", THURSDAY),
        ("Today is February 30, 2026.", None),
        ("From 2026-01-15 to 2026-01-16.", None),
        ("You are helpful.", None),
    ],
)
def test_a_system_message_states_one_date(text: str, day: date | None) -> None:
    assert stated_date(text) == day


def _a_bit_off(record: Json) -> None:
    """A day, an hour or one off."""
    name, arguments = record["metadata"]["claim"]["parameter"], calls(record)[0]["arguments"]
    value = arguments[name]
    if isinstance(value, str) and "-" in value:
        arguments[name] = (date.fromisoformat(value) + timedelta(days=1)).isoformat()
    elif isinstance(value, str):
        arguments[name] = f"{(int(value[:2]) + 1) % 24:02d}{value[2:]}"
    else:
        arguments[name] = value + 1


def _another_today(record: Json) -> None:
    record["messages"][0]["content"] = "You are a helpful assistant."


def _value_is_said(record: Json) -> None:
    claim = record["metadata"]["claim"]
    names = [claim["parameter"]] if "parameter" in claim else list(claim["profile"])
    turns(record, "user")[0]["content"] += f" ({calls(record)[0]['arguments'][names[0]]})"


def _expression_is_not_said(record: Json) -> None:
    message, said = turns(record, "user")[0], record["metadata"]["claim"]["said"]
    message["content"] = message["content"].replace(said, "then").replace(said.capitalize(), "then")
    message["content"] = message["content"].replace(said[:1].upper() + said[1:], "then")


def _claims_nothing(record: Json) -> None:
    del record["metadata"]["claim"]


def _profile_lacks_it(record: Json) -> None:
    name = next(iter(record["metadata"]["claim"]["profile"]))
    calls(record)[0]["arguments"][name] = "Nowhereville"


def _nothing_of_their_own(record: Json) -> None:
    turns(record, "user")[0]["content"] = "Do it there."


def _short_context(record: Json) -> None:
    record["messages"][0]["content"] = record["messages"][0]["content"][-3000:]


def _few_tools(record: Json) -> None:
    record["tools"] = record["tools"][:19]


def _many_more_tools(record: Json) -> None:
    record["tools"] = (record["tools"] * 4)[:61]


KINDS = ("multi_turn", "coreference", "argument_shift", "intent_switch")


@pytest.mark.parametrize("kind", [*BY_CONTEXT, *KINDS])
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
OF_CONTEXT: list[tuple[str, Callable[[Json], None]]] = [
    ("canonicalization", _a_bit_off),
    ("canonicalization", _another_today),
    ("canonicalization", _value_is_said),
    ("canonicalization", _expression_is_not_said),
    ("canonicalization", _claims_nothing),
    ("canonicalization", _nothing_called),
    ("profile", _value_is_said),
    ("profile", _claims_nothing),
    ("profile", _profile_lacks_it),
    ("profile", _nothing_of_their_own),
    ("profile", _nothing_called),
    ("long_context", _short_context),
    ("long_context", _value_is_said),
    ("long_context", _profile_lacks_it),
    ("many_tools", _few_tools),
    ("many_tools", _many_more_tools),
    ("many_tools", _nothing_called),
]


@pytest.mark.parametrize(
    ("kind", "mutate"), [*MUTATIONS, *OF_CONTEXT], ids=lambda value: getattr(value, "__name__", value).strip("_")
)
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
