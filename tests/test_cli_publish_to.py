"""`--publish-to`: when all is made, the published files lie at a URL as well, and not before."""

from __future__ import annotations

from pathlib import Path

import fsspec
import orjson
import pytest

from generator.cli import main
from generator.ray import _files

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


def test_what_counts_at_a_url_is_what_ray_reads(tmp_path: Path) -> None:
    target = f"file://{tmp_path}/published"
    assert _files(target) == [f"{target}/records.jsonl"], "nobody brought anything there"
    assert (
        main([*RUN, "20", "--out", str(tmp_path / "run"), "--shard", "8", "--compress", "gz", "--publish-to", target])
        == 0
    )
    names = [f"records-{number:05}-of-00003.jsonl.gz" for number in range(3)]
    found = _files(target)
    assert [each.rpartition("/")[2] for each in found] == names
    for url, name in zip(found, names, strict=True):
        with fsspec.open(url, "rb") as stream:
            assert stream.read() == (tmp_path / "run" / name).read_bytes()
    assert _files(found[0]) == [found[0]]


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
