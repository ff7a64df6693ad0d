"""Facts of a build: what its records are, counted as they are read once, and where each goes."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import orjson

from generator.datasets.decontamination import Benchmarks
from generator.datasets.splits import Splits
from generator.jsontext import JsonObject
from generator.runs.kept import Place, checksum_of

NOWHERE = -1


@dataclass(slots=True)
class Facts:
    """What the records of a build are, counted one after the other."""

    places: dict[int, Place]
    """The lines of the build before that stay, by index."""
    records: int = 0
    kept: int = 0
    derived: int = 0
    kinds: Counter[str] = field(default_factory=Counter)

    def reading(self, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines, counting what they are."""
        for line in lines:
            own = orjson.loads(line)["metadata"]
            place = self.places.get(own["index"])
            self.records += 1
            self.kept += place is not None and place.checksum == checksum_of(line)
            self.derived += own.get("domain") == "derived"
            self.kinds[own["kind"]] += 1
            yield line


@dataclass(slots=True)
class Sharing:
    """Which split each record goes to."""

    names: list[str] = field(default_factory=list)
    """The splits that have a record."""
    chosen: array[int] = field(default_factory=lambda: array("h"))
    """For each line the number of its split, `NOWHERE` for one that is in none."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Records in no split, by the reason."""

    @property
    def counts(self) -> dict[str, int]:
        """Records in each split."""
        found = Counter(self.chosen)
        return {name: found[number] for number, name in enumerate(self.names)}

    def place(self, document: JsonObject, splits: Splits, benchmarks: Benchmarks | None) -> None:
        """Place one more record."""
        question = benchmarks.overlap(document) if benchmarks is not None else None
        if question is not None:
            self.left_out[f"it asks the question at {question}"] += 1
            self.chosen.append(NOWHERE)
            return
        placing = splits.split_of(document)
        if placing.split is None:
            self.left_out["it is near to records of other splits, or holds what is held out"] += 1
            self.chosen.append(NOWHERE)
            return
        if placing.split not in self.names:
            self.names.append(placing.split)
        self.chosen.append(self.names.index(placing.split))

    def lines_of(self, split: str, lines: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the lines that go to a split."""
        number = self.names.index(split)
        return (line for line, chosen in zip(lines, self.chosen, strict=True) if chosen == number)
