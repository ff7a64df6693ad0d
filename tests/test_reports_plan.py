"""Room: what a run will take of the disk, told before it is begun."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from generator.cli import main
from generator.domains.catalog import Catalog
from generator.engines.engine import EngineOptions
from generator.job import Job
from generator.reports import plan
from generator.reports.plan import in_bytes, room_left, room_needed
from generator.run import run_job
from generator.runs.record_files import IN_ONE_FILE, Form
from generator.scenarios.planner import Planner
from tests.bundled import bundled
from tests.tables import each_row


@each_row("size, words", [(1, "1 kB"), (25_400, "25 kB"), (3_450_000, "3.5 MB"), (4_100_000_000, "4.1 GB")])
def test_bytes_are_told_as_people_read_them(size: int, words: str) -> None:
    assert in_bytes(size) == words


FORMS = (IN_ONE_FILE, Form("gz"), Form("zst"), Form("none", 300), Form("zst", 300))


@pytest.mark.slow
def test_the_estimate_is_near_what_a_run_takes_in_every_form(tmp_path: Path) -> None:
    count, catalog = 2000, Catalog.model_validate(bundled())
    for form in FORMS:
        job = Job(count=count, compress=form.compress, shard=form.shard)
        needed = room_needed(job, catalog, Planner(job, catalog), range(count))
        run_job(job, catalog, tmp_path, engine=EngineOptions(jobs=2))
        taken = sum(path.stat().st_size for path in tmp_path.iterdir())
        assert 0.75 < needed / taken < 1.25, form


def test_the_room_of_a_folder_that_is_not_there_is_that_of_its_disk(tmp_path: Path) -> None:
    free = shutil.disk_usage(tmp_path).free
    assert room_left(tmp_path / "a" / "b") == pytest.approx(free, rel=0.05)


def test_the_plan_tells_the_room(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["generate", "tool_specs/weather.json", "--count", "50", "--range", "10:30", "--dry-run", "--json"]) == 0
    )
    plan = json.loads(capsys.readouterr().out)
    assert plan["range"] == "10:30"
    assert 20_000 < plan["disk_bytes"] < 2_000_000


def test_a_run_warns_where_the_disk_has_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plan, "WORTH_A_LOOK", 5)
    monkeypatch.setattr(plan, "room_left", lambda folder: 1000)
    assert main(["generate", "tool_specs/weather.json", "--count", "8", "--out", str(tmp_path / "run")]) == 0
    assert "has 1 kB left" in capsys.readouterr().err
