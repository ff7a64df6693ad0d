"""Each trainer's own loader reads all of what `toolgen export --trainer` writes, and learns calls and answers alone.

Trainers ask for libraries of their own, so each is asked through a Python that has it, which a variable names:
TOOLGEN_LLAMAFACTORY=/path/to/bin/python, and likewise TOOLGEN_MS_SWIFT, TOOLGEN_AXOLOTL and TOOLGEN_VERL.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from generator.cli import main

pytestmark = [pytest.mark.interop, pytest.mark.slow]

PROGRAMS = Path(__file__).parent / "trainers"
TRAINERS = ("llamafactory", "ms-swift", "axolotl", "verl")
MINUTES = 10


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 60 records of the default mix."""
    folder = tmp_path_factory.mktemp("trainers") / "run"
    assert main(["generate", "--count", "60", "--seed", "3", "--out", str(folder), "--quiet"]) == 0
    return folder


@pytest.fixture(scope="module")
def tiny(run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of one layer with random weights, whose chat template is Qwen2.5's as TRL ships it."""
    pytest.importorskip("trl", reason="needs the extra `interop`")
    from tests.interop.test_trl import write_tiny_model

    folder = tmp_path_factory.mktemp("tiny")
    write_tiny_model(folder, run / "records.jsonl", "qwen2_5")
    return folder


def rows_read(trainer: str, file: Path, model: Path) -> list[dict[str, Any]]:
    """What the trainer's loader makes of a data set, a row a record."""
    name = f"TOOLGEN_{trainer.upper().replace('-', '_')}"
    python = os.environ.get(name)
    if not python:
        pytest.skip(f"{name} names no Python that has {trainer}")
    program = PROGRAMS / f"{trainer.replace('-', '_')}_rows.py"
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "CUDA_VISIBLE_DEVICES": ""}
    ended = subprocess.run(
        [python, str(program), str(file), str(model)],
        capture_output=True, text=True, env=environment, timeout=60 * MINUTES, check=False, cwd=file.parent,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-3000:]
    return [json.loads(line.removeprefix("ROW ")) for line in ended.stdout.splitlines() if line.startswith("ROW ")]


@pytest.mark.parametrize("trainer", TRAINERS)
def test_every_record_is_read_and_calls_and_answers_alone_are_learnt(
    trainer: str, run: Path, tiny: Path, tmp_path: Path
) -> None:
    output = tmp_path / ("data" if trainer == "verl" else "train.jsonl")
    assert main(["export", str(run), "--trainer", trainer, "-o", str(output)]) == 0
    rows = rows_read(trainer, output, tiny)
    records = [json.loads(line) for line in (run / "records.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == len(records)
    for record, row in zip(records, rows, strict=True):
        assert 0 < row["learnt"] < row["tokens"]
        for message in record["messages"]:
            told = message["content"].strip()
            if message["role"] == "assistant":
                assert told in row["text"]
                assert all(call["function"]["name"] in row["text"] for call in message.get("tool_calls", ()))
            elif len(told) > 40:
                assert told not in row["text"]
    print(f"{trainer}: {len(rows)} records, {sum(row['learnt'] for row in rows):,} tokens learnt")
