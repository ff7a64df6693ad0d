"""Faults: what is asked for is read or refused, and what is drawn depends on the seed and the request alone."""

from __future__ import annotations

from collections import Counter

import pytest

from generator.errors import UsageError
from generator.serving.faults import Fault, read_faults
from tests.tables import each_row


def test_shares_are_drawn_as_often_as_asked_whatever_the_order() -> None:
    faults = read_faults("429=0.25,hang=0.1:5,cut=0.05", seed=3)
    bodies = [str(number).encode() for number in range(4000)]
    drawn = {body: faults.of(body) for body in bodies}
    counts = Counter(fault.kind for fault in drawn.values() if fault)
    assert counts["429"] == pytest.approx(1000, rel=0.15) and counts["hang"] == pytest.approx(400, rel=0.2)
    again = read_faults("429=0.25,hang=0.1:5,cut=0.05", seed=3)
    assert {body: again.of(body) for body in reversed(bodies)} == drawn
    assert Fault("hang", 5.0) in drawn.values()


def test_the_same_request_is_drawn_anew_each_time() -> None:
    faults = read_faults("500=0.5")
    assert {bool(faults.of(b"same")) for _ in range(40)} == {True, False}


def test_a_header_decides_before_the_shares() -> None:
    faults = read_faults("500=1")
    assert faults.of(b"x") == Fault("500")
    assert faults.of(b"x", b"none") is None
    assert faults.of(b"x", b"slow:0.5") == Fault("slow", 0.5)


WRONG = {
    "hung=1": "did you mean hang",
    "429": "NAME=SHARE",
    "429=2": "share from 0 to 1",
    "429=x": "share from 0 to 1",
    "hang=0.1:soon": "no seconds",
    "200=0.5": "no fault",
    "429=0.6,500=0.6": "more than 1",
    "429=0.1,429=0.1": "twice",
}


@each_row("given", list(WRONG))
def test_what_is_no_fault_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match=WRONG[given]):
        read_faults(given)
