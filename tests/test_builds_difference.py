"""Differences: records that came, went and changed are counted by kind and tool, and the reasons are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.builds.difference import Difference, Moved, difference
from generator.errors import StorageError
from tests.build_orders import TOOLS, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    found = Desk(tmp_path)
    found.build()
    return found


def after(desk: Desk) -> Difference:
    """What changed with the next build."""
    before = desk.latest.resolve()
    assert desk.build().ending == "published"
    return difference(before, desk.latest)


def test_more_records_are_added(desk: Desk) -> None:
    desk.write_job(count=15)
    found = after(desk)
    assert (found.same, found.records) == (12, Moved(added=3))
    assert sum(moved.added for moved in found.kinds.values()) == 3
    assert found.why == {"settings": ["count"]}


def test_fewer_are_removed(desk: Desk) -> None:
    desk.write_job(count=10)
    found = after(desk)
    assert (found.same, found.records) == (10, Moved(removed=2))


def test_a_tool_that_comes_and_one_that_goes_are_named(desk: Desk) -> None:
    (desk.path / "tools" / "add_note.json").unlink()
    desk.write_tool(TOOLS["play_song"])
    found = after(desk)
    assert found.why == {"tool removed": ["add_note"], "tool added": ["play_song"]}
    assert found.tools["play_song"].changed > 0
    assert found.records == Moved(changed=12 - found.same)


def test_another_seed_is_the_reason_for_all(desk: Desk) -> None:
    desk.write_job(seed=9)
    found = after(desk)
    assert (found.same, found.records.changed, found.why) == (0, 12, {"seed": ["seed"]})


def test_a_build_and_itself_are_the_same(desk: Desk) -> None:
    found = difference(desk.latest, desk.latest)
    assert (found.same, found.records, found.kinds, found.tools, found.why) == (12, Moved(), {}, {}, {})


def test_a_broken_build_is_a_message(desk: Desk) -> None:
    (desk.latest / "records.jsonl").write_bytes(b"{}\n")
    with pytest.raises(StorageError, match=r"records\.jsonl:1: is no record"):
        difference(desk.latest, desk.latest)
