"""Records in and out of each format: nothing is lost but what the format says, and nothing malformed breaks it."""

from __future__ import annotations

import copy
import json
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.formats import FORMATS, qwen3
from generator.formats.conversation import find_misshapen, fresh_ids
from generator.formats.losses import Loss, forget
from generator.formats.recognition import READ, WRITTEN, read_record, unfolding_of
from generator.ids import is_call_id
from generator.kinds import KINDS
from tests import record_examples
from tests.record_examples import FIRST, SECOND, simple
from tests.tables import each_row
from tests.test_formats_foreign import ANYTHING, KEYS

Json = Any  # parsed JSON
RECORD_FORMATS = list(WRITTEN)
DUMP = {name: FORMATS[name].dump_record for name in RECORD_FORMATS}
LOAD = {name: FORMATS[name].load_record for name in READ}


def there_and_back(name: str, document: Json) -> Json:
    """Write a document in a format, as text, and read it back."""
    return LOAD[name](orjson.loads(orjson.dumps(DUMP[name](document))))


def equal_but_for_losses(name: str, back: Json, document: Json) -> bool:
    losses = FORMATS[name].losses
    return forget(back, losses) == forget(document, losses)


def test_every_format_of_records_is_known() -> None:
    both = {"deepfabric", "openai", "openai-finetune", "qwen3", "qwen3-text", "adm", "hermes", "llamafactory"}
    both |= {"ms-swift", "mistral", "trl", "bfcl", "anthropic", "gemini"}
    assert set(WRITTEN) == both
    read_only = {"xlam", "toolace", "glaive", "acebench", "alpaca", "api-bank", "marked", "openai-functions"}
    read_only |= {"openai-responses", "prompt-completion", "react", "tau", "toolalpaca"}
    assert set(READ) == both | read_only


@each_row("name", RECORD_FORMATS)
@each_row("kind", record_examples.KINDS)
def test_each_kind_comes_back_equal(name: str, kind: str) -> None:
    document = record_examples.KINDS[kind]()
    before = copy.deepcopy(document)
    assert find_misshapen(document) is None
    assert equal_but_for_losses(name, there_and_back(name, document), before)
    assert document == before, "writing changed the record itself"


@each_row("name", RECORD_FORMATS)
def test_generated_records_come_back_equal(name: str, of_every_kind: list[Json]) -> None:
    for document in of_every_kind:
        assert equal_but_for_losses(name, there_and_back(name, document), document)


def test_the_generated_records_are_of_every_kind(of_every_kind: list[Json]) -> None:
    assert {document["metadata"]["kind"] for document in of_every_kind} == set(KINDS)


@each_row("name", RECORD_FORMATS)
def test_a_written_record_is_recognised(name: str, of_every_kind: list[Json]) -> None:
    """The format, or one that reads the same in it: what holds no calls looks alike in several."""
    for document in of_every_kind:
        form, read, problem = read_record(orjson.loads(orjson.dumps(DUMP[name](document))))
        assert not problem
        if name != "trl" and document["metadata"]["statuses"]:
            assert form == name
        assert equal_but_for_losses(name, read | {"tools": read.get("tools", [])}, document)


@each_row(("name", "loss"), [(name, loss) for name in WRITTEN for loss in FORMATS[name].losses])
def test_what_a_format_says_it_loses_is_lost(name: str, loss: Loss) -> None:
    """No line of a loss table is there in vain: with all others forgotten, the record still comes back another."""
    others = tuple(other for other in FORMATS[name].losses if other is not loss)
    documents = [strange() | ({} if keeps else {"metadata": {}}) for keeps in (True, False)]
    documents[1].pop("metadata")
    assert any(forget(there_and_back(name, document), others) != forget(document, others) for document in documents), (
        f"{name} does not lose {loss.name}"
    )


def test_openai_writes_text_arguments_and_prefixed_ids() -> None:
    written = DUMP["openai"](record_examples.parallel())
    turn, answer = written["messages"][2], written["messages"][3]
    assert turn["content"] == ""
    assert [each["id"] for each in turn["tool_calls"]] == ["call_" + FIRST, "call_" + SECOND]
    assert [each["function"]["arguments"] for each in turn["tool_calls"]] == ['{"city":"Rome"}', '{"city":"Oslo"}']
    assert answer["tool_call_id"] == "call_" + FIRST
    assert list(written["metadata"]["statuses"]) == ["call_" + FIRST, "call_" + SECOND]
    assert "parallel_tool_calls" not in written


def test_openai_says_that_strict_tools_take_no_parallel_calls() -> None:
    assert DUMP["openai"](record_examples.multiple())["parallel_tool_calls"] is False


