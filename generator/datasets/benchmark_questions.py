"""The questions of a benchmark, out of files of any format: what a model is asked, and where it stands."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import orjson

from generator.datasets.origin import Origin, find_origins
from generator.datasets.request import user_texts
from generator.errors import UsageError
from generator.formats.recognition import read_record
from generator.jsontext import JsonObject, JsonValue
from generator.validation.lines import read_lines

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_FIELDS = ("question", "prompt", "instruction", "input", "query", "messages", "turns")
"""What a question may be called where the line is in no format of records, in this order; case does not matter."""
_WORDS_OF_A_MESSAGE = ("content", "value", "text", "question", "prompt")
_DEEPEST = 8
"""Lists and objects in one another that texts are looked for in."""
_LARGEST_FIELD = 16 * 1024 * 1024
"""Bytes of the largest cell of a table."""


def questions_of(file: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield where each question stands, FILE:LINE, and its texts: one, or what each turn of the user's says.

    Records of an array are counted from 1 as lines are.

    Raises:
        UsageError: there is no such file, or nothing in it is known as a question.
        StorageError: it cannot be read.
    """
    count = 0
    for origin in find_origins(str(file)):
        for number, document in _documents(origin):
            texts = list(_texts_of(document))
            if texts:
                count += 1
                yield f"{origin.name}:{number}", texts
    if not count:
        fields = ", ".join(_FIELDS)
        raise UsageError(f"{file}: holds no question: no record of a known format, and no field {fields}")


def _documents(origin: Origin) -> Iterator[tuple[int, JsonValue]]:
    """Yield each line that is JSON, and each row of a table of text."""
    delimiter = _DELIMITERS.get(_suffix(origin.name))
    with origin.open() as stream:
        if delimiter is not None:
            yield from _rows(origin.name, stream, delimiter)
            return
        for number, line in read_lines(stream):
            try:
                document = orjson.loads(line or b"")
            except orjson.JSONDecodeError as error:
                raise UsageError(
                    f"{origin.name}:{number}: is not JSON: {error}; mend the line or leave it out"
                ) from error
            yield number, document


def _suffix(name: str) -> str:
    """Return the ending of a name that says what is in the file, packed or not."""
    path = Path(name.lower())
    return Path(path.stem).suffix if path.suffix in {".gz", ".zst"} else path.suffix


def _rows(name: str, stream: BinaryIO, delimiter: str) -> Iterator[tuple[int, JsonObject]]:
    csv.field_size_limit(_LARGEST_FIELD)
    texts = (line.decode("utf-8-sig" if not number else "utf-8", "replace") for number, line in enumerate(stream))
    reader = csv.reader(texts, delimiter=delimiter)
    try:
        header = next(reader, [])
        for row in reader:
            yield reader.line_num, dict(zip(header, row, strict=False))
    except csv.Error as error:
        raise UsageError(f"{name}:{reader.line_num}: is no row of a table: {error}") from error


def _texts_of(document: JsonValue) -> Iterator[str]:
    """Yield what the user says in a record of a known format, else what a field of a question's name holds."""
    if not isinstance(document, dict):
        return
    found = read_record(document)
    if found.form and isinstance(found.document, dict):
        texts = list(user_texts(found.document))
        if texts:
            yield from texts
            return
    named = {str(key).casefold(): value for key, value in document.items()}
    for name in _FIELDS:
        if texts := [text for text in _said(named.get(name), _DEEPEST) if text.strip()]:
            yield from texts
            return


def _said(value: JsonValue, depth: int) -> Iterator[str]:
    """Yield the texts in a field: itself, those of a list, those of messages that are not the assistant's."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth:
        for each in value:
            yield from _said(each, depth - 1)
    elif isinstance(value, dict) and depth and value.get("role", value.get("from", "user")) in {"user", "human"}:
        yield from _first(value, depth)


def _first(message: JsonObject, depth: int) -> Iterable[str]:
    for name in _WORDS_OF_A_MESSAGE:
        if name in message:
            return _said(message[name], depth - 1)
    return ()
