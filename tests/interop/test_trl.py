"""The program of README.md trains with TRL on an export, as printed: on whole records, with the loss on what is learnt.

The model is a tiny one with random weights, made here; its chat template is one that TRL ships itself.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import pytest

from generator.cli import main
from tests.readmes import TOP, blocks

pytestmark = [pytest.mark.interop, pytest.mark.slow]

trl = pytest.importorskip("trl", reason="needs the extra `interop`")

STEPS = 3
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]


def write_tiny_model(folder: Path, texts: Path, template: str) -> None:
    """Write a language model of one layer and a tokenizer whose words are those of the texts."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    with texts.open(encoding="utf-8") as lines:
        words.train_from_iterator(
            lines, trainers.BpeTrainer(vocab_size=600, special_tokens=SPECIAL, initial_alphabet=alphabet)
        )
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, eos_token=SPECIAL[2], pad_token=SPECIAL[0])
    tokenizer.chat_template = (Path(trl.__file__).parent / "chat_templates" / f"{template}.jinja").read_text()
    tokenizer.save_pretrained(folder)
    shape = {"hidden_size": 32, "intermediate_size": 64, "head_dim": 16}
    layers = {"num_hidden_layers": 1, "num_attention_heads": 2, "num_key_value_heads": 1}
    ends = {"eos_token_id": tokenizer.eos_token_id, "pad_token_id": tokenizer.pad_token_id}
    Qwen3ForCausalLM(Qwen3Config(vocab_size=len(tokenizer), **shape, **layers, **ends)).save_pretrained(folder)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """60 records of a run, as `--format trl` writes them."""
    folder = tmp_path_factory.mktemp("trl")
    assert main(["generate", "--count", "60", "--seed", "3", "--out", str(folder / "run"), "--quiet"]) == 0
    assert main(["export", str(folder / "run"), "--format", "trl", "-o", str(folder / "train.jsonl")]) == 0
    return folder / "train.jsonl"


@pytest.fixture(scope="module", params=["qwen3", "qwen2_5"])
def trained(request: pytest.FixtureRequest, exported: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The names of the program after it has run over a tiny model with a template of this name."""
    folder = tmp_path_factory.mktemp("model")
    write_tiny_model(folder / "tiny", exported, request.param)
    (program,) = [text for text in blocks(TOP, "python") if "from trl import" in text]
    assert len(program.splitlines()) <= 20
    names: dict[str, Any] = {"__name__": "__main__"}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in ("HF_HUB_OFFLINE", "TRL_EXPERIMENTAL_SILENCE"):
            patch.setenv(name, "1")
        patch.setattr(sys, "argv", ["tune.py", "./tiny", str(exported), str(STEPS)])
        exec(program, names)
    return names


def test_the_steps_are_made_and_the_model_is_saved(trained: dict[str, Any]) -> None:
    trainer = trained["trainer"]
    assert trainer.state.global_step == STEPS
    losses = [entry["train_loss"] for entry in trainer.state.log_history if "train_loss" in entry]
    assert losses and all(math.isfinite(loss) and loss > 0 for loss in losses)


def test_each_record_is_whole_and_calls_and_answers_alone_are_learnt(trained: dict[str, Any], exported: Path) -> None:
    records = [json.loads(line) for line in exported.read_text(encoding="utf-8").splitlines()]
    trainer = trained["trainer"]
    assert len(trainer.train_dataset) == len(records)
    lengths = []
    for record, row in zip(records, trainer.train_dataset, strict=True):
        tokens, labels = row["input_ids"], row["labels"]
        lengths.append(len(tokens))
        whole = trainer.processing_class.decode(tokens)
        learnt = trainer.processing_class.decode([label for label in labels if label != -100])
        assert record["messages"][-1]["content"].strip() in whole
        for message in record["messages"]:
            told = message["content"].strip()
            if message["role"] == "assistant":
                assert told in learnt
                for call in message.get("tool_calls", ()):
                    assert call["function"]["name"] in learnt
            elif len(told) > 40:
                assert told not in learnt
    assert max(lengths) > 1024  # so that the default would have cut one off
