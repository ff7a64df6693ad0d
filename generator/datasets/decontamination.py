"""Decontamination: records whose user says what a benchmark asks, found so that they can be left out.

A record overlaps a question where a text of its user's, or all of them together, has the very words of the question;
where thirteen words in a row are the same, or all words of a question of eight to twelve stand in a row in it; or, for
questions shorter than thirteen words, where most pairs of neighbouring words are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from generator.datasets.benchmark_questions import questions_of
from generator.datasets.request import digest_of, hashed, likeness, rows_of, shingles_of, user_texts, words_of
from generator.datasets.signatures import Signatures
from generator.errors import LimitError
from generator.jsontext import JsonObject

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
