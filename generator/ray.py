"""Records as a data set of Ray, for whoever goes on to `ray.data` and `ray.data.llm`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from generator.errors import DataError, UsageError
from generator.extras import missing
from generator.jsontext import digest, dump_compact
from generator.runs.record_files import PLAIN, are_records, record_files

if TYPE_CHECKING:
    from ray.data import Dataset

_PARTS = ("messages", "tools", "metadata")


def read_records(path: str | Path) -> Dataset:
    """Return the records of a run's folder, of a file like its `records.jsonl`, or at a URL of either, as rows.

    A URL may be that of `toolgen generate --publish-to` or `toolgen push`: then the records are read that count there.

    A row has five columns of text. `id` is 16 hex digits of all that the record says: the same in whichever file,
    order or part it is read, and through whatever is done with the other columns, so that what comes out can be joined
    to what went in. `kind` is the record's kind, "" where it has no metadata; `messages`, `tools` and `metadata` are
    JSON, since the arguments of no two tools have one type. Nothing is read before the rows are asked for.

    Raises:
        UsageError: Ray is not installed, or nothing is there. PushError: the URL cannot be read. DataError is raised in
            the reading of a line that is no record of toolgen.
    """
    try:
        from ray.data import read_text
    except ImportError as error:
        raise missing("generator.ray needs", "ray.data", "ray") from error
    return read_text(_files(str(path)), drop_empty_lines=True).map(row_of)


def _files(path: str) -> list[str]:
    if "://" in path:
        return [path] if path.rpartition("/")[2].count(".") else _files_at(path)
    found = record_files(Path(path)) if Path(path).is_dir() else (Path(path),)
    if not found or not found[0].is_file():
        lacks = found[0] if found else Path(path, PLAIN)
        raise UsageError(f"{lacks}: no such file; give the folder of a run, or its {PLAIN}")
    return [str(file.resolve()) for file in found]  # workers of Ray have other working folders


def _files_at(url: str) -> list[str]:
    from generator.datasets.pushing import files_at

    return [each for each in files_at(url) if are_records(each.rpartition("/")[2])] or [f"{url.rstrip('/')}/{PLAIN}"]


def row_of(read: dict[str, Any]) -> dict[str, str]:
    """Return the row of a record whose line is in the column `text`.

    Raises:
        DataError: it is no record of toolgen.
    """
    try:
        record = orjson.loads(read["text"])
        messages, tools, metadata = record["messages"], record["tools"], record.get("metadata", {})
        kind = str(metadata.get("kind", ""))
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        start = str(read["text"])[:80]
        raise DataError(f"no record of toolgen ({error}): {start!a}; see `toolgen convert`") from error
    columns = zip(_PARTS, map(dump_compact, (messages, tools, metadata)), strict=True)
    return {"id": digest(record), "kind": kind, **dict(columns)}