def strange() -> Json:
    """A record with everything that some format has no place for."""
    document = record_examples.parallel_multiple()
    document["tools"][1]["function"]["strict"] = False
    document["messages"][2]["content"] = "Let me see."
    document["messages"][2]["tool_calls"][0]["function"]["arguments"]["note"] = ""
    document["messages"][3:5] = reversed(document["messages"][3:5])
    return document


def openai_record(*ids: str, **root: Json) -> Json:
    calls = [{"id": each, "type": "function", "function": {"name": "f", "arguments": "{}"}} for each in ids]
    answers = [{"role": "tool", "tool_call_id": each, "content": "1"} for each in ids]
    asked = {"role": "user", "content": "Go."}
    turn = {"role": "assistant", "content": None, "tool_calls": calls}
    return {"messages": [asked, turn, *answers, {"role": "assistant", "content": "Done."}], "tools": [], **root}


@pytest.mark.parametrize(
    "ids",
    [
        ("call_abcdefghi", "call_ABCDEFGHI"),
        ("call_0123456789abcdefghijklmn", "call_1"),
        ("toolu_01", "call_abcdefghi"),
        ("abcdefghi", "call_abcdefghi"),
        ("call_abcdefghi", "abcdefghi"),
        ("call_call_abcd", "chatcmpl-tool-5f"),
    ],
)
def test_openai_ids_become_nine_characters_and_stay_linked(ids: tuple[str, str]) -> None:
    load = LOAD["openai"]
    assert load is not None
    loaded = load(openai_record(*ids))
    calls = [call["id"] for call in loaded["messages"][1]["tool_calls"]]
    assert all(is_call_id(each) for each in calls)
    assert len(set(calls)) == 2
    assert [message["tool_call_id"] for message in loaded["messages"][2:4]] == calls
    assert loaded == load(openai_record(*ids)), "new ids differ between readings"


def test_openai_keeps_nine_characters_behind_the_prefix() -> None:
    loaded = LOAD["openai"](openai_record("call_abcdefghi"))
    assert loaded["messages"][1]["tool_calls"][0]["id"] == "abcdefghi"
    assert loaded["messages"][1]["content"] == ""
    assert loaded["messages"][2]["name"] == "f"


def test_openai_leaves_broken_arguments_to_the_rules() -> None:
    document = openai_record("call_abcdefghi")
    for text in ('{"a": ', "[1]", "NaN", '{"a": NaN}'):
        document["messages"][1]["tool_calls"][0]["function"]["arguments"] = text
        loaded = LOAD["openai"](document)
        assert loaded["messages"][1]["tool_calls"][0]["function"]["arguments"] == text


@pytest.mark.parametrize(("said", "strict", "kept"), [(True, False, False), (False, True, False), (True, True, True)])
def test_openai_keeps_parallel_tool_calls_only_where_it_contradicts(said: bool, strict: bool, kept: bool) -> None:
    tool = {"type": "function", "function": {"name": "f", "strict": strict}}
    document = openai_record("call_abcdefghi", parallel_tool_calls=said) | {"tools": [tool]}
    assert ("parallel_tool_calls" in LOAD["openai"](document)) is kept


def test_deepfabric_fills_the_gaps_of_the_specifications_example() -> None:
    document = record_examples.simple()
    del document["messages"][2]["content"]
    del document["messages"][3]["name"]
    assert LOAD["deepfabric"](document) == record_examples.simple()


def test_qwen3_writes_tagged_text() -> None:
    messages = DUMP["qwen3"](record_examples.parallel())["messages"]
    assert messages[2] == {
        "role": "assistant",
        "content": '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Rome"}}\n</tool_call>\n'
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    }
    one = f"<tool_response>\n{record_examples.WARM}\n</tool_response>"
    assert messages[3] == {"role": "user", "content": f"{one}\n{one}"}
    assert [message["role"] for message in messages] == ["system", "user", "assistant", "user", "assistant"]


def test_qwen3_without_metadata_gives_new_ids_in_order() -> None:
    document = record_examples.parallel()
    del document["metadata"]
    back = there_and_back("qwen3", document)
    ids = [call["id"] for call in back["messages"][2]["tool_calls"]]
    assert all(is_call_id(each) for each in ids)
    assert ids != [FIRST, SECOND]
    assert [message["tool_call_id"] for message in back["messages"][3:5]] == ids
    assert back == there_and_back("qwen3", document)


def qwen3_turn(content: str) -> Json:
    document = {"messages": [{"role": "user", "content": "Go."}, {"role": "assistant", "content": content}]}
    return qwen3.load_record(document)["messages"][1]


@pytest.mark.parametrize(
    "content",
    [
        '<tool_call>{"name": "f", "arguments": {}}</tool_call>',
        '<tool_call>  {"name": "f", "arguments": {}}\n\n</tool_call>\n',
        '<tool_call>\n{"arguments": {}, "name": "f"}\n</tool_call>',
    ],
)
def test_qwen3_reads_any_space_inside_the_tags(content: str) -> None:
    (call,) = qwen3_turn(content)["tool_calls"]
    assert call["function"] == {"name": "f", "arguments": {}}


