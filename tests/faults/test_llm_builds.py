"""Builds that a model writes: what it answered is kept over builds, and only what changed is asked for anew."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest

from generator.builds.folder import BuildsFolder
from generator.builds.manifest import read_manifest
from generator.builds.verifying import verify
from generator.cli import main
from generator.runs.folder import read_catalog
from tests.build_orders import shown
from tests.domain_examples import TOOLS
from tests.faults.completion_processes import Served, served

KINDS = "{simple = 2, irrelevance = 1}"


def write(folder: Path, server: Served, tools: list[dict[str, object]], count: int = 12, more: str = "") -> Path:
    """Write the job file and its tools."""
    (folder / "tools.json").write_text(json.dumps(tools), encoding="utf-8")
    path = folder / "job.toml"
    path.write_text(
        f'name = "nightly"\ntools = ["tools.json"]\ncount = {count}\nmix = {KINDS}\nauthor = "llm"\nmodel = "m"\n'
        f'verify = "off"\n[server]\nbase_url = "{server.url}"\n{more}',
        encoding="utf-8",
    )
    return path


def built(folder: Path, code: int = 0) -> dict[int, bytes]:
    """Build, and return the records by index."""
    assert main(["build", str(folder / "job.toml"), "--out", str(folder / "out"), "--quiet"]) == code
    if not (folder / "out" / "latest").exists():
        return {}
    assert verify(folder / "out" / "latest") == ()
    lines = (folder / "out" / "latest" / "records.jsonl").read_bytes().splitlines()
    return {json.loads(line)["metadata"]["index"]: line for line in lines}


def test_only_what_a_changed_tool_touches_is_asked_for_anew(tmp_path: Path) -> None:
    with served() as server:
        write(tmp_path, server, TOOLS)
        before = built(tmp_path)
        first = server.requests
        known = {domain.name: domain for domain in read_catalog(tmp_path / "out/latest/catalog.json").domains}
        assert known["model"].origin == "model"

        built(tmp_path)
        assert server.requests == first

        tools = copy.deepcopy(TOOLS)
        tools[1]["description"] = "Renew a loan of a book for some days."
        write(tmp_path, server, tools)
        after = built(tmp_path)
        asked = server.requests - first
    touched = {index for index, line in before.items() if "renew_loan" in shown(line)}
    assert 0 < len(touched) < len(before)
    assert {index for index in before if before[index] != after[index]} == touched
    manifest = read_manifest(tmp_path / "out" / "latest")
    assert (manifest.kept, manifest.anew) == (12 - len(touched), {"tool changed: renew_loan": len(touched)})
    assert 0 < asked < first
    now = {domain.name: domain for domain in read_catalog(tmp_path / "out/latest/catalog.json").domains}
    assert now["model"].tools["list_loans"] == known["model"].tools["list_loans"]


def test_a_domain_that_a_model_wrote_is_not_written_again_for_more_records(tmp_path: Path) -> None:
    with served() as server:
        write(tmp_path, server, TOOLS, count=6)
        before = built(tmp_path)
        write(tmp_path, server, TOOLS, count=8)
        counted = server.requests
        after = built(tmp_path)
        asked = server.requests - counted
    assert all(after[index] == line for index, line in before.items())
    assert asked <= 2 * 3


def test_a_dead_server_leaves_latest_and_the_next_build_goes_on(tmp_path: Path) -> None:
    with served() as server:
        write(tmp_path, server, TOOLS, count=6)
        built(tmp_path)
        latest = BuildsFolder(tmp_path / "out").latest_build()
    write(tmp_path, Served(9), TOOLS, count=9)
    built(tmp_path, code=3)
    assert BuildsFolder(tmp_path / "out").latest_build() == latest
    with served() as server:
        write(tmp_path, server, TOOLS, count=9)
        assert len(built(tmp_path)) == 9


@pytest.mark.parametrize(("port", "limits", "code"), [(9, "", 3), (0, "[limits]\nmax_requests = 1\n", 4)])
def test_what_ends_the_first_build_while_its_domain_is_written_is_told(
    tmp_path: Path, port: int, limits: str, code: int
) -> None:
    with served() as server:
        write(tmp_path, Served(port) if port else server, TOOLS, count=6, more=limits)
        assert built(tmp_path, code=code) == {}
        write(tmp_path, server, TOOLS, count=6)
        assert len(built(tmp_path)) == 6


def test_a_limit_stops_a_build_and_the_next_one_goes_on(tmp_path: Path) -> None:
    with served() as server:
        write(tmp_path, server, TOOLS, more="[limits]\nmax_requests = 12\n")
        assert built(tmp_path, code=4) == {}
        spent = server.requests
        assert spent <= 12
        write(tmp_path, server, TOOLS)
        assert len(built(tmp_path)) == 12
        assert server.requests > spent
    assert len((BuildsFolder(tmp_path / "out").work.answers).read_bytes().splitlines()) >= spent


def test_a_check_asks_the_server_for_a_word_and_tells_the_cost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with served() as server:
        path = write(tmp_path, server, TOOLS, more="[limits]\nmax_cost = 5\nprice_in = 1\nprice_out = 2\n")
        assert main(["build", str(path), "--check", "--json"]) == 0
        assert server.requests == 1
    found = json.loads(capsys.readouterr().out)["llm"]
    assert found["requests"] > 12
    assert found["estimated_cost"] > 0
    assert found["limits"] == {"max_cost": 5, "price_in": 1, "price_out": 2}
    assert not (tmp_path / "output").exists()


@pytest.mark.parametrize(
    ("change", "code", "told"),
    [
        ('base_url = "http://127.0.0.1:9/v1"', 3, "127.0.0.1:9"),
        ('api_key_env = "NO_SUCH_KEY"', 2, "names none that is set"),
        ('prompts = "nowhere"', 2, "nowhere"),
    ],
)
def test_a_check_refuses_what_would_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: str, code: int, told: str
) -> None:
    with served() as server:
        path = write(tmp_path, server, TOOLS)
        text = path.read_text(encoding="utf-8")
        changed = text.replace(f'base_url = "{server.url}"', change) if "base_url" in change else f"{text}{change}\n"
        path.write_text(changed, encoding="utf-8")
        assert main(["build", str(path), "--check"]) == code
    assert told in capsys.readouterr().err
