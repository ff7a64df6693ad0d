"""What answers have cost: tokens, and answers that could not be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from generator.backends.backend import Completion


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


NOTHING = Spent()


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
        part = NOTHING if completion is None else _of(completion).for_nothing()
        self._parts.append(replace(part, unusable=((reason, 1),)))

    def failed(self, reasons: Iterable[str]) -> None:
        """Note requests that failed and were sent again."""
        self._parts.append(Spent(failed=tuple(Counter(reasons).items())))

    def close(self) -> Spent:
        """Return the sum."""
        return total_spent(self._parts)


def _of(completion: Completion) -> Spent:
    return Spent(
        prompt=completion.prompt_tokens,
        completion=completion.completion_tokens,
        answers=1,
        estimated=int(completion.estimated),
        failed=tuple(Counter(completion.failed).items()),
    )
