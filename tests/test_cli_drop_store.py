"""`--drop-store`: a run without its store is read, extended and known to be settled as any other."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.cli import main

RUN = ["generate", "tool_specs/weather.json", "--count"]


def test_a_run_without_its_store_goes_on_from_its_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, whole = tmp_path / "run", tmp_path / "whole"
    assert main([*RUN, "30", "--out", str(out), "--drop-store", "--quiet"]) == 0
    assert not list(out.glob("run.db*"))
    for command in (["validate", str(out)], ["show", str(out), "-n", "1"]):
        assert main(command) == 0
    assert main(["export", str(out), "--format", "trl", "-o", str(tmp_path / "train.jsonl")]) == 0
    over = ["export", str(out), "--format", "trl", "-o", str(out / "rejections.jsonl")]
    assert main(over) == 2, "what is a run's is not written over, with its store or without"
    assert main(["push", str(out), str(tmp_path / "pushed")]) == 2
    before = (out / "records.jsonl").read_bytes()
    assert main([*RUN, "30", "--out", str(out), "--drop-store"]) == 0
    assert "settled already" in capsys.readouterr().err
    assert (out / "records.jsonl").read_bytes() == before
    assert main([*RUN, "60", "--out", str(out), "--quiet"]) == 0
    assert main([*RUN, "60", "--out", str(whole), "--quiet"]) == 0
    for name in ("records.jsonl", "rejections.jsonl"):
        assert (out / name).read_bytes() == (whole / name).read_bytes()


@pytest.mark.parametrize(
    ("options", "why"),
    [(["--range", "0:5"], "a part is merged from it"), (["--no-metadata"], "cannot be read back")],
    ids=["a part", "no metadata"],
)
def test_a_store_that_is_needed_is_not_dropped(
    tmp_path: Path, options: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*RUN, "10", "--out", str(tmp_path / "run"), "--drop-store", *options]) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
