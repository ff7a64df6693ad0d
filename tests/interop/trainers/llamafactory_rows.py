"""Prints, for each record that LLaMA-Factory reads, how many tokens it has, how many are learnt, and their text.

`python llamafactory_rows.py FILE MODEL`: FILE is what `toolgen export --trainer llamafactory` wrote, MODEL a folder.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from llamafactory.data import get_dataset, get_template_and_fix_tokenizer
from llamafactory.hparams import get_train_args
from llamafactory.model import load_tokenizer

file, model = Path(sys.argv[1]), sys.argv[2]
given = {
    "stage": "sft",
    "do_train": True,
    "dataset_dir": str(file.parent),
    "dataset": file.stem,
    "cutoff_len": 131072,  # the tiny tokenizer knows few words
    "model_name_or_path": model,
    "template": "qwen",
    "finetuning_type": "lora",
    "output_dir": str(file.parent / "tuned"),
    "overwrite_cache": True,
    "use_cpu": True,
}
model_args, data_args, training_args, *_ = get_train_args(given)
module = load_tokenizer(model_args)
template = get_template_and_fix_tokenizer(module["tokenizer"], data_args)
rows = get_dataset(template, model_args, data_args, training_args, stage="sft", **module)["train_dataset"]
for row in rows:
    learnt = [label for label in row["labels"] if label != -100]
    text = module["tokenizer"].decode(learnt)
    print("ROW", json.dumps({"tokens": len(row["input_ids"]), "learnt": len(learnt), "text": text}))
