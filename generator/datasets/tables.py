"""Parquet and Arrow files as lines of JSON, some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import orjson

from generator.errors import StorageError
from generator.extras import missing
from generator.jsontext import JsonValue

PARQUET = b"PAR1"
ARROW_FILE, ARROW_STREAM = b"ARROW1", b"\xff\xff\xff\xff"
_ROWS_AT_ONCE = 64


def is_table(start: bytes) -> bool:
    """Say whether a file begins as Parquet or Arrow do."""
    return start.startswith((PARQUET, ARROW_FILE, ARROW_STREAM))


def rows_as_lines(path: Path) -> Iterator[bytes]:
    """Yield each row as a line of JSON; what a struct of the row's column has no value for is left out.

    Columns of structs have the keys of all rows; whether a key without a value was there cannot be told any more.

    Raises:
        UsageError: the package that reads such files is not installed.
        StorageError: the file is damaged.
    """
    try:
        import pyarrow
    except ImportError as error:
        raise missing(f"{path}: a Parquet or Arrow file needs", "pyarrow", "hf") from error
    try:
        for batch in _batches(path):
            as_json = {field.name for field in batch.schema if _holds_json(field.type)}
            for row in batch.to_pylist():
                cells = {name: _value(cell, name in as_json) for name, cell in row.items() if cell is not None}
                yield orjson.dumps(cells, default=_other) + b"\n"
    except (pyarrow.ArrowInvalid, OSError) as error:
        raise StorageError(f"{path}: is damaged: {error}") from error


def _holds_json(kind: Any) -> bool:
    """Say whether a column, or the lists in it, are declared as texts of JSON."""
    inner = getattr(kind, "value_type", kind)
    return getattr(inner, "extension_name", "") == "arrow.json"


def _batches(path: Path) -> Iterator[Any]:
    from pyarrow import ipc, memory_map, parquet

    with path.open("rb") as stream:
        start = stream.read(len(ARROW_FILE))
    if start.startswith(PARQUET):
        with parquet.ParquetFile(path) as file:
            yield from file.iter_batches(batch_size=_ROWS_AT_ONCE)
        return
    with memory_map(str(path)) as source:
        is_file = start.startswith(ARROW_FILE)
        opened = ipc.open_file(source) if is_file else ipc.open_stream(source)
        for batch in map(opened.get_batch, range(opened.num_record_batches)) if is_file else opened:
            for first in range(0, batch.num_rows, _ROWS_AT_ONCE):
                yield batch.slice(first, _ROWS_AT_ONCE)


def _value(cell: JsonValue, as_json: bool) -> Any:
    """Return a cell as JSON: a text that is declared as JSON is taken as it is, structs lose empty keys."""
    if isinstance(cell, str):
        return orjson.Fragment(cell) if as_json else cell
    if isinstance(cell, dict):
        return {key: _value(inner, as_json) for key, inner in cell.items() if inner is not None}
    if isinstance(cell, list):
        return [_value(inner, as_json) for inner in cell]
    return cell


def _other(value: object) -> JsonValue:
    """Return what JSON has no type for as text."""
    if isinstance(value, datetime | date | time | Decimal):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    raise TypeError(f"{type(value).__name__} is not JSON")
