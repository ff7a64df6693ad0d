"""`--publish-to`: when all is made, the published files lie at a URL as well, and not before."""

from __future__ import annotations

from pathlib import Path

import fsspec
import orjson
import pytest

from generator.cli import main

RUN = ["generate", "tool_specs/weather.json", "--quiet", "--count"]
FILES = {"records.jsonl", "rejections.jsonl", "summary.json", "job.json", "catalog.json"}


@pytest.mark.parametrize("scheme", ["file", "memory"])
def test_a_run_that_is_made_lies_at_the_url(tmp_path: Path, scheme: str) -> None:
    out, target = tmp_path / "run", f"{scheme}://{tmp_path}/published"
    assert main([*RUN, "20", "--out", str(out), "--publish-to", target]) == 0
    system, root = fsspec.core.url_to_fs(target)

    def lies_there() -> dict[str, bytes]:
        pointer = orjson.loads(system.cat_file(f"{root}/latest.json"))
        return {name: system.cat_file(f"{root}/{pointer['path']}/{name}") for name in pointer["files"]}

    assert lies_there() == {name: (out / name).read_bytes() for name in FILES}
    assert main([*RUN, "30", "--out", str(out), "--publish-to", target, "--drop-store"]) == 0
    assert lies_there() == {name: (out / name).read_bytes() for name in FILES}
    assert lies_there()["records.jsonl"].count(b"\n") == 30


def test_what_is_no_url_is_refused_before_anything_is_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    for target in ("nowhere", "hf://datasets/me/tools", "s3://me:secret@bucket/x"):
        assert main([*RUN, "20", "--out", str(out), "--publish-to", target]) == 2
        assert "secret" not in capsys.readouterr().err
    assert not out.exists()


def test_a_url_that_refuses_is_one_clear_error_and_the_run_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, blocked = tmp_path / "run", tmp_path / "blocked"
    blocked.write_text("a file, where a folder would have to be")
    command = [*RUN, "20", "--out", str(out), "--publish-to"]
    assert main([*command, f"file://{blocked}/x"]) == 3
    assert f"file://{blocked}/x" in capsys.readouterr().err
    assert (out / "records.jsonl").read_bytes().count(b"\n") == 20
    assert main([*command, f"file://{tmp_path}/free"]) == 0
    assert (tmp_path / "free" / "latest.json").is_file()
