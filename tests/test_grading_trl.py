"""The prompts and the reward function for TRL, in the shapes that its trainer takes."""

from __future__ import annotations

from functools import cache
from typing import Any

import orjson
import pytest

from generator.errors import UsageError
from generator.grading.trl import prompt_rows, toolgen_reward
from generator.grading.turns import turns_of
from tests.kind_records import records_of

Json = Any


@cache
def records() -> list[Json]:
    return records_of("simple", 2) + records_of("irrelevance", 1)


def columns(rows: list[Json]) -> Json:
    return {name: [row[name] for row in rows] for name in ("record", "turn")}


def test_there_is_a_row_for_each_turn_with_all_that_the_reward_needs() -> None:
    rows = list(prompt_rows(records()))
    assert len(rows) == sum(len(turns_of(record)) for record in records())
    assert all(row["prompt"][-1]["role"] in ("user", "tool") for row in rows)
    assert orjson.loads(rows[0]["record"]) == records()[0]
    assert orjson.loads(rows[0]["tools"]) == records()[0]["tools"]


def test_a_tokenizer_writes_the_prompt_with_the_tools_of_its_record() -> None:
    class Tokenizer:
        def apply_chat_template(
            self, conversation: Json, *, tools: Json, add_generation_prompt: bool, tokenize: bool
        ) -> str:
            assert add_generation_prompt and not tokenize
            return f"{len(tools)} tools, {len(conversation)} messages"

    (first, *_) = prompt_rows(records()[:1], Tokenizer())
    assert first["prompt"] == f"{len(records()[0]['tools'])} tools, {turns_of(records()[0])[0].place} messages"


def test_completions_are_texts_or_messages() -> None:
    rows = list(prompt_rows(records()))
    own = [turn.expected for record in records() for turn in turns_of(record)]
    prompts = [row["prompt"] for row in rows]
    assert toolgen_reward(prompts, [[each] for each in own], **columns(rows), completion_ids=[]) == [1.0] * len(rows)
    texts = [
        "\n".join(f"<tool_call>{orjson.dumps(call['function']).decode()}</tool_call>" for call in each["tool_calls"])
        if each.get("tool_calls") else each["content"]
        for each in own
    ]  # fmt: skip
    assert toolgen_reward(prompts, texts, **columns(rows)) == [1.0] * len(rows)
    assert all(value < 1 for value in toolgen_reward(prompts, ["?"] * len(rows), **columns(rows)))


def test_a_data_set_without_the_columns_is_refused() -> None:
    with pytest.raises(UsageError, match="prompt_rows"):
        toolgen_reward(["a"], ["b"])
