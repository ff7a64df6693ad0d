"""The folder of builds: what is a build of ours, which is the latest, and stamps that only grow."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from generator.builds.folder import BuildsFolder, builds_in, folder_name, is_own, remove

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def made(folder: BuildsFolder, stamp: str, text: bytes = b"{}") -> Path:
    """A folder that is named as its manifest asks for."""
    build = folder.builds / folder_name(stamp, text)
    build.mkdir(parents=True)
    (build / "manifest.json").write_bytes(text)
    return build


@pytest.fixture
def folder(tmp_path: Path) -> BuildsFolder:
    found = BuildsFolder(tmp_path / "nightly")
    found.make()
    return found


def test_only_what_its_manifest_names_is_a_build(folder: BuildsFolder) -> None:
    own = made(folder, "20260101T000000Z")
    changed = made(folder, "20260102T000000Z")
    (changed / "manifest.json").write_bytes(b"[]")
    (folder.builds / "20260103T000000Z-00000000").mkdir()
    (folder.builds / "mine").mkdir()
    (folder.builds / "20260104T000000Z-11111111").symlink_to(own)
    assert builds_in(folder.builds) == [own]
    assert [is_own(path) for path in (own, changed, folder.builds / "mine")] == [True, False, False]


def test_latest_leads_to_a_build_by_a_relative_link(folder: BuildsFolder, tmp_path: Path) -> None:
    assert folder.latest_build() is None
    first, second = made(folder, "20260101T000000Z"), made(folder, "20260102T000000Z")
    folder.point_to(first)
    folder.point_to(second)
    assert folder.latest_build() == second
    folder.path.rename(tmp_path / "moved")
    moved = BuildsFolder(tmp_path / "moved")
    assert moved.latest.resolve() == moved.builds / second.name


def test_a_link_that_leads_nowhere_is_no_build(folder: BuildsFolder) -> None:
    build = made(folder, "20260101T000000Z")
    folder.point_to(build)
    remove(build)
    assert folder.latest_build() is None
    assert list(folder.builds.iterdir()) == []


def test_a_stamp_is_that_of_utc_and_later_than_every_other(folder: BuildsFolder) -> None:
    there = NOON.astimezone(timezone(timedelta(hours=9)))
    assert folder.stamp(there, None) == "20260301T120000Z"
    build = made(folder, "20260301T120000Z")
    assert folder.stamp(NOON, build) == "20260301T120001Z"
    made(folder, "20301231T235959Z")
    assert folder.stamp(NOON, build) == "20310101T000000Z"


def test_what_is_half_written_is_cleared_and_nothing_else(folder: BuildsFolder) -> None:
    (folder.builds / ".20260101T000000Z.part" / "data").mkdir(parents=True)
    (folder.missed / ".x.part").mkdir()
    (folder.builds / "notes").mkdir()
    folder.clear_parts()
    assert [path.name for path in folder.builds.iterdir()] == ["notes"]
    assert list(folder.missed.iterdir()) == []
