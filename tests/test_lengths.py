"""Lengths: tokens by a tokenizer or estimated, how they spread, and what is done with records that are too long."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.cli import main
from generator.lengths import (
    ESTIMATE,
    LIMITS,
    LengthCounts,
    coarse,
    in_few_words,
    in_words,
    open_counter,
    spread_of,
)
from generator.runs.summary import Summary

Json = Any  # parsed JSON


@pytest.fixture(scope="module")
def tokenizer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a model whose tokens are words."""
    tokenizers = pytest.importorskip("tokenizers")
    folder = tmp_path_factory.mktemp("model")
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    words.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    words.save(str(folder / "tokenizer.json"))
    return folder


def test_a_tokenizer_counts(tokenizer: Path) -> None:
    for path in (tokenizer, tokenizer / "tokenizer.json", str(tokenizer)):
        counter = open_counter(path)
        assert not counter.estimates
        assert len(counter.digest) == 16
        assert counter.count("one two three") == 3
    assert open_counter("") is open_counter(None) is ESTIMATE


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff" * 9, b'{"model": {"type": "nothing"}}', None])
def test_what_is_no_tokenizer_is_said_plainly(
    content: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tokenizers")
    file = tmp_path / "tokenizer.json"
    if content is not None:
        file.write_bytes(content)
    out = tmp_path / "run"
    assert main(["generate", "--count", "2", "--tokenizer", str(tmp_path), "--out", str(out)]) == 2
    told = "there is no tokenizer.json" if content is None else f"{file}: is no tokenizer.json"
    assert told in " ".join(capsys.readouterr().err.split())
    assert not out.exists()


def test_without_the_library_the_install_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    assert main(["generate", "--count", "2", "--tokenizer", str(tmp_path), "--out", str(tmp_path / "run")]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert "pip install" in told and "[tokens]" in told


@given(st.integers(1, 10**9))
def test_a_rough_length_is_no_less_and_little_more(tokens: int) -> None:
    assert tokens <= coarse(tokens) <= tokens * 1.001 + 1
    assert tokens >= 10_000 or coarse(tokens) == tokens


@given(st.lists(st.integers(1, 50_000), min_size=1, max_size=60))
def test_a_spread_is_that_of_the_lengths(lengths: list[int]) -> None:
    counts = LengthCounts(estimated=False)
    for tokens in lengths:
        counts.add(tokens)
    spread, rough = counts.spread(), sorted(map(coarse, lengths))
    assert spread == spread_of(Counter(rough), estimated=False)
    assert spread.longest == rough[-1]
    assert spread.median == rough[(len(rough) - 1) // 2]
    assert spread.median <= spread.p90 <= spread.p99 <= spread.longest
    over = {str(limit): sum(each > limit for each in rough) for limit in LIMITS}
    assert spread.longer == {limit: count for limit, count in over.items() if count}


def test_an_estimate_is_marked() -> None:
    assert "about" in in_few_words(spread_of({900: 3, 1100: 1}, estimated=True))
    assert "1 over 1,024" in in_few_words(spread_of({900: 3, 1100: 1}, estimated=True))
    assert "estimated" in in_words(spread_of({900: 1}, estimated=True))
    exact = spread_of({900: 1}, estimated=False)
    assert "about" not in in_few_words(exact) and "estimated" not in in_words(exact)


def lines(file: Path) -> list[Json]:
    return [orjson.loads(line) for line in file.read_bytes().splitlines()]


def test_no_record_of_a_run_is_longer_than_allowed(tmp_path: Path, tokenizer: Path) -> None:
    counter = open_counter(tokenizer)
    options = ["--count", "40", "--seed", "5", "--tokenizer", str(tokenizer), "--quiet"]
    command = ["generate", "tool_specs/weather.json", *options]
    assert main([*command, "--out", str(tmp_path / "free")]) == 0
    free = [counter.of_record(record) for record in lines(tmp_path / "free" / "records.jsonl")]
    most = sorted(free)[24]
    assert main([*command, "--max-length", str(most), "--out", str(tmp_path / "run")]) == 0
    held = lines(tmp_path / "run" / "records.jsonl")
    lengths = [counter.of_record(record) for record in held]
    assert max(lengths) <= most < max(free)
    summary = Summary.model_validate_json((tmp_path / "run" / "summary.json").read_bytes())
    assert summary.lengths.longest == max(lengths)
    assert not summary.lengths.estimated
    assert {"multiple", "parallel"} <= {record["metadata"]["kind"] for record in held}


def test_the_length_is_part_of_the_job_and_the_place_of_the_tokenizer_is_not(
    tmp_path: Path, tokenizer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = ["--out", str(tmp_path / "run"), "--quiet", "--seed", "5"]
    job = tmp_path / "job.toml"
    tools = Path("tool_specs/weather.json").absolute()
    job.write_text(f'tools = ["{tools}"]\ncount = 3\nmax_length = 1600\ntokenizer = "moved"\n')
    (tmp_path / "moved").mkdir()
    (tmp_path / "moved" / "tokenizer.json").write_bytes((tokenizer / "tokenizer.json").read_bytes())
    length = ["tool_specs/weather.json", "--count", "3", "--max-length", "1600"]
    assert main(["generate", *length, "--tokenizer", str(tokenizer), *run]) == 0
    before = (tmp_path / "run" / "records.jsonl").read_bytes()
    assert main(["generate", "--job", str(job), *run]) == 0
    assert (tmp_path / "run" / "records.jsonl").read_bytes() == before
    assert main(["generate", *length, *run]) == 2
    assert "tokenizer_digest" in capsys.readouterr().err


def test_a_length_in_which_no_tool_has_room_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--count", "2", "--max-length", "64", "--out", str(tmp_path / "run")]) == 2
    assert "no tool leaves room" in capsys.readouterr().err


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lengths") / "run"
    assert main(["generate", "--count", "30", "--seed", "5", "--out", str(folder), "--quiet"]) == 0
    return folder


@pytest.mark.parametrize("command", [["export", "--format"], ["convert", "--jobs", "2", "--to"], ["convert", "--to"]])
def test_what_is_too_long_is_left_out_and_counted(
    run_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    verb, *options = command
    lengths = sorted(map(ESTIMATE.of_record, lines(run_folder / "records.jsonl")))
    most, out = lengths[10], tmp_path / "out.jsonl"
    written = [*options, "trl", "-o", str(out)]
    assert main([verb, str(run_folder), *written, "--max-length", str(most)]) == 0
    told = " ".join(capsys.readouterr().err.split())
    kept = [each for each in lengths if each <= most]
    assert len(lines(out)) == len(kept)
    assert f"{30 - len(kept)} of more than {most:,} tokens were left out" in told
    assert f"longest {most:,} tokens (estimated" in told
    assert main([verb, str(run_folder), *written, "--max-length", "3"]) == 1
    assert "30 of more than 3 tokens were left out" in " ".join(capsys.readouterr().err.split())


def test_the_closing_tells_the_lengths(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["generate", "--count", "5", "--out", str(tmp_path / "run")]) == 0
    told = capsys.readouterr()
    assert "length about " in " ".join((told.out + told.err).split())
    held = json.loads((tmp_path / "run" / "summary.json").read_text())["lengths"]
    assert held["estimated"] is True and held["median"] > 50
