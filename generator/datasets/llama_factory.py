"""LLaMA-Factory's `dataset_info.json`: the file without which it loads a data set and trains on none of it.

Its defaults are those of other shapes: a column or a tag that is not named there is not read, without a word.
"""

from __future__ import annotations

from pathlib import Path

import orjson

from generator.disk import disk_errors, write_whole
from generator.errors import UsageError
from generator.jsontext import JsonObject

_NAME = "dataset_info.json"
_LARGEST = 10_000_000
_ENTRIES: dict[str, JsonObject] = {
    "llamafactory": {
        "formatting": "sharegpt",
        "columns": {"messages": "conversations", "system": "system", "tools": "tools"},
        "tags": {
            "role_tag": "from",
            "content_tag": "value",
            "user_tag": "human",
            "assistant_tag": "gpt",
            "observation_tag": "observation",
            "function_tag": "function_call",
        },
    },
}


def has_dataset_info(form: str) -> bool:
    """Say whether data sets of a format are named in such a file."""
    return form in _ENTRIES


def read_dataset_info(folder: Path) -> JsonObject:
    """Return the entries of the file in a folder; {} where there is none.

    Raises:
        UsageError: what stands there is no object in JSON, so that no entry can be added.
        StorageError: it cannot be read.
    """
    path = folder / _NAME
    with disk_errors(path):
        if not path.exists():
            return {}
        with path.open("rb") as opened:
            data = opened.read(_LARGEST + 1)
    try:
        held = orjson.loads(data) if len(data) <= _LARGEST else None
    except orjson.JSONDecodeError:
        held = None
    if not isinstance(held, dict):
        raise UsageError(f"{path}: no object in JSON, to which the data set could be added; move it, or mend it")
    return held


def add_dataset_info(file: Path, form: str) -> Path:
    """Name a data set, by its file's name without the endings, in the file beside it; other entries stay.

    Raises:
        UsageError: the file beside it holds something else.
        StorageError: it cannot be read or written.
    """
    entries = read_dataset_info(file.parent)
    entries[dataset_name(file)] = {"file_name": file.name, **_ENTRIES[form]}
    path = file.parent / _NAME
    write_whole(path, [orjson.dumps(entries, option=orjson.OPT_INDENT_2), b"\n"])
    return path


def dataset_name(file: Path) -> str:
    """Return what a file's data set is called: `train` for train.jsonl.gz."""
    return file.name.partition(".")[0] or file.name
