"""Decontamination: records whose user says what a benchmark asks, found so that they can be left out.

A benchmark's questions are read out of files of any format. A record overlaps a question where a text of its user's, or
all of them together, has the very words of the question; where thirteen words in a row are the same, or all words of a
question of eight to twelve stand in a row in it; or, for questions shorter than thirteen words, where most pairs of
neighbouring words are the same.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

import orjson

from generator.datasets.origin import Origin, find_origins
from generator.datasets.request import (
    Signatures,
    digest_of,
    hashed,
    likeness,
    rows_of,
    shingles_of,
    user_texts,
    words_of,
)
from generator.errors import LimitError, UsageError
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
LONG = 13
"""Words in a row that are nobody's by chance, as GPT-3's authors counted them."""
SHORTEST_ROW = 8
"""Words of the shortest question that is looked for inside longer texts."""
SHORTEST_TURN = 4
"""Words of the shortest turn that says enough to be compared by itself."""
NEAR = 0.8
_PAIR = 2
_HASH_BYTES = 8
MOST_ROWS = 5_000_000
"""Rows of words that are kept, at about 100 bytes each."""


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


class Benchmarks:
    """The questions of benchmarks, kept in memory as hashes of their words.

    Raises:
        LimitError: there are more words in the questions than memory should hold.
    """

    def __init__(
        self, questions: Iterator[tuple[str, Sequence[str]]] | Sequence[tuple[str, Sequence[str]]] = ()
    ) -> None:
        self._places: list[str] = []
        self._whole: dict[bytes, int] = {}
        self._rows: dict[int, int] = {}
        self._lengths: set[int] = set()
        """How many words the rows have."""
        self._short: dict[int, tuple[frozenset[int], int]] = {}
        self._bands: dict[int, list[int]] = {}
        self._signatures = Signatures(NEAR)
        for place, texts in questions:
            self._add(place, texts)

    @staticmethod
    def read(files: Sequence[Path]) -> Benchmarks:
        """Read the questions of files: any format of records that is known, else fields named as questions are.

        Raises:
            UsageError: a file is not there, or holds no question.
            StorageError: a file cannot be read.
            LimitError: they hold more words than memory should.
        """
        return Benchmarks(question for file in files for question in questions_of(file))

    @property
    def files(self) -> list[str]:
        """The files that the questions stand in, each once."""
        return list(dict.fromkeys(place.rpartition(":")[0] for place in self._places))

    def __len__(self) -> int:
        """Return how many questions there are."""
        return len(self._places)

    def _add(self, place: str, texts: Sequence[str]) -> None:
        number = len(self._places)
        self._places.append(place)
        said = [words for text in texts if (words := words_of(text))]
        for words in _compared(said):
            self._whole.setdefault(digest_of(words), number)
            if len(words) >= SHORTEST_ROW:
                self._add_rows(words, number)
            if len(words) < LONG:
                self._add_short(words, number)
        if len(self._rows) > MOST_ROWS:
            raise LimitError(f"{place}: more than {MOST_ROWS:,} words in the questions; decontaminate by fewer files")

    def _add_rows(self, words: list[str], number: int) -> None:
        length = min(len(words), LONG)
        self._lengths.add(length)
        for row in rows_of(words, length):
            self._rows.setdefault(hashed(row, _HASH_BYTES), number)

    def _add_short(self, words: list[str], number: int) -> None:
        shingles = shingles_of([words], _PAIR)
        entry = len(self._short)
        self._short[entry] = (shingles, number)
        for key in self._signatures.keys(shingles):
            self._bands.setdefault(key, []).append(entry)

    def overlap(self, document: JsonObject) -> str | None:
        """Return where the question stands, FILE:LINE, that the user of a canonical record asks; None for none."""
        said = [words for text in user_texts(document) if (words := words_of(text))]
        for words in _compared(said):
            number = self._overlap(words)
            if number is not None:
                return self._places[number]
        return None

    def _overlap(self, words: list[str]) -> int | None:
        same = self._whole.get(digest_of(words))
        if same is not None:
            return same
        for length in self._lengths:
            for row in rows_of(words, length) if len(words) >= length else ():
                found = self._rows.get(hashed(row, _HASH_BYTES))
                if found is not None:
                    return found
        return self._near(words) if self._short else None

    def _near(self, words: list[str]) -> int | None:
        shingles = shingles_of([words], _PAIR)
        candidates = {entry for key in self._signatures.keys(shingles) for entry in self._bands.get(key, ())}
        for entry in sorted(candidates):
            others, number = self._short[entry]
            if likeness(shingles, others) >= NEAR:
                return number
        return None


def _compared(said: list[list[str]]) -> Iterator[list[str]]:
    """Yield the words of each turn that says enough, and those of all turns together."""
    if len(said) > 1:
        yield from (words for words in said if len(words) >= SHORTEST_TURN)
    if said:
        yield [word for words in said for word in words]
