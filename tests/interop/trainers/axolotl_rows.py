"""Prints, for each record that Axolotl reads, how many tokens it has, how many are learnt, and their text.

`python axolotl_rows.py FILE MODEL`: FILE is what `toolgen export --trainer axolotl` wrote, MODEL a folder.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import yaml
from axolotl.cli.config import load_cfg
from axolotl.common.datasets import load_datasets
from axolotl.loaders import load_tokenizer
from axolotl.utils.dict import DictDefault


def main(file: Path, model: str) -> None:
    section = yaml.safe_load(file.with_name(f"{file.stem}.axolotl.yaml").read_text(encoding="utf-8"))
    given = {
        "base_model": model,
        "output_dir": str(file.parent / "tuned"),
        "dataset_prepared_path": str(file.parent / "prepared"),
        "micro_batch_size": 1,
        "gradient_accumulation_steps": 1,
        "num_epochs": 1,
        "learning_rate": 1e-4,
        "optimizer": "adamw_torch",
        "dataset_num_proc": 1,
        "shuffle_merged_datasets": False,
        "shuffle_before_merging_datasets": False,
    }
    config = load_cfg(DictDefault({**given, **section, "sequence_len": 131_072}))
    rows = load_datasets(cfg=config).train_dataset
    tokenizer = load_tokenizer(config)
    for row in rows:
        learnt = [label for label in row["labels"] if label != -100]
        text = tokenizer.decode(learnt)
        print("ROW", json.dumps({"tokens": len(row["input_ids"]), "learnt": len(learnt), "text": text}))


if __name__ == "__main__":  # its processes import this file
    main(Path(sys.argv[1]), sys.argv[2])
