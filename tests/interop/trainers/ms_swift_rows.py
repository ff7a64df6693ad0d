"""Prints, for each record that ms-swift reads, how many tokens it has, how many are learnt, and their text.

`python ms_swift_rows.py FILE MODEL`: FILE is what `toolgen export --trainer ms-swift` wrote, MODEL a folder.
"""

from __future__ import annotations

import json
import sys

from swift.dataset import EncodePreprocessor, load_dataset
from swift.model import get_processor
from swift.template import get_template

file, model = sys.argv[1:]
processor = get_processor(model, model_type="qwen3")
template = get_template(processor, max_length=131_072, template_type="qwen2_5")
template.set_mode("train")
read, _ = load_dataset(file, num_proc=1, load_from_cache_file=False, strict=True)
for row in EncodePreprocessor(template)(read, num_proc=1, load_from_cache_file=False, strict=True):
    learnt = [label for label in row["labels"] if label != -100]
    text = processor.decode(learnt)
    print("ROW", json.dumps({"tokens": len(row["input_ids"]), "learnt": len(learnt), "text": text}))
