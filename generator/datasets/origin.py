"""Where records are read from: a run folder, a file of whatever holds records, the folder of a data set, or stdin.

Whatever format its lines are in, they become canonical records; Parquet and Arrow files are read as lines of JSON, some
rows at a time. The files of a data set's folder are those that its card names, as Hugging Face keeps them, else what
lies where data lies. Benchmarks keep accepted answers and the definitions of classes in files beside the questions,
`possible_answer/NAME` and `multi_turn_func_doc/`; they are joined to the questions by ids and names of classes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from decimal import Decimal
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from generator.compressed import unpacked
from generator.datasets.lines import as_lines, as_stream
from generator.disk import disk_errors
from generator.domains.catalog import Catalog
from generator.errors import StorageError, UsageError
from generator.extras import missing
from generator.formats import FORMATS
from generator.formats.conversation import calls_of, function_of, messages_of
from generator.formats.recognition import Unfold, beside, read_in, read_record, unfolding_of
from generator.ids import is_call_id
from generator.jsontext import JsonObject, JsonValue
from generator.runs.folder import RunFolder, read_catalog
from generator.runs.record_files import names_records, open_records, record_files, told_files
from generator.validation.lines import LONGEST_LINE
from generator.validation.verdict import Reading, is_written

_ANSWERS, _DEFINITIONS = "possible_answer", "multi_turn_func_doc"
_LARGEST = 512 * 1024 * 1024
"""Bytes of the largest file of answers: they are kept in memory."""
_NAMES_OF_CLASSES = {"TwitterAPI": "posting_api", "TravelAPI": "travel_booking"}
"""Classes whose definitions lie under another name than their own."""
_BETWEEN_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")
_KINDS = (".parquet", ".arrow", ".jsonl", ".ndjson", ".json")
_PACKED = ("", ".gz", ".zst")
_DESCRIPTIONS = frozenset({"dataset_info.json", "dataset_infos.json", "state.json", "dataset_dict.json", "config.json"})
_LONGEST_CARD = 4 * 1024 * 1024
STDIN = "-"
_READ_AT_ONCE = 256 * 1024


@dataclass(slots=True)
class Companions:
    """The answers by the ids of their questions, and the folder of definitions."""

    answers: dict[JsonValue, JsonValue] = field(default_factory=dict)
    definitions: Path | None = None
    _known: dict[str, list[JsonValue]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Say whether there is anything to join."""
        return bool(self.answers) or self.definitions is not None

    def join(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield each line with what belongs to it; a line that is no JSON stays as it is."""
        for line in lines:
            more = self._more(line)
            yield line.rstrip()[:-1] + b"," + orjson.dumps(more)[1:] + b"\n" if more else line

    def _more(self, line: bytes) -> JsonObject:
        question = _object(line)
        more: JsonObject = {}
        identity = question.get("id")
        if isinstance(identity, str | int) and identity in self.answers and "ground_truth" not in question:
            more["ground_truth"] = self.answers[identity]
        classes = question.get("involved_classes")
        if self.definitions is not None and isinstance(classes, list) and "function" not in question:
            more["function"] = [tool for name in classes for tool in self._tools_of(name)]
        return more

    def _tools_of(self, name: JsonValue) -> list[JsonValue]:
        if not isinstance(name, str) or self.definitions is None:
            return []
        if name not in self._known:
            path = self.definitions / f"{_NAMES_OF_CLASSES.get(name) or _file_name(name)}.json"
            self._known[name] = _values(path) if path.is_file() else []
        return self._known[name]


def _object(line: bytes) -> JsonObject:
    """Return the object that a line holds; {} where it holds none."""
    try:
        found = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _file_name(name: str) -> str:
    return _BETWEEN_WORDS.sub("_", name).lower().replace("mathapi", "math_api")


def companions_of(path: Path, answers: str | None = None) -> Companions:
    """Find what belongs to a file of questions: beside it, or the file of answers that is named.

    Raises:
        UsageError: the file of answers is too large to be kept.
        StorageError: one of them cannot be read.
    """
    beside = Path(answers) if answers else path.parent / _ANSWERS / path.name
    definitions = path.parent / _DEFINITIONS
    found = Companions(definitions=definitions if definitions.is_dir() else None)
    if beside.is_file() and (answers or not beside.samefile(path)):
        found.answers = _answers(beside)
    elif answers:
        raise UsageError(f"{answers}: there is no such file of answers")
    return found


def _answers(path: Path) -> dict[JsonValue, JsonValue]:
    with disk_errors(path):
        if path.stat().st_size > _LARGEST:
            raise UsageError(f"{path}: {_LARGEST // 2**20} MB of answers are kept in memory at most; split the file")
    said = [answer for answer in _values(path) if isinstance(answer, dict)]
    return {answer["id"]: answer.get("ground_truth") for answer in said if isinstance(answer.get("id"), str | int)}


def _values(path: Path) -> list[JsonValue]:
    with disk_errors(path), path.open("rb") as stream:
        lines = [line for line in as_lines(stream, str(path)) if line.strip()]
    try:
        return [orjson.loads(line) for line in lines]
    except orjson.JSONDecodeError as error:
        raise UsageError(f"{path}: is no JSON: {error}") from error


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


@dataclass(frozen=True, slots=True)
class Origin:
    """One stream of records and what is known about it."""

    name: str
    path: Path | None
    """None stands for stdin."""
    catalog: Catalog | None
    """The tools with their result schemas, where a `catalog.json` lies beside the records."""
    is_run: bool
    """Whether the records are those of a run, so that all that toolgen demands of its own holds for them."""

    answers: str | None = None
    """The file of accepted answers that was named for it; without one they are looked for beside it."""
    line_by_line: bool = False
    """Whether each line is taken as it stands, whatever it holds."""
    shards: tuple[Path, ...] = ()
    """All the files of a run whose records are in several, `path` the first of them."""

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that it is read from; none for stdin."""
        return self.shards or (() if self.path is None else (self.path,))

    @contextmanager
    def open(self) -> Iterator[BinaryIO]:
        """Open the stream of lines, each a record, however the file holds them.

        Archives are unpacked, arrays and tables become lines, a line of several records becomes several, and what
        lies beside the file and belongs to its lines is joined to them.

        Raises:
            StorageError: the file cannot be opened or read.
            UsageError: what unpacks or reads it is not installed.
        """
        if self.shards:
            with open_records(self.shards) as stream:
                yield stream
            return
        if self.path is None:
            stdin = unpacked(sys.stdin.buffer, self.name)
            yield stdin if self.line_by_line else _records(stdin, self.name, Companions())
            return
        with disk_errors(self.path):
            stream = self.path.open("rb")
        with stream:
            if is_table(stream.peek(8)[:8]):
                yield as_stream(_unfolded(rows_as_lines(self.path)))
            elif self.is_run or self.line_by_line:
                yield unpacked(stream, self.name)
            else:
                yield _records(unpacked(stream, self.name), self.name, companions_of(self.path, self.answers))


def _records(stream: BinaryIO, name: str, companions: Companions) -> BinaryIO:
    """Return a stream of lines, each a record."""
    lines = as_lines(stream, name)
    first = lines.readline(LONGEST_LINE)
    unfold = _unfolding(first)
    again = chain([first], iter(partial(lines.read1, _READ_AT_ONCE), b""))  # type: ignore[attr-defined]  # buffered
    if unfold is None and not companions:
        return as_stream(again)
    whole = as_stream(again)
    joined = companions.join(_lines(whole)) if companions else _lines(whole)
    return as_stream(_unfolded(joined))


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines, a line that is too long in pieces."""
    return iter(partial(stream.readline, LONGEST_LINE), b"")


def _unfolding(line: bytes) -> Unfold | None:
    try:
        return unfolding_of(orjson.loads(line))
    except orjson.JSONDecodeError:
        return None


def _unfolded(lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        unfold = _unfolding(line)
        if unfold is None:
            yield line
        else:
            for record in unfold(orjson.loads(line)):
                yield orjson.dumps(record) + b"\n"


def find_origins(name: str, answers: str | None = None, *, line_by_line: bool = False) -> list[Origin]:
    """Find the records that `name` means: as `find_origin` does, or the files of a data set's folder.

    Raises:
        UsageError: there are none.
    """
    folder = Path(name)
    if name == STDIN or not folder.is_dir() or record_files(folder):
        return [replace(find_origin(name), answers=answers, line_by_line=line_by_line)]
    files = dataset_files(folder)
    if not files:
        raise UsageError(f"{folder}: holds no {RunFolder(folder).records.name} of a run, and no files of a data set")
    return [replace(find_origin(str(path)), answers=answers, line_by_line=line_by_line) for path in files]


def find_origin(name: str) -> Origin:
    """Find the records that `name` means: a run folder, a file, or `-` for stdin.

    Raises:
        UsageError: there are none.
    """
    if name == STDIN:
        return Origin("stdin", None, None, is_run=False)
    path = Path(name)
    files = _records_in(path) if path.is_dir() else (path,)
    if not path.exists():
        raise UsageError(
            f"{name}: there is no such file or folder; give a run folder, a JSON Lines file, or - for stdin"
        )
    folder = RunFolder(files[0].parent)
    catalog = read_catalog(folder.catalog) if folder.catalog.is_file() else None
    of_run = names_records(files[0]) and folder.job.is_file()
    told = str(files[0]) if len(files) == 1 else str(told_files(path))
    return Origin(told, files[0], catalog, is_run=of_run, shards=files if len(files) > 1 else ())


def _records_in(folder: Path) -> tuple[Path, ...]:
    files = record_files(folder)
    if not files:
        name = RunFolder(folder).records.name
        raise UsageError(f"{folder}: holds no {name}; it is no run, or one that has not published its records yet")
    return files


CANONICAL = "deepfabric"
"""The format whose records are judged as they stand."""


@dataclass(frozen=True, slots=True)
class FormatReader:
    """Reads every record in one format."""

    name: str

    def __call__(self, document: JsonValue) -> Reading:
        """Bring the document to the canonical record; what is no object stays as it is."""
        if FORMATS[self.name].load_record is None or not isinstance(document, dict):
            return Reading("", document)
        return Reading(self.name, read_in(self.name, document), beside=beside(self.name, document))


def any_format(document: JsonValue) -> Reading:
    """Read a record in the format it shows by itself; what is canonical, or in no format, is judged as it stands."""
    if not isinstance(document, dict):
        return Reading("", document)
    if is_canonical(document):
        return Reading(CANONICAL, document, beside=beside(CANONICAL, document))
    found = read_record(document)
    if not found.form:
        return Reading("", document, found.problem)
    read = document if found.form == CANONICAL else found.document
    return Reading(found.form, read, beside=beside(found.form, document))


def is_canonical(document: JsonObject) -> bool:
    """Say whether a record is to be judged as a canonical one, broken or not.

    It is where any call has arguments as an object. Ids of nine characters decide as well, even where the arguments
    are text, as DeepFabric forbids (seeds/000, rule 1), unless the record looks as mistral-finetune wants it: without
    content beside calls, and without metadata.
    """
    messages = document.get("messages")
    if not isinstance(messages, list) or isinstance(document.get("tools"), str):
        return False
    calls: list[JsonObject] = []
    for call in _calls_in(messages):
        if isinstance(function_of(call).get("arguments"), dict):
            return True
        calls.append(call)
    if not calls:
        return is_written(document) and document["metadata"].get("statuses") == {}
    return any(is_call_id(call.get("id")) for call in calls) and not _looks_of_mistral(document)


def _calls_in(messages: list[JsonValue]) -> Iterator[JsonObject]:
    for message in messages:
        if isinstance(message, dict) and "tool_calls" in message:
            yield from calls_of(message)


def _looks_of_mistral(document: JsonObject) -> bool:
    turns = [message for message in messages_of(document) if calls_of(message)]
    return "metadata" not in document and not any("content" in turn for turn in turns)


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
