"""A folder that `datasets.load_dataset` reads: Parquet files of the splits, and the card README.md.

The card has what Hugging Face reads in its header, and what people want to know. What records say of themselves is
data: the header is written by a YAML writer, the text with every mark of Markdown and HTML escaped.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

import orjson
import yaml

from generator.disk import disk_errors, write_whole
from generator.errors import UsageError
from generator.extras import missing
from generator.formats.conversation import function_of
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


_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "1M<n<10M"
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_MARKS = re.compile(r"([\\`*{}\[\]<>()#!|&~$:@'\"=^%/;?]|(?<![^\W_])_|_(?![^\W_])|\.(?=[^\s\d]))")
"""What Markdown or HTML may obey; an underscore inside a word and a point before a number are text."""
_TAGS = ("function-calling", "tool-use", "synthetic")
_LONGEST = 80
_LONGEST_NOTE = 1_000
_MOST_KINDS = 100
_MOST_MAKERS = 10


@dataclass(slots=True)
class Facts:
    """What a card tells, counted while the records are written."""

    columns: tuple[str, ...] = ()
    splits: Counter[str] | dict[str, int] = field(default_factory=Counter)
    kinds: dict[str, Counter[str]] = field(default_factory=dict)
    """Records by kind, and in it by split."""
    tools: set[str] = field(default_factory=set)
    languages: set[str] = field(default_factory=set)
    makers: Counter[str] = field(default_factory=Counter)
    """Records by what made them."""
    notes: Sequence[str] = ()
    """Sentences on how the records were chosen and split."""

    def count(self, document: JsonObject, split: str) -> None:
        """Count one record."""
        metadata = document.get("metadata")
        known: JsonObject = metadata if isinstance(metadata, dict) else {}
        self.splits[split] = self.splits.get(split, 0) + 1
        self.kinds.setdefault(str(known.get("kind", "")), Counter())[split] += 1
        self.tools.update(str(function_of(tool).get("name")) for tool in document.get("tools", []))
        language = str(known.get("locale", "")).partition("_")[0]
        if _LANGUAGE.fullmatch(language):
            self.languages.add(language)
        if known:
            self.makers[_maker(known)] += 1


def _maker(metadata: JsonObject) -> str:
    def word(name: str) -> JsonValue:
        return metadata.get(name, "?")

    return f"toolgen {word('toolgen_version')}, author {word('author')}"


def card(name: str, facts: Facts) -> str:
    """Write the card of a data set; the same records give the same card."""
    return f"{_header(facts)}\n# {_shown(name)}\n\n{_text(facts)}\n{_table(facts)}{_loading(facts)}"


_OF_SPLIT = re.compile(r"data/(?:([\w.-]+)/)?([A-Za-z_]\w*)(?:-\d+-of-\d+)?\.(?:jsonl|json|parquet)(?:\.gz|\.zst)?")
_OF_RECORDS = re.compile(r"([\w.-]+)\.(?:jsonl|parquet)(?:\.gz|\.zst)?")


def card_of_files(name: str, files: Sequence[str]) -> str:
    """Write the card of a folder that has none: its name, and which file is which split.

    Args:
        name: what it is headed with.
        files: the names of the files: `data/SPLIT.jsonl`, `data/FORMAT/SPLIT.jsonl`, their parts in Parquet, or lines
            of records beside no folder `data`.
    """
    configs = [
        {"config_name": each, "data_files": [{"split": split, "path": paths} for split, paths in splits.items()]}
        for each, splits in _splits_of(files).items()
    ]
    header: JsonObject = {**({"configs": configs} if configs else {}), "tags": list(_TAGS)}
    return f"---\n{yaml.safe_dump(header, sort_keys=False)}---\n\n# {_shown(name)}\n\nTool-calling conversations.\n"


def _splits_of(files: Sequence[str]) -> dict[str, dict[str, list[str]]]:
    """Return the files of each split, by the name of the configuration: its format."""
    found: dict[str, dict[str, list[str]]] = {}
    for file in files:
        if named := _OF_SPLIT.fullmatch(file):
            found.setdefault(named[1] or "default", {}).setdefault(named[2], []).append(file)
    if not found and (records := [file for file in files if _OF_RECORDS.fullmatch(file)]):
        found["default"] = {"train": records}
    return found


def _shown(text: str, longest: int = _LONGEST) -> str:
    """Return a text from outside as it is read in Markdown: one line, no markup, no character that is not seen."""
    seen = "".join(each if each.isprintable() else "\ufffd" for each in " ".join(text.split()))
    return _MARKS.sub(r"\\\1", seen if len(seen) <= longest else f"{seen[:longest]}…")


def _header(facts: Facts) -> str:
    total = sum(facts.splits.values())
    files = [{"split": split, "path": f"data/{split}-*.parquet"} for split in facts.splits]
    columns = [{"name": name, "dtype" if name == "metadata" else "list": "json"} for name in facts.columns]
    header: JsonObject = {
        "configs": [{"config_name": "default", "data_files": files}],
        "dataset_info": {"features": columns},
        "task_categories": ["text-generation"],
        **({"language": sorted(facts.languages)} if facts.languages else {}),
        "tags": list(_TAGS),
        "size_categories": [next((word for limit, word in _SIZES if total < limit), _LARGEST)],
    }
    return f"---\n{yaml.safe_dump(header, sort_keys=False)}---\n"


def _text(facts: Facts) -> str:
    total = sum(facts.splits.values())
    makers = [f"{count:,} by {_shown(maker)}" for maker, count in sorted(facts.makers.items())[:_MOST_MAKERS]]
    makers += [f"{len(facts.makers) - _MOST_MAKERS:,} more"] if len(facts.makers) > _MOST_MAKERS else []
    made = f" Made: {'; '.join(makers)}." if makers else ""
    tools = f"{len(facts.tools):,} tools"
    return (
        f"{total:,} tool-calling conversations over {tools}: `messages` and `tools` in the DeepFabric form, the "
        f"arguments of calls as objects.{made}\n"
        + "".join(f"\n{_shown(note, _LONGEST_NOTE)}\n" for note in facts.notes)
    )


def _table(facts: Facts) -> str:
    names = list(facts.splits)
    lines = [f"| kind | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for kind, counts in sorted(facts.kinds.items())[:_MOST_KINDS]:
        lines.append(f"| {_shown(kind) or 'not told'} | {' | '.join(f'{counts[name]:,}' for name in names)} |")
    if len(facts.kinds) > _MOST_KINDS:
        lines.append(f"| {len(facts.kinds) - _MOST_KINDS:,} more |{' |' * len(names)}")
    return "\n".join(lines) + "\n"


def _loading(facts: Facts) -> str:
    split = next(iter(facts.splits), "train")
    return (
        "\nLoad it with `datasets` 4.7 or newer, which knows cells of JSON:\n```python\n"
        f'from datasets import load_dataset\n\nrecords = load_dataset("PATH", split="{split}")\n```\n'
    )
