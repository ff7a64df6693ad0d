"""Evidence: what a model says of where the arguments of its calls come from, held against what was said."""

from __future__ import annotations

from collections.abc import Iterator

from generator.jsontext import dump_compact
from generator.records.calls import Draft, DraftCall, Exchange
from generator.scenarios.scenario import Scenario
from generator.validation.grounding.arguments.evidence import holds, is_moment, is_span
from generator.validation.grounding.reading.words import fold
from generator.validation.verdict import Violation


def unsaid_evidence(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> Iterator[Violation]:
    """Yield the evidence that quotes what nobody said before the calls."""
    texts = _texts(scenario, history, draft)
    for place, call in enumerate(draft.calls):
        for number, each in enumerate(call.evidence):
            if each.said.strip() and not (is_span(each.said) and any(holds(text, each.said) for text in texts)):
                yield Violation(
                    rule="LM011",
                    pointer=f"/calls/{place}/evidence/{number}",
                    message=f"{each.said!r}, the evidence for {each.argument!r}, is said nowhere: quote the very words",
                )


def shared_evidence(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> Iterator[Violation]:
    """Yield the words that are said once and stand for one value in two arguments of a call.

    A day or a time may begin and end the same thing.
    """
    text = "\n".join(_texts(scenario, history, draft))
    for place, call in enumerate(draft.calls):
        for (said, value), names in _uses(call).items():
            if len(names) > 1 and 0 < text.count(said) < len(names):
                what = f"{said!r} is said once and gives {value} to {' and '.join(names)}"
                yield Violation(
                    rule="LM012",
                    pointer=f"/calls/{place}/evidence",
                    message=f"{what}: say each of them, or leave an optional one out",
                )


def _uses(call: DraftCall) -> dict[tuple[str, str], list[str]]:
    """Return the arguments by the words they come from and their value, but for days and times."""
    uses: dict[tuple[str, str], list[str]] = {}
    for each in call.evidence:
        value = call.arguments.get(each.argument)
        plain = isinstance(value, str | int | float) and not isinstance(value, bool)
        if plain and each.said.strip() and not is_moment(value):
            uses.setdefault((fold(each.said).strip(), dump_compact(value)), []).append(each.argument)
    return {key: list(dict.fromkeys(names)) for key, names in uses.items()}


def _texts(scenario: Scenario, history: tuple[Exchange, ...], draft: Draft) -> list[str]:
    """Return what was said before the calls of a draft, folded: the user's words, the system's and the results."""
    requests = [each.draft.request for each in history] + [draft.request]
    results = [result.message_text for each in history for result in each.results]
    return [fold(text) for text in (scenario.system, *requests, *results) if text]
