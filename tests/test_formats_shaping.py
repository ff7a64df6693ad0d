"""The options of writing: one system message for all, calls one at a time, tools as text, variants."""

from __future__ import annotations

import json
from typing import Any

import pytest

from generator.datasets.splits import Sharing, read_splits
from generator.errors import UsageError
from generator.formats import FORMATS
from generator.formats.canonical_shape import find_misshapen
from generator.formats.recognition import WRITTEN, read_record
from generator.formats.shaping import Shaping, serialized, with_system
from tests import record_examples
from tests.golden_records import trip

Json = Any  # parsed JSON


def written(document: Json, name: str, **options: Json) -> Json:
    shaping = Shaping(WRITTEN[name], **options)
    return shaping.write(shaping.prepare(document))


def test_calls_made_together_are_written_one_after_the_other() -> None:
    document = serialized(trip())
    roles = [message["role"] for message in document["messages"]]
    one = ["user", "assistant", "tool", "assistant", "tool", "assistant"]
    assert roles == ["system", *one, "user", "assistant", "tool", "assistant"]
    assert all(len(message.get("tool_calls", [1])) == 1 for message in document["messages"])
    assert "metadata" not in document, "it tells of another conversation"
    assert find_misshapen(document) is None


def test_a_record_without_calls_made_together_stays_as_it_is() -> None:
    for make in (record_examples.simple, record_examples.irrelevance):
        assert serialized(make()) == make()


def test_text_beside_calls_stays_before_the_first() -> None:
    document = record_examples.parallel()
    document["messages"][2]["content"] = "Let me see."
    assert [m["content"] for m in serialized(document)["messages"] if m.get("tool_calls")] == ["Let me see.", ""]


def test_results_in_another_order_follow_their_own_calls() -> None:
    document = record_examples.parallel()
    document["messages"][3:5] = reversed(document["messages"][3:5])
    messages = serialized(document)["messages"]
    pairs = [(messages[at]["tool_calls"][0]["id"], messages[at + 1]["tool_call_id"]) for at in (2, 4)]
    assert all(call == result for call, result in pairs)


def test_calls_without_results_stay_together() -> None:
    document = record_examples.parallel()
    del document["messages"][3:]
    assert serialized(document) == document


def test_a_system_message_takes_the_place_of_the_records_own_or_comes_first() -> None:
    own = with_system(trip(), "Be kind.")["messages"]
    assert [message["role"] for message in own].count("system") == 1
    assert own[0] == {"role": "system", "content": "Be kind."}
    assert own[1:] == trip()["messages"][1:]
    document = trip()
    del document["messages"][0]
    assert with_system(document, "Be kind.")["messages"] == own


@pytest.mark.parametrize("name", [name for name, known in WRITTEN.items() if known.tools_column])
def test_tools_may_be_text_and_are_read_back(name: str) -> None:
    document = record_examples.parallel()
    line = written(document, name, tools_as_string=True)
    column = FORMATS[name].tools_column
    assert isinstance(line[column], str)
    as_list = written(document, name)[column]
    assert json.loads(line[column]) == (as_list if isinstance(as_list, list) else json.loads(as_list))
    plain = FORMATS[name].load_record(written(document, name))
    assert FORMATS[name].load_record(line)["tools"] == plain["tools"]
    assert read_record(line).form


@pytest.mark.parametrize("name", WRITTEN)
def test_the_metadata_is_left_out_where_that_is_asked(name: str) -> None:
    assert "metadata" not in written(record_examples.simple(), name, metadata=False)


def test_a_variant_is_written() -> None:
    thinking = written(record_examples.simple(), "qwen3-text")["text"]
    assert thinking == written(record_examples.simple(), "qwen3-text", variant="thinking")["text"]
    instruct = written(record_examples.simple(), "qwen3-text", variant="instruct")["text"]
    assert thinking.replace("<think>\n\n</think>\n\n", "") == instruct
    assert thinking != instruct


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("qwen3-text", {"variant": "fast"}, "--variant fast: the format qwen3-text has thinking, instruct"),
        ("openai", {"variant": "thinking"}, "--variant thinking: the format openai has none"),
        ("hermes", {"tools_as_string": True}, "--tools-as-string: the format hermes has no list of tools"),
    ],
)
def test_what_a_format_cannot_do_is_refused(name: str, options: Json, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Shaping(WRITTEN[name], **options)


@pytest.mark.parametrize("text", ["", "train", "train=x", "train=0.5", "a=0.5,a=0.5", "a=1,b=0", "a b=1", "a=-1,b=2"])
def test_splits_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"--splits: .*e\.g\. train=0\.9,test=0\.1"):
        read_splits(text)


def test_each_kind_is_shared_out_alike() -> None:
    sharing = Sharing(read_splits("train=0.8,test=0.2"))
    given = [
        (kind, sharing.split_of({"metadata": {"kind": kind}})) for _ in range(50) for kind in ("simple", "parallel")
    ]
    assert all(given.count((kind, "test")) == 10 for kind in ("simple", "parallel"))
    assert Sharing(read_splits(None)).split_of({}) == "train"
