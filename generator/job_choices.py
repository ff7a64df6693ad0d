"""What a job may be told in words: its keys, and the choices of some of them; without what reads and checks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal, TypedDict

DEFAULT_REFERENCE_DATE = date(2026, 1, 15)
"""The last day that is a record's today unless the job says otherwise: a constant of the release, never today."""
DEFAULT_DAYS = 365
"""Over how many days up to it the records' todays are spread."""

DEFAULT_SEED = 0
"""The seed wherever none is given: of the command line, of the library and of the pytest fixture."""

AuthorName = Literal["offline", "llm"]
"""The authors of this release."""

ENGINE_CHOICES = {"local": "on this machine", "ray": "by a Ray cluster"}
"""Where records are made, by the names that users give; no part of a job, since it changes none of its bytes."""

ReasoningEffort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
"""The words that servers know; each knows some of them."""

Freedom = Literal["world", "plan"]
"""Whose the values of a model's calls are."""

Verify = Literal["auto", "blind", "judge", "both", "off"]
"""When a second model says whether a record holds, and how it is asked."""

Results = Literal["world", "model"]
"""Who writes the results of tools whose effect no domain knows."""

Proof = Literal["any", "text"]
"""What may vouch for a value: also a model, or what was said alone."""

Compression = Literal["none", "gz", "zst"]
"""How published records are packed; it changes no record."""

JOB_KEYS = (
    "name",
    "tools",
    "count",
    "seed",
    "author",
    "mix",
    "error_rate",
    "locale",
    "reference_date",
    "days",
    "on_conflict",
    "skip_invalid",
    "domains",
    "attempts",
    "metadata",
    "grounding",
    "max_length",
    "tokenizer",
    "tokenizer_digest",
    "world",
    "write_domains",
    "mask",
    "compress",
    "shard",
    "freedom",
    "verify",
    "verify_model",
    "results",
    "proof",
    "model",
    "tries",
    "temperature",
    "top_p",
    "max_output_tokens",
    "reasoning_effort",
    "extra_body",
    "prompts",
)
"""The keys of a job file: the fields of a Job, in their order."""


BUILD_KEYS = ("mcp", "formats", "server", "limits", "splits", "gates", "publish")
"""Keys of a job file that only a build reads."""

SEED_OF_THE_DAY = "date"
"""What a job file gives for a seed that is another one each day, YYYYMMDD of UTC."""


class OfflineOptions(TypedDict, total=False):
    """What the records of a program may be told besides their count and seed: the fields of an offline Job."""

    mix: Mapping[str, float]
    """Weight of each kind, as in `{"parallel": 3, "simple": 1}`."""
    error_rate: float
    """Share of calls that fail, 0 to 1."""
    locale: Sequence[str]
    """Locales of names and places, as in `["en_US", "de_DE"]`."""
    reference_date: date | str
    """The last day that is a record's today."""
    days: int
    """Over how many days up to it the records' todays are spread; 1: one day for all."""
    attempts: int
    """How often one record is planned before it is given up."""
    metadata: bool
    """Whether the records tell of themselves."""
    grounding: bool
    """Whether the metadata say where every argument comes from."""
    max_length: int
    """The most tokens of a record."""
    tokenizer: str
    """The tokenizer.json that counts them; without it they are estimated."""
    world: bool
    """Whether the metadata tell what the calls changed."""
    mask: float
    """Share of records with scrambled names, 0 to 1."""
