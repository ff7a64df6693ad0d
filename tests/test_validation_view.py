"""Kept: found out once for each record and arguments, and kept with the record alone."""

from __future__ import annotations

import gc

from generator.validation.view import RecordView, cached_on_record
from tests.record_examples import simple


def test_what_is_asked_again_is_found_out_once_for_each_record_and_arguments() -> None:
    asked: list[tuple[str, bool]] = []

    @cached_on_record
    def tools(record: RecordView, end: str, *, loud: bool = False) -> str:
        asked.append((end, loud))
        return ",".join(record.tools_by_name) + end

    one, other = RecordView(simple(), generated=False), RecordView(simple(), generated=False)
    assert tools(one, "!") == tools(one, "!") == tools(other, "!")
    assert tools(one, "?") != tools(one, "!", loud=True)
    assert asked == [("!", False), ("!", False), ("?", False), ("!", True)]


def test_nothing_but_the_record_keeps_it() -> None:
    @cached_on_record
    def names(record: RecordView) -> list[str]:
        return list(record.tools_by_name)

    record = RecordView(simple(), generated=False)
    found = names(record)
    holders = [each for each in gc.get_referrers(found) if each is not locals()]
    assert holders == [record.kept]
