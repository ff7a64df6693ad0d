"""The offline author: requests and replies without a network."""

from __future__ import annotations

from generator.authors.author import NoDraft
from generator.authors.offline.requests import RULE
from generator.authors.offline.saying import Unsayable
from generator.authors.offline.wordings import WORDINGS
from generator.backends.spent import NOTHING, Spent
from generator.jsontext import JsonObject
from generator.records.calls import Draft, DraftCall, Exchange
from generator.scenarios.links import BrokenLink, linked_arguments
from generator.scenarios.scenario import PlannedCall, Scenario

LINK_RULE = "AU010"
"""The rejection's rule: an earlier result does not hold the value that the plan wants to go on with."""


class OfflineAuthor:
    """Writes requests from frames and descriptions, replies from results; returns the planned calls as they are."""

    name = "offline"

    async def draft(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        """Write step number `len(history)` of the scenario.

        Raises:
            NoDraft: nothing good enough could be written (rule AU001), or an earlier result lacks what the
                step goes on with (AU010).
        """
        return self.write(scenario, history)

    def write(self, scenario: Scenario, history: tuple[Exchange, ...]) -> Draft:
        """Write the step as `draft` does, without an event loop: nothing here waits."""
        step = scenario.steps[len(history)]
        wording = WORDINGS[scenario.kind]
        calls = tuple(DraftCall(name=call.tool.name, arguments=_arguments(call, history)) for call in step.calls)
        try:
            request = (step.request_text or wording.request(scenario, history)) if step.request else None
            reply = (step.reply_text or wording.reply(scenario, history)) if step.reply else None
        except Unsayable as error:
            raise NoDraft(RULE, str(error)) from error
        return Draft(request=request, calls=calls, reply=reply)

    def spent(self, scenario: Scenario) -> Spent:
        """Writing offline costs nothing."""
        return NOTHING


def _arguments(call: PlannedCall, history: tuple[Exchange, ...]) -> JsonObject:
    try:
        return linked_arguments(call, history)
    except BrokenLink as error:
        raise NoDraft(LINK_RULE, str(error)) from error
