"""The files of a data set's folder, as Hugging Face keeps them: what its card names, else what lies where data lies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from generator.disk import disk_errors

_KINDS = (".parquet", ".arrow", ".jsonl", ".ndjson", ".json")
_PACKED = ("", ".gz", ".zst")
_DESCRIPTIONS = frozenset({"dataset_info.json", "dataset_infos.json", "state.json", "dataset_dict.json", "config.json"})
_LONGEST_CARD = 4 * 1024 * 1024


def dataset_files(folder: Path) -> list[Path]:
    """Return the files of a data set, in the order of its splits; none where the folder holds no data."""
    for found in (_named_by_card(folder), _of_splits(folder), _of_state(folder), _in(folder / "data"), _in(folder)):
        files = list(dict.fromkeys(found))
        if files:
            return files
    return []


def _in(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from sorted(path for path in folder.iterdir() if _is_data(path))


def _is_data(path: Path) -> bool:
    endings = tuple(kind + packed for kind in _KINDS for packed in _PACKED)
    return path.is_file() and path.name.endswith(endings) and path.name not in _DESCRIPTIONS


def _named_by_card(folder: Path) -> Iterator[Path]:
    """Yield what the configurations of the card README.md name; a name may hold wildcards."""
    configs = _front_matter(folder / "README.md").get("configs")
    for config in configs if isinstance(configs, list) else ():
        named = config.get("data_files") if isinstance(config, dict) else None
        for pattern in _patterns(named):
            if not Path(pattern).is_absolute() and ".." not in Path(pattern).parts:
                yield from sorted(path for path in folder.glob(pattern) if _is_data(path))


def _patterns(named: Any) -> Iterator[str]:
    if isinstance(named, str):
        yield named
    elif isinstance(named, list):
        for each in named:
            yield from _patterns(each)
    elif isinstance(named, dict):
        yield from _patterns(named.get("path", list(named.values())))


def _front_matter(card: Path) -> dict[str, Any]:
    import yaml

    if not card.is_file():
        return {}
    with disk_errors(card), card.open(encoding="utf-8", errors="replace") as stream:
        text = stream.read(_LONGEST_CARD)
    if not text.startswith("---"):
        return {}
    head = text[3:].partition("\n---")[0]
    try:
        read = yaml.safe_load(head)
    except yaml.YAMLError:
        return {}
    return read if isinstance(read, dict) else {}


def _of_splits(folder: Path) -> Iterator[Path]:
    """Yield the files of the splits of a dictionary of data sets, as `save_to_disk` writes it."""
    splits = _described(folder / "dataset_dict.json").get("splits")
    for split in splits if isinstance(splits, list) else ():
        if isinstance(split, str) and (folder / split).is_dir() and Path(split).name == split:
            yield from _of_state(folder / split)


def _of_state(folder: Path) -> Iterator[Path]:
    files = _described(folder / "state.json").get("_data_files")
    for file in files if isinstance(files, list) else ():
        name = file.get("filename") if isinstance(file, dict) else None
        if isinstance(name, str) and Path(name).name == name and (folder / name).is_file():
            yield folder / name


def _described(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    with disk_errors(path):
        text = path.read_bytes()
    try:
        read = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return read if isinstance(read, dict) else {}