def test_qwen3_reads_text_beside_a_call_and_tags_inside_arguments() -> None:
    call = {"name": "f", "arguments": {"text": "}</tool_call><tool_call>"}}
    turn = qwen3_turn(f"Let me look.\n<tool_call>\n{json.dumps(call)}\n</tool_call>")
    assert turn["content"] == "Let me look."
    assert turn["tool_calls"][0]["function"] == call


@pytest.mark.parametrize(
    "content",
    [
        "<tool_call>",
        "<tool_call>\n{}\n</tool_call>",
        '<tool_call>\n{"name": "f", "arguments": {}}\n</tool_call> and more',
        '<tool_call>\n{"name": "f", "arguments": {"a": NaN}}\n</tool_call>',
        "<tool_call>\n" + '{"a":' * 100_000 + "\n</tool_call>",
        '<tool_call>\n[{"name": "f", "arguments": {}}]\n</tool_call>',
    ],
)
def test_qwen3_leaves_broken_blocks_to_the_rules(content: str) -> None:
    assert qwen3_turn(content) == {"role": "assistant", "content": content}


def test_qwen3_results_without_a_call_have_no_id() -> None:
    response = {"role": "user", "content": "<tool_response>\n1\n</tool_response>\n<tool_response>2</tool_response>"}
    assert qwen3.load_record({"messages": [response]})["messages"] == [
        {"role": "tool", "content": "1"},
        {"role": "tool", "content": "2"},
    ]


def test_fresh_ids_avoid_those_that_are_taken() -> None:
    first = fresh_ids(3, (), "x")
    assert not set(fresh_ids(3, first, "x")) & set(first)
    assert fresh_ids(3, (), "y") != first


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20).filter(
    lambda text: "<tool_" not in text and "<|im_" not in text
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("name", RECORD_FORMATS)
@settings(max_examples=25, deadline=None)
@given(arguments=st.dictionaries(TEXTS, VALUES, max_size=4), content=TEXTS, text=TEXTS)
def test_any_arguments_and_results_come_back_equal(name: str, arguments: Json, content: str, text: str) -> None:
    document = record_examples.parallel()
    document["messages"][1]["content"] = text
    document["messages"][2]["tool_calls"][1]["function"]["arguments"] = arguments
    document["messages"][3]["content"] = content
    assert equal_but_for_losses(name, there_and_back(name, document), document)


WORDS = st.sampled_from(["messages", "role", "assistant", "user", "tool", "tool_calls", "id", "function", "content"])
MALFORMED = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | WORDS
    | st.sampled_from(["<tool_call>", "<tool_response></tool_response>"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize("name", READ)
@settings(max_examples=25, deadline=None)
@given(messages=st.lists(st.dictionaries(WORDS, MALFORMED, max_size=4), max_size=4) | MALFORMED, whole=MALFORMED)
def test_nothing_malformed_breaks_a_reader(name: str, messages: Json, whole: Json) -> None:
    known = FORMATS[name]
    assert known.load_record is not None
    if known.matches_record is not None:
        assert known.matches_record(whole) in {True, False}
    assert isinstance(known.load_record({"messages": messages, "metadata": {"statuses": whole}}), dict)


CONTAINERS = st.sampled_from(
    ["Instances", "Instructions", "Golden_Answers", "rows", "row", "data", "simulations", "api"]
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(KEYS | CONTAINERS, ANYTHING, max_size=5) | ANYTHING)
def test_anything_is_unfolded_without_a_fall(document: Json) -> None:
    unfold = unfolding_of(document)
    if unfold is not None:
        assert all(isinstance(record, dict) for record in unfold(document))


@pytest.mark.parametrize(
    "document", [simple(), {}, {"data": []}, {"data": [1]}, {"rows": []}, {"rows": [{"row": 1}]}, []]
)
def test_what_holds_no_records_is_left_alone(document: Json) -> None:
    assert unfolding_of(document) is None


def test_what_a_file_says_of_all_its_records_is_said_of_each() -> None:
    record = {"messages": [{"role": "user", "content": "Hi."}]}
    document = {"version": 1, "info": {"large": True}, "tools": [], "data": [record, record]}
    unfold = unfolding_of(document)
    assert unfold is not None
    assert unfold(document) == [{"version": 1, "info": None, "tools": [], **record}] * 2


def test_two_columns_of_records_are_none_that_could_be_told() -> None:
    record = {"messages": [{"role": "user", "content": "Hi."}]}
    assert unfolding_of({"train": [record], "test": [record]}) is None
