"""TRL's GRPOTrainer takes three steps over a tiny model with random weights, rewarded as toolgen rewards."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from generator.cli import main

pytestmark = [pytest.mark.interop, pytest.mark.slow]

pytest.importorskip("trl", reason="needs the extra `interop`")

STEPS = 3


def test_three_steps_are_made_with_the_reward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from datasets import Dataset
    from transformers import AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer

    from generator.grading.trl import prompt_rows, toolgen_reward
    from tests.interop.test_trl import write_tiny_model

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    assert main(["generate", "--count", "12", "--seed", "3", "--out", "run", "--quiet"]) == 0
    lines = Path("run/records.jsonl").read_text(encoding="utf-8").splitlines()
    write_tiny_model(tmp_path / "tiny", Path("run/records.jsonl"), "qwen2_5")
    tokenizer = AutoTokenizer.from_pretrained("tiny")
    rows = list(prompt_rows(lines, tokenizer))
    assert all("<|im_start|>assistant" in row["prompt"] for row in rows)
    settings = GRPOConfig(
        "tuned", max_steps=STEPS, per_device_train_batch_size=4, num_generations=4, max_completion_length=24,
        logging_steps=1, report_to=[], use_cpu=True, save_strategy="no",
    )  # fmt: skip
    rewarded: list[float] = []

    def counted(*args: object, **columns: object) -> list[float]:
        found = toolgen_reward(*args, **columns)  # type: ignore[arg-type]  # as the trainer gives them
        rewarded.extend(found)
        return found

    trainer = GRPOTrainer(
        "tiny", counted, args=settings, train_dataset=Dataset.from_list(rows), processing_class=tokenizer
    )
    trainer.train()
    assert trainer.state.global_step == STEPS
    assert len(rewarded) >= 4 * STEPS
    assert all(0 <= value < 1 for value in rewarded)
    logged = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
    assert len(logged) == STEPS
    assert all(math.isfinite(value) for value in logged)
