"""What a job may be told in words: its keys, and the choices of some of them; without what reads and checks it."""

from __future__ import annotations

from datetime import date
from typing import Literal

DEFAULT_REFERENCE_DATE = date(2026, 1, 15)
"""The day every date is relative to unless the job says otherwise: a constant of the release, never today."""

AuthorName = Literal["offline", "llm"]
"""The authors of this release."""

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
    "on_conflict",
    "skip_invalid",
    "domains",
    "attempts",
    "metadata",
    "grounding",
    "world",
    "write_domains",
    "mask",
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
