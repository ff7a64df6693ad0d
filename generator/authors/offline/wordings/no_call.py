"""Wording of records without a call."""

from __future__ import annotations

from generator.authors.offline.irrelevance import write_irrelevant_reply, write_irrelevant_request
from generator.authors.offline.wordings.wording import Wording

WORDINGS = {
    "irrelevance": Wording(
        lambda scenario, _: write_irrelevant_request(scenario), lambda scenario, _: write_irrelevant_reply(scenario)
    )
}
