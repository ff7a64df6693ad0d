"""Rewards for TRL: prompts that `GRPOTrainer` asks of a model, and the reward function that it calls."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from generator.errors import UsageError
from generator.grading.reward import reward
from generator.grading.turns import document_of, turns_of
from generator.jsontext import JsonObject, dump_compact
from generator.records import Record


class Tokenizer(Protocol):
    """What is needed of a tokenizer of `transformers`."""

    def apply_chat_template(
        self,
        conversation: list[JsonObject],
        *,
        tools: list[JsonObject] | None,
        add_generation_prompt: bool,
        tokenize: bool,
    ) -> str:
        """Return the text of a conversation in which the assistant speaks next."""
        ...


def prompt_rows(
    records: Iterable[Record | JsonObject | str], tokenizer: Tokenizer | None = None
) -> Iterator[JsonObject]:
    """Yield a row for each turn of the assistant: `prompt`, `tools`, `record` (the text of it) and `turn`.

    `GRPOTrainer` shows the tools of the trainer, not those of a row. So that each prompt shows the tools of its record,
    give the tokenizer of the model: the prompts are then texts, written with its chat template. Without it they are
    messages, for trainers that read the column `tools`.

    Args:
        records: the records, as `generate_records` or the lines of a run give them.
        tokenizer: the tokenizer of the model that is trained.

    Raises:
        UsageError: one of them is no record.
    """
    for record in records:
        document = document_of(record)
        tools = document.get("tools")
        shown = tools if isinstance(tools, list) else []
        text = dump_compact(document)
        for turn in turns_of(document):
            prompt: Any = list(turn.prefix)
            if tokenizer is not None:
                prompt = tokenizer.apply_chat_template(
                    prompt, tools=shown or None, add_generation_prompt=True, tokenize=False
                )
            yield {"prompt": prompt, "tools": dump_compact(shown), "record": text, "turn": turn.number}


def toolgen_reward(
    prompts: Sequence[Any],
    completions: Sequence[Any],
    record: Sequence[Record | JsonObject | str] = (),
    turn: Sequence[int] = (),
    **columns: Any,
) -> list[float]:
    """Return what each completion is worth as a turn of its record: the reward function for `GRPOTrainer`.

    Args:
        prompts: the prompts, one for each completion.
        completions: texts, or lists of messages, whichever the prompts are.
        record: the column of records that `prompt_rows` writes.
        turn: the column of the numbers of turns.
        columns: whatever else the trainer gives; not looked at.

    Raises:
        UsageError: the columns are not there.
    """
    if not len(prompts) == len(completions) == len(record) == len(turn):
        raise UsageError(
            "the data set has no columns `record` and `turn`: write its rows with generator.grading.trl.prompt_rows"
        )
    graded = zip(record, turn, completions, strict=True)
    return [reward(each, int(number), completion).value for each, number, completion in graded]
