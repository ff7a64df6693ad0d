"""Calls are read in every notation that data sets write them in, whole or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from generator.formats.call_notations import as_calls, read_amid, read_marked, read_plain
from tests.bounded import bounded
from tests.tables import each_row

Json = Any  # parsed JSON

CALL = {"name": "find", "arguments": {"city": "Rome", "days": 2}}
OBJECT = '{"name": "find", "arguments": {"city": "Rome", "days": 2}}'
PLAIN = [
    OBJECT,
    f"[{OBJECT}]",
    f"```json\n{OBJECT}\n```",
    '{"tool_calls": [' + OBJECT + "]}",
    '{"id": "1", "function": {"name": "find", "arguments": "{\\"city\\":\\"Rome\\",\\"days\\":2}"}}',
    '{"action": "find", "action_input": {"city": "Rome", "days": 2}}',
    "{'name': 'find', 'parameters': {'city': 'Rome', 'days': 2}}",
    "[find(city='Rome', days=2)]",
    'find(city="Rome", days=2)',
]
MARKED = [
    f"<tool_call>{OBJECT}</tool_call>",
    f"<TOOLCALL>[{OBJECT}]</TOOLCALL>",
    f"<functioncall> {OBJECT} <|endoftext|>",
    f"[TOOL_CALLS] [{OBJECT}]</s>",
    f"<|python_tag|>{OBJECT}<|eom_id|>",
    '<function=find>{"city": "Rome", "days": 2}</function>',
    "<function=find>\n<parameter=city>\nRome\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>",
    '<invoke name="find"><parameter name="city">Rome</parameter><parameter name="days">2</parameter></invoke>',
]
NONE = [
    "",
    "Hello.",
    "{}",
    "[]",
    '{"name": "find"} and more',
    "find me (a city)",
    '{"city": "Rome"}',
    "[1, 2]",
    "find(",
    "```\n```",
]
BROKEN = [
    "<tool_call>{</tool_call>",
    f"<tool_call>{OBJECT}</tool_call> and more",
    "<function=find>{</function>",
    '<invoke name="find"><parameter name="city">Rome',
    "[TOOL_CALLS] none",
    "no mark",
]


@pytest.mark.parametrize("text", PLAIN, ids=range(len(PLAIN)))
def test_a_text_of_calls_is_read(text: str) -> None:
    assert read_plain(text) == [CALL]


@pytest.mark.parametrize("text", MARKED, ids=range(len(MARKED)))
def test_calls_between_marks_are_read_with_the_text_before_them(text: str) -> None:
    for before in ("", "I will look."):
        spoken = read_marked(f"{before}\n{text}")
        assert spoken is not None
        assert (spoken.text, spoken.calls) == (before, [CALL])


@each_row("text", NONE, ids=range(len(NONE)))
def test_other_text_is_none(text: str) -> None:
    assert read_plain(text) is None


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_what_cannot_be_read_whole_stays_text(text: str) -> None:
    assert read_marked(text) is None


def test_calls_without_arguments_are_calls() -> None:
    assert as_calls([{"name": "now"}, {"name": "today", "arguments": None}]) == [
        {"name": "now", "arguments": {}},
        {"name": "today", "arguments": {}},
    ]
    assert as_calls([{"name": "now"}, 3]) is None


HOSTILE = [
    "<tool_call>{}</tool_call>" * 40_000,
    f"<tool_call>{OBJECT}</tool_call>" * 20_000,
    "<tool_call>" * 90_000,
    "<function=f>" * 80_000,
    "<function=f><parameter=a>" * 40_000 + "</function>",
    '<invoke name="f"><parameter name="a">' * 30_000 + "</invoke>",
    "[TOOL_CALLS]" * 80_000,
    "[TOOL_CALLS] " + "[" * 500_000,
    "<" * 10**6,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_hostile_holds_it_up(text: str) -> None:
    with bounded(10):
        read_marked(text)
        read_plain(text)


def test_text_behind_calls_is_read_with_them() -> None:
    text = f"Well. <tool_call>{OBJECT}</tool_call>\nOne moment.<|im_end|>"
    assert read_marked(text) is None
    assert read_amid(text) == ("Well.\nOne moment.", [CALL])
    assert read_amid(f"<tool_call>{OBJECT}</tool_call> then <tool_call>{{") is None
