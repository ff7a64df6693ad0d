"""The offline author: it says what the domain's phrases say, without a network."""

from __future__ import annotations

from generator.authors.author import NoDraft
from generator.backends.budget import NOTHING_SPENT, Spent
from generator.records import Draft, DraftCall, Exchange
from generator.scenarios.scenario import Scenario

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
