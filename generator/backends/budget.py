"""What requests may cost and have cost: tokens counted or estimated, the user's limits and prices, the account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from time import monotonic
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from generator.backends.backend import Completion, CompletionRequest
from generator.backends.rates import Rates
from generator.boundary import BoundaryModel
from generator.errors import LimitError, UsageError
from generator.jsontext import JsonObject, JsonValue, dump_compact
from generator.settings_file import read_settings
from generator.suggestions import did_you_mean


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of a request and its answer."""

    prompt: int = 0
    completion: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(self.prompt + other.prompt, self.completion + other.completion)

    def __sub__(self, other: Usage) -> Usage:
        return Usage(self.prompt - other.prompt, self.completion - other.completion)

    @property
    def total(self) -> int:
        """Both together."""
        return self.prompt + self.completion


NO_USAGE = Usage()


BYTES_PER_TOKEN = 4
"""The usual estimate where a server counts no tokens."""
_FEWEST_BYTES_PER_TOKEN = 3
_MOST_BYTES_PER_TOKEN = 40
"""Of an answer: no text of sentences and JSON is told in fewer tokens."""
_HIDDEN_TOKENS = 100_000
"""What a server may add to a prompt; a count beyond it and the bytes that were sent is no count."""
_MOST_TOKENS = 1_000_000
"""Tokens of an answer, thoughts that are not shown included; more are no count either."""


