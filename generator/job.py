"""Job: what to generate, as options and job files state it; checked when it is made, and frozen."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal

import orjson
from pydantic import ConfigDict, Field, field_validator

from generator.boundary import BoundaryModel
from generator.job_choices import (
    DEFAULT_DAYS,
    DEFAULT_REFERENCE_DATE,
    DEFAULT_SEED,
    AuthorName,
    Compression,
    Freedom,
    Proof,
    ReasoningEffort,
    Results,
    Verify,
)
from generator.random_streams import stream

EARLIEST_REFERENCE_DATE = date(1000, 1, 1)
LATEST_REFERENCE_DATE = date(8999, 12, 31)
"""Lifetimes before and after it the calendar still has days, and years of four digits."""

MOST_DAYS = 36_600

Weight = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
_AS_IT_IS = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\z"


class Job(BoundaryModel):
    """A generation job; together with its catalog it decides every byte of its records."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    name: str = Field(default="bundled", pattern=NAME_PATTERN)
    """Names the run's default folder; letters, digits, dots, hyphens and underscores."""
    tools: tuple[str, ...] = ()
    """Tool files, folders and globs as given; none means the bundled tool_specs."""
    count: int = Field(default=100, ge=1, le=1_000_000_000, strict=True)
    """How many records to make."""
    seed: int = Field(default=DEFAULT_SEED, ge=0, lt=2**53, strict=True)
    """Another seed gives other records."""
    author: AuthorName = "offline"
    """Who writes the texts: `offline`, from the domain files; or `llm`, a model."""
    mix: dict[str, Weight] | None = None
    """Weight of each kind; unless given the default mix, whose unserved kinds give their weight to the others."""
    error_rate: float = Field(default=0.1, ge=0, le=1, strict=True)
    """Share of calls that fail, 0 to 1."""
    locale: tuple[str, ...] = Field(default=("en_US",), min_length=1)
    """Locales of names, places and, with a model, of the texts."""
    reference_date: date = Field(default=DEFAULT_REFERENCE_DATE, ge=EARLIEST_REFERENCE_DATE, le=LATEST_REFERENCE_DATE)
    """The last day that is a record's today; what a record tells of dates is relative to its own."""
    days: int = Field(default=DEFAULT_DAYS, ge=1, le=MOST_DAYS, strict=True)
    """Over how many days, up to the reference date, the records' todays are spread; 1: it is today in each of them."""
    on_conflict: Literal["refuse", "source"] = "refuse"
    """Different definitions of one name: `refuse` them, or `source`: keep each source's own."""
    skip_invalid: bool = Field(default=False, strict=True)
    """Whether to go on without the definitions that cannot be used."""
    domains: tuple[str, ...] = ()
    """Domain files for the tools, as given."""
    attempts: int = Field(default=48, ge=1, strict=True)
    """How often one index is planned before it is given up."""
    metadata: bool = Field(default=True, strict=True)
    """Whether records tell of themselves: kind, seed, where values come from."""
    grounding: bool = Field(default=True, strict=True)
    """Whether the metadata of each record say where every argument comes from."""
    max_length: int | None = Field(default=None, ge=64, le=10_000_000, strict=True)
    """The most tokens of a record; no limit unless given."""
    tokenizer: str = ""
    """The tokenizer.json that counts them, as given; "" for an estimate."""
    tokenizer_digest: str = ""
    """16 hex digits of that file."""
    world: bool = Field(default=False, strict=True)
    """Whether the metadata tell the world before and after the calls by digest, and every change in between."""
    write_domains: bool = Field(default=True, strict=True)
    """Whether the llm author first writes the domains of tools of which none speaks."""
    mask: float = Field(default=0.0, ge=0, le=1)
    """Share of records whose tools and parameters have scrambled names, of those that can have them."""
    compress: Compression = "none"
    """How the published records are packed: `gz`, `zst`, or `none`."""
    shard: int = Field(default=0, ge=0, le=1_000_000_000, strict=True)
    """How many records a published file holds; 0: all of them."""
    freedom: Freedom = "world"
    """Whose the values of a model's calls are: its own, in the world it is shown, or those of the plan."""
    verify: Verify = "auto"
    """When a second opinion is asked for; `auto`: where a value is but asserted, or the claim rests on wording."""
    verify_model: str = ""
    """The model that is asked for it; "" for the author's."""
    results: Results = "world"
    """`model`: it writes the results of tools whose effect no domain knows, held to their schemas."""
    proof: Proof = "any"
    """`text` refuses the values for which only a model vouches."""
    model: str = ""
    """The model that the llm author asks; "" for the offline author."""
    tries: int = Field(default=3, ge=1, le=20, strict=True)
    """The most answers the llm author asks for one step."""
    temperature: float | None = Field(default=None, ge=0, le=2, strict=True, allow_inf_nan=False)
    """How freely the model writes; where nothing is said the server's own default holds."""
    top_p: float | None = Field(default=None, gt=0, le=1, strict=True, allow_inf_nan=False)
    """The share of likely words that it chooses from; as above."""
    max_output_tokens: int = Field(default=2048, ge=16, le=1_000_000, strict=True)
    """The longest answer of the model in tokens, its thoughts included."""
    reasoning_effort: ReasoningEffort | None = None
    """How much a model that thinks first is to think."""
    extra_body: dict[str, Any] = Field(default_factory=dict)
    """What every request says besides, for options of one server alone."""
    prompts: str = ""
    """16 hex digits of the prompts the llm author uses; "" for the offline author."""

    def today_at(self, index: int) -> date:
        """Return the day that is today in the record of an index."""
        back = stream(self.seed, "today", index).randrange(self.days) if self.days > 1 else 0
        return self.reference_date - timedelta(days=back)

    @field_validator("mix", mode="after")
    @classmethod
    def _in_one_order(cls, mix: dict[str, float] | None) -> dict[str, float] | None:
        """Order the kinds by name: the order they were written in decides nothing."""
        return None if mix is None else dict(sorted(mix.items()))

    @field_validator("extra_body", mode="after")
    @classmethod
    def _is_json(cls, extra: dict[str, Any]) -> dict[str, Any]:
        """Refuse what JSON cannot say, or would say otherwise: dates of TOML, NaN, numbers beyond 64 bits."""
        try:
            if orjson.loads(orjson.dumps(extra, option=_AS_IT_IS)) == extra:
                return extra
        except TypeError as error:
            raise ValueError(f"it holds what JSON cannot say: {error}") from error
        raise ValueError("it holds a number that JSON cannot say")

    @field_validator("reference_date", mode="before")
    @classmethod
    def _only_a_day(cls, value: object) -> object:
        """Refuse the numbers and times of day that pydantic would read as a date."""
        if isinstance(value, date) and not isinstance(value, datetime):
            return value
        if isinstance(value, str) and (day := _read_day(value)) is not None:
            return day
        raise ValueError("a day of the calendar is written as YYYY-MM-DD")


def _read_day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


NOT_IN_IDENTITY = frozenset(
    {"name", "tools", "domains", "count", "on_conflict", "skip_invalid", "tokenizer", "compress", "shard"}
)
"""Fields that do not decide the bytes of record i, or do so through the catalog alone."""
