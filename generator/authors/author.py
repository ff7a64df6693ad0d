"""The seams behind which authors, writers of results and second opinions stand; and the author without a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from generator.backends.budget import NOTHING_SPENT, Spent
from generator.jsontext import JsonObject
from generator.records import Draft, DraftCall, Exchange, ToolResult
from generator.scenarios.scenario import Scenario
from generator.validation.verdict import Violation


class NoDraft(Exception):
    """The author could not write this step well enough; the pipeline turns it into a rejection."""

    def __init__(self, rule: str, message: str, *, found: Sequence[Violation] = ()) -> None:
        self.violations = tuple(found) or (Violation(rule=rule, pointer="", message=message),)
        """Everything found wrong, over all tries."""
        super().__init__(message)


class Author(Protocol):
    """Writes one step of a scenario at a time."""

    name: str

    async def draft(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        """Write step number `len(history)` of the scenario, knowing what has happened so far.

        Raises:
            NoDraft: nothing good enough could be written; the scenario is planned again.
        """
        ...

    def spent(self, scenario: Scenario) -> Spent:
        """Return what the steps of this scenario have cost; asked once, when they are done."""
        ...


class Answerer(Protocol):
    """Writes results in place of those that a world which does not know their tools has made."""

    async def written(
        self, scenario: Scenario, history: tuple[Exchange, ...], draft: Draft, given: tuple[ToolResult, ...]
    ) -> tuple[ToolResult, ...]:
        """Return the results of a draft's calls, in place of those given."""
        ...

    def spent(self, scenario: Scenario) -> Spent:
        """Return what the results of this scenario have cost; asked once, when they are done."""
        ...


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a second opinion was: how it was asked, what it found wrong, and what it cost."""

    asked: tuple[str, ...] = ()
    """`blind`, `judge`, both or none."""
    violations: tuple[Violation, ...] = ()
    spent: Spent = NOTHING_SPENT


class Reviewer(Protocol):
    """Says whether a record that passed every rule holds."""

    async def opinion(
        self, scenario: Scenario, history: tuple[Exchange, ...], document: JsonObject, grounding: JsonObject
    ) -> Opinion:
        """Return the opinion on a record; nobody is asked where nothing asks for one."""
        ...


RULE = "AU001"
"""The rejection's rule: the plan has no words for a step."""


class OfflineAuthor:
    """Returns the texts that were planned with the domain's phrases, and the planned calls as they are."""

    name = "offline"

    async def draft(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        """Write step number `len(history)` of the scenario.

        Raises:
            NoDraft: the plan has no words for it (rule AU001).
        """
        return self.write(scenario, history)

    def write(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        """Write the step as `draft` does, without an event loop: nothing here waits."""
        step = scenario.steps[len(history)]
        if (step.request and not step.request_text) or (step.reply and not step.reply_text):
            raise NoDraft(RULE, "the plan has no words for this step")
        return Draft(
            request=step.request_text if step.request else None,
            calls=tuple(DraftCall(name=call.tool.name, arguments=call.arguments) for call in step.calls),
            reply=step.reply_text if step.reply else None,
        )

    def spent(self, scenario: Scenario) -> Spent:
        """Writing offline costs nothing."""
        return NOTHING_SPENT
