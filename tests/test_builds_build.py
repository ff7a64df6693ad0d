"""Builds: only what changed is made anew, nothing changed writes nothing, and the same inputs give the same bytes."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from generator.builds.build import build
from generator.builds.verifying import verify
from generator.errors import DataError, JobError, McpServerError, RunLockedError, StorageError, ToolFileError
from generator.runs.lock import run_lock
from tests import mcp_server
from tests.build_orders import TOOLS, Desk, shown, tool


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_the_first_build_is_published_and_holds_all_that_it_tells(desk: Desk) -> None:
    report = desk.build()
    assert report.ending == "published"
    assert desk.latest.resolve() == report.folder
    assert desk.latest.readlink() == Path("builds") / report.folder.name
    assert verify(desk.latest) == ()
    manifest = desk.manifest
    assert (manifest.records, manifest.kept, manifest.anew) == (12, 0, {"no build before": 12})
    assert {state.name for state in manifest.tools.values()} == {"get_weather", "find_book", "add_note"}
    assert (desk.out / "work").is_dir()
    assert not any((desk.out / "work").iterdir())


def test_nothing_changed_writes_nothing(desk: Desk) -> None:
    first = desk.build()
    before = desk.tree()
    again = desk.build()
    assert (again.ending, again.folder, desk.steps) == ("unchanged", first.folder, [])
    assert desk.tree() == before


def test_another_writing_of_the_same_tools_is_no_change(desk: Desk) -> None:
    desk.build()
    (desk.path / "tools" / "add_note.json").write_text(json.dumps([TOOLS["add_note"]], indent=3))
    assert desk.build().ending == "unchanged"


def test_a_changed_tool_has_the_records_made_anew_that_show_it_and_no_others(desk: Desk) -> None:
    desk.build()
    before = desk.records()
    desk.write_tool(tool("add_note", "Add a note to the list.", text="What the note says"))
    assert desk.build().ending == "published"
    after = desk.records()
    touched = {index for index, line in before.items() if "add_note" in shown(line)}
    assert 0 < len(touched) < 12
    assert {index for index in before if before[index] != after[index]} == touched
    assert desk.manifest.anew == {"tool changed: add_note": len(touched)}
    assert desk.manifest.kept == 12 - len(touched)
    assert verify(desk.latest) == ()


def test_a_removed_tool_is_shown_no_more(desk: Desk) -> None:
    desk.build()
    before = desk.records()
    (desk.path / "tools" / "add_note.json").unlink()
    desk.build()
    after = desk.records()
    touched = {index for index, line in before.items() if "add_note" in shown(line)}
    assert not any("add_note" in shown(line) for line in after.values())
    assert {index for index in before if before[index] != after[index]} == touched
    assert desk.manifest.anew == {"tool removed: add_note": len(touched)}


def test_a_new_tool_gets_its_share_and_no_more(desk: Desk) -> None:
    desk.write_job(count=40)
    desk.build()
    before = desk.records()
    desk.write_tool(TOOLS["play_song"])
    desk.build()
    after = desk.records()
    changed = {index for index in before if before[index] != after[index]}
    assert desk.manifest.anew == {"a new tool leads it": len(changed)}
    assert 4 <= len(changed) <= 20
    assert sum("play_song" in shown(line) for line in after.values()) >= len(changed) / 2


def test_requests_of_new_records_repeat_none_of_kept_ones(desk: Desk) -> None:
    desk.build()
    desk.write_job(count=60)
    desk.build()
    requests = [
        " ".join(m["content"] for m in json.loads(line)["messages"] if m["role"] == "user").casefold()
        for line in desk.records().values()
    ]
    assert len(set(requests)) == len(requests) == desk.manifest.records
    assert desk.manifest.anew == {"more records are asked for": 48}


def test_fewer_records_are_the_first_of_them(desk: Desk) -> None:
    desk.build()
    before = desk.records()
    desk.write_job(count=7)
    desk.build()
    assert desk.records() == {index: before[index] for index in range(7)}


@pytest.mark.parametrize(
    ("change", "told"),
    [({"seed": 3}, "other settings: seed"), ({"error_rate": 0.5}, "other settings: error_rate")],
)
def test_other_settings_keep_nothing(desk: Desk, change: dict[str, object], told: str) -> None:
    desk.build()
    desk.write_job(**change)
    desk.build()
    assert desk.manifest.anew == {told: 12}


def test_full_keeps_nothing_and_says_so(desk: Desk) -> None:
    desk.build()
    before = desk.records()
    assert desk.build(full=True).ending == "published"
    assert desk.manifest.anew == {"all of it was asked for anew": 12}
    assert desk.records() == before


def test_the_same_inputs_after_the_same_build_give_the_same_bytes(tmp_path: Path) -> None:
    found = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        desk = Desk(tmp_path / name, settings="[splits]\nshares = {train = 0.5, test = 0.5}\n", formats=["trl"])
        desk.build()
        desk.write_tool(tool("find_book", "Find a book in the library.", title="The title of the book"))
        desk.build()
        names = ("records.jsonl", "data/trl/train.jsonl", "data/trl/test.jsonl")
        found.append([(desk.latest / each).read_bytes() for each in names])
    assert found[0] == found[1]
    assert all(found[0])


def test_the_seed_of_the_day_is_recorded(desk: Desk) -> None:
    desk.write_job(seed="date")
    desk.build()
    assert desk.manifest.job["seed"] == 20260301
    assert desk.manifest.seed_of_the_day
    assert desk.build().ending == "unchanged"


def test_a_bad_tool_file_leaves_all_as_it_was(desk: Desk) -> None:
    first = desk.build()
    before = desk.tree()
    (desk.path / "tools" / "bad.json").write_text("{")
    with pytest.raises(ToolFileError, match=r"bad\.json"):
        desk.build()
    (desk.path / "tools" / "bad.json").unlink()
    assert desk.latest.resolve() == first.folder
    left = desk.tree()
    assert {path: left[path] for path in before if not path.endswith("lock")} == {
        path: seen for path, seen in before.items() if not path.endswith("lock")
    }


def test_a_missed_gate_keeps_the_build_aside(desk: Desk) -> None:
    first = desk.build()
    desk.write_job("[gates]\nmax_derived_share = 0.5\n")
    report = desk.build()
    assert report.ending == "missed"
    assert report.folder.parent == desk.out / "missed"
    assert report.manifest.missed == ("max_derived_share: 1.0000, and 0.5 is the most",)
    assert desk.latest.resolve() == first.folder
    assert verify(report.folder) == ()


def test_a_gate_that_cannot_be_passed_costs_no_record(desk: Desk) -> None:
    desk.write_job("[gates]\nmin_of_kind = {simple = 11}\n")
    with pytest.raises(DataError, match=r"cannot be passed: gates\.min_of_kind\.simple: 11, and 6"):
        desk.build()
    assert desk.steps == []


def test_what_is_held_out_must_be_a_tool(desk: Desk) -> None:
    desk.write_job('[splits]\nhold_out = ["add_nota"]\n')
    with pytest.raises(JobError, match="there is no tool 'add_nota'; did you mean add_note"):
        desk.build()
    desk.write_job('[splits]\nhold_out = ["add_note"]\n', formats=["trl"])
    desk.build()
    lines = (desk.latest / "data/trl/train.jsonl").read_bytes().splitlines()
    assert lines
    assert not any("add_note" in shown(line) for line in lines)
    assert desk.manifest.splits["held_out"] + len(lines) + sum(desk.manifest.left_out.values()) == 12


def test_a_damaged_build_is_not_kept_of(desk: Desk) -> None:
    desk.build()
    path = desk.latest / "records.jsonl"
    path.write_bytes(path.read_bytes().replace(b"note", b"nota", 1))
    desk.write_job(count=13)
    desk.build()
    assert desk.manifest.anew == {"the build before is damaged": 13}
    assert verify(desk.latest) == ()


def test_an_emptied_build_is_seen_at_once_and_made_anew(desk: Desk) -> None:
    desk.build()
    (desk.latest / "records.jsonl").write_bytes(b"")
    assert desk.build().ending == "published"
    assert any("is damaged" in told for told in desk.told)
    assert desk.manifest.anew == {"the build before is damaged": 12}
    assert verify(desk.latest) == ()


def test_builds_follow_each_other_though_the_clock_is_set_back(desk: Desk) -> None:
    desk.build()
    desk.now = desk.now.replace(year=2020)
    desk.write_job(count=13)
    second = desk.build()
    assert max(path.name for path in (desk.out / "builds").iterdir()) == second.folder.name
    assert desk.latest.resolve() == second.folder


def test_so_many_builds_stay_as_are_to_be_kept(desk: Desk) -> None:
    foreign = desk.out / "builds" / "20200101T000000Z-mine"
    foreign.mkdir(parents=True)
    named_alike = desk.out / "builds" / "20200101T000000Z-0123abcd"
    named_alike.mkdir()
    for count in (4, 5, 6, 7):
        desk.write_job("[publish]\nkeep = 2\n", count=count)
        desk.build()
    there = sorted(path.name for path in (desk.out / "builds").iterdir())
    assert there[:2] == [named_alike.name, foreign.name]
    assert len(there) == 4
    assert desk.manifest.records == 7


def test_only_one_build_is_at_work(desk: Desk) -> None:
    desk.out.mkdir(parents=True)
    with run_lock(desk.out / "lock"), pytest.raises(RunLockedError, match="process"):
        desk.build()


def test_a_folder_in_the_place_of_latest_is_refused(desk: Desk) -> None:
    desk.latest.mkdir(parents=True)
    with pytest.raises(StorageError, match="is no link"):
        desk.build()


def test_records_without_metadata_are_written_where_the_job_wants_none(desk: Desk) -> None:
    desk.write_job(metadata=False, formats=["trl"])
    desk.build()
    line = (desk.latest / "data" / "trl" / "train.jsonl").read_bytes().splitlines()[0]
    assert "metadata" not in json.loads(line)
    assert "metadata" in json.loads(desk.records()[0])
    desk.write_job(metadata=False, formats=["trl"], count=13)
    desk.build()
    assert desk.manifest.kept == 12


def test_an_interrupted_build_is_continued(desk: Desk) -> None:
    class Interrupted(Exception):
        pass

    def stop(progress: object) -> None:
        raise Interrupted

    with pytest.raises(Interrupted):
        build(desk.order(on_progress=stop))
    assert (desk.out / "work" / "run.db").exists()
    report = desk.build()
    assert report.ending == "published"
    assert verify(desk.latest) == ()


def test_servers_are_listed_when_a_build_begins_and_domain_files_speak_of_their_tools(desk: Desk) -> None:
    pytest.importorskip("mcp")
    server = f"{sys.executable} {mcp_server.__file__}"
    said = {"domain": 1, "tools": {"tool_0": {"can": "do the first deed"}}}
    (desk.path / "deeds.domain.json").write_text(json.dumps(said), encoding="utf-8")
    desk.write_job(mcp=[f"{server} pages"], domains=["deeds.domain.json"])
    assert desk.build().ending == "published"
    names = {state.name: state.domain for state in desk.manifest.tools.values()}
    assert set(names) == {"get_weather", "find_book", "add_note", *(f"tool_{number}" for number in range(5))}
    assert (names["tool_0"], names["tool_1"]) == ("deeds", "")
    assert desk.build().ending == "unchanged"

    before = desk.latest.resolve()
    desk.write_job(mcp=[f"{server} toolless"], domains=["deeds.domain.json"])
    with pytest.raises(McpServerError, match="offers no tools"):
        desk.build()
    assert desk.latest.resolve() == before
