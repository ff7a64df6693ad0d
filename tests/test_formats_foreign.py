"""Records of other projects: xLAM, ToolACE, Glaive, Hermes, ShareGPT and BFCL lines become canonical records."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.formats.conversation import find_misshapen
from generator.formats.recognition import READ, read_record
from generator.ids import is_call_id
from tests.tables import each_row

Json = Any  # parsed JSON

BARE = {
    "name": "find_trains",
    "description": "Find trains between two stations.",
    "parameters": {
        "type": "dict",
        "properties": {
            "origin": {"type": "string", "description": "The first station."},
            "seats": {"type": "integer", "description": "How many seats."},
        },
        "required": ["origin"],
    },
}
CALLS = [
    {"name": "find_trains", "arguments": {"origin": "Bern", "seats": 2}},
    {"name": "find_trains", "arguments": {"origin": "Thun"}},
]
ASKED = {"role": "user", "content": "Trains from Bern and Thun?"}

XLAM = {
    "id": 7,
    "query": ASKED["content"],
    "answers": json.dumps(CALLS),
    "tools": json.dumps(
        [
            {
                "name": "find_trains",
                "description": "Find trains between two stations.",
                "parameters": {
                    "origin": {"type": "str", "description": "The first station."},
                    "seats": {"type": "int, optional", "description": "How many seats.", "default": 1},
                },
            }
        ]
    ),
}
TOOLACE = {
    "system": f"You compose functions.\nHere is what you can invoke:\n{json.dumps([BARE])}\n\nReturn the calls alone.",
    "conversations": [
        {"from": "user", "value": ASKED["content"]},
        {"from": "assistant", "value": "[find_trains(origin=\"Bern\", seats=2), find_trains(origin='Thun')]"},
        {
            "from": "tool",
            "value": json.dumps(
                [
                    {"name": "find_trains", "results": {"trains": 3}},
                    {"name": "find_trains", "results": "none"},
                ]
            ),
        },
        {"from": "assistant", "value": "Three from Bern, none from Thun."},
    ],
}
GLAIVE = {
    "system": f"SYSTEM: You are an assistant with access to the following functions -\n{json.dumps(BARE, indent=4)}\n",
    "chat": "USER: Trains from Bern?\n\n\nASSISTANT: <functioncall> "
    '{"name": "find_trains", "arguments": \'{"origin": "Bern", "seats": 2}\'} <|endoftext|>\n\n\n'
    'FUNCTION RESPONSE: {"trains": 3}\n\n\nASSISTANT: There are three. <|endoftext|>\n\n\n',
}
HERMES = {
    "id": "abc",
    "conversations": [
        {
            "from": "system",
            "value": "You call functions. They stand within <tools> </tools> XML tags.\n<tools>\n"
            f"{json.dumps([{'type': 'function', 'function': BARE}])}\n</tools>\nUse <tool_call> tags.",
        },
        {"from": "human", "value": ASKED["content"]},
        {
            "from": "gpt",
            "value": "<tool_call>\n{'arguments': {'origin': 'Bern', 'seats': 2}, 'name': 'find_trains'}\n</tool_call>\n"
            '<tool_call>\n{"arguments": {"origin": "Thun"}, "name": "find_trains"}\n</tool_call>\n',
        },
        {
            "from": "tool",
            "value": '<tool_response>\n{"name": "find_trains", "content": {"trains": 3}}\n</tool_response>\n'
            "<tool_response>\nnone\n</tool_response>\n",
        },
        {"from": "gpt", "value": "Three from Bern, none from Thun."},
    ],
}
SHAREGPT = {
    "conversations": [
        {"from": "human", "value": ASKED["content"]},
        {"from": "function_call", "value": json.dumps(CALLS[0])},
        {"from": "observation", "value": '{"trains": 3}'},
        {"from": "gpt", "value": "Three."},
    ],
    "tools": json.dumps([BARE]),
}
BFCL = {
    "id": "parallel_7",
    "question": [[ASKED]],
    "function": [BARE],
    "ground_truth": [
        {"find_trains": {"origin": ["Bern", "Berne"], "seats": [2]}},
        {"find_trains": {"origin": ["Thun"], "seats": ["", 1]}},
    ],
}
OTHERS = {"xlam": XLAM, "toolace": TOOLACE, "glaive": GLAIVE, "hermes": HERMES, "llamafactory": SHAREGPT, "bfcl": BFCL}


def read(line: Json, form: str) -> Json:
    found, document, problem = read_record(orjson.loads(orjson.dumps(line)))
    assert (found, problem) == (form, "")
    assert find_misshapen(document) is None
    return document


def calls_in(document: Json) -> list[Json]:
    made = [call for message in document["messages"] for call in message.get("tool_calls", ())]
    assert all(is_call_id(call["id"]) for call in made)
    return [call["function"] for call in made]


def results_in(document: Json) -> list[str]:
    return [message["content"] for message in document["messages"] if message["role"] == "tool"]


@pytest.mark.parametrize("form", OTHERS)
def test_its_tools_are_shown_as_json_schema(form: str) -> None:
    (tool,) = read(OTHERS[form], form)["tools"]
    parameters = tool["function"]["parameters"]
    assert tool["type"] == "function"
    assert tool["function"]["name"] == "find_trains"
    assert parameters["type"] == "object"
    assert parameters["required"] == ["origin"]
    assert [schema["type"] for schema in parameters["properties"].values()] == ["string", "integer"]


@pytest.mark.parametrize("form", ["xlam", "toolace", "hermes"])
def test_its_calls_are_read(form: str) -> None:
    document = read(OTHERS[form], form)
    assert calls_in(document) == CALLS
    assert [message["role"] for message in document["messages"][:2]] == ["user", "assistant"]


def test_an_accepted_answer_becomes_calls() -> None:
    assert calls_in(read(BFCL, "bfcl")) == [
        {"name": "find_trains", "arguments": {"origin": "Bern", "seats": 2}},
        {"name": "find_trains", "arguments": {"origin": "Thun", "seats": 1}},
    ]


@pytest.mark.parametrize("values", [[""], ["", None], [None, ""]])
def test_an_argument_that_may_be_left_out_and_no_more_is_left_out(values: Json) -> None:
    line = BFCL | {"ground_truth": [{"find_trains": {"origin": ["Bern"], "seats": values}}]}
    assert calls_in(read(line, "bfcl")) == [{"name": "find_trains", "arguments": {"origin": "Bern"}}]


def test_accepted_values_inside_objects_are_read() -> None:
    truth = [{"find_trains": {"via": [{"stop": ["Olten", "OL"], "wait": ["", 5]}, {}], "days": [[1, 2]]}}]
    (call,) = calls_in(read(BFCL | {"ground_truth": truth}, "bfcl"))
    assert call["arguments"] == {"via": {"stop": "Olten", "wait": 5}, "days": [1, 2]}


def test_a_question_without_an_answer_is_the_question_alone() -> None:
    line = {key: value for key, value in BFCL.items() if key != "ground_truth"}
    assert read(line, "bfcl")["messages"] == [ASKED]


def test_results_follow_their_calls() -> None:
    for form in ("toolace", "hermes"):
        document = read(OTHERS[form], form)
        assert results_in(document) == ['{"trains":3}', "none"]
        ids = [call["id"] for call in document["messages"][1]["tool_calls"]]
        assert [message["tool_call_id"] for message in document["messages"][2:4]] == ids


def test_what_tells_of_the_tools_leaves_the_system_text_with_them() -> None:
    own = {**HERMES, "conversations": [dict(entry) for entry in HERMES["conversations"]]}
    own["conversations"][0]["value"] = "You are Ada.\n\n" + own["conversations"][0]["value"]
    assert read(own, "hermes")["messages"][0] == {"role": "system", "content": "You are Ada."}
    assert read(HERMES, "hermes")["messages"][0]["role"] == "user"
    assert read(TOOLACE, "toolace")["messages"][0]["role"] == "user"


def test_glaive_chats_are_read_turn_by_turn() -> None:
    messages = read(GLAIVE, "glaive")["messages"]
    assert [message["role"] for message in messages] == ["user", "assistant", "tool", "assistant"]
    assert messages[1]["tool_calls"][0]["function"] == CALLS[0]
    assert messages[2]["content"] == '{"trains": 3}'
    assert messages[3]["content"] == "There are three."


def test_glaive_without_tools_keeps_its_system_text() -> None:
    line = {"system": "SYSTEM: You are an assistant without functions.", "chat": "USER: Hi\n\n\nASSISTANT: Hello."}
    document = read(line, "glaive")
    assert document["messages"][0] == {"role": "system", "content": "You are an assistant without functions."}
    assert document["tools"] == []


def test_a_sharegpt_chat_without_tools_is_read() -> None:
    line = {"conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello."}]}
    assert read(line, "hermes")["messages"] == [
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello."},
    ]


@pytest.mark.parametrize(
    "line",
    [
        {"messages": [ASKED], "conversations": [{"from": "human", "value": "Something else"}]},
        {"query": "a", "tools": "[]", "answers": "[]", "chat": "USER: b\nASSISTANT: c"},
    ],
)
def test_a_line_that_several_formats_claim_is_told(line: Json) -> None:
    form, document, problem = read_record(line)
    assert form == ""
    assert document == line
    assert problem.startswith("may be a record of ")
    assert problem.endswith("say which")


def test_of_several_readings_the_one_is_taken_that_makes_sense_of_every_line() -> None:
    line = {
        "conversations": [
            {"from": "human", "value": "Hi"},
            {"from": "function_call", "value": json.dumps(CALLS[0])},
            {"from": "gpt", "value": '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call>'},
        ]
    }
    assert calls_in(read(line, "marked")) == [CALLS[0], {"name": "f", "arguments": {}}]
    with_column = {**HERMES, "tools": json.dumps([BARE]), "category": "trains"}
    assert calls_in(read(with_column, "hermes")) == CALLS


@pytest.mark.parametrize("line", [{}, {"prompt": "a"}, [], "a", 1, None, {"messages": "none"}])
def test_a_line_in_no_format_is_told(line: Json) -> None:
    form, document, problem = read_record(line)
    assert (form, document) == ("", line)
    assert "is in no format that is known" in problem or problem == "a record is a JSON object"


BROKEN_CALLS = [
    "[find(", "[find(a=)]", "[find(a=b)]", "[find(a=1)", "[find(a=1)] and more", "[__import__('os').system('x')]",
    "[find(a=[" * 100_000, "[f(a=" + "[" * 100_000, "[f(a=" + "9" * 30_000 + ")]", "[f(a=1e99999)]", "[f(a='\\ud800')]",
    "[f(a=1, a=2)]", "[f(**x)]", "[f(a=1 if b else 2)]", "[f(a=open)]", "[f(1)]", "[]", "[f(a='x)]",
]  # fmt: skip


@each_row("text", BROKEN_CALLS, ids=range(len(BROKEN_CALLS)))
def test_text_that_is_no_list_of_calls_stays_text(text: str) -> None:
    line = {**TOOLACE, "conversations": [TOOLACE["conversations"][0], {"from": "assistant", "value": text}]}
    assert read(line, "toolace")["messages"][-1] == {"role": "assistant", "content": text}


ENDLESS = "<tool_response>\nx" * 20_000
HOSTILE = [
    {"conversations": [{"from": "gpt", "value": "<tool_call>" * 50_000}]},
    {"conversations": [{"from": "gpt", "value": "<tool_call>{}</tool_call>"}, {"from": "tool", "value": ENDLESS}]},
    {"conversations": [{"from": "system", "value": "<tools>[" * 50_000}, {"from": "human", "value": "x"}]},
    {"conversations": [{"from": "system", "value": '[{"parameters"' * 20_000}, {"from": "human", "value": "x"}]},
    {"messages": [{"role": "user", "content": ENDLESS + "</tool_response>"}]},
    {"text": "<|im_start|>user\n" * 50_000},
    {"chat": "USER:" + "\nASSISTANT: <functioncall> {" * 20_000},
    {"chat": 'USER: a\nASSISTANT: <functioncall> {"name": "f", "arguments": \'' + "' } " * 20_000},
    {"query": None, "tools": "[" * 5_000, "answers": "[" * 5_000},
    {"question": [[[[]]]], "function": {"a": []}, "ground_truth": [[[{"a": 1}]], {"b": None}, {"c": {"d": []}}]},
    {"contents": [{"parts": [{"functionCall": {}}, {"functionResponse": {"response": 1}}]}], "tools": [1]},
]  # fmt: skip


def nested(levels: int) -> bytes:
    return b'{"messages":[' + b'{"content":[' * levels + b"]}" * levels + b"]}"


@each_row("line", HOSTILE, ids=range(len(HOSTILE)))
@each_row("form", ["", *READ])
def test_nothing_hostile_breaks_or_holds_up_a_reader(line: Json, form: str) -> None:
    if form:
        assert isinstance(READ[form].load_record(line), dict)
    else:
        read_record(line)


@each_row("form", READ)
def test_a_line_as_deep_as_json_may_be_breaks_no_reader(form: str) -> None:
    deep = orjson.loads(nested(400))
    for key in ("messages", "conversations", "contents", "question", "tools", "answers", "system", "ground_truth"):
        READ[form].load_record({"messages": [], "question": [], "function": [], "query": 1, key: deep})
    read_record(deep)


KEYS = st.sampled_from(
    ["messages", "conversations", "contents", "parts", "tools", "system", "question", "function", "ground_truth",
     "query", "answers", "chat", "text", "from", "value", "role", "content", "name", "arguments", "parameters",
     "functionCall", "functionResponse", "response", "tool_calls", "id", "type", "input", "tool_use_id", "calls",
     "results", "result", "properties", "input_schema", "functionDeclarations"]
)  # fmt: skip
WORDS = st.sampled_from(
    ["human", "gpt", "function_call", "observation", "tool", "user", "assistant", "system", "tool_use", "tool_result",
     "<tool_call>{}</tool_call>", "<tools>[{}]</tools>", "[f(a=1)]", "[", "{}", '[{"name": "f"}]',
     "USER: a\nASSISTANT: b",
     "<|im_start|>user\na<|im_end|>", '{"name": "f", "arguments": "{"}', "<functioncall> {}", "object", "dict"]
)  # fmt: skip
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | WORDS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=150, deadline=None)
@given(line=st.dictionaries(KEYS, ANYTHING, max_size=6))
def test_every_reader_is_total(line: Json) -> None:
    for known in READ.values():
        assert known.load_record is not None
        assert isinstance(known.load_record(line), dict)
        if known.matches_record is not None:
            assert known.matches_record(line) in {True, False}
    _, document, problem = read_record(line)
    assert document == line or not problem
