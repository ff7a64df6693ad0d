"""Repair: what is wrong with an answer, shortened, and the messages that send it back to the model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from generator.authors.llm.prompts import Prompts
from generator.backends.backend import Completion
from generator.jsontext import JsonObject
from generator.validation.verdict import Violation

_LONGEST_ECHO = 4_000
"""Characters of a bad answer that are sent back with its violations; more would only cost tokens."""
_MOST_PROBLEMS = 20
_LONGEST_PROBLEM = 400
"""Characters. What is wrong with an answer quotes it, goes back to the model, and is paid for once more."""


def shortened(violations: Iterable[Violation]) -> Iterator[Violation]:
    """Yield the first of the violations, what is long in them cut."""
    for violation in islice(violations, _MOST_PROBLEMS):
        yield violation.model_copy(update={"message": _cut(violation.message), "pointer": _cut(violation.pointer)})


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_PROBLEM else text[:_LONGEST_PROBLEM] + "…"


class Unusable(Exception):
    """An answer that cannot be used: why in a word, and what is wrong with it."""

    def __init__(self, reason: str, violations: Sequence[Violation]) -> None:
        self.reason = reason
        self.violations = tuple(shortened(violations))
        super().__init__(reason)


def repair_messages(prompts: Prompts, completion: Completion, problems: Sequence[str]) -> tuple[JsonObject, ...]:
    """Return what goes back to the model; an answer that was cut or empty is asked for again without its text."""
    text = prompts.render("repair", {"problems": list(dict.fromkeys(problems))})
    said = next((call.arguments for call in completion.calls), completion.text)[:_LONGEST_ECHO]
    echo: tuple[JsonObject, ...] = ({"role": "assistant", "content": said},) if said.strip() else ()
    return (*echo, {"role": "user", "content": text})