def most_tokens(request: CompletionRequest, size: int) -> Usage:
    """Return what a request of that many bytes may take at most, by the limit that it sets its answer."""
    return Usage(-(-size // _FEWEST_BYTES_PER_TOKEN), request.model.max_output_tokens)


@dataclass(frozen=True, slots=True)
class Counted:
    """The tokens of a request and its answer, and whether they are an estimate."""

    usage: Usage
    estimated: bool


def count_tokens(prompt: JsonValue, completion: JsonValue, answered: int, asked: JsonObject, size: int) -> Counted:
    """Return the server's own count where it can be true: no prompt is of no tokens, and no text either.

    Args:
        prompt: what the server says of the prompt.
        completion: what it says of the answer.
        answered: bytes of the answer, thoughts included.
        asked: the parts of the request that hold its prompt.
        size: bytes of the request.
    """
    sent = _count(prompt, 1, size + _HIDDEN_TOKENS)
    said = _count(completion, -(-answered // _MOST_BYTES_PER_TOKEN), _MOST_TOKENS)
    if sent is not None and said is not None:
        return Counted(Usage(sent, said), estimated=False)
    return Counted(Usage(estimate_tokens(asked), -(-answered // BYTES_PER_TOKEN)), estimated=True)


def _count(value: JsonValue, least: int, most: int) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most else None


def estimate_words(text: str) -> int:
    """Estimate the tokens of a text."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)


def estimate_tokens(prompt: JsonObject) -> int:
    """Estimate the tokens of a prompt, its messages and tools, from the bytes of its JSON."""
    return -(-len(dump_compact(prompt)) // BYTES_PER_TOKEN)


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in whatever money."""

    prompt: float = 0.0
    completion: float = 0.0

    def of(self, tokens: Usage) -> float:
        """Return the price of some tokens."""
        return (tokens.prompt * self.prompt + tokens.completion * self.completion) / 1_000_000

    @property
    def in_batches(self) -> Price:
        """What the same tokens cost where they are asked for in batches: half, with all who sell them so."""
        return Price(self.prompt / 2, self.completion / 2)


@dataclass(frozen=True, slots=True)
class Limits:
    """The most that a session may spend, and how fast; None where there is no limit. They decide no record."""

    requests: int | None = None
    tokens: int | None = None
    cost: float | None = None
    minutes: float | None = None
    price: Price | None = None
    rpm: float | None = None
    """Requests a minute."""
    tpm: float | None = None
    """Tokens a minute."""

    @property
    def count_tokens(self) -> bool:
        """Whether what a request may cost at most has to be known before it is sent."""
        return self.tokens is not None or self.cost is not None or self.tpm is not None


class Budget:
    """The account of one session. What a request may take at most is set aside before it is sent."""

    def __init__(self, limits: Limits = Limits(), clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._began = clock()
        self.rates = Rates(limits.rpm, limits.tpm, clock)
        """How fast it may be spent: one account for all that a session asks."""
        self.sent = 0
        """Requests, those that failed included."""
        self.spent = NO_USAGE
        """Tokens as the server counts them; those of answers that were paid and lost are assumed to be the most."""
        self._aside = NO_USAGE

    def set_aside(self, most: Usage) -> None:
        """Note that a request is sent, and what it may take at most."""
        self.sent += 1
        self._aside += most

    def settle(self, most: Usage, taken: Usage) -> None:
        """Note what became of a request: what was set aside is free again but for what it took."""
        self._aside -= most
        self.spent += taken

    def seconds_left(self) -> float:
        """Return the time that is left, infinity where it has no limit."""
        minutes = self.limits.minutes
        return inf if minutes is None else minutes * 60 - (self._clock() - self._began)

    def exceeded_by(self, most: Usage, wait: float = 0.0) -> LimitError | None:
        """Return the limit that one more request may break, None where there is room.

        Args:
            most: what it may take.
            wait: seconds that the server asks to wait before it.
        """
        found = self._requests() or self._tokens(most) or self._cost(most) or self._minutes(wait)
        return LimitError(f"{found}; {self.in_words()}") if found else None

    def in_words(self) -> str:
        """Say what this session has spent."""
        spent = f"this session sent {self.sent:,} requests and spent {self.spent.total:,} tokens"
        price = self.limits.price
        return spent if price is None else f"{spent}, a cost of {price.of(self.spent):,.4f}"

    def _requests(self) -> str:
        most = self.limits.requests
        return f"--max-requests {most:,} is reached" if most is not None and self.sent >= most else ""

    def _tokens(self, more: Usage) -> str:
        most = self.limits.tokens
        if most is None or (self.spent + self._aside + more).total <= most:
            return ""
        return f"--max-tokens {most:,} is reached, as the next request may take {more.total:,}"

    def _cost(self, more: Usage) -> str:
        most, price = self.limits.cost, self.limits.price
        if most is None or price is None or price.of(self.spent + self._aside + more) <= most:
            return ""
        return f"--max-cost {most:g} is reached, as the next request may cost {price.of(more):.4f}"

    def _minutes(self, wait: float) -> str:
        if self.seconds_left() > wait:
            return ""
        asked = f", as the server asks to wait {wait:,.0f} s" if self.seconds_left() > 0 else ""
        return f"--max-minutes {self.limits.minutes:g} is reached{asked}"


_FEW = 8
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]


class _Entry(BoundaryModel):
    """The prices of one model, of a million tokens each."""

    prompt: _Amount = Field(alias="in")
    completion: _Amount = Field(alias="out")


_ENTRIES = TypeAdapter(dict[str, _Entry])


def read_price(path: Path, model: str) -> Price:
    """Return what a model costs by a file of prices, TOML or JSON told apart by content.

    Raises:
        UsageError: the file cannot be read, says something else, or does not have the model.
    """
    try:
        entries = _ENTRIES.validate_python(read_settings(path, "--prices", "file of prices").held)
    except ValidationError as error:
        mistake = error.errors(include_url=False, include_context=False)[0]
        place = "/".join(map(str, mistake["loc"]))
        raise UsageError(
            f"{path}#/{place}: {mistake['msg']}; write both prices of each model, as in [my-model] in = 0.15 out = 0.6"
        ) from error
    if model not in entries:
        known = did_you_mean(model, entries) or f"it has {', '.join(list(entries)[:_FEW]) or 'none'}"
        raise UsageError(f"{path}: no prices of the model {model!r}; {known}")
    return Price(entries[model].prompt, entries[model].completion)


@dataclass(frozen=True, slots=True)
class Spent:
    """Tokens paid, the part of them that went into nothing, and why answers could not be used."""

    prompt: int = 0
    completion: int = 0
    wasted_prompt: int = 0
    """Of the prompt tokens: those of answers and attempts that became no part of a record."""
    wasted_completion: int = 0
    answers: int = 0
    estimated: int = 0
    """Answers whose tokens are estimates."""
    unusable: tuple[tuple[str, int], ...] = ()
    """How many answers could not be used, by reason."""
    failed: tuple[tuple[str, int], ...] = ()
    """How many requests failed and were sent again, by reason."""
    opinion: int = 0
    """Of all tokens: those of second opinions."""

    def as_opinion(self) -> Spent:
        """Return the same, spent on a second opinion."""
        return replace(self, opinion=self.prompt + self.completion)

    def for_nothing(self) -> Spent:
        """Return the same with all of it wasted: the attempt yielded no record."""
        return replace(self, wasted_prompt=self.prompt, wasted_completion=self.completion)

    def without_refund(self) -> Spent:
        """Return the same where no more is taken back than was spent for nothing."""
        wasted = max(self.wasted_prompt, 0), max(self.wasted_completion, 0)
        return replace(self, wasted_prompt=wasted[0], wasted_completion=wasted[1])


NOTHING_SPENT = Spent()


def total_spent(parts: Iterable[Spent]) -> Spent:
    """Return the sum."""
    parts = list(parts)
    return Spent(
        prompt=sum(part.prompt for part in parts),
        completion=sum(part.completion for part in parts),
        wasted_prompt=sum(part.wasted_prompt for part in parts),
        wasted_completion=sum(part.wasted_completion for part in parts),
        answers=sum(part.answers for part in parts),
        estimated=sum(part.estimated for part in parts),
        unusable=_sum(part.unusable for part in parts),
        failed=_sum(part.failed for part in parts),
        opinion=sum(part.opinion for part in parts),
    )


def _sum(counts: Iterable[tuple[tuple[str, int], ...]]) -> tuple[tuple[str, int], ...]:
    found: Counter[str] = Counter()
    for each in counts:
        found.update(dict(each))
    return tuple(sorted(found.items()))


@dataclass(slots=True)
class Spending:
    """A running account of one scenario."""

    _parts: list[Spent] = field(default_factory=list)

    def used(self, completion: Completion) -> None:
        """Note an answer that served."""
        self._parts.append(_of(completion))

    def unusable(self, reason: str, completion: Completion | None = None) -> None:
        """Note an answer that could not be used, or that never came."""
        if completion is not None and completion.told:
            return
        part = NOTHING_SPENT if completion is None else _of(completion).for_nothing()
        self._parts.append(replace(part, unusable=((reason, 1),)))

    def failed(self, reasons: Iterable[str]) -> None:
        """Note requests that failed and were sent again."""
        self._parts.append(Spent(failed=tuple(Counter(reasons).items())))

    def close(self) -> Spent:
        """Return the sum."""
        return total_spent(self._parts)


def _of(completion: Completion) -> Spent:
    """Return what an answer has cost: nothing more where that is told, by an attempt that is counted for nothing."""
    if completion.told:
        return Spent(wasted_prompt=-completion.prompt_tokens, wasted_completion=-completion.completion_tokens)
    return Spent(
        prompt=completion.prompt_tokens,
        completion=completion.completion_tokens,
        answers=1,
        estimated=int(completion.estimated),
        failed=tuple(Counter(completion.failed).items()),
    )
