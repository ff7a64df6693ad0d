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
    for again in (["--drop-store"], []):
        assert main([*RUN, "30", "--out", str(out), *again]) == 0
        assert "settled already" in capsys.readouterr().err
        assert not list(out.glob("run.db*")), "by its receipt a run is known to be over, with no store"
    assert main([*RUN, "30", "--out", str(out), "--compress", "gz", "--shard", "12", "--quiet"]) == 0
    assert sorted(path.name for path in out.glob("rec*")) == [f"records-0000{n}-of-00003.jsonl.gz" for n in range(3)]
    assert main([*RUN, "30", "--out", str(out), "--quiet"]) == 0
    assert (out / "records.jsonl").read_bytes() == before
    assert main([*RUN, "60", "--out", str(out), "--quiet"]) == 0
    assert main([*RUN, "60", "--out", str(whole), "--quiet"]) == 0
    assert not (out / "dropped.json").exists()
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


def test_answers_are_kept_without_being_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN, "10", "--out", str(tmp_path / "run"), "--keep-answers"]) == 2
    assert "answers are kept unless --drop-store is given" in capsys.readouterr().err


@pytest.mark.parametrize("spoil", [b"", b"{}", b'{"records": 10, "answers": false, "notes": {"published": 5}}'])
def test_what_stays_of_a_store_and_is_damaged_is_told(
    tmp_path: Path, spoil: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    run = [*RUN, "10", "--out", str(tmp_path / "run"), "--drop-store", "--quiet"]
    assert main(run) == 0
    (tmp_path / "run" / "dropped.json").write_bytes(spoil)
    assert main(run) == 5
    assert "this is no dropped.json of toolgen; remove it" in capsys.readouterr().err
    (tmp_path / "run" / "dropped.json").unlink()
    assert main(run) == 0
