"""Lengths: how many tokens a record has, counted by a tokenizer or estimated, and how the lengths of many spread.

In: records, and a tokenizer's file where the user has one. Out: tokens of each; the distribution of all, in memory that
does not grow with them. What is counted is the JSON text of the messages and tools: a chat template spells the same in
its own marks, within a few percent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from pydantic import Field

from generator.boundary import BoundaryModel
from generator.disk import disk_errors
from generator.errors import UsageError
from generator.extras import missing
from generator.jsontext import JsonObject, dump_compact

_BYTES_PER_TOKEN = 3.7
"""Of the JSON text of records, measured with Mistral's Tekken over three sets of tools: 2.7 to 4.6, and 3.7 to 4.0 on
average."""
_LARGEST = 200_000_000
_TOKENIZER = "tokenizer.json"
TOO_LONG = "RUN003"
"""The rule that a record is no longer than the job allows."""
LIMITS = (1024, 2048, 4096, 8192, 16_384, 32_768)
"""Lengths at which trainers commonly cut; 1,024 is TRL's own."""


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """Counts the tokens of texts."""

    digest: str = ""
    """16 hex digits of the tokenizer's file; "" for the estimate."""
    encode: Callable[[str], int] | None = None

    @property
    def estimates(self) -> bool:
        """Whether the counts are estimates."""
        return self.encode is None

    def count(self, text: str) -> int:
        """Return the tokens of a text, of a whole one at least 1."""
        if self.encode is not None:
            return self.encode(text)
        return max(1, round(len(text.encode("utf-8", "replace")) / _BYTES_PER_TOKEN))

    def of_record(self, record: JsonObject) -> int:
        """Return the tokens of a record's messages and tools."""
        return self.count(dump_compact({"messages": record["messages"], "tools": record["tools"]}))


ESTIMATE = TokenCounter()


def open_counter(path: Path | str | None) -> TokenCounter:
    """Return what counts with a tokenizer's file, or the folder that holds one; the estimate where there is none.

    Raises:
        UsageError: it is no tokenizer.json, or what reads it is not installed.
        StorageError: it cannot be read.
    """
    if not path:
        return ESTIMATE
    file = Path(path)
    if file.is_dir():
        file = file / _TOKENIZER
    if not file.exists():
        raise UsageError(
            f"--tokenizer: {path}: there is no {_TOKENIZER}; give its path, or that of the model's folder: "
            "nothing is downloaded"
        )
    with disk_errors(file), file.open("rb") as opened:
        data = opened.read(_LARGEST + 1)
    return TokenCounter(blake2b(data, digest_size=8).hexdigest(), _encoder(file, data))


def _encoder(file: Path, data: bytes) -> Callable[[str], int]:
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise missing("--tokenizer needs", "tokenizers", "tokens", "leave it out for an estimate") from error
    if len(data) > _LARGEST:
        raise UsageError(f"--tokenizer: {file}: is larger than {_LARGEST:,} bytes; give a {_TOKENIZER}")
    try:
        tokenizer = Tokenizer.from_buffer(data)
    except Exception as error:
        raise UsageError(f"--tokenizer: {file}: is no {_TOKENIZER} that the library reads: {error}") from error
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


class Lengths(BoundaryModel):
    """How the lengths of records spread, in tokens."""

    estimated: bool = True
    """Whether the tokens are estimated from the bytes, for want of a tokenizer."""
    median: int = 0
    p90: int = 0
    """Nine of ten records are no longer than this."""
    p99: int = 0
    longest: int = 0
    longer: dict[str, int] = Field(default_factory=dict)
    """How many records are longer than a limit at which trainers cut, for the limits that some are longer than."""


@dataclass(slots=True)
class LengthCounts:
    """The lengths of records so far."""

    estimated: bool = True
    counts: Counter[int] = field(default_factory=Counter)

    def add(self, tokens: int) -> None:
        """Add one record."""
        self.counts[coarse(tokens)] += 1

    def spread(self) -> Lengths:
        """Return how they spread."""
        return spread_of(self.counts, estimated=self.estimated)


def coarse(tokens: int) -> int:
    """Return a length in four digits, rounded up: so few lengths are kept apart however many records there are."""
    step = int(10 ** max(0, len(str(tokens)) - 4))
    return -(-tokens // step) * step


def spread_of(counts: Mapping[int, int], *, estimated: bool) -> Lengths:
    """Return how lengths spread of which so many each were seen."""
    total = sum(counts.values())
    if not total:
        return Lengths(estimated=estimated)
    ordered = sorted(counts.items())

    def at(share: float) -> int:
        seen = 0
        for tokens, count in ordered:
            seen += count
            if seen >= share * total:
                return tokens
        return ordered[-1][0]

    longer = {str(limit): sum(count for tokens, count in ordered if tokens > limit) for limit in LIMITS}
    return Lengths(
        estimated=estimated,
        median=at(0.5),
        p90=at(0.9),
        p99=at(0.99),
        longest=ordered[-1][0],
        longer={limit: count for limit, count in longer.items() if count},
    )


def in_few_words(lengths: Lengths) -> str:
    """Say how lengths spread, in a line."""
    about = "about " if lengths.estimated else ""
    told = f"{about}{lengths.median:,} tokens (median) to {lengths.longest:,}"
    limit = next(iter(lengths.longer), None)
    return told + (f"; {lengths.longer[limit]:,} over {int(limit):,}" if limit else "")


def in_words(lengths: Lengths) -> str:
    """Say how lengths spread, and how many records are longer than each usual limit."""
    about = " (estimated; --tokenizer counts)" if lengths.estimated else ""
    spread = (("median", lengths.median), ("9 of 10 up to", lengths.p90), ("99 of 100 up to", lengths.p99))
    told = ", ".join(f"{name} {tokens:,}" for name, tokens in (*spread, ("longest", lengths.longest)))
    over = ", ".join(f"{count:,} over {int(limit):,}" for limit, count in lengths.longer.items())
    return f"{told} tokens{about}" + (f"; {over}" if over else "")
