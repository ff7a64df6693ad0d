"""Prints, for each record that verl reads, how many tokens it has, how many are learnt, and their text.

`python verl_rows.py FOLDER MODEL`: FOLDER is what `toolgen export --trainer verl` wrote, MODEL a folder.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

from omegaconf import OmegaConf
from verl.utils import hf_tokenizer

folder, model = Path(sys.argv[1]), sys.argv[2]
sidecar = folder.with_name(f"{folder.name}.verl.py")
specification = importlib.util.spec_from_file_location("sidecar", sidecar)
module = importlib.util.module_from_spec(specification)
specification.loader.exec_module(module)
tokenizer = hf_tokenizer(model)
config = OmegaConf.create({"max_length": 131_072, "truncation": "right", "ignore_input_ids_mismatch": True})
rows = module.Records(sorted(map(str, (folder / "data").glob("train-*.parquet"))), tokenizer, config)
for index in range(len(rows)):
    row = rows[index]
    tokens, mask = row["input_ids"][: int(row["attention_mask"].sum())], row["loss_mask"]
    learnt = [int(token) for token, counts in zip(tokens, mask, strict=False) if counts]
    text = tokenizer.decode(learnt)
    print("ROW", json.dumps({"tokens": len(tokens), "learnt": len(learnt), "text": text}))
