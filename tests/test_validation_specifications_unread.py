"""What nobody reads is found: calls in plain text, labels beside the record, texts that were cut."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest

from generator.datasets.origin import any_format
from generator.validation.examiner import check_line
from generator.validation.verdict import Standard
from tests.bounded import bounded
from tests.tables import each_row

Json = Any  # parsed JSON


def tool(name: str) -> Json:
    return {"type": "function", "function": {"name": name, "description": name, "parameters": {"type": "object"}}}


def found(document: Json) -> dict[str, str]:
    """The rules of this family that a line breaks, with their severities."""
    violations = check_line(orjson.dumps(document), Standard(reader=any_format))[1]
    return {each.rule: each.severity for each in violations if each.rule.startswith("TC30")}


def answered(text: str, *names: str, **beside: Json) -> Json:
    messages = [{"role": "user", "content": "Rome?"}, {"role": "assistant", "content": text}]
    return {"messages": messages, "tools": [tool(name) for name in names or ("find", "find_city")], **beside}


CALLS = [
    '{"name": "find", "arguments": {"city": "Rome"}}',
    '[{"name": "find", "parameters": {}}]',
    'I will look.\n{"name": "find", "arguments": {"city": "Rome"}}',
    "{'name': 'find', 'arguments': {'city': 'Rome'}}",
    '```json\n{"function": "find", "args": {}}\n```',
    '{"tool_calls": [{"function": {"name": "find", "arguments": "{}"}}]}',
    "[find(city='Rome')]",
    "find()",
    "`find_city(city='Rome')`",
    'find\n{"city": "Rome"}',
    "<find><city>Rome</city></find>",
    "<tool_use>find</tool_use>",
    "[TOOL_CALLS] find",
]
LIKELY = ['{"name": "other", "arguments": {}}', "Use it so: find(city).", "The tag <find> does it."]
TALK = [
    "I find Rome lovely (in spring).",
    "My tools are find and find_city.",
    "It cannot find (or name) it.",
    '{"name": "Rome", "country": "Italy"}',
    '{"name": "find"}',
    'They call it "find", with an input.',
    "Refind(x) is another thing, and so is my.find(x).",
    "[Rome](https://example.org)",
    "Action: none.",
]


@each_row("text", CALLS)
def test_a_call_in_plain_text_is_certain(text: str) -> None:
    assert found(answered(text)) == {"TC301": "error"}


@pytest.mark.parametrize("text", LIKELY)
def test_what_looks_like_one_is_likely(text: str) -> None:
    assert found(answered(text)) == {"TC301": "warning"}


@pytest.mark.parametrize("text", TALK)
def test_talk_is_no_call(text: str) -> None:
    assert found(answered(text)) == {}


@pytest.mark.parametrize("name", ["查询", "find it", "a.b/c", "x" * 64])
def test_names_of_any_script_are_found(name: str) -> None:
    assert found(answered(json.dumps({"name": name, "arguments": {}}), name)) == {"TC301": "error"}
    assert found(answered(f"Yes. {name}(x)", name)) == {"TC301": "warning"}


@pytest.mark.parametrize("count", [2, 200])
def test_any_of_many_tools_is_found(count: int) -> None:
    names = [f"tool_{number}" for number in range(count)]
    assert found(answered(f"tool_0 is not it, but {names[-1]}(a=1)", *names)) == {"TC301": "warning"}


LABELS = [
    [{"name": "find", "arguments": {}}],
    json.dumps([{"name": "find", "arguments": {}}]),
    {"style": "rule", "ground_truth": [{"find": {"city": ["Rome"]}}]},
    "[find(city='Rome')]",
    {"steps": [{"action": "find", "action_input": "Rome"}]},
]


@pytest.mark.parametrize("label", LABELS, ids=range(len(LABELS)))
def test_calls_in_a_column_beside_are_found(label: Json) -> None:
    assert found(answered("I can do that.", expected=label)) == {"TC302": "error"}


@pytest.mark.parametrize("label", ["good", 3, None, {"split": "train"}, ["find"], {"source": "find.json"}, "a find"])
def test_other_columns_are_no_labels(label: Json) -> None:
    assert found(answered("I can do that.", expected=label)) == {}


CUT = [
    "It is ... [truncated]",
    "It is\u2026(12 more lines omitted)",
    "Rome <output truncated>",
    "a ... 200 more characters",
]
WHOLE = ["It is warm.", "It is warm ...", "I truncated it.", "They omitted (some) of it", "And so on..."]


@pytest.mark.parametrize("text", CUT)
def test_a_text_that_was_cut_is_found(text: str) -> None:
    assert found(answered(text)) == {"TC303": "warning"}


@pytest.mark.parametrize("text", WHOLE)
def test_a_whole_text_is_none(text: str) -> None:
    assert found(answered(text)) == {}


@pytest.mark.parametrize(
    ("result", "is_cut"),
    [
        ('{"days": [{"day": "Monday", "te', True),
        ('[{"a": 1}, {"b"', True),
        ('{"a": 1}', False),
        ("{'a': [1, 2]}", False),
        ("[see above", False),
        ("no result", False),
    ],
)
def test_json_that_was_cut_is_found(result: str, is_cut: bool) -> None:
    call = {"id": "aB3dE6gH9", "type": "function", "function": {"name": "find", "arguments": {}}}
    document = answered("It is warm.")
    document["messages"][1:1] = [
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "aB3dE6gH9", "name": "find", "content": result},
    ]
    assert found(document) == ({"TC303": "warning"} if is_cut else {})


def test_an_argument_that_was_cut_is_found() -> None:
    function = {"name": "find", "arguments": {"query": [{"text": "All of Rome ... [truncated]"}]}}
    document = answered("It is warm.")
    call = {"id": "aB3dE6gH9", "type": "function", "function": function}
    document["messages"].insert(1, {"role": "assistant", "content": "", "tool_calls": [call]})
    assert found(document) == {"TC303": "warning"}


HOSTILE = ["a(xa(xa(" * 100_000, "." * 10**6, "a." * 300_000, '"f"' * 300_000, "<f" * 300_000, "[truncated" * 90_000]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_hostile_holds_it_up(text: str) -> None:
    with bounded(10):
        found(answered(text, *"abcdefgh"))
