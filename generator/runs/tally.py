"""Tally: running counts of what became of the scenarios, kept in the run store with each batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from generator.backends.budget import NOTHING_SPENT, Spent
from generator.runs.outcome import Outcome

Topic = str
Counts = Counter[tuple[Topic, str]]
"""How often each (topic, name) was seen."""

KEPT, GIVEN_UP, REJECTED = "kept", "given up", "rejected"
OF_OUTCOMES = frozenset({KEPT, GIVEN_UP, REJECTED})
"""What is counted from the outcomes alone, whatever else is noted."""
SHOWN, CALLED, STATUS = "shown", "called", "status"
RULE, RULE_TOOL = "rule", "rule and tool"
PROMPT, COMPLETION = "prompt tokens", "completion tokens"
WASTED_PROMPT, WASTED_COMPLETION = "wasted prompt tokens", "wasted completion tokens"
ANSWERS, ESTIMATED, UNUSABLE = "answers", "estimated answers", "unusable answer"
FAILED = "failed request"
OPINION_TOKENS = "tokens of second opinions"
CPU_MICROSECONDS, WALL_MICROSECONDS = "cpu", "wall"

SEPARATOR = "\x1f"


def count_outcome(counts: Counts, outcome: Outcome) -> None:
    """Add one outcome to the counts, in place."""
    counts[KEPT if outcome.line is not None else GIVEN_UP, outcome.kind] += 1
    for name in outcome.shown:
        counts[SHOWN, name] += 1
    for name, status in outcome.statuses:
        counts[CALLED, name] += 1
        counts[STATUS, status] += 1
    for counted in outcome.coverage:
        counts[counted] += 1
    for rejection in outcome.rejections:
        counts[REJECTED, rejection.kind] += 1
        for rule in dict.fromkeys(violation.rule for violation in rejection.violations):
            counts[RULE, rule] += 1
            for name in dict.fromkeys(rejection.tools):
                counts[RULE_TOOL, rule + SEPARATOR + name] += 1
    if outcome.spent is not NOTHING_SPENT:
        _count_spent(counts, outcome.kind, outcome.spent)


def _count_spent(counts: Counts, kind: str, spent: Spent) -> None:
    counts[PROMPT, kind] += spent.prompt
    counts[COMPLETION, kind] += spent.completion
    counts[WASTED_PROMPT, kind] += spent.wasted_prompt
    counts[WASTED_COMPLETION, kind] += spent.wasted_completion
    counts[ANSWERS, kind] += spent.answers
    counts[ESTIMATED, kind] += spent.estimated
    counts[OPINION_TOKENS, kind] += spent.opinion
    for reason, count in spent.unusable:
        counts[UNUSABLE, reason] += count
    for reason, count in spent.failed:
        counts[FAILED, reason] += count


PROPOSALS = "result schemas"
"""Stands for the kind of the answers that no record is made of: those that propose result schemas."""


def count_proposal(spent: Spent) -> Counts:
    """Return the counts of what one tool's result schema has cost."""
    counts: Counts = Counter()
    _count_spent(counts, PROPOSALS, spent)
    return counts


def topic(counts: Mapping[tuple[Topic, str], int], name: Topic) -> dict[str, int]:
    """Return the counts of one topic by name, most frequent first."""
    found = [(key, count) for (of, key), count in counts.items() if of == name]
    return dict(sorted(found, key=lambda pair: (-pair[1], pair[0])))


def total(counts: Mapping[tuple[Topic, str], int], names: Iterable[Topic]) -> int:
    """Return the sum over some topics."""
    wanted = set(names)
    return sum(count for (of, _), count in counts.items() if of in wanted)
