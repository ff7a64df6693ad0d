"""A folder that `datasets.load_dataset` reads: Parquet files of the splits, and the card README.md."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

import orjson

from generator.datasets.card import Facts, card
from generator.disk import disk_errors, write_whole
from generator.errors import UsageError
from generator.extras import missing
from generator.formats.deepfabric import FEATURES, cell, dump_row
from generator.jsontext import JsonObject, JsonValue

_ROWS_AT_ONCE = 500
_OWN = {"README.md", "data"}


def write_dataset(
    folder: Path, records: Iterable[tuple[str, JsonObject]], splits: Sequence[str], notes: Sequence[str] = ()
) -> None:
    """Write records as a data set; the folder appears whole, or not at all.

    Each record comes with the split that it is in; `splits` says in which order the card names them, and `notes` what
    else it is to say. An earlier data set in the folder is replaced; a folder that holds anything else is refused.
    Whether there is a column of metadata is decided by the first record.

    Raises:
        UsageError: the extra `hf` is not installed, or the folder holds something else.
        StorageError: the disk refused.
    """
    _require_datasets()
    _refuse_others(folder)
    part = folder.with_name(f".{folder.name}.part")
    with disk_errors(folder):
        shutil.rmtree(part, ignore_errors=True)
        (part / "data").mkdir(parents=True)
        try:
            facts = _write_splits(part / "data", records, splits)
            facts.notes = notes
            write_whole(part / "README.md", [card(folder.name, facts).encode()])
            if folder.exists():
                shutil.rmtree(folder)
            part.replace(folder)
        finally:
            shutil.rmtree(part, ignore_errors=True)


def _require_datasets() -> None:
    try:
        import datasets  # noqa: F401 - the question is whether it is there
    except ImportError as error:
        raise missing("the format hf needs", "datasets", "hf") from error


def _refuse_others(folder: Path) -> None:
    if str(folder) == "-" or folder.is_file():
        raise UsageError(f"{folder}: --format hf writes a folder; give -o its name")
    others = {path.name for path in folder.iterdir()} - _OWN if folder.is_dir() else set()
    if others:
        raise UsageError(f"{folder}: holds {min(others)}; give -o a new folder, or one with an earlier data set")


def _write_splits(folder: Path, records: Iterable[tuple[str, JsonObject]], splits: Sequence[str]) -> Facts:
    facts = Facts()
    writers: dict[str, _Split] = {}
    for split, record in records:
        row = dump_row(record)
        facts.columns = facts.columns or tuple(row)
        if split not in writers:
            writers[split] = _Split(folder / f"{split}-00000-of-00001.parquet", facts.columns)
        facts.count(record, split)
        writers[split].add(row)
    for writer in writers.values():
        writer.close()
    facts.splits = {name: facts.splits[name] for name in splits if name in facts.splits}
    return facts


@dataclass(slots=True)
class _Split:
    """Writes the Parquet file of one split, some rows at a time."""

    path: Path
    columns: tuple[str, ...]
    _rows: list[JsonObject] = field(default_factory=list)
    _writer: Any = None

    def add(self, row: JsonObject) -> None:
        self._rows.append(row)
        if len(self._rows) >= _ROWS_AT_ONCE:
            self._flush()

    def close(self) -> None:
        if self._rows:
            self._flush()
        self._writer.close()

    def _flush(self) -> None:
        import pyarrow
        from pyarrow import parquet

        schema = _schema(self.columns)
        if self._writer is None:
            self._writer = parquet.ParquetWriter(self.path, schema, compression="zstd")
        columns = [_column(name, self._rows) for name in self.columns]
        self._writer.write_table(pyarrow.Table.from_arrays(columns, schema=schema))
        self._rows.clear()


def _column(name: str, rows: list[JsonObject]) -> Any:
    import pyarrow

    if name == "metadata":
        return _cells([row.get(name) for row in rows])
    values = [row.get(name, []) for row in rows]
    offsets = [0, *accumulate(map(len, values))]
    return pyarrow.ListArray.from_arrays(offsets, _cells([each for value in values for each in value]))


def _cells(values: list[JsonValue]) -> Any:
    import pyarrow

    texts = [None if value is None else cell(value) for value in values]
    return pyarrow.ExtensionArray.from_storage(pyarrow.json_(), pyarrow.array(texts, pyarrow.string()))


def _schema(columns: tuple[str, ...]) -> Any:
    import pyarrow

    of_text = pyarrow.json_()
    fields = [(name, of_text if name == "metadata" else pyarrow.list_(of_text)) for name in columns]
    declared = {"info": {"features": {name: FEATURES[name] for name in columns}}}
    return pyarrow.schema(fields, {"huggingface": orjson.dumps(declared).decode()})
