"""Record trials: a wording that the examiner refuses each time is told, with the rule and the text; others are not."""

from __future__ import annotations

from typing import Any

import pytest

from generator.domains.catalog import Catalog
from generator.domains.domain import Domain
from generator.reports.record_trials import refused
from tests.domain_examples import domain, tools

WAY = ("tools", "renew_loan", "ways", 0, "requests")


def catalog(*requests: str) -> Catalog:
    whole: dict[str, Any] = domain()
    whole["tools"]["renew_loan"]["ways"][0]["requests"] = requests
    known = Domain.model_validate({**whole, "name": "library"})
    shown = [tool.model_copy(update={"domain": "library"}) for tool in tools()]
    return Catalog(tools=tuple(shown), domains=(known,))


@pytest.mark.parametrize(
    ("request_text", "rule"),
    [
        ("Renew {l.title} by {n} days, no, by 99 days.", "TC211"),
        ("Renew {l.title} by {n} days.", ""),
    ],
)
def test_a_wording_that_is_refused_each_time_is_told(request_text: str, rule: str) -> None:
    found = list(refused(catalog("Please renew {l.title}: {n} more days.", request_text), 24))
    assert [fault.path for fault in found] == ([(*WAY, 1)] if rule else [])
    for fault in found:
        assert f"({rule} at /messages/" in fault.what
        assert rule in fault.remedy
