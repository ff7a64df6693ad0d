"""The offline author: requests and replies without a network."""

from __future__ import annotations

from generator.authors.offline.irrelevance import write_irrelevant_reply, write_irrelevant_request
from generator.authors.offline.replies import write_reply
from generator.authors.offline.requests import write_request
from generator.backends.spent import NOTHING, Spent
from generator.records.calls import Draft, DraftCall, Exchange
from generator.scenarios.scenario import Scenario

IRRELEVANCE = "irrelevance"


class OfflineAuthor:
    """Writes requests from frames and descriptions, replies from results; returns the planned calls as they are."""

    name = "offline"

    async def draft(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        """Write step number `len(history)` of the scenario.

        Raises:
            NoDraft: nothing good enough could be written (rule AU001).
        """
        return self.write(scenario, history)

    def write(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        """Write the step as `draft` does, without an event loop: nothing here waits."""
        step = scenario.steps[len(history)]
        irrelevant = scenario.kind == IRRELEVANCE
        request = reply = None
        if step.request:
            request = write_irrelevant_request(scenario) if irrelevant else write_request(scenario, step)
        if step.reply:
            reply = write_irrelevant_reply(scenario) if irrelevant else write_reply(scenario, history)
        calls = tuple(DraftCall(name=call.tool.name, arguments=call.arguments) for call in step.calls)
        return Draft(request=request, calls=calls, reply=reply)

    def spent(self, scenario: Scenario) -> Spent:
        """Writing offline costs nothing."""
        return NOTHING
