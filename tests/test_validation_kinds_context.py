"""What records claim whose values are not said as they are called, and what their checks refuse."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from generator.validation.kinds.conversation import meaning, stated_date
from tests.kind_records import Json, calls, complaints, records_of, turns
from tests.tables import each_row

KINDS = ("canonicalization", "profile", "long_context", "many_tools")
THURSDAY = date(2026, 1, 15)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_keeps_its_claim(kind: str) -> None:
    records = records_of(kind)
    assert len(records) == 12
    assert [complaints(record) for record in records] == [[]] * 12


@each_row(
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


def _without_claim(record: Json) -> None:
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


def _nothing_called(record: Json) -> None:
    record["messages"] = [message for message in record["messages"] if "tool_calls" not in message]


MUTATIONS: list[tuple[str, Callable[[Json], None]]] = [
    ("canonicalization", _a_bit_off),
    ("canonicalization", _another_today),
    ("canonicalization", _value_is_said),
    ("canonicalization", _expression_is_not_said),
    ("canonicalization", _without_claim),
    ("canonicalization", _nothing_called),
    ("profile", _value_is_said),
    ("profile", _without_claim),
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


@each_row(("kind", "mutate"), MUTATIONS, ids=lambda value: getattr(value, "__name__", value).strip("_"))
def test_a_broken_claim_is_refused(kind: str, mutate: Callable[[Json], None]) -> None:
    for record in records_of(kind):
        mutate(record)
        assert complaints(record), record["messages"]
